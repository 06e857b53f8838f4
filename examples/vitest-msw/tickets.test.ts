import { mswHandlers } from '@service/server/msw'
import { serviceTest } from '@service/server/vitest'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect } from 'vitest'
import { reportOutage } from './tickets.ts'

const msw = setupServer()
beforeAll(() => msw.listen({ onUnhandledFrame: 'error' }))
afterAll(() => msw.close())

// Each test has its own platform, and MSW routes the requests of the code under test to it.
const test = serviceTest({ seed: 'demo', env: { SERVICE_TOKEN: 'token' }, transport: 'fetch' }).extend<{
  routed: true
}>({
  routed: [
    async ({ server }, use) => {
      msw.use(...mswHandlers(server, { origin: 'https://api.example.com' }))
      await use(true)
      msw.resetHandlers()
    },
    { auto: true },
  ],
})

test('creates an urgent ticket', async ({ server }) => {
  const number = await reportOutage('Checkout is down')
  const [ticket] = (await server.admin.tickets.list({ workspace: 1 })).data
  expect(ticket).toMatchObject({ ticket_number: number, title: 'Checkout is down', priority: 'urgent' })
})

test('reports that the platform is busy', async ({ server }) => {
  server.faults.add({ match: { operation: 'tickets.create' }, respond: 429, times: 1 })
  await expect(reportOutage('Checkout is down')).rejects.toThrow('The platform responded with 429.')
})
