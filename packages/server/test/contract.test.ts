import {
  apiRoutes,
  createLead,
  listDeals,
  listTickets,
  type Route,
  recordPunch,
  successStatus,
} from '@service/contract'
import { expect, test } from 'vitest'
import { checkAnswer, checkingFetch } from './checking-fetch.ts'
import { onEveryStore } from './on-every-store.ts'
import { sampleRequests, seedForEveryRoute } from './sample-requests.ts'
import { call } from './workspace.ts'

onEveryStore('the contract', (start) => {
  test('is implemented: each route responds with its status and shape', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    const answers: [string, number][] = []
    for (const { route, ...request } of sampleRequests(workspace.id)) {
      answers.push([route.operation, (await call(server, { ...request, token })).status])
    }
    expect(answers).toEqual(apiRoutes.map((route) => [route.operation, successStatus(route)]))
  })
})

const ticket = {
  id: 1,
  ticket_number: 'TKT-00001',
  title: 'Broken',
  status: 'open',
  priority: 'high',
  category: null,
  assigned_to: null,
  created_by: 1,
  created_at: '2026-11-20T18:51:53.123456Z',
  updated_at: '2026-11-20T18:51:53.123456Z',
  assignee: null,
  creator: { id: 1, name: 'Ada' },
}
const deal = {
  id: 1,
  title: 'Yearly support',
  stage: 'negotiation',
  amount: '1234.50',
  account_id: null,
  owner_id: null,
  expected_close_at: '2026-12-31',
  created_at: '2026-11-20T18:51:53.123456Z',
  account: null,
  owner: null,
}
const unmatched = { recorded: false, reason: 'device_not_found', hint: 'Register it.', registered_devices: [] }

type Answer = readonly [Route, number, unknown]

test.for<Answer>([
  [listTickets, 200, { data: [ticket] }],
  [listTickets, 200, { data: [] }],
  [listDeals, 200, { data: [deal, { ...deal, amount: null, expected_close_at: null }] }],
  [listTickets, 403, { message: 'No.' }],
  [createLead, 422, { message: 'No.', errors: { name: ['The name field is required.'] } }],
  [recordPunch, 422, unmatched],
])('the response check accepts a valid response: %j', async ([route, status, body]) => {
  await expect(checkAnswer(route, Response.json(body, { status }))).resolves.toBeUndefined()
})

const without = (key: string) => Object.fromEntries(Object.entries(ticket).filter(([name]) => name !== key))

test.for<Answer>([
  [listTickets, 200, { data: [{ ...ticket, project: null }] }],
  [listTickets, 200, { data: [without('updated_at')] }],
  [listTickets, 200, { data: [without('category')] }],
  [listTickets, 200, { data: [{ ...ticket, id: '1' }] }],
  [listTickets, 200, { data: [{ ...ticket, creator: { id: 1, name: 'Ada', email: 'ada@acme.example' } }] }],
  [listTickets, 200, { data: [{ ...ticket, created_at: '2026-11-20T18:51:53Z' }] }],
  [listTickets, 200, { data: [{ ...ticket, created_at: '2026-11-20T18:51:53.123456+00:00' }] }],
  [listTickets, 200, { data: [ticket, null] }],
  [listTickets, 200, { data: [ticket], meta: {} }],
  [listTickets, 200, [ticket]],
  [listTickets, 201, { data: [ticket] }],
  [listTickets, 409, { message: 'No.' }],
  [listTickets, 418, { message: 'No.' }],
  [listTickets, 401, { error: 'No.' }],
  [listTickets, 401, { message: 'No.', code: 7 }],
  [listTickets, 403, { data: [] }],
  [listDeals, 200, { data: [{ ...deal, amount: 1234.5 }] }],
  [listDeals, 200, { data: [{ ...deal, amount: '1234.5' }] }],
  [listDeals, 200, { data: [{ ...deal, expected_close_at: '2026-12-31T00:00:00Z' }] }],
  [createLead, 422, { message: 'No.', errors: { name: 'The name field is required.' } }],
  [recordPunch, 422, { ...unmatched, received: true }],
  [recordPunch, 403, unmatched],
])('the response check rejects an invalid response: %j', async ([route, status, body]) => {
  await expect(checkAnswer(route, Response.json(body, { status }))).rejects.toThrow(route.operation)
})

test('the response check rejects a response that is not JSON', async () => {
  const html = new Response('<p>Hello</p>', { headers: { 'content-type': 'text/html' } })
  await expect(checkAnswer(listTickets, html)).rejects.toThrow('The answer is text/html where the contract has JSON.')
})

test('a response that violates the contract fails the test', async () => {
  const fetch = checkingFetch({ fetch: async () => Response.json({ data: [without('title')] }) })
  await expect(fetch('http://platform.example/api/v1/workspaces/1/tickets')).rejects.toThrow('breaks the contract')
})
