import { createClient } from '@service/client'
import ky from 'ky'
import { cpuPerCall, interleave, type Scenario } from '../measure.ts'

const baseUrl = 'https://platform.example/api/v1'
const token = 'service_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG000000'
const path = 'workspaces/1/tickets'
export const ticket = { title: 'The printer is on fire', priority: 'high', tags: ['printer'] }
const created = {
  ...{ id: 1, ticket_number: 'TKT-00001', title: ticket.title, status: 'open', priority: 'high', category: null },
  ...{ assigned_to: null, created_by: 7, created_at: '2026-11-20T18:51:53.123456Z', assignee: null },
  creator: { id: 7, name: 'Amara Okafor' },
}
const answers = {
  GET: JSON.stringify({ data: [{ ...created, updated_at: created.created_at }] }),
  POST: JSON.stringify({ data: { ...created, project: null } }),
}

/** Responds immediately instead of using the network. */
export const answerAtOnce: typeof fetch = async (input, init) => {
  const method = input instanceof Request ? input.method : (init?.method ?? 'GET')
  const headers = { 'content-type': 'application/json', 'x-request-id': 'r-1', 'x-ratelimit-limit': '120' }
  return method === 'POST'
    ? new Response(answers.POST, { status: 201, headers })
    : new Response(answers.GET, { status: 200, headers })
}

const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
const request = {
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(ticket),
}
const api = ky.create({
  ...{ prefix: baseUrl, fetch: answerAtOnce, timeout: 15_000 },
  retry: { limit: 2, statusCodes: [408, 429, 500, 502, 503, 504] },
  hooks: { beforeRequest: [({ request: { headers: sent } }) => sent.set('authorization', `Bearer ${token}`)] },
})
export const clientOptions = { baseUrl, token, workspace: 1 }
const apiClient = createClient({ ...clientOptions, fetch: answerAtOnce })

const callers: Readonly<Record<string, () => Promise<unknown>>> = {
  'floor: raw fetch, list': async () => (await answerAtOnce(`${baseUrl}/${path}`, { headers })).json(),
  '@service/client, list': () => apiClient.tickets.list(),
  'ky with retries and a time limit, list': () => api.get(path).json(),
  'floor: raw fetch, create': async () => (await answerAtOnce(`${baseUrl}/${path}`, request)).json(),
  '@service/client, create': () => apiClient.tickets.create(ticket),
  'ky with retries and a time limit, create': () => api.post(path, { json: ticket }).json(),
}

export const client: Scenario = {
  title: 'Client: a call without a network',
  method:
    'CPU time in one process, with a `fetch` that responds immediately. Only `@service/client` checks the request and the response. Its size is limited in `packages/client/test/size.test.ts`.',
  measure(options) {
    const contestants = Object.entries(callers).map(([name, call]) => [
      name,
      async () => {
        if (!JSON.stringify(await call()).includes(created.ticket_number)) throw new Error(`${name} read no answer.`)
        return await cpuPerCall(call, options.seconds)
      },
    ])
    return interleave(Object.fromEntries(contestants), options)
  },
}
