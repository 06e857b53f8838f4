import type { TxApp } from '../../../context.ts'
import { formatInstant, toDay } from '../../../core/clock.ts'
import { pinTime } from '../../factories/factory-context.ts'
import { applySeedData } from '../apply-seed-data.ts'
import { createSeedRecorder, type Seeded, type SeededWorkspace } from '../seed-state.ts'
import { fromObject } from '../source.ts'
import { recordAttendance } from './attendance.ts'
import { storeAudit } from './audit.ts'
import { type Company, daysFrom, type Person, pick, records, type Table } from './company.ts'
import { storeDeliveries, storeEvents } from './deliveries.ts'
import { planErrors, planGit, receiveBodies, storeErrors, storeGit } from './development.ts'
import { createRules, storeMessages } from './messages.ts'
import { storeDeals, storeLeads, storeTasks } from './sales-and-tasks.ts'
import { storeInbound } from './store-rows.ts'
import { planTickets, storeTickets } from './tickets.ts'
import work from './work.json' with { type: 'json' }
import data from './workspace.json' with { type: 'json' }

/**
 * Fills a workspace like that of a small company after two months. Small tables are seeded as usual; large ones are
 * inserted in batches, with the rows that the services would write, so that the first start of a demo is fast. Nothing
 * is sent, because the subscriptions' host names cannot exist (RFC 6761).
 */
export async function seedCompany(app: TxApp): Promise<Seeded> {
  const now = app.clock.now()
  const recorder = createSeedRecorder()
  const founded = pinTime(app, formatInstant(daysFrom(now, data.created_at)))
  await applySeedData(founded, fromObject({ workspaces: [toSeed(data, now)] }), { recorder, serverClock: app.clock })
  const seeded = recorder.seeded()
  await fill(createCompany(app, pick(seeded.workspaces, 0)))
  return seeded
}

/** Converts the data to a seed: tables become lists of objects, and relative days become instants or dates. */
function toSeed(value: unknown, now: number, field = ''): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => toSeed(item, now))
  if (typeof value === 'number' && field === 'created_at') return formatInstant(daysFrom(now, value))
  if (typeof value === 'number' && field.endsWith('_at')) return toDay(daysFrom(now, value))
  if (typeof value !== 'object' || value === null) return value
  if ('columns' in value) return toSeed(records(value as Table), now)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toSeed(item, now, name)]))
}

function createCompany(app: TxApp, seeded: SeededWorkspace): Company {
  const shifts = records<Pick<Person, 'weekdays' | 'from' | 'to'> & { readonly device: number }>(work.shifts)
  const people = seeded.members.map(({ id, name }, index): Person => {
    const { id: employeeId, department } = pick(seeded.employees, index)
    const { device, ...shift } = pick(shifts, index)
    return { id, name, employeeId, department, device: pick(seeded.devices, device), ...shift }
  })
  return { ...seeded, app, now: app.clock.now(), workspace: seeded.id, people }
}

/** Stores two months of activity. Records come after those that they refer to. */
async function fill(company: Company): Promise<void> {
  const { app, workspace } = company
  const errors = planErrors(company)
  const hooks = planGit(company)
  const opened = [...errors, ...hooks.map(({ issue }) => issue)].flatMap((source) => source?.ticket ?? [])
  const tickets = await storeTickets(company, [...planTickets(company), ...opened])
  const tasks = await storeTasks(company, tickets)
  await storeDeals(company)
  const rules = await createRules(company)
  const messages = await storeMessages(company, rules, tickets)
  await storeInbound(app, workspace, [
    ...(await storeErrors(company, errors, tickets)),
    ...(await storeGit(company, hooks, tickets)),
    ...(await storeLeads(company)),
    ...(await recordAttendance(company)),
  ])
  await storeDeliveries(company, await storeEvents(company, { tickets, tasks, messages }))
  await storeAudit(company, rules, tickets)
  await receiveBodies(company)
}
