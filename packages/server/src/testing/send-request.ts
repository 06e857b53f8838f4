import { nextTurn } from '../core/next-turn.ts'
import { connectionError } from './faults/broken-connection.ts'
import { setTransport, transportOf } from './observed-request.ts'

interface SentRequest {
  /** Its body is read only when the handler reads it. */
  readonly request: Request
  /** The handler's reading rejects, and the sender's stream is canceled. */
  endBody(reason: unknown): void
}

interface Sending {
  /** Fires when the server closes: from then on, it does not wait for a sender. */
  readonly closing: AbortSignal
  /** Gets the error of `fetch` if the body cannot be sent. */
  readonly onFailure: (error: TypeError) => void
}

/** Sends a request in process. Its body can break off like one that is sent over a socket. */
export function sendRequest(original: Request, { closing, onFailure }: Sending): SentRequest {
  const { body: source, url, method, headers, signal } = original
  if (source === null) return { request: original, endBody: () => undefined }
  const reader = source.getReader()
  const cancelSource = (reason: unknown) => void reader.cancel(reason).catch(() => undefined)
  const fail = (thrown: unknown) => {
    onFailure(new TypeError('fetch failed', { cause: thrown }))
    throw thrown
  }
  let endBody: SentRequest['endBody'] = cancelSource
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        endBody = (reason) => {
          controller.error(reason)
          cancelSource(reason)
        }
      },
      async pull(controller) {
        const stopWatching = whenKeptWaiting(closing, () => {
          const error = connectionError('close', url)
          onFailure(error)
          endBody(error)
        })
        const { done, value } = await reader.read().catch(fail).finally(stopWatching)
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: cancelSource,
    },
    { highWaterMark: 0 },
  )
  const init: RequestInit & { duplex: 'half' } = { method, headers, signal, body, duplex: 'half' }
  const request = new Request(url, init)
  return { request: setTransport(request, transportOf(original, undefined)), endBody }
}

/** Acts if the work still lasts a turn after the server began to close. Returns the end of the work. */
function whenKeptWaiting(closing: AbortSignal, act: () => void): () => void {
  let isWaiting = true
  const check = async () => {
    await nextTurn()
    if (isWaiting) act()
  }
  if (closing.aborted) void check()
  else closing.addEventListener('abort', check, { once: true })
  return () => {
    isWaiting = false
    closing.removeEventListener('abort', check)
  }
}
