import { ServerResponse } from 'node:http'
import { after } from '../../core/clock.ts'
import { half, type WholeAnswer } from './body.ts'

/** Node's own response where a request came over a port: there a fault is one of the real socket. */
export function outgoingOf(env: object | undefined): ServerResponse | undefined {
  const outgoing = env !== undefined && 'outgoing' in env ? env.outgoing : undefined
  return outgoing instanceof ServerResponse ? outgoing : undefined
}

export function breakSocket({ socket }: ServerResponse, how: 'reset' | 'close'): void {
  if (how === 'reset') socket?.resetAndDestroy()
  else socket?.destroy()
}

/** Time for what was written to arrive: a reset overtakes it otherwise, and the caller would see no answer begin. */
const headStartMs = 20

/** Announces the whole body, sends half of it and breaks the connection. */
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

/** Fires when the caller has hung up. */
export function hungUp(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (outgoing.destroyed) gone.abort()
  else outgoing.once('close', () => gone.abort())
  return gone.signal
}

/** Tells the adapter that nothing is left for it to write. */
export const alreadySent = () => new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
