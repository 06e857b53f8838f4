import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { after } from '../../core/clock.ts'

/** How long a refused sender may pause before the connection is cut, and how long it may go on sending at most. */
const longestPauseMs = 5_000
const longestLingerMs = 30_000

/**
 * Lets a sender who is still sending read the answer. Node would destroy the socket after the last answer, and what then
 * still arrives makes the kernel send a reset, which overtakes the answer. Instead our side is closed, what arrives is
 * dropped, and the socket goes when the sender has closed too, or has sent nothing for a while. A sender that merely has a
 * thousand others beside it is slow, and must still read its answer; what is dropped takes no memory.
 */
export function lingerAtClose(socket: Socket, longestMs = longestLingerMs): void {
  socket.destroySoon = () => {
    socket.end()
    socket.setTimeout(longestPauseMs, () => socket.destroy())
    const callOff = after(longestMs, () => socket.destroy())
    socket.once('close', callOff)
  }
}

/** The same for an answer that comes before its body has been read, such as 401 to a large upload. */
export function lingerWhileSending(incoming: IncomingMessage): void {
  const { socket } = incoming
  const { destroySoon } = socket
  socket.destroySoon = () => {
    socket.destroySoon = destroySoon
    if (!incoming.complete) lingerAtClose(socket)
    socket.destroySoon()
  }
}

/** What a refusal says; `retryAfterSeconds` is when it is worth coming again. */
export interface Unavailable {
  readonly message: string
  readonly retryAfterSeconds: number
}

/** Small bodies are read and dropped, so that the connection can be used again; longer ones end it. */
const shortBody = 64 * 1024

/** Answers 503 before anything of the body is read. */
export function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { message, retryAfterSeconds }: Unavailable,
) {
  const isShort = Number(incoming.headers['content-length'] ?? 0) <= shortBody
  const isChunked = incoming.headers['transfer-encoding'] !== undefined
  if (isChunked || !isShort) {
    outgoing.setHeader('connection', 'close')
    lingerAtClose(incoming.socket)
  }
  const json = JSON.stringify({ message })
  outgoing.writeHead(503, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(json),
    'retry-after': String(retryAfterSeconds),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  outgoing.end(json)
  incoming.resume()
}
