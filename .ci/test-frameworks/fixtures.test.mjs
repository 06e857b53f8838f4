// vitest 3.2 and later: fixtures that the tests of a file share.
import { createClient } from '@service/client'
import { matchers } from '@service/server/matchers'
import { faultCases } from '@service/server/testing'
import { serviceTest } from '@service/server/vitest'

const test = serviceTest({ seed: 'demo' })

test.concurrent('creates a ticket', async ({ service, expect }) => {
  const { title } = await createClient(service).tickets.create({ title: 'Only here' })
  expect(title).toBe('Only here')
})

test.concurrent("does not see the other test's ticket", async ({ service, server, expect }) => {
  const titles = (await createClient(service).tickets.list()).map(({ title }) => title)
  expect(titles.length).toBeGreaterThan(0)
  expect(titles).not.toContain('Only here')
  expect(server.expectRequest({ operation: 'tickets.list' }).length).toBe(1)
})

const cases = faultCases.for({ operations: ['tickets.create'], kinds: ['503', 'reset after the write'] })

serviceTest.each(cases)('creates one ticket', async ({ service, server, expect }) => {
  expect.extend(matchers)
  const client = createClient({ ...service, sleep: async () => undefined })
  await client.tickets.create({ title: 'Once' }, { idempotencyKey: 'once' })
  expect(server).toHaveEffect('tickets.create', 1)
  await expect(server).toHaveNoDuplicates('tickets', 'title')
})

const intercepted = serviceTest({ transport: 'intercept', interceptOrigin: 'https://api.example.com' })

intercepted('intercepts `fetch` in a test that names no fixture', async ({ expect }) => {
  expect((await fetch('https://api.example.com/livez')).status).toBe(200)
})
