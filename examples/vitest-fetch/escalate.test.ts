import { createClient } from '@service/client'
import { serviceTest } from '@service/server/vitest'
import { expect } from 'vitest'
import { escalate } from './escalate.ts'

const test = serviceTest({ clock: '2026-01-01T00:00:00Z' })

test('creates one ticket for each urgent ticket', async ({ server, service }) => {
  await server.create.ticket({ title: 'Checkout is down', priority: 'urgent' })
  await server.create.ticket({ title: 'Typo on the start page', priority: 'low' })
  await escalate(createClient(service))
  const titles = (await server.admin.tickets.list({ workspace: service.workspace })).data.map(({ title }) => title)
  expect(titles).toHaveLength(3)
  expect(titles[0]).toMatch(/^Call the customer of TKT-/)
})

test('creates the ticket once even if the first response is lost', async ({ server, service }) => {
  await server.create.ticket({ title: 'Checkout is down', priority: 'urgent' })
  server.faults.add({ match: { operation: 'tickets.create' }, connection: 'reset', when: 'after', times: 1 })
  await escalate(createClient({ ...service, idempotency: 'auto' }))
  expect((await server.admin.tickets.list({ workspace: service.workspace })).data).toHaveLength(2)
  server.expectRequest({ operation: 'tickets.create' }, { times: 2 })
})

test('sends a webhook for the new ticket', async ({ server, service }) => {
  const inbox = server.webhooks.capture('ticket.created')
  await server.create.ticket({ title: 'Checkout is down', priority: 'urgent' })
  await escalate(createClient(service))
  expect((await inbox.next('ticket.created')).event.ticket).toMatchObject({ title: 'Checkout is down' })
  expect((await inbox.next('ticket.created')).event.ticket).toMatchObject({ priority: 'high' })
})
