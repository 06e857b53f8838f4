import { apiBasePath, inboundBasePath, type Route } from '@service/contract'
import { type RouteExample, routeExamples } from '@service/contract/examples'
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { examplesOf } from './example-values.ts'
import { answerHeaders } from './headers.ts'
import { parametersOf } from './parameters.ts'
import { proseOf } from './prose.ts'
import { refusalOf } from './refusals.ts'
import { requiredScope, securityOf } from './security.ts'

/** The whole path, from the server's root. */
export function fullPath(route: Route): string {
  return `${route.surface === 'api' ? apiBasePath : inboundBasePath}${route.path}`
}

/** A route of the contract as an operation. */
export function toOperation(route: Route): ZodOpenApiOperationObject {
  const { tag, summary, description } = proseOf(route.operation)
  const example = getExample(route)
  const scope = requiredScope(route)
  return {
    operationId: route.operation,
    tags: [tag],
    summary,
    description: [description, ...effectsOf(route)].join('\n\n'),
    security: securityOf(route),
    ...(scope === undefined ? {} : { 'x-required-scope': scope }),
    parameters: parametersOf(route),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: route.body, examples: examplesOf(example.bodies) } },
          },
        }),
    responses: responsesOf(route, example),
  }
}

function effectsOf({ scope, emits }: Route): string[] {
  return [
    ...(scope === undefined ? [] : [`Needs the scope \`${scope}\`.`]),
    ...(emits === undefined ? [] : [`Emits \`${emits}\`.`]),
  ]
}

function responsesOf(route: Route, example: RouteExample): ZodOpenApiResponsesObject {
  const success = {
    description: route.status === 201 ? 'Created.' : 'Success.',
    headers: answerHeaders(...(route.method === 'POST' ? ['Idempotency-Replayed'] : [])),
    content: { 'application/json': { schema: route.answer, examples: examplesOf(example.answers) } },
  }
  const refusals = [...route.refusals].sort((a, b) => a - b)
  return Object.fromEntries([
    [`${route.status}`, success],
    ...refusals.map((status) => [`${status}`, refusalOf(route, status, example)]),
  ])
}

function getExample(route: Route): RouteExample {
  const example = routeExamples.find((candidate) => candidate.route === route)
  if (example === undefined) throw new TypeError(`Give ${route.operation} an example in contract/src/examples.`)
  return example
}
