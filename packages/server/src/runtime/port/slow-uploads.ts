import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, type ServerClock } from '../../core/clock.ts'
import { lingerAtClose } from './lingering-close.ts'

/** A body must come at this rate, once it has had this many seconds to begin. */
const leastBytesPerSecond = 64 * 1024
const graceSeconds = 5

/** How long such a sender may go on after the answer: what is held for its body is held as long. */
const lingerMs = 3_000

/** A check that comes later than this after the one before counts against no upload. */
const latestLookMs = 1_200

interface Upload {
  readonly outgoing: ServerResponse
  seconds: number
  bytes: number
}

/** Ends uploads that hold memory and hardly move. */
export interface SlowUploads {
  watch(incoming: IncomingMessage, outgoing: ServerResponse): void
  received(incoming: IncomingMessage, bytes: number): void
  forget(incoming: IncomingMessage): void
}

export function createSlowUploads(clock: ServerClock): SlowUploads {
  const uploads = new Map<IncomingMessage, Upload>()
  let callOff: (() => void) | undefined
  let scheduledAt = 0
  const lookInASecond = () => {
    scheduledAt = clock.elapsedMs()
    callOff = clock.after?.(1000, look) ?? after(1000, look)
  }
  const look = () => {
    // A process that was suspended, or has too much to do, must not blame its senders.
    const isOnTime = clock.elapsedMs() - scheduledAt < latestLookMs
    for (const [incoming, upload] of uploads) {
      // A full buffer means that it is us who do not read.
      if (isOnTime && incoming.readableLength < incoming.readableHighWaterMark) upload.seconds += 1
      if (upload.seconds < graceSeconds || upload.bytes >= upload.seconds * leastBytesPerSecond) continue
      forget(incoming)
      endUpload(incoming, upload.outgoing)
    }
    if (uploads.size > 0) lookInASecond()
  }
  const forget = (incoming: IncomingMessage) => {
    if (!uploads.delete(incoming) || uploads.size > 0) return
    callOff?.()
    callOff = undefined
  }
  return {
    watch(incoming, outgoing) {
      uploads.set(incoming, { outgoing, seconds: 0, bytes: 0 })
      if (callOff === undefined) lookInASecond()
    },
    received(incoming, bytes) {
      const upload = uploads.get(incoming)
      if (upload !== undefined) upload.bytes += bytes
    },
    forget,
  }
}

const tooSlow = JSON.stringify({ message: 'The request body came too slowly.' })

/** The handler waits for the body and learns that it broke off; whoever sends it learns why. */
function endUpload(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = incoming
  if (outgoing.headersSent) return void socket.destroy()
  // Written past the response object, which belongs to the handler that is still waiting.
  socket.end(
    [
      'HTTP/1.1 408 Request Timeout',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(tooSlow)}`,
      'connection: close',
      '',
      tooSlow,
    ].join('\r\n'),
    () => {
      lingerAtClose(socket, lingerMs)
      socket.destroySoon()
    },
  )
}
