import { createClient } from '@service/client'
import { useService } from '@service/server/testing'
import { escalate } from './escalate.mjs'

const service = useService({ seed: 'demo' })

test('creates a ticket', async () => {
  const client = createClient(service)
  const number = await escalate(client, 17)
  const [ticket] = await client.tickets.list()
  expect(ticket).toMatchObject({ ticket_number: number, title: 'Order 17 is late' })
})

test('succeeds if the platform answers 503 once', async () => {
  const respond = { status: 503, headers: { 'retry-after': '0' } }
  service.server.faults.add({ match: { operation: 'tickets.create' }, respond, times: 1 })
  await expect(escalate(createClient(service), 18)).resolves.toMatch(/^TKT-/)
})
