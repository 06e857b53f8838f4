import { expect, it, onTestFinished } from 'vitest'
import { pairPunches } from '../../src/modules/hrms/attendance/pair-punches.ts'
import { checkInvariants, createTestServer, type TestServer } from '../../src/testing/entries/testing.ts'
import { createStorage, onEveryTestStore } from '../on-every-store.ts'

const workspace = { workspace: 1 }
const sunday = '2026-11-22T14:20:00.000000Z'
/** PostgreSQL requires a configured key. */
const seeded = { seed: 'company', clock: sunday, encryptionKey: 'a'.repeat(64) }

const deliveriesOf = ({ admin }: TestServer, subscription: number) =>
  admin.deliveries.list(workspace, { limit: 200, subscription_id: subscription }).all()

async function subscriptionsOf({ admin }: TestServer) {
  const { data } = await admin.webhooks.list(workspace)
  const named = (name: string) => {
    const found = data.find(({ description }) => description === name)
    if (found === undefined) throw new Error(`There is no subscription ${name}.`)
    return found
  }
  return { healthy: named('Order desk'), failing: named('Analytics'), held: named('Old intranet') }
}

const counted = (items: readonly { readonly state: string }[]) => {
  const counts = { pending: 0, succeeded: 0, failed: 0, held: 0 }
  for (const { state } of items) if (state in counts) counts[state as keyof typeof counts] += 1
  return counts
}

async function attendanceOf({ admin }: TestServer) {
  const sessions = await admin.attendance.sessions(workspace, { limit: 200 }).all()
  const punches = await admin.punches.list(workspace, { limit: 200 }).all()
  return { sessions: sessions.toReversed(), punches: punches.toReversed() }
}

/** The data keeps the platform's invariants, and the stored sessions are those that pairing the punches gives. */
async function expectConsistent(server: TestServer, now: string): Promise<void> {
  await checkInvariants(server)
  const { sessions, punches } = await attendanceOf(server)
  const micros = (instant: string) => Date.parse(instant) * 1000 + Number(instant.slice(23, 26))
  const employees = new Set(punches.map(({ employee_id }) => employee_id))
  for (const employee of employees) {
    const own = punches.filter(({ employee_id }) => employee_id === employee)
    const paired = pairPunches(
      own.map(({ id, at, direction, device_id, device_family }) => ({
        id,
        at: micros(at),
        direction: direction as 'in' | 'out', // the company's devices report no others
        deviceId: device_id,
        deviceFamily: device_family,
      })),
    ).sessions
    const stored = sessions.filter(({ employee_id }) => employee_id === employee)
    expect(stored.map(({ id, check_out_punch_id }) => [id, check_out_punch_id])).toEqual(
      paired.map(({ checkInId, checkOutId }) => [checkInId, checkOutId]),
    )
  }
  expect(punches.filter(({ at }) => at > now)).toEqual([])
  expect(sessions.some(({ check_out_at }) => check_out_at === null)).toBe(true)
}

/** The ids and creation times of every list, in its order. */
async function listsOf({ admin, fetch, seeded }: TestServer) {
  const documented = async (path: string): Promise<{ id: number; created_at?: string }[]> => {
    const headers = { authorization: `Bearer ${seeded.token}`, accept: 'application/json' }
    return (await (await fetch(`http://127.0.0.1/api/v1/workspaces/1/${path}`, { headers })).json()).data
  }
  const page = { limit: 200 }
  const at = <Row extends { readonly id: number }>({ data }: { data: Row[] }, time: (row: Row) => string) =>
    data.map((row) => ({ id: row.id, created_at: time(row) }))
  return {
    tickets: await documented('tickets'),
    projects: await documented('projects'),
    employees: await documented('hrms/employees'),
    deals: await documented('crm/deals'),
    tasks: (await admin.tasks.list(workspace, page)).data,
    leads: (await admin.leads.list(workspace, page)).data,
    messages: (await admin.messages.list(workspace, page)).data,
    activities: (await admin.activities.list(workspace, page)).data,
    events: (await admin.events.list(workspace, page)).data,
    deliveries: (await admin.deliveries.list(workspace, page)).data,
    errors: at(await admin.errorReports.list(workspace, page), ({ first_seen_at }) => first_seen_at),
    enquiries: at(await admin.leadEnquiries.list(workspace, page), ({ received_at }) => received_at),
    received: at(await admin.inboundDeliveries.list(workspace, page), ({ received_at }) => received_at),
    punches: at(await admin.punches.list(workspace, page), ({ received_at }) => received_at),
    audit: at(await admin.auditLog.list(workspace, page), ({ at }) => at),
  }
}

