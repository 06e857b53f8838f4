/**
 * The socket's error inside of a `TypeError: fetch failed` that a fault threw. Interceptors of Node's sockets hand an
 * error on as it is when it has both a code and a number; any other becomes an answer of 500.
 */
export function connectionCause(thrown: unknown): unknown {
  if (!(thrown instanceof TypeError && thrown.cause instanceof Error && 'code' in thrown.cause)) return thrown
  return 'errno' in thrown.cause ? thrown.cause : Object.assign(thrown.cause, { errno: undefined })
}
