import { connectionError } from './broken-connection.ts'
import type { Damage } from './fault.ts'
import { forMs, type PendingWaits } from './pending-waits.ts'

/** An answer with its whole body at hand. */
export interface WholeAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

export async function readWhole(response: Response): Promise<WholeAnswer> {
  const headers = new Headers(response.headers)
  const bytes = new Uint8Array(await response.arrayBuffer())
  headers.set('content-length', String(bytes.length))
  return { status: response.status, headers, bytes }
}

type Harmless = Exclude<Damage, 'truncated'>

/** Spoils an answer in ways that HTTP itself does not notice. */
export function spoil({ status, headers, bytes }: WholeAnswer, damage: Harmless): WholeAnswer {
  if (damage === 'wrong-type') {
    headers.set('content-type', 'text/html; charset=utf-8')
    return { status, headers, bytes }
  }
  // Without its last byte no object or list of JSON is whole.
  const recorded = damage === 'empty' ? new Uint8Array() : bytes.slice(0, -1)
  headers.set('content-length', String(recorded.length))
  return { status, headers, bytes: recorded }
}

export const fromWholeAnswer = ({ status, headers, bytes }: WholeAnswer, body: BodyInit = bytes) =>
  new Response(bytes.length === 0 ? null : body, { status, headers })

/** How much of a body comes before its connection breaks. */
export const half = ({ bytes }: WholeAnswer) => bytes.slice(0, Math.floor(bytes.length / 2))

/** An answer whose body breaks off in the middle, as a caller in the same process sees it. */
export function breakOff(answer: WholeAnswer, fault: 'reset-mid-body' | 'close', url: string): Response {
  let hasBegun = false
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (hasBegun || answer.bytes.length < 2) return controller.error(connectionError(fault, url, true))
        hasBegun = true
        controller.enqueue(half(answer))
      },
    }),
    answer,
  )
}

const ticksPerSecond = 20

/** Hands the body out a little at a time. Whoever lets all pauses go gets the rest at once. */
export function trickle(answer: WholeAnswer, bytesPerSecond: number, pendingWaits: PendingWaits): Response {
  const gone = new AbortController()
  const step = Math.max(1, Math.round(bytesPerSecond / ticksPerSecond))
  const begunAt = pendingWaits.releases
  const isSlow = () => pendingWaits.releases === begunAt
  let sent = 0
  const stream = new ReadableStream({
    async pull(controller) {
      const chunk = answer.bytes.slice(sent, isSlow() ? sent + step : undefined)
      if (chunk.length === 0) return controller.close()
      if (isSlow()) await pendingWaits.wait(gone.signal, forMs((chunk.length / bytesPerSecond) * 1000))
      sent += chunk.length
      controller.enqueue(chunk)
    },
    cancel: (reason) => gone.abort(reason),
  })
  return fromWholeAnswer(answer, stream)
}
