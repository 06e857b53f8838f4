import { expect, it } from 'vitest'
import { inboundWith } from './inbound/inbound-client.ts'
import { clientWith, json, network } from './support/client.ts'

const { fetch } = network(json({}, 500))
const quick = { fetch, maxRetries: 0 }
const { client } = clientWith(quick)
const { inbound } = inboundWith(quick)

async function syncTickets(call: () => PromiseLike<unknown>) {
  try {
    return await call()
  } catch (thrown) {
    return thrown
  }
}

const calls = {
  'a list': () => client.tickets.list(),
  'a creation': () => client.tickets.create({ title: 'A title' }),
  'an invalid body': () => client.tickets.create({} as { title: string }),
  'a punch': () => client.hrms.attendance.punch({ user_id: 1 }),
  'a ping': () => inbound.errors.ping(),
  'a report': () => inbound.errors.report(new Error('broken')),
  'an inbound punch': () => inbound.attendance.punch({ user_id: 1 }),
  'a lead': () => inbound.leads.capture('website', { name: 'Grace' }),
  'a Git event': () => inbound.git.send('github', 'push', {}),
}

const framesOf = (error: unknown): string[] => {
  if (!(error instanceof Error) || !error.stack) throw new Error('The error has no stack.')
  return error.stack.split('\n').slice(1)
}

it.each(Object.entries(calls))("begins the stack of %s at the caller's line", async (_, call) => {
  const [first, second] = framesOf(await syncTickets(call))
  expect(first).toContain('stack.test.ts')
  expect(second).toContain('syncTickets')
})

it.each(Object.entries(calls))('begins it there on runtimes without captureStackTrace: %s', async (_, call) => {
  const { captureStackTrace } = Error
  try {
    Object.assign(Error, { captureStackTrace: undefined })
    const failing = syncTickets(call)
    Object.assign(Error, { captureStackTrace })
    expect(framesOf(await failing)[0]).toContain('stack.test.ts')
  } finally {
    Object.assign(Error, { captureStackTrace })
  }
})

it("reports the caller's line for a failed call", async () => {
  const { fetch: reports, requests } = network(
    json({ received: true, ticket_created: false, ticket_number: null, ticket_id: null }),
  )
  const failed = await syncTickets(calls['a list'])
  await inboundWith({ fetch: reports }).inbound.errors.report(failed)
  const report = await requests[0]?.json()
  expect(report).toMatchObject({ exception: 'ServerError', file: expect.stringContaining('stack.test.ts') })
  expect(report.trace[0].file).toContain('stack.test.ts')
})
