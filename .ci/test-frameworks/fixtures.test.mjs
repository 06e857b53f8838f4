// vitest 3.2 and later: fixtures that the tests of a file share.
import { createClient } from '@service/client'
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
