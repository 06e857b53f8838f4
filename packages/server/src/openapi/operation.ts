import { answerSchema, type Route, refusalsOf, successStatus } from '@service/contract'
import { Bytes, JsonLines } from '@service/contract/bytes'
import type { RouteDocs } from '@service/contract/route-docs'
import * as z from 'zod/mini'
import type { ZodOpenApiContentObject, ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { examplesOf } from './example-values.ts'
import { answerHeaders } from './headers.ts'
import { parametersOf, takesIdempotencyKey } from './parameters.ts'
import { refusalOf } from './refusals.ts'
import { securityOf } from './security.ts'

/** A route of the contract as an operation. */
export function toOperation(route: Route, docs: RouteDocs): ZodOpenApiOperationObject {
  const { scope } = route
  return {
    operationId: route.operation,
    tags: [docs.tag],
    summary: docs.summary,
    description: [...(docs.description === undefined ? [] : [docs.description]), ...effectsOf(route)].join('\n\n'),
    security: securityOf(route),
    ...(scope === undefined ? {} : { 'x-required-scope': scope }),
    parameters: parametersOf(route),
    ...(route.query === undefined ? {} : { requestParams: { query: route.query } }),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: contentOf(route.body, docs.bodies) } }),
    responses: responsesOf(route, docs),
  }
}

/** An inbound route says in its description which of its credentials needs the scope. */
function effectsOf({ surface, scope, role, emits }: Route): string[] {
  return [
    ...(surface === 'api' && scope !== undefined ? [`Needs the scope \`${scope}\`.`] : []),
    ...(surface === 'admin' ? [needed(role, scope)] : []),
    ...(emits === undefined ? [] : [`Emits \`${emits}\`.`]),
  ]
}

/** Who may call a route of administration. */
function needed(role: Route['role'], scope: Route['scope']): string {
  if (role === 'public') return 'Needs no credential but what is in the body.'
  if (role === 'person') return 'Needs a session or a personal access token.'
  return `Needs the role \`${role}\`${scope === undefined ? '' : `, or an API token with the scope \`${scope}\``}.`
}

const descriptions = { 200: 'Success.', 201: 'Created.', 204: 'Done. There is no body.' } as const

/** JSON, lines of it, or bytes as they are. */
function contentOf(schema: z.ZodMiniType, examples: RouteDocs['answers'] = {}): ZodOpenApiContentObject {
  if (schema === Bytes) return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  if (schema === JsonLines) return { 'application/x-ndjson': { schema: { type: 'string' } } }
  return { 'application/json': { schema, examples: examplesOf(examples) } }
}

function responsesOf(route: Route, docs: RouteDocs): ZodOpenApiResponsesObject {
  const status = successStatus(route)
  const success = {
    description: descriptions[status],
    headers: answerHeaders(
      route,
      ...(takesIdempotencyKey(route) ? ['Idempotency-Replayed'] : []),
      ...(route.surface === 'admin' && route.method === 'PATCH' ? ['ETag'] : []),
    ),
    ...(status === 204 ? {} : { content: { ...challengeContent(route), ...contentOf(answerOf(route), docs.answers) } }),
  }
  const refusals = [...refusalsOf(route)].sort((a, b) => a - b)
  return Object.fromEntries([
    [`${status}`, success],
    ...refusals.map((status) => [`${status}`, refusalOf(route, status, docs)]),
  ])
}

/** A platform's challenge is answered in its own words. */
function answerOf(route: Route): z.ZodMiniType {
  const { challengeAnswer } = route
  return challengeAnswer === undefined ? answerSchema(route) : z.union([answerSchema(route), challengeAnswer])
}

const challengeContent = ({ challengeAnswer }: Route): ZodOpenApiContentObject =>
  challengeAnswer === undefined ? {} : { 'text/plain': { schema: { type: 'string' } } }
