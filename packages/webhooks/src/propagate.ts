/**
 * Throws what a function of the caller threw, so that the framework responds with 500. If the framework would respond
 * with anything else, throws an error with the same message, and with the original as its cause: a 410 of another API
 * must not disable the subscription.
 */
export function propagate(thrown: unknown): never {
  const error = Object(thrown)
  const hasResponse =
    error.status ||
    error.statusCode ||
    error.headers ||
    error.getResponse || // Hono
    error.digest || // Next
    error.code === 'ENOENT' // Koa 2: 404
  throw thrown instanceof Error && !hasResponse
    ? thrown
    : new Error(error.message || 'threw no Error', { cause: thrown })
}
