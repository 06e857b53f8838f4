import type { Tell } from './node-process.ts'

/** What is needed of a `window`; workers have it too. */
export interface WindowLike {
  addEventListener(type: string, listener: (event: Event) => void): void
  removeEventListener(type: string, listener: (event: Event) => void): void
}

/** Hooks into a window. The browser still shows the error on its console, as nothing is prevented. */
export function hookWindow(target: WindowLike, tell: Tell): () => void {
  const onError = (event: Event) => void tell(thrownIn(event), false)
  const onRejection = (event: Event) => void tell(Object(event).reason, false)
  target.addEventListener('error', onError)
  target.addEventListener('unhandledrejection', onRejection)
  return () => {
    target.removeEventListener('error', onError)
    target.removeEventListener('unhandledrejection', onRejection)
  }
}

/** A script of another origin gives no error, only "Script error."; old browsers give the place beside the message. */
function thrownIn(event: Event): unknown {
  const { error, message, filename, lineno } = Object(event)
  if (error !== undefined && error !== null) return error
  return { message: String(message ?? 'Script error.'), stack: filename ? `at ${filename}:${lineno ?? 0}` : '' }
}
