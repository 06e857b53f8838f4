/**
 * Throws what a function of the caller threw, so that the framework responds with 500. If a framework would respond with
 * anything else, or fail, throws an error with the same message and stack, and with the original in its `errors`: a 410 of another
 * API must not disable the subscription.
 */
export function propagate(thrown: unknown): never {
  const error = Object(thrown)
  const hasResponse =
    error.status ||
    error.statusCode ||
    error.headers ||
    error.cause || // h3 takes the response from here, too
    error.getResponse || // Hono
    error.toResponse || // Elysia
    error.digest || // Next
    error.code === 'ENOENT' || // Koa 2: 404
    !Object.isExtensible(error) // Koa sets its status
  if (thrown instanceof Error && !hasResponse) throw thrown
  const wrapper = new AggregateError([thrown], error.message || 'threw no Error')
  // Some frameworks log only the stack.
  wrapper.stack = error.stack || wrapper.stack
  throw wrapper
}
