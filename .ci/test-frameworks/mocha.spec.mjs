// The global hooks of Mocha.
import assert from 'node:assert/strict'
import { createClient } from '@service/client'
import { useService } from '@service/server/testing'

const service = useService({ seed: 'demo' })

it('gives each test its own server', async () => {
  await createClient(service).tickets.create({ title: 'Only here' })
  service.server.expectRequest({ operation: 'tickets.create' })
})

it("does not see the other test's ticket", async () => {
  const titles = (await createClient(service).tickets.list()).map(({ title }) => title)
  assert.equal(titles.includes('Only here'), false)
})
