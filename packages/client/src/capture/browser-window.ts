import type { Report } from './node-process.ts'

/** The required part of `window`, which workers have too. */
export interface WindowLike {
  addEventListener(type: string, listener: (event: Event) => void): void
  removeEventListener(type: string, listener: (event: Event) => void): void
}

/** Listens to a window. The browser still logs the error, because the default is not prevented. */
export function hookWindow(target: WindowLike, report: Report): () => void {
  const onError = (event: Event) => void report(thrownIn(event), false)
  const onRejection = (event: Event) => void report(Object(event).reason, false)
  target.addEventListener('error', onError)
  target.addEventListener('unhandledrejection', onRejection)
  return () => {
    target.removeEventListener('error', onError)
    target.removeEventListener('unhandledrejection', onRejection)
  }
}

/** Scripts of other origins report only "Script error.". Old browsers report the location separately. */
function thrownIn(event: Event): unknown {
  const { error, message, filename, lineno } = Object(event)
  if (error !== undefined && error !== null) return error
  return { message: String(message ?? 'Script error.'), stack: filename ? `at ${filename}:${lineno ?? 0}` : '' }
}
