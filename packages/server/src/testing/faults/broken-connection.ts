import { ServerResponse } from 'node:http'
import { after, setImmediate } from '../../core/clock.ts'
import type { ConnectionFault, Damage } from './fault.ts'
import type { RequestWaits } from './pending-waits.ts'

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
interface BufferedResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

export async function bufferResponse(response: Response): Promise<BufferedResponse> {
  const headers = new Headers(response.headers)
  const bytes = new Uint8Array(await response.arrayBuffer())
  headers.set('content-length', String(bytes.length))
  return { status: response.status, headers, bytes }
}

type UndetectedDamage = Exclude<Damage, 'truncated'>

/** Damages a response in ways that HTTP does not detect. */
export function damageBody({ status, headers, bytes }: BufferedResponse, damage: UndetectedDamage): BufferedResponse {
  if (damage === 'wrong-type') {
    headers.set('content-type', 'text/html; charset=utf-8')
    return { status, headers, bytes }
  }
  // Without the last byte, a JSON object or array is incomplete.
  const remaining = damage === 'empty' ? new Uint8Array() : bytes.slice(0, -1)
  headers.set('content-length', String(remaining.length))
  return { status, headers, bytes: remaining }
}

export const toResponse = ({ status, headers, bytes }: BufferedResponse, body: BodyInit | null = bytes) =>
  new Response(bytes.length === 0 ? null : body, { status, headers })

/** The part of the body sent before the connection breaks. */
const firstHalf = ({ bytes }: BufferedResponse) => bytes.slice(0, Math.floor(bytes.length / 2))

/** A response whose body fails in the middle, as seen by an in-process caller. */
export function truncatedResponse(answer: BufferedResponse, fault: 'reset-mid-body' | 'close', url: string): Response {
  let hasBegun = false
  return new Response(
    new ReadableStream({
      async pull(controller) {
        // A stream that fails drops what was not read yet, so the caller gets a turn to read it.
        if (hasBegun) await new Promise((resolve) => setImmediate(() => resolve(undefined)))
        if (hasBegun || answer.bytes.length < 2) return controller.error(connectionError(fault, url, true))
        hasBegun = true
        controller.enqueue(firstHalf(answer))
      },
    }),
    answer,
  )
}

const ticksPerSecond = 20

/** Sends the body slowly. When all waits are released, sends the rest at once. */
export function throttledResponse(answer: BufferedResponse, bytesPerSecond: number, waits: RequestWaits): Response {
  const disconnected = new AbortController()
  const step = Math.max(1, Math.round(bytesPerSecond / ticksPerSecond))
  const waitFor = ({ length }: Uint8Array) =>
    bytesPerSecond === 0
      ? waits.untilReleased(disconnected.signal)
      : waits.forMs(disconnected.signal, (length / bytesPerSecond) * 1000)
  let sent = 0
  const stream = new ReadableStream({
    async pull(controller) {
      const chunk = answer.bytes.slice(sent, waits.isReleased ? undefined : sent + step)
      if (chunk.length === 0) return controller.close()
      await waitFor(chunk)
      sent += chunk.length
      controller.enqueue(chunk)
    },
    cancel: (reason) => disconnected.abort(reason),
  })
  return toResponse(answer, stream)
}

interface StreamedResponse {
  readonly response: Response
  readonly url: string
  /** Over a port. */
  readonly outgoing: ServerResponse | undefined
  /** Fires when the caller is gone. */
  readonly signal: AbortSignal
  readonly waits: RequestWaits
}

/** The stream that a test's function returns may never end. When all waits are released, the connection breaks. */
export function releasableResponse({ response, url, outgoing, signal, waits }: StreamedResponse): Response {
  if (response.body === null) return response
  const reader = response.body.getReader()
  const cancel = (reason: unknown) => reader.cancel(reason).catch(() => undefined)
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const reading = reader.read()
      const hasEnded = await waits.forWork(signal, reading).catch((thrown: unknown) => {
        void cancel(thrown)
        throw thrown
      })
      if (!hasEnded) return breakOff(controller)
      const { done, value } = await reading
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel,
  })
  const breakOff = (controller: ReadableStreamDefaultController) => {
    const error = connectionError('close', url, true)
    void cancel(error)
    if (outgoing === undefined) return controller.error(error)
    breakSocket(outgoing, 'close')
    controller.close() // the adapter would print an error
  }
  return new Response(stream, response)
}

/** Node's response object if the request came over a port, where faults act on the real socket. */
export function findNodeResponse(env: object | undefined): ServerResponse | undefined {
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
export function truncateOnSocket(
  outgoing: ServerResponse,
  answer: BufferedResponse,
  how: 'reset' | 'close',
): Promise<void> {
  return new Promise((resolve) => {
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
    outgoing.flushHeaders()
    outgoing.write(firstHalf(answer), () => {
      after(headStartMs, () => {
        breakSocket(outgoing, how)
        resolve()
      })
    })
    outgoing.once('close', resolve)
  })
}

/** Fires when the caller disconnects. */
export function disconnectSignal(outgoing: ServerResponse): AbortSignal {
  const disconnected = new AbortController()
  if (outgoing.destroyed) disconnected.abort()
  else outgoing.once('close', () => disconnected.abort())
  return disconnected.signal
}

/**
 * Tells the adapter that the response is already written. The adapter may have replaced `Response` by its own class, for
 * which it ignores this header. The copy has Node's class.
 */
export const alreadySentResponse = () => new Response(null, { headers: { 'x-hono-already-sent': 'true' } }).clone()
