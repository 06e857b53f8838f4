import { createClient } from '@service/client'
import ky from 'ky'

// Every caller makes the same two calls by the global `fetch`, as applications do, and reads the answer as JSON.

export interface Caller {
  list(): Promise<unknown>
  create(): Promise<unknown>
}

export const callerNames = ['raw fetch', 'ky, bare', 'ky, fully configured', 'createClient'] as const
export type CallerName = (typeof callerNames)[number]

const baseUrl = 'https://platform.example/api/v1'
const path = 'workspaces/1/tickets'
const token = 'service_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG000000'
const ticket = { title: 'The printer is on fire', priority: 'high', tags: ['printer'] }
const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }

export const callers: Readonly<Record<CallerName, () => Caller>> = {
  'raw fetch': () => ({
    list: async () => (await fetch(`${baseUrl}/${path}`, { headers })).json(),
    create: async () =>
      (
        await fetch(`${baseUrl}/${path}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(ticket),
        })
      ).json(),
  }),
  'ky, bare': () => kyCaller(ky.create({ prefix: baseUrl, headers, retry: 0, timeout: false })),
  // What a careful user of ky sets: a token per request, retries, a time limit, and a look at every answer.
  'ky, fully configured': () =>
    kyCaller(
      ky.create({
        prefix: baseUrl,
        retry: { limit: 2, statusCodes: [408, 429, 500, 502, 503, 504], maxRetryAfter: 30_000 },
        timeout: 15_000,
        hooks: {
          beforeRequest: [({ request }) => request.headers.set('authorization', `Bearer ${token}`)],
          afterResponse: [({ response }) => response],
        },
      }),
    ),
  createClient: () => {
    const client = createClient({ baseUrl, token, workspace: 1 })
    return { list: () => client.tickets.list(), create: () => client.tickets.create(ticket) }
  },
}

function kyCaller(api: typeof ky): Caller {
  return { list: () => api.get(path).json(), create: () => api.post(path, { json: ticket }).json() }
}
