import type { TestServer } from '@service/server/testing'
import '@service/server/matchers'
import { expect } from 'expect'

export async function check(server: TestServer) {
  expect(server).toHaveReceived({ operation: 'tickets.create', times: 1 })
  expect(server).not.toHaveEffect('tickets.create', 2)
  await expect(server).toHaveDelivered('ticket.created', { ticket: { title: 'Printer' } })
  await expect(server).toHaveNoDuplicates('tickets', 'title')
  // @ts-expect-error there is no such event
  await expect(server).toHaveDelivered('ticket.creatd')
}
