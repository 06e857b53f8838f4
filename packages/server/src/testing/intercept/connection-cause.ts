/**
 * What a fault threw, as MSW hands it on: an error goes to the caller as it is when it has both a code and a number, and any
 * other becomes an answer of 500. `fetch` is to reject with its TypeError, whose cause has the code; clients of Node's own
 * sockets look for the code on the error itself. So it is the TypeError, and has the code too.
 */
export function connectionCause(thrown: unknown): unknown {
  if (!(thrown instanceof TypeError && thrown.cause instanceof Error && 'code' in thrown.cause)) return thrown
  const { code, errno }: { code?: unknown; errno?: unknown } = thrown.cause
  return Object.assign(thrown, { code, errno })
}
