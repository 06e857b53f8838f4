import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { stopwatchMs } from '../core/real-timers.ts'

/** A delivery on its way to the local receiver, with its headers as they are to be sent: names and values in turn. */
export interface Forwarded {
  readonly headers: readonly string[]
  readonly body: Buffer
}

export interface ForwardResult {
  /** Undefined when nobody answered. */
  readonly status: number | undefined
  readonly headers: readonly string[]
  readonly body: Buffer
  /** Why nobody answered. */
  readonly fault: string | undefined
  readonly ms: number
}

/** Belongs to the connection that it came over. */
const ofConnection = /^(?:host|connection|content-length|transfer-encoding|keep-alive)$/i

/** As long as a receiver of the platform has, and some more. */
const longestAnswerMs = 30_000

/** Sends a delivery on: the same bytes, the same headers. Never rejects. */
export function forward(to: URL, delivery: Forwarded): Promise<ForwardResult> {
  const startedAt = stopwatchMs()
  const ms = () => Math.round(stopwatchMs() - startedAt)
  return send(to, delivery, ms).catch((fault: Error) => {
    return { status: undefined, headers: [], body: Buffer.alloc(0), fault: causeOf(fault), ms: ms() }
  })
}

function send(to: URL, { headers, body }: Forwarded, ms: () => number): Promise<ForwardResult> {
  return new Promise((resolve, fail) => {
    const request = to.protocol === 'https:' ? requestHttps : requestHttp
    const own = ['Host', to.host, 'Content-Length', String(body.length)]
    const sent = request(to, { method: 'POST', headers: [...withoutConnection(headers), ...own] }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: withoutConnection(response.rawHeaders),
          body: Buffer.concat(chunks),
          fault: undefined,
          ms: ms(),
        }),
      )
    })
    sent.setTimeout(longestAnswerMs, () => sent.destroy(new Error(`no answer within ${longestAnswerMs / 1000} s`)))
    sent.on('error', fail)
    sent.end(body)
  })
}

const causeOf = (fault: Error) => ('code' in fault ? String(fault.code) : fault.message)

const withoutConnection = (flat: readonly string[]): string[] =>
  flat.flatMap((name, index) => (index % 2 === 1 || ofConnection.test(name) ? [] : [name, flat[index + 1] ?? '']))
