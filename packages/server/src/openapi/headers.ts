import type { Route } from '@service/contract'
import type { ZodOpenApiHeaderObject } from 'zod-openapi'

/** Headers of answers. Other parts of the document refer to them by name. */
const headers: Record<string, ZodOpenApiHeaderObject> = {
  'X-Request-Id': {
    description:
      "Names this request in the server's log. A request may bring its own: 1–128 letters, digits, `.`, `_`, `:`, `-`.",
    schema: { type: 'string' },
    example: '019a9f5e-2f0b-7c41-9b56-0d6a3c1f7e22',
  },
  'X-RateLimit-Limit': {
    description: 'How many requests a caller may make in a window of 60 seconds.',
    schema: { type: 'integer' },
    example: 120,
  },
  'X-RateLimit-Remaining': {
    description: 'How many of them are left in the current window.',
    schema: { type: 'integer' },
    example: 119,
  },
  'X-RateLimit-Reset': {
    description: 'When the current window ends, in seconds since 1970-01-01T00:00:00Z.',
    schema: { type: 'integer' },
    example: 1_795_200_773,
  },
  'Retry-After': {
    description: 'How many whole seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  'WWW-Authenticate': {
    description:
      '`Bearer`, and `error="invalid_token"` when a token came along that is wrong, expired or revoked (RFC 6750). A webhook secret or a signature goes into its own header.',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
  ETag: {
    description: 'The version of the resource, for `If-Match` of a PATCH.',
    schema: { type: 'string' },
    example: '"uNoLqQ7Z3cX0nB6yV1kTgA"',
  },
  'Idempotency-Replayed': {
    description: '`true` when this is the stored answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
}

const onEveryAnswer = ['X-Request-Id']
const onCountedAnswers = ['X-RateLimit-Limit', 'X-RateLimit-Remaining']

/** Whether requests of a route are counted against the rate limit. */
export const isCounted = ({ surface }: Route): boolean => surface === 'api' || surface === 'inbound'

/** The headers that answers of these routes have. */
export const headersOf = (routes: readonly Route[]): Record<string, ZodOpenApiHeaderObject> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) =>
        (routes.some(isCounted) && name !== 'ETag') ||
        (routes.some(({ surface }) => surface === 'admin') && ['ETag', 'Idempotency-Replayed'].includes(name)) ||
        ['X-Request-Id', 'Retry-After', 'WWW-Authenticate', 'X-RateLimit-Reset'].includes(name),
    ),
  )

/** References to the headers of one answer: those of every answer of the route, and the named ones. */
export function answerHeaders(route: Route, ...named: readonly string[]): Record<string, { $ref: string }> {
  const names = [...onEveryAnswer, ...(isCounted(route) ? onCountedAnswers : []), ...named]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
