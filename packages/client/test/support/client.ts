import type { ClientOptions, Fetch } from '../../src/client-options.ts'
import { createClient } from '../../src/create-client.ts'

export const token = 'service_0123456789abcdefghijABCDEFGHIJ0123456789'

/** A client whose clock advances only when it waits. `waits` records the waits. */
export function clientWith(options: Partial<ClientOptions> = {}) {
  let now = Date.UTC(2026, 10, 20)
  const waits: number[] = []
  const client = createClient({
    baseUrl: 'http://localhost:9/api/v1',
    token,
    workspace: 42,
    clock: () => now,
    sleep: async (ms) => {
      waits.push(ms)
      now += ms
    },
    random: () => 0.5,
    ...options,
  })
  return { client, waits, now: () => now }
}

type Reply = Response | Error | ((request: Request) => Response | Promise<Response>)

/** A fake network that returns these replies in order, repeats the last one, and records the requests. */
export function network(...replies: Reply[]) {
  const requests: Request[] = []
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init)
    const reply = replies[Math.min(requests.length, replies.length - 1)]
    requests.push(request)
    if (reply instanceof Error) throw reply
    if (typeof reply === 'function') return reply(request)
    if (!reply) throw new Error('The network has no replies.')
    return reply.clone()
  }
  return { fetch, requests }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers })

/** The error of Node's `fetch` if nothing listens on the port. */
export const refused = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }) })

/** The error of Node's `fetch` if the connection breaks. */
export const reset = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })
