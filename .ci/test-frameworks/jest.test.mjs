import { createClient } from '@service/client'
import { useService } from '@service/server/testing'

const service = useService({ seed: 'demo' })

test('lists the tickets', async () => {
  expect((await createClient(service).tickets.list()).length).toBeGreaterThan(0)
})

test('creates a ticket', async () => {
  const { ticket_number } = await createClient(service).tickets.create({ title: 'Only here' })
  expect(ticket_number).toMatch(/^TKT-/)
})