onEveryTestStore('the company', (start) => {
  it.each(['demo', 'company'])('orders every list of the seed %s newest first, by id and by time', async (seed) => {
    const lists = await listsOf(await start({ ...seeded, seed }))
    const unordered = Object.entries(lists).filter(([, rows]) =>
      rows.some(({ id, created_at = '' }, index) => {
        const older = rows[index + 1]
        return older !== undefined && (id <= older.id || created_at < (older.created_at ?? ''))
      }),
    )
    expect(unordered.map(([name]) => name)).toEqual([])
    const documented = [lists.tickets, lists.projects, lists.employees, lists.deals]
    expect(documented.map(({ length }) => length > 0)).toEqual([true, true, true, true])
  })

  it('has two months of work and a healthy, a failing, and a held subscription', async () => {
    const server = await start(seeded)
    const { admin } = server
    const tickets = await admin.tickets.list(workspace, { limit: 200 }).all()
    expect(tickets.length).toBeGreaterThan(150)
    const statuses = new Set(tickets.map(({ status }) => status))
    expect([...statuses].toSorted()).toEqual(['closed', 'in_progress', 'open', 'pending', 'resolved'])
    expect(tickets.filter(({ created_at }) => created_at.startsWith('2026-11-22')).length).toBeGreaterThanOrEqual(5)
    const { healthy, failing, held } = await subscriptionsOf(server)
    expect([healthy.enabled, failing.enabled, held.enabled]).toEqual([true, true, false])
    expect(healthy).toMatchObject({ failing_since: null, last_success_at: expect.stringContaining('2026-11-2') })
    expect(failing).toMatchObject({ failing_since: expect.any(String), disabled_reason: null })
    expect(held).toMatchObject({ disabled_reason: 'manual' })
    const outcomes = counted(await deliveriesOf(server, healthy.id))
    expect(outcomes).toMatchObject({ pending: 0, failed: 0, held: 0 })
    expect(outcomes.succeeded).toBeGreaterThan(200)
    const waiting = (await deliveriesOf(server, failing.id)).filter(({ state }) => state === 'pending')
    expect(waiting.length).toBeGreaterThan(10)
    expect(waiting.filter(({ next_attempt_at }) => (next_attempt_at ?? '') <= sunday)).toEqual([])
    const attempts = (await admin.deliveries.attempts({ ...workspace, id: waiting.at(-1)?.id ?? 0 })).data
    expect(attempts[0]).toMatchObject({
      outcome: expect.stringMatching(/^(status|timeout)$/),
      error: expect.any(String),
    })
    expect(counted(await deliveriesOf(server, held.id)).held).toBeGreaterThan(5)
    await expectConsistent(server, sunday)
  })

  it('has received bodies to try a mapping with, one of them misread', async () => {
    const { admin } = await start(seeded)
    const { data } = await admin.inboundDeliveries.list(workspace, { integration: 'errors', limit: 3 })
    expect(data).toMatchObject(Array(3).fill({ has_body: true, replay_refusal: null }))
    const explained = await Promise.all(
      data.map(async ({ id }) => (await admin.errorReports.explain(workspace, { delivery_id: id })).data[0]),
    )
    expect(explained.map((report) => [report?.title, report?.record['app']])).toEqual([
      ['Job skipped', null],
      ['Job done', null],
      ['The carrier rate service answered after 2400 ms', 'checkout-api'],
    ])
  })

  it('has no overdue work, and continues its ids and numbers', async () => {
    const server = await start(seeded)
    const { admin } = server
    const runs = () => admin.rules.runs(workspace, { limit: 200 }).all()
    const before = await runs()
    await server.settled()
    expect(await runs()).toEqual(before)
    const [newest] = (await admin.tickets.list(workspace, { limit: 1 })).data
    const created = await admin.tickets.create(workspace, { title: 'Customs form is out of paper' })
    expect(created.id).toBeGreaterThan(newest?.id ?? 0)
    expect((await admin.tickets.list(workspace, { search: 'customs paper' })).data.map(({ id }) => id)).toContain(
      created.id,
    )
    expect(created.ticket_number).toBe(`TKT-${String(Number(newest?.ticket_number.slice(4)) + 1).padStart(5, '0')}`)
    await admin.tickets.update({ ...workspace, id: newest?.id ?? 0 }, { title: 'Zeppelin is late', status: 'resolved' })
    expect((await admin.tickets.list(workspace, { search: 'zeppelin' })).data).toMatchObject([{ id: newest?.id }])
    const { held } = await subscriptionsOf(server)
    await admin.webhooks.enable({ ...workspace, id: held.id })
    const [delivery] = (await admin.deliveries.list(workspace, { state: 'succeeded', limit: 1 })).data
    await admin.deliveries.resend({ ...workspace, id: delivery?.id ?? 0 })
    expect((await admin.events.list(workspace, { limit: 3 })).data.map(({ name }) => name)).toContain('ticket.resolved')
    const { data: errors } = await admin.errorReports.list(workspace)
    for (const { id } of errors) {
      const { count, days, samples, first_seen_at } = await admin.errorReports.get({ ...workspace, id })
      expect(samples).toHaveLength(Math.min(count, 10))
      const sinceShown = first_seen_at.slice(0, 10) >= '2026-10-24'
      if (sinceShown) expect(days.reduce((sum, day) => sum + day.count, 0)).toBe(count)
    }
  })
})

