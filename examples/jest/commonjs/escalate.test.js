const { createClient } = require('@service/client')
const { escalate } = require('./escalate.js')
const { usePlatform } = require('./platform.js')

const platform = usePlatform()

test('creates a ticket', async () => {
  const client = createClient(platform)
  const number = await escalate(client, 17)
  const [ticket] = await client.tickets.list()
  expect(ticket).toMatchObject({ ticket_number: number, title: 'Order 17 is late' })
})

test('succeeds if the platform answers 503 once', async () => {
  const respond = { status: 503, headers: { 'retry-after': '0' } }
  await platform.control('POST', '/faults', { match: { operation: 'tickets.create' }, respond, times: 1 })
  await expect(escalate(createClient(platform), 18)).resolves.toMatch(/^TKT-/)
})

test('starts with the seed', async () => {
  const titles = (await createClient(platform).tickets.list()).map(({ title }) => title)
  expect(titles).not.toContain('Order 17 is late')
})
