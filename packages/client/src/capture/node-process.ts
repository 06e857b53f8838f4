/** What is needed of Node's `process`; Bun and Deno have it too. It is not imported, so that bundles stay free of it. */
export interface ProcessLike {
  on(event: string, listener: Listener): unknown
  removeListener(event: string, listener: Listener): unknown
  listeners(event: string): readonly unknown[]
}
type Listener = (...given: never[]) => void

/** Reports what was thrown; settles when that is done or its time is over, and never rejects. */
export type Tell = (thrown: unknown, isFatal: boolean) => Promise<void>

// A listener changes what Node does: with one for uncaughtException the process lives on, with one for
// unhandledRejection a rejection is no longer thrown. So ours does what Node would have done without it. Ours are
// marked, because two hooks, or two copies of this package, must not take each other for somebody who copes.

const mark = Symbol.for('service.capture')

const isOurs = (listener: unknown): boolean => Object(listener)[mark] === true

const marked = (listener: Listener): Listener => Object.assign(listener, { [mark]: true })

/** Hooks into a process. Gives what takes the hooks out again. */
export function hookProcess(process: ProcessLike, tell: Tell): () => void {
  const hooks = [hookExceptions(process, tell), hookRejections(process, tell)]
  return () => {
    for (const unhook of hooks) unhook()
  }
}

/** Node also gives unhandled rejections here, when nobody listens to those. */
function hookExceptions(process: ProcessLike, tell: Tell): () => void {
  const event = 'uncaughtException'
  const isAlone = () => process.listeners(event).every(isOurs)
  const unhook = () => void process.removeListener(event, onException)
  let isEnding = false

  function onException(error: unknown) {
    const isFatal = isAlone()
    const told = tell(error, isFatal)
    if (!isFatal || isEnding) return
    isEnding = true
    // Thrown once more where nobody catches it, without us: Node then prints it and ends, as it always does.
    void told.then(() => {
      unhook()
      queueMicrotask(() => {
        throw error
      })
    })
  }
  process.on(event, marked(onException))
  return unhook
}

/** Our listener is there only while another one is: alone it would keep Node from ending the process. */
function hookRejections(process: ProcessLike, tell: Tell): () => void {
  const event = 'unhandledRejection'
  const onRejection = marked((reason: unknown) => void tell(reason, false))
  const others = () => !process.listeners(event).every(isOurs)
  const leave = () => void process.removeListener(event, onRejection)
  const join = () => {
    leave()
    process.on(event, onRejection)
  }
  const onAdded = (name: string, listener: unknown) => {
    if (name === event && !isOurs(listener)) join()
  }
  const onRemoved = (name: string) => {
    if (name === event && !others()) leave()
  }
  process.on('newListener', onAdded)
  process.on('removeListener', onRemoved)
  if (others()) join()
  return () => {
    process.removeListener('newListener', onAdded)
    process.removeListener('removeListener', onRemoved)
    leave()
  }
}
