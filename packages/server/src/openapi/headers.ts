import type { ZodOpenApiHeaderObject } from 'zod-openapi'

/** Headers of answers. Other parts of the document refer to them by name. */
export const headers: Record<string, ZodOpenApiHeaderObject> = {
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
  'Idempotency-Replayed': {
    description: '`true` when this is the stored answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
}

const everywhere = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining']

/** References to the headers of one answer: those of every answer, and the named ones. */
export function answerHeaders(...named: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries([...everywhere, ...named].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
