const { createClient } = require('@service/client')
const { escalate } = require('./escalate.js')
const { usePlatform } = require('./platform.js')

const { options, control } = usePlatform()

test('creates a ticket', async () => {
  const client = createClient(options)
  const number = await escalate(client, 17)
  const [ticket] = await client.tickets.list()
  expect(ticket).toMatchObject({ ticket_number: number, title: 'Order 17 is late' })
})

test('succeeds if the platform answers 503 once', async () => {
  const respond = { status: 503, headers: { 'retry-after': '0' } }
  await control('POST', '/faults', { match: { operation: 'tickets.create' }, respond, times: 1 })
  await expect(escalate(createClient(options), 18)).resolves.toMatch(/^TKT-/)
})

test('starts with the seed', async () => {
  const titles = (await createClient(options).tickets.list()).map(({ title }) => title)
  expect(titles).not.toContain('Order 17 is late')
})
