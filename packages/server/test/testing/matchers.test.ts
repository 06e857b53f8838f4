import { expect, test } from 'vitest'
import { matchers } from '../../src/testing/entries/matchers.ts'
import { startServer } from './faulty-server.ts'

expect.extend(matchers)

test('toHaveReceived passes for a received request and the exact number', async () => {
  const { server, create } = await startServer()
  await create('Printer')
  expect(server).toHaveReceived({ operation: 'tickets.create', body: { title: 'Printer' }, times: 1 })
  expect(server).toHaveReceived()
  expect(server).not.toHaveReceived({ operation: 'tasks.create' })
  expect(server).not.toHaveReceived({ operation: 'tickets.create', times: 2 })
})

test('toHaveReceived describes the closest request, and the matches if negated', async () => {
  const { server, create } = await startServer()
  await create('Printer')
  expect(() => expect(server).toHaveReceived({ body: { title: 'Scanner' } })).toThrow(
    "body.title\n    expected 'Scanner'\n    received 'Printer'",
  )
  expect(() => expect(server).not.toHaveReceived({ body: { title: 'Printer' } })).toThrow(
    "Expected no request like { body: { title: 'Printer' } }, but received 1.",
  )
})

test('toHaveDelivered sends due deliveries and passes for accepted ones', async () => {
  const { server, create } = await startServer()
  const inbox = server.webhooks.capture()
  await create('Printer')
  await expect(server).toHaveDelivered('ticket.created', { ticket: { title: 'Printer' } }, { times: 1 })
  await expect(server).not.toHaveDelivered('task.created')
  expect(inbox.all()).toHaveLength(1)
})

test('toHaveDelivered describes the closest delivery', async () => {
  const { server, create } = await startServer()
  server.webhooks.capture('ticket.created', { respond: 500 })
  await create('Printer')
  const assertion = expect(server).toHaveDelivered('ticket.created', { ticket: { title: 'Scanner' } })
  await expect(assertion).rejects.toThrow(
    /it was 0 times\.\nThe closest is delivery #1 ticket\.created pending after 1 attempt \(.*\); it differs in\n {2}state\n {4}expected 'succeeded'\n {4}received 'pending'\n {2}body\.ticket\.title\n {4}expected 'Scanner'\n {4}received 'Printer'/,
  )
})

test('toHaveDelivered reports a missing subscription', async () => {
  const { server, create } = await startServer()
  await create('Printer')
  await expect(expect(server).toHaveDelivered('ticket.created')).rejects.toThrow('Is there a subscription')
})

test('a matcher rejects values other than a server', () => {
  expect(() => expect({}).toHaveReceived({})).toThrow('expect(server).toHaveReceived(…)')
})

test('the matchers return the result format of every expect.extend', async () => {
  const { server, create } = await startServer()
  await create('Printer')
  const found = matchers.toHaveReceived(server, { operation: 'tickets.create', times: 1 })
  const missed = matchers.toHaveReceived(server, { operation: 'tasks.create' })
  expect([found.pass, missed.pass]).toEqual([true, false])
  expect(missed.message()).toContain("operation\n    expected 'tasks.create'\n    received 'tickets.create'")
  expect(found.message()).toContain('Expected a number of requests other than 1 like')
})
