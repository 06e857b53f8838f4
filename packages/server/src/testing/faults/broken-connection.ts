import { ServerResponse } from 'node:http'
import { after } from '../../core/clock.ts'
import type { ConnectionFault, Damage } from './fault.ts'
import { forMs, type PendingWaits } from './pending-waits.ts'

// The errors that undici throws for the same faults on a real socket, so that all transports look alike.

const resetError = () => systemError('read ECONNRESET', { code: 'ECONNRESET', errno: -104, syscall: 'read' })

const causes: Readonly<Record<Exclude<ConnectionFault, 'hang'>, (url: URL) => Error>> = {
  reset: resetError,
  'reset-mid-body': resetError,
  close: () => Object.assign(systemError('other side closed', { code: 'UND_ERR_SOCKET' }), { name: 'SocketError' }),
  refused: ({ hostname: address, port, protocol }) =>
    systemError(`connect ECONNREFUSED ${address}:${port || defaultPort(protocol)}`, {
      code: 'ECONNREFUSED',
      errno: -111,
      syscall: 'connect',
      address,
      port: Number(port || defaultPort(protocol)),
    }),
  dns: ({ hostname }) =>
    systemError(`getaddrinfo ENOTFOUND ${hostname}`, {
      code: 'ENOTFOUND',
      errno: -3008,
      syscall: 'getaddrinfo',
      hostname,
    }),
  tls: () => systemError('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
}

const defaultPort = (protocol: string) => (protocol === 'https:' ? 443 : 80)

const systemError = (message: string, fields: object) => Object.assign(new Error(message), fields)

const broken = new WeakSet<Error>()

/** `TypeError: fetch failed` with the code in its cause, or `terminated` if the response has begun. */
export function connectionError(fault: Exclude<ConnectionFault, 'hang'>, url: string, hasBegun = false): TypeError {
  const error = new TypeError(hasBegun ? 'terminated' : 'fetch failed', { cause: causes[fault](new URL(url)) })
  broken.add(error)
  return error
}

/** Whether a fault threw this error. */
export const isBrokenConnection = (thrown: unknown): thrown is TypeError =>
  thrown instanceof TypeError && broken.has(thrown)

/** A response with its body in memory. */
interface WholeAnswer {
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

/** Damages a response in ways that HTTP does not detect. */
export function spoil({ status, headers, bytes }: WholeAnswer, damage: Harmless): WholeAnswer {
  if (damage === 'wrong-type') {
    headers.set('content-type', 'text/html; charset=utf-8')
    return { status, headers, bytes }
  }
  // Without the last byte, a JSON object or array is incomplete.
  const left = damage === 'empty' ? new Uint8Array() : bytes.slice(0, -1)
  headers.set('content-length', String(left.length))
  return { status, headers, bytes: left }
}

export const fromWholeAnswer = ({ status, headers, bytes }: WholeAnswer, body: BodyInit = bytes) =>
  new Response(bytes.length === 0 ? null : body, { status, headers })

/** The part of the body sent before the connection breaks. */
const half = ({ bytes }: WholeAnswer) => bytes.slice(0, Math.floor(bytes.length / 2))

/** A response whose body fails in the middle, as seen by an in-process caller. */
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

/** Sends the body slowly. When all waits are released, sends the rest at once. */
export function trickle(answer: WholeAnswer, bytesPerSecond: number, waits: PendingWaits): Response {
  const gone = new AbortController()
  const step = Math.max(1, Math.round(bytesPerSecond / ticksPerSecond))
  const begunAt = waits.releases
  const isSlow = () => waits.releases === begunAt
  let sent = 0
  const stream = new ReadableStream({
    async pull(controller) {
      const chunk = answer.bytes.slice(sent, isSlow() ? sent + step : undefined)
      if (chunk.length === 0) return controller.close()
      if (isSlow()) await waits.wait(gone.signal, forMs((chunk.length / bytesPerSecond) * 1000))
      sent += chunk.length
      controller.enqueue(chunk)
    },
    cancel: (reason) => gone.abort(reason),
  })
  return fromWholeAnswer(answer, stream)
}

/** Node's response object if the request came over a port, where faults act on the real socket. */
export function outgoingOf(env: object | undefined): ServerResponse | undefined {
  const outgoing = env !== undefined && 'outgoing' in env ? env.outgoing : undefined
  return outgoing instanceof ServerResponse ? outgoing : undefined
}

export function breakSocket({ socket }: ServerResponse, how: 'reset' | 'close'): void {
  if (how === 'reset') socket?.resetAndDestroy()
  else socket?.destroy()
}

/** Delay for the written bytes to arrive. A reset would overtake them, and the caller would see no response. */
const headStartMs = 20

/** Announces the full length, sends half of the body, and breaks the connection. */
export function breakOffOnSocket(outgoing: ServerResponse, answer: WholeAnswer, how: 'reset' | 'close'): Promise<void> {
  return new Promise((resolve) => {
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
    outgoing.flushHeaders()
    outgoing.write(half(answer), () => {
      after(headStartMs, () => {
        breakSocket(outgoing, how)
        resolve()
      })
    })
    outgoing.once('close', resolve)
  })
}

/** Fires when the caller disconnects. */
export function hungUp(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (outgoing.destroyed) gone.abort()
  else outgoing.once('close', () => gone.abort())
  return gone.signal
}

/** Tells the adapter that the response is already written. */
export const alreadySent = () => new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
