/** The required part of Node's `process`, also in Bun and Deno. It is not imported, to keep it out of bundles. */
export interface ProcessLike {
  on(event: string, listener: Listener): unknown
  removeListener(event: string, listener: Listener): unknown
  listeners(event: string): readonly unknown[]
}
type Listener = (...given: never[]) => void

/** Reports what was thrown. Settles when the report is sent or its time is up, and never rejects. */
export type Report = (thrown: unknown, isFatal: boolean) => Promise<void>

// A listener changes what Node does: with one for uncaughtException the process keeps running, with one for
// unhandledRejection a rejection is no longer thrown. So our listener does what Node would have done. Our listeners are
// marked, because two of them, or two copies of this package, must not mistake each other for an application's handler.

const captureMark = Symbol.for('service.capture')

const isOurs = (listener: unknown): boolean => Object(listener)[captureMark] === true

const marked = (listener: Listener): Listener => Object.assign(listener, { [captureMark]: true })

/** Listens to a process. Returns a function that removes the listeners. */
export function hookProcess(process: ProcessLike, report: Report): () => void {
  const hooks = [hookExceptions(process, report), hookRejections(process, report)]
  return () => {
    for (const unhook of hooks) unhook()
  }
}

/** Node also reports unhandled rejections here, if they have no listener. */
function hookExceptions(process: ProcessLike, report: Report): () => void {
  const event = 'uncaughtException'
  const isAlone = () => process.listeners(event).every(isOurs)
  const unhook = () => void process.removeListener(event, onException)
  let isEnding = false

  function onException(error: unknown) {
    const isFatal = isAlone()
    const reported = report(error, isFatal)
    if (!isFatal || isEnding) return
    isEnding = true
    // Rethrown without our listener, so that Node prints the error and exits as usual.
    void reported.then(() => {
      unhook()
      queueMicrotask(() => {
        throw error
      })
    })
  }
  process.on(event, marked(onException))
  return unhook
}

/** Our listener is attached only while there is another one. Alone it would keep Node from ending the process. */
function hookRejections(process: ProcessLike, report: Report): () => void {
  const event = 'unhandledRejection'
  const onRejection = marked((reason: unknown) => void report(reason, false))
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
