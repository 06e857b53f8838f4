import { errorStatusesOf, fullPath, type Route, responseSchema, successStatus } from '@service/contract'
import { Bytes, JsonLines } from '@service/contract/bytes'
import { tagOf } from '@service/contract/docs'
import type { RouteDocs } from '@service/contract/route-docs'
import * as z from 'zod/mini'
import {
  createDocument,
  type ZodOpenApiContentObject,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { errorResponse } from './error-responses.ts'
import { answerHeaders, headersOf, parametersIn, parametersOf, takesIdempotencyKey } from './parameters.ts'
import { toExamples, toPlainSchema } from './schemas.ts'
import { securityOf, securitySchemesOf } from './security.ts'

export type OpenApiDocument = ReturnType<typeof createDocument>

/** The parts of a document besides its routes. */
export interface SurfaceDescription {
  readonly info: ZodOpenApiObject['info']
  readonly servers: NonNullable<ZodOpenApiObject['servers']>
  /** The sections with their descriptions. */
  readonly tags: Readonly<Record<string, { readonly about: string }>>
  readonly routes: readonly Route[]
  readonly docs: Readonly<Record<string, RouteDocs>>
  /** Named schemas, so that code generators use these names. Unused ones are omitted. */
  readonly schemas: Readonly<Record<string, z.ZodMiniType>>
  readonly webhooks?: ZodOpenApiObject['webhooks']
  readonly parameters?: NonNullable<ZodOpenApiObject['components']>['parameters']
}

const contact = { name: 'The service-platform maintainers' }

/** A set of routes as OpenAPI 3.1. */
export function describeSurface({ routes, docs, schemas, ...surface }: SurfaceDescription): OpenApiDocument {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: { ...surface.info, contact, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [...surface.servers],
      tags: Object.entries(surface.tags).map(([name, { about }]) => ({ name, description: about })),
      paths: toPaths(routes, docs),
      ...(surface.webhooks === undefined ? {} : { webhooks: surface.webhooks }),
      components: {
        schemas,
        parameters: { ...parametersIn(routes), ...surface.parameters },
        headers: headersOf(routes),
        securitySchemes: securitySchemesOf(routes),
      },
    },
    { override: toPlainSchema },
  )
  removeUnusedSchemas(document)
  return document
}

function toPaths(routes: readonly Route[], docs: Readonly<Record<string, RouteDocs>>): ZodOpenApiPathsObject {
  const items: ZodOpenApiPathsObject = {}
  for (const route of routes) {
    const path = fullPath(route)
    const described = docs[route.operation]
    if (described === undefined) throw new TypeError(`The contract has no documentation for ${route.operation}.`)
    items[path] = { ...items[path], [route.method.toLowerCase()]: toOperation(route, described) }
  }
  return items
}

/** Repeats until nothing changes, because a schema may be used only by other unused ones. */
function removeUnusedSchemas(document: OpenApiDocument): void {
  const { schemas = {} } = document.components ?? {}
  const text = JSON.stringify(document)
  const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))
  for (const name of unused) delete schemas[name]
  if (unused.length > 0) removeUnusedSchemas(document)
}

/** A route of the contract as an operation. */
function toOperation(route: Route, docs: RouteDocs): ZodOpenApiOperationObject {
  const { scope } = route
  return {
    operationId: route.operation,
    tags: [tagOf(route)],
    summary: docs.summary,
    description: [...(docs.description === undefined ? [] : [docs.description]), ...effectsOf(route)].join('\n\n'),
    security: securityOf(route),
    ...(scope === undefined ? {} : { 'x-required-scope': scope }),
    parameters: parametersOf(route),
    ...(route.query === undefined ? {} : { requestParams: { query: route.query } }),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: toContent(route.body, docs.bodies) } }),
    responses: responsesOf(route, docs),
  }
}

/** The description of an inbound route says which of its credentials needs the scope. */
function effectsOf({ surface, scope, role, emits }: Route): string[] {
  return [
    ...(surface === 'api' && scope !== undefined ? [`Needs the scope \`${scope}\`.`] : []),
    ...(surface === 'admin' ? [describeCaller(role, scope)] : []),
    ...(emits === undefined ? [] : [`Emits \`${emits}\`.`]),
  ]
}

/** Who may call an admin route. */
function describeCaller(role: Route['role'], scope: Route['scope']): string {
  if (role === 'public') return 'Needs no credential except in the body.'
  if (role === 'person') return 'Needs a session or a personal access token.'
  return `Needs the role \`${role}\`${scope === undefined ? '' : `, or an API token with the scope \`${scope}\``}.`
}

const descriptions = { 200: 'Success.', 201: 'Created.', 204: 'Done. There is no body.' } as const

/** JSON, JSON lines, or bytes. */
function toContent(schema: z.ZodMiniType, examples: RouteDocs['responses'] = {}): ZodOpenApiContentObject {
  if (schema === Bytes) return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  if (schema === JsonLines) return { 'application/x-ndjson': { schema: { type: 'string' } } }
  return { 'application/json': { schema, examples: toExamples(examples) } }
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
    ...(status === 204
      ? {}
      : { content: { ...challengeContent(route), ...toContent(answerOf(route), docs.responses) } }),
  }
  const errorStatuses = [...errorStatusesOf(route)].sort((a, b) => a - b)
  return Object.fromEntries([
    [`${status}`, success],
    ...errorStatuses.map((status) => [`${status}`, errorResponse(route, status, docs)]),
  ])
}

/** Platform challenges are answered in the platform's format. */
function answerOf(route: Route): z.ZodMiniType {
  const { challengeResponse } = route
  return challengeResponse === undefined ? responseSchema(route) : z.union([responseSchema(route), challengeResponse])
}

const challengeContent = ({ challengeResponse }: Route): ZodOpenApiContentObject =>
  challengeResponse === undefined ? {} : { 'text/plain': { schema: { type: 'string' } } }
