import { IncomingMessage } from 'node:http'
import { deadline } from '../core/clock.ts'
import { nextTurn } from '../core/next-turn.ts'
import type { RequestHandler } from '../runtime/admission.ts'

/** Senders on the same machine pause for less, also when it is busy. */
const maxPauseMs = 500

/** While the server closes, ends the connection of a request over a port whose sender pauses within the body. */
export const endStalledSenders =
  (handler: RequestHandler, closing: AbortSignal): RequestHandler =>
  (request, env) => {
    const incoming = (env as { readonly incoming?: unknown } | undefined)?.incoming // set by the adapter
    if (incoming instanceof IncomingMessage && !incoming.complete) watch(incoming, closing)
    return handler(request, env)
  }

function watch(incoming: IncomingMessage, closing: AbortSignal): void {
  let cancel: () => void = () => undefined
  const check = async (bytesBefore: number) => {
    await nextTurn() // bytes may have arrived while the event loop was busy
    const { bytesRead } = incoming.socket
    if (incoming.complete || incoming.destroyed) return
    if (bytesRead === bytesBefore) incoming.destroy()
    else cancel = deadline(maxPauseMs, () => void check(bytesRead))
  }
  const start = () => void check(-1)
  if (closing.aborted) start()
  else closing.addEventListener('abort', start, { once: true })
  incoming.once('close', () => {
    cancel()
    closing.removeEventListener('abort', start)
  })
}
