import { gitEventHeaders, gitProviders, type Route } from '@service/contract'
import { type PathParamName, paramNamesIn, pathParams } from '@service/contract/path-params'
import { createSchema, type oas31, type ZodOpenApiHeaderObject, type ZodOpenApiParameterObject } from 'zod-openapi'
import { toPlainSchema } from './schemas.ts'

const idempotencyKey: ZodOpenApiParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  // No example: an interactive reference would fill it in, and the second request would be rejected.
  description:
    'A text of your choice, such as a UUID, that makes repeating the request safe. For 24 hours, the same key with the same body returns the stored response; with a different body it is 422.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}

const ifMatch: ZodOpenApiParameterObject = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the resource as read. If it has changed since, the response is 412, unless it already has the values of the request.',
  schema: { type: 'string' },
}

/** Whether the route supports `If-Match`. */
const takesIfMatch = ({ surface, method }: Route): boolean => surface === 'admin' && method === 'PATCH'

/** The parameters that operations of these routes refer to: path parameters and `Idempotency-Key`. */
export function parametersIn(routes: readonly Route[]): Record<string, ZodOpenApiParameterObject> {
  const names = new Set(routes.flatMap(({ path }) => paramNamesIn(path)))
  return {
    ...Object.fromEntries([...names].map((name) => [name, pathParameter(name)])),
    ...(routes.some(takesIdempotencyKey) ? { 'Idempotency-Key': idempotencyKey } : {}),
    ...(routes.some(takesIfMatch) ? { 'If-Match': ifMatch } : {}),
  }
}

function pathParameter(name: PathParamName): ZodOpenApiParameterObject {
  const { description, example } = pathParams[name]
  const { schema } = createSchema(pathParams[name].schema, { opts: { override: toPlainSchema } })
  return { name, in: 'path', required: true, description, schema, example }
}

const challengeParameter = (name: string, description: string): ZodOpenApiParameterObject => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: { type: 'string' },
})

/** Parameters with which a platform verifies that the address belongs to someone who knows the secret. */
const challengeParameters = [
  challengeParameter('hub.mode', 'Meta, WhatsApp: `subscribe`.'),
  challengeParameter('hub.verify_token', 'Meta, WhatsApp: the secret of the lead source.'),
  challengeParameter(
    'hub.challenge',
    'Meta, WhatsApp: a text that is returned as plain text if the verify token is correct.',
  ),
  challengeParameter('challengeCode', 'LinkedIn: a UUID. The response is its HMAC-SHA256 signature with the secret.'),
]

/** Whether the route supports `Idempotency-Key`. */
export const takesIdempotencyKey = (route: Route): boolean =>
  route.method === 'POST' &&
  route.idempotencyKey !== false &&
  (isCounted(route) || (route.surface === 'admin' && route.role !== 'public'))

type Parameter = ZodOpenApiParameterObject | oas31.ReferenceObject

const refer = (name: string): Parameter => ({ $ref: `#/components/parameters/${name}` })

/** The parameters of a request of this route. */
export function parametersOf(route: Route): Parameter[] {
  return [
    ...paramNamesIn(route.path).map(refer),
    ...(route.operation === 'git.send' ? gitHeaders() : []),
    ...(route.challengeResponse === undefined ? [] : challengeParameters),
    ...(takesIdempotencyKey(route) ? [refer('Idempotency-Key')] : []),
    ...(takesIfMatch(route) ? [refer('If-Match')] : []),
  ]
}

const gitEvents = { github: 'issues', gitlab: 'Issue Hook', bitbucket: 'issue:created' }

function gitHeaders(): Parameter[] {
  return gitProviders.map((provider) => ({
    name: gitEventHeaders[provider],
    in: 'header',
    required: false,
    description: `Names the event when \`provider\` is \`${provider}\`.`,
    schema: { type: 'string' },
    example: gitEvents[provider],
  }))
}

/** Response headers. Other parts of the document refer to them by name. */
const headers: Record<string, ZodOpenApiHeaderObject> = {
  'X-Request-Id': {
    description:
      "Identifies this request in the server's log. A request may send its own: 1–128 letters, digits, `.`, `_`, `:`, `-`.",
    schema: { type: 'string' },
    example: '019a9f5e-2f0b-7c41-9b56-0d6a3c1f7e22',
  },
  'X-RateLimit-Limit': {
    description: 'The number of requests allowed per window of 60 seconds.',
    schema: { type: 'integer' },
    example: 120,
  },
  'X-RateLimit-Remaining': {
    description: 'The number of requests left in the current window.',
    schema: { type: 'integer' },
    example: 119,
  },
  'X-RateLimit-Reset': {
    description: 'When the current window ends, in seconds since 1970-01-01T00:00:00Z.',
    schema: { type: 'integer' },
    example: 1_795_200_773,
  },
  'Retry-After': {
    description: 'Whole seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  'WWW-Authenticate': {
    description:
      '`Bearer`, with `error="invalid_token"` if the request had a token that is wrong, expired, or revoked (RFC 6750). Webhook secrets and signatures use other headers.',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
  ETag: {
    description: 'The version of the resource, for `If-Match` of a PATCH.',
    schema: { type: 'string' },
    example: '"uNoLqQ7Z3cX0nB6yV1kTgA"',
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
}

const onEveryAnswer = ['X-Request-Id']
const onCountedAnswers = ['X-RateLimit-Limit', 'X-RateLimit-Remaining']

/** Whether requests of a route count toward the rate limit. */
const isCounted = ({ surface }: Route): boolean => surface === 'api' || surface === 'inbound'

/** The response headers of these routes. */
export const headersOf = (routes: readonly Route[]): Record<string, ZodOpenApiHeaderObject> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) =>
        (routes.some(isCounted) && name !== 'ETag') ||
        (routes.some(({ surface }) => surface === 'admin') && ['ETag', 'Idempotency-Replayed'].includes(name)) ||
        ['X-Request-Id', 'Retry-After', 'WWW-Authenticate', 'X-RateLimit-Reset'].includes(name),
    ),
  )

/** References to the headers of one response: the common ones of the route, and the named ones. */
export function answerHeaders(route: Route, ...named: readonly string[]): Record<string, { $ref: string }> {
  const names = [...onEveryAnswer, ...(isCounted(route) ? onCountedAnswers : []), ...named]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
