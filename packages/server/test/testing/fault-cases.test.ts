import { createClient } from '@service/client'
import { describe, expect, test } from 'vitest'
import { createTestServer, type FaultCase, type FaultKind, faultCases } from '../../src/testing/entries/testing.ts'
import { serviceTest } from '../../src/testing/entries/vitest.ts'
import { startServer } from './faulty-server.ts'

const names = (cases: readonly FaultCase[]) => cases.map(({ name }) => name)

const callerCases = [
  ...['401', '403', '404', '409', '422', '429', '500', '503', 'slow first byte', 'stalled body', 'truncated JSON'],
  ...['reset before the write', 'reset after the write', 'DNS failure'],
]
const receiverCases = [
  ...['duplicate delivery', 'reordered deliveries', 'delayed delivery', 'lost delivery', 'old timestamp'],
  'rotated secret',
]

test('the documented cases are all failures of callers and receivers', () => {
  expect(names(faultCases.documented)).toEqual([...callerCases, ...receiverCases])
})

test('a selection has one case per operation and documented kind', () => {
  expect(names(faultCases.for({ operations: ['tickets.list', 'crm.leads.create'], kinds: ['409', '503'] }))).toEqual([
    'crm.leads.create: 409',
    'tickets.list: 503',
    'crm.leads.create: 503',
  ])
  expect(names(faultCases.for({ kinds: ['lost delivery'] }))).toEqual(['lost delivery'])
  expect(names(faultCases.for({ operations: ['crm.leads.create'] }))).toHaveLength(callerCases.length)
})

test.each([
  [{ operation: ['tickets.list'] }, '`faultCases.for` has no `operation`; did you mean `operations`?'],
  [{ operations: ['ticket.list'] }, "Did you mean 'tickets.list'?"],
  [{ kinds: ['lost deliverys'] }, "Did you mean 'lost delivery'?"],
  [{ operations: ['tickets.list'], kinds: ['409'] }, 'there is nothing to test'],
])('the selection %j is rejected', (selection, message) => {
  expect(() => faultCases.for(selection as never)).toThrow(message) // wrong on purpose
})

/** The answers of a receiver of the event. */
const answersTo: Partial<Record<FaultKind, readonly number[]>> = {
  'duplicate delivery': [200, 200],
  'reordered deliveries': [200, 200, 200],
  'lost delivery': [],
  'old timestamp': [401, 200],
  'rotated secret': [401, 200],
}

const synced: string[] = []
const options = { seed: 'demo', clock: '2026-01-01T00:00:00Z' } as const

// Every first request fails. A client with a key and a second try must end with one ticket, or with a documented error.
serviceTest.each(faultCases.documented, options)(
  'creates at most one ticket',
  async ({ fault, server, service, expect }) => {
    const client = createClient({ ...service, timeoutMs: 1000, sleep: async () => undefined })
    const inbox = server.webhooks.capture('ticket.created')
    const before = (await server.admin.tickets.list({ workspace: service.workspace })).data.length
    const result = await client.tickets.create({ title: 'Once' }, { idempotencyKey: 'once' }).safe()
    const after = (await server.admin.tickets.list({ workspace: service.workspace })).data.length
    expect(after - before).toBe('error' in result ? 0 : 1)
    const applied = server.faults.list().flatMap(({ hits, name }) => (hits > 0 ? [name] : []))
    if (callerCases.includes(fault.name) && fault.kind !== '409') expect(applied).toEqual([fault.name])
    if (fault.kind === 'reordered deliveries') await server.createMany.ticket(2) // one alone keeps its place
    await server.settled()
    await server.clock.advance('10m')
    const answers = inbox.arrivals().map(({ answer }) => answer)
    expect(answers).toEqual(answersTo[fault.kind] ?? (after > before ? [200] : []))
    synced.push(fault.name)
  },
)

test('a test runs once under each case', () => {
  expect(synced).toEqual(names(faultCases.documented))
})

describe('in a block', () => {
  serviceTest.each(faultCases.for({ operations: ['tickets.list'], kinds: ['429', '503'] }), options)(
    'lists tickets',
    async ({ fault, service }) => {
      const client = createClient({ ...service, maxRetries: 0 })
      expect(await client.tickets.list().safe()).toMatchObject({ error: { status: Number(fault.kind) } })
    },
  )
})

test.each<[FaultKind, string[]]>([
  ['duplicate delivery', ['A 200', 'A 200', 'B 200', 'B 200']],
  ['reordered deliveries', ['B 200', 'A 200']],
  ['delayed delivery', ['B 200']],
  ['lost delivery', ['B 200']],
  ['old timestamp', ['A 401', 'B 200']],
  ['rotated secret', ['A 401', 'B 200']],
])('the case %s affects deliveries until it is disposed', async (kind, expected) => {
  await using server = await createTestServer({ clock: '2026-01-01T00:00:00Z' })
  const inbox = server.webhooks.capture('ticket.created')
  const deliver = async () => {
    const before = inbox.arrivals().length
    await server.createMany.ticket(2, (index) => ({ title: index === 0 ? 'A' : 'B' }))
    await server.settled()
    const arrivals = inbox.arrivals().slice(before)
    return arrivals.map(({ body, answer }) => `${JSON.parse(Buffer.from(body).toString()).ticket.title} ${answer}`)
  }
  const [faultCase] = faultCases.for({ kinds: [kind] })
  {
    using applied = faultCase?.apply(server)
    const arrived = await deliver()
    expect(applied?.hits).toBe(['duplicate delivery', 'reordered deliveries'].includes(kind) ? 2 : 1)
    expect(kind === 'reordered deliveries' ? arrived : arrived.toSorted()).toEqual(expected)
  }
  expect((await deliver()).toSorted()).toEqual(['A 200', 'B 200'])
})

const alone: readonly [FaultKind, string][] = [
  ['reordered deliveries', 'two events that are delivered to it within 50 ms'],
  ['old timestamp', 'a webhook subscription with standard_webhooks'],
]

test.each(alone)('the case %s does not count a delivery that it leaves as it is', async (kind, needs) => {
  await using server = await createTestServer({ seed: 'demo', clock: '2026-01-01T00:00:00Z' })
  const subscription = { url: 'https://app.test/hooks', events: ['ticket.created' as const] }
  await server.admin.webhooks.create({ workspace: 1 }, subscription)
  server.webhooks.receive(subscription.url, () => new Response())
  const [faultCase] = faultCases.for({ kinds: [kind] })
  expect(faultCase?.needs).toContain(needs)
  const applied = faultCase?.apply(server)
  for (const title of ['A', 'B']) {
    await server.create.ticket({ title })
    await server.settled()
  }
  expect(applied?.hits).toBe(0)
})

test('scheduled faults apply in their windows, moved by the clock', async () => {
  const { server, list } = await startServer()
  const [outage] = server.faults.schedule([
    { at: '10s', for: '30s', respond: 503, match: { operation: 'tickets.list' } },
    { at: '1m', respond: 500 },
  ])
  const statuses: number[] = []
  for (const by of ['9s', '1s', '29s', '1s', '20s', '1h']) {
    await server.clock.advance(by)
    statuses.push((await list()).status)
  }
  expect(statuses).toEqual([200, 503, 503, 200, 500, 500])
  expect(outage?.hits).toBe(2)
  server.faults.clear()
  expect((await list()).status).toBe(200)
  const before = server.faults.list().length
  const half = [
    { at: '1s', respond: 503 },
    { at: 'soon', respond: 503 },
  ]
  expect(() => server.faults.schedule(half)).toThrow('must be a duration')
  expect(server.faults.list()).toHaveLength(before)
})
