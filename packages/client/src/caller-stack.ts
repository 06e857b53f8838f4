/**
 * The stack below a method of the client, so that the first line is the caller's. The method itself calls this. If
 * the runtime cannot omit frames, the first two are this function and the method. Runtimes format the text when it
 * is first read, and only errors read it.
 */
export function callerStack(method: (...args: never[]) => unknown): () => string {
  // `as`: not every runtime has it, and so neither do the types here.
  const { captureStackTrace } = Error as { captureStackTrace?: (target: object, below: unknown) => void }
  // A plain object if possible, because a new error would capture the whole stack a second time.
  const site: { stack?: string } = captureStackTrace ? {} : new Error('called here')
  captureStackTrace?.(site, method)
  const notTheCallers = captureStackTrace ? /^Error.*\n/ : /^(Error.*\n)?(.*\n){2}/
  return () => String(site.stack).replace(notTheCallers, '')
}
