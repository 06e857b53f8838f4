import { createLead, listDeals, listTickets, type Route, recordPunch, successStatus } from '@service/contract'
import { deal, ticket, unmatchedPunch } from '@service/contract/docs/example-values'
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
    expect(answers).toEqual(sampleRequests(workspace.id).map(({ route }) => [route.operation, successStatus(route)]))
  })
})

/** The answers of a list of cases, with titles for their tests. */
const toCases = (answers: readonly (readonly [Route, number, unknown])[]) =>
  answers.map(([route, status, body]) => {
    const text = JSON.stringify(body)
    return { route, status, body, title: `${route.operation} ${status} ${text.length > 100 ? text.slice(-100) : text}` }
  })

test.for(
  toCases([
    [listTickets, 200, { data: [ticket] }],
    [listTickets, 200, { data: [] }],
    [listDeals, 200, { data: [deal, { ...deal, amount: null, expected_close_at: null }] }],
    [listTickets, 403, { message: 'No.' }],
    [createLead, 422, { message: 'No.', errors: { name: ['The name field is required.'] } }],
    [recordPunch, 422, unmatchedPunch],
  ]),
)('the response check accepts a valid response: $title', async ({ route, status, body }) => {
  await expect(checkAnswer(route, Response.json(body, { status }))).resolves.toBeUndefined()
})

const without = (key: string) => Object.fromEntries(Object.entries(ticket).filter(([name]) => name !== key))

test.for(
  toCases([
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
    [recordPunch, 422, { ...unmatchedPunch, received: true }],
    [recordPunch, 403, unmatchedPunch],
  ]),
)('the response check rejects an invalid response: $title', async ({ route, status, body }) => {
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
