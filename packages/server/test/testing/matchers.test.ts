import { expect, test } from 'vitest'
import { matchers } from '../../src/testing/entries/matchers.ts'
import { startDisturbed } from './disturbed.ts'

expect.extend(matchers)

test('toHaveReceived passes for a request that came, and as often as told', async () => {
  const { server, create } = await startDisturbed()
  await create('Printer')
  expect(server).toHaveReceived({ operation: 'tickets.create', body: { title: 'Printer' }, times: 1 })
  expect(server).toHaveReceived()
  expect(server).not.toHaveReceived({ operation: 'tasks.create' })
  expect(server).not.toHaveReceived({ operation: 'tickets.create', times: 2 })
})

test('toHaveReceived fails with the near miss, and turned round with what came', async () => {
  const { server, create } = await startDisturbed()
  await create('Printer')
  expect(() => expect(server).toHaveReceived({ body: { title: 'Scanner' } })).toThrow(
    "body.title\n    expected 'Scanner'\n    received 'Printer'",
  )
  expect(() => expect(server).not.toHaveReceived({ body: { title: 'Printer' } })).toThrow(
    "Expected no request like { body: { title: 'Printer' } }, but received 1.",
  )
})

test('toHaveDelivered waits for what is due and passes for what a subscriber has taken', async () => {
  const { server, create } = await startDisturbed()
  const inbox = server.webhooks.capture()
  await create('Printer')
  await expect(server).toHaveDelivered('ticket.created', { ticket: { title: 'Printer' } }, { times: 1 })
  await expect(server).not.toHaveDelivered('task.created')
  expect(inbox.all()).toHaveLength(1)
})

test('toHaveDelivered fails with the state of the closest delivery', async () => {
  const { server, create } = await startDisturbed()
  server.webhooks.capture('ticket.created', { respond: 500 })
  await create('Printer')
  const asking = expect(server).toHaveDelivered('ticket.created', { ticket: { title: 'Scanner' } })
  await expect(asking).rejects.toThrow(
    /it was 0 times\.\nThe closest is delivery #1 ticket\.created pending after 1 attempt \(.*\); it differs in\n {2}state\n {4}expected 'succeeded'\n {4}received 'pending'\n {2}body\.ticket\.title\n {4}expected 'Scanner'\n {4}received 'Printer'/,
  )
})

test('toHaveDelivered says when nobody subscribed', async () => {
  const { server, create } = await startDisturbed()
  await create('Printer')
  await expect(expect(server).toHaveDelivered('ticket.created')).rejects.toThrow('Is there a subscription')
})

test('a matcher that is asked of something else says what it wants', () => {
  expect(() => expect({}).toHaveReceived({})).toThrow('expect(server).toHaveReceived(…)')
})

test('without a runner the matchers answer what every expect.extend asks for', async () => {
  const { server, create } = await startDisturbed()
  await create('Printer')
  const found = matchers.toHaveReceived(server, { operation: 'tickets.create', times: 1 })
  const missed = matchers.toHaveReceived(server, { operation: 'tasks.create' })
  expect([found.pass, missed.pass]).toEqual([true, false])
  expect(missed.message()).toContain("operation\n    expected 'tasks.create'\n    received 'tickets.create'")
  expect(found.message()).toContain('Expected a number of requests other than 1 like')
})