async function open(options: { readonly clock: string; readonly random?: number }): Promise<TestServer> {
  const server = await createTestServer({ seed: 'company', ...options })
  onTestFinished(() => server.close())
  return server
}

/** Everything that a caller can read. */
const visible = async (server: TestServer) =>
  JSON.stringify([
    server.seeded,
    await server.admin.tickets.list(workspace, { limit: 200 }).all(),
    await server.admin.events.list(workspace, { limit: 200 }).all(),
    await server.admin.deliveries.list(workspace, { limit: 200 }).all(),
    await server.admin.activities.list(workspace, { limit: 200 }).all(),
    await server.admin.leadEnquiries.list(workspace, { limit: 200 }).all(),
    await server.admin.auditLog.list(workspace, { limit: 200 }).all(),
    await server.admin.inboundDeliveries.list(workspace, { limit: 200 }).all(),
    await attendanceOf(server),
  ])

it('is the same for the same clock, and moves with the clock', async () => {
  const first = await visible(await open({ clock: sunday }))
  expect(await visible(await open({ clock: sunday }))).toBe(first)
  expect(await visible(await open({ clock: '2026-11-23T14:20:00Z' }))).not.toBe(first)
})

it.each([
  ['a weekday night', '2026-11-25T03:10:00.000000Z'],
  ['Saturday noon', '2027-01-02T12:00:00.000000Z'],
  ['the last second of Friday', '2026-07-31T23:59:59.000000Z'],
  ['the first second of a leap day', '2028-02-29T00:00:00.000000Z'],
])('has an open attendance session and nothing in the future on %s', async (_, now) => {
  const server = await open({ clock: now })
  await expectConsistent(server, now)
  const times = [
    ...(await server.admin.tickets.list(workspace, { limit: 200 }).all()).map(({ updated_at }) => updated_at),
    ...(await server.admin.events.list(workspace, { limit: 200 }).all()).map(({ created_at }) => created_at),
    ...(await server.admin.messages.list(workspace, { limit: 200 }).all()).map(({ created_at }) => created_at),
    ...(await server.admin.activities.list(workspace, { limit: 200 }).all()).map(({ created_at }) => created_at),
    ...(await server.admin.auditLog.list(workspace, { limit: 200 }).all()).map(({ at }) => at),
  ]
  expect(times.filter((at) => at > now)).toEqual([])
  const { failing } = await subscriptionsOf(server)
  expect([failing.enabled, counted(await deliveriesOf(server, failing.id)).pending > 0]).toEqual([true, true])
})

it('has an overview whose counts are those of its tickets and deliveries', async () => {
  const server = await open({ clock: sunday })
  const { parts, since } = await server.admin.overview.get(workspace, { period: '30d' })
  const sum = (field: 'tickets_resolved' | 'deliveries_succeeded' | 'deliveries_failed') =>
    parts.reduce((total, part) => total + part[field], 0)
  const tickets = await server.admin.tickets.list(workspace, { limit: 200 }).all()
  const details = await Promise.all(tickets.map(({ id }) => server.admin.tickets.get({ ...workspace, id })))
  const resolved = details.filter(({ resolved_at }) => resolved_at !== null && resolved_at >= since)
  const deliveries = await server.admin.deliveries.list(workspace, { limit: 200 }).all()
  const tried = deliveries.filter(({ created_at, attempts }) => created_at >= since && attempts > 0)
  const succeeded = tried.filter(({ state }) => state === 'succeeded')
  expect([sum('tickets_resolved'), sum('deliveries_succeeded'), sum('deliveries_failed')]).toEqual([
    resolved.length,
    succeeded.length,
    tried.length - succeeded.length,
  ])
  expect(Math.min(resolved.length, succeeded.length, tried.length - succeeded.length)).toBeGreaterThan(10)
})

it('is not applied again to a directory that has it', async () => {
  const { options, remove } = await createStorage('sqlite')
  onTestFinished(remove)
  const countAll = async ({ admin }: TestServer) => [
    (await admin.workspaces.list()).data.length,
    (await admin.tickets.list(workspace, { limit: 200 }).all()).length,
    (await admin.deliveries.list(workspace, { limit: 200 }).all()).length,
  ]
  const first = await createTestServer({ ...options, seed: 'company', clock: sunday })
  const before = await countAll(first)
  await first.close()
  const second = await createTestServer({ ...options, seed: 'company', clock: sunday })
  onTestFinished(() => second.close())
  expect(await countAll(second)).toEqual(before)
  expect(second.seeded.workspaces).toEqual([])
})
