import type { Report } from './node-process.ts'

/** The required part of `window`, which workers have too. */
export interface WindowLike {
  addEventListener(type: string, listener: (event: Event) => void): void
  removeEventListener(type: string, listener: (event: Event) => void): void
}

/** Listens to a window. The browser still logs the error, because the default is not prevented. */
export function hookWindow(target: WindowLike, report: Report): () => void {
  const listeners = Object.entries<(event: Event) => void>({
    error: (event) => void report(thrownIn(event), false),
    unhandledrejection: (event) => void report(Object(event).reason, false),
  })
  for (const listener of listeners) target.addEventListener(...listener)
  return () => {
    for (const listener of listeners) target.removeEventListener(...listener)
  }
}

/** Scripts of other origins report only "Script error.". Old browsers report the location separately. */
function thrownIn(event: Event): unknown {
  const { error, message, filename, lineno } = Object(event)
  return (
    error ?? { message: String(message ?? 'Script error.'), stack: filename ? `at ${filename}:${lineno ?? 0}` : '' }
  )
}
