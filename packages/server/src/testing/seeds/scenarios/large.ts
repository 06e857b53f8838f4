import { priorities, ticketStatuses } from '@service/contract'
import type { App } from '../../../context.ts'
import { formatInstant, microsPerMinute } from '../../../core/clock.ts'
import { inTransaction } from '../../../store/transaction.ts'
import { createRecord } from '../../factories/create-record.ts'
import type { Kind } from '../../factories/define-factory.ts'
import { createFactoryContext, type FactoryContext, idOf } from '../../factories/factory-context.ts'
import type { FieldsOf } from '../../factories/factory-types.ts'
import type { SeedRecorder } from '../seed-state.ts'

/** The number of tickets, evenly distributed over four weeks. */
const ticketCount = 10_000
const ticketIntervalMicros = 4 * microsPerMinute

/** A workspace with more of everything than a list page shows. */
export async function applyLarge(app: App, recorder: SeedRecorder): Promise<void> {
  await inTransaction(app, async (app) => {
    const context = createFactoryContext(app, recorder.record)
    const workspace = idOf(await createRecord(context, 'workspace', { name: 'Large' })) ?? 0
    const members = await createMany(context, 'member', { count: 100, input: () => ({ workspace }) })
    const projects = await createMany(context, 'project', {
      count: 40,
      input: (index) => ({ workspace, name: `Project ${index + 1}` }),
    })
    await createWork(context, { workspace, members, projects })
    await createPeopleAndSales(context, { workspace, members, projects })
    await createRecord(context, 'token', { workspace })
  })
}

interface LargeWorkspace {
  readonly workspace: number
  readonly members: readonly number[]
  readonly projects: readonly number[]
}

async function createWork(context: FactoryContext, { workspace, members, projects }: LargeWorkspace): Promise<void> {
  const now = context.app.clock.now()
  const ticket = (index: number): FieldsOf<'ticket'> => ({
    workspace,
    title: `Ticket ${index + 1}`,
    priority: nth(priorities, index),
    // One in ten has another status. Each change emits an event.
    status: index % 10 === 0 ? nth(ticketStatuses, index / 10) : 'open',
    assigned_to: index % 3 === 0 ? null : nth(members, index),
    created_by: nth(members, index * 7),
    project_id: index % 4 === 0 ? nth(projects, index) : null,
    tags: index % 5 === 0 ? ['support', `tag-${index % 20}`] : null,
    created_at: formatInstant(now - (ticketCount - index) * ticketIntervalMicros),
  })
  const task = (index: number): FieldsOf<'task'> => ({
    workspace,
    title: `Task ${index + 1}`,
    project_id: nth(projects, index),
    assigned_to: nth(members, index),
    created_by: nth(members, index * 3),
  })
  await createMany(context, 'ticket', { count: ticketCount, input: ticket })
  await createMany(context, 'task', { count: 1000, input: task })
}

async function createPeopleAndSales(context: FactoryContext, { workspace, members }: LargeWorkspace): Promise<void> {
  const owner = (index: number) => ({ workspace, owner_id: nth(members, index) })
  await createMany(context, 'employee', { count: 100, input: (index) => ({ workspace, user_id: nth(members, index) }) })
  await createMany(context, 'account', { count: 20, input: (index) => ({ workspace, name: `Account ${index + 1}` }) })
  await createMany(context, 'deal', { count: 200, input: (index) => ({ ...owner(index), amount: index * 100 }) })
  await createRecord(context, 'leadSource', { workspace })
  await createMany(context, 'lead', { count: 200, input: () => ({ workspace }) })
}

interface CreateManyOptions<K extends Kind> {
  readonly count: number
  readonly input: (index: number) => FieldsOf<K>
}

async function createMany<K extends Kind>(
  context: FactoryContext,
  kind: K,
  { count, input }: CreateManyOptions<K>,
): Promise<number[]> {
  const ids: number[] = []
  for (let index = 0; index < count; index += 1) ids.push(idOf(await createRecord(context, kind, input(index))) ?? 0)
  return ids
}

function nth<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError('There are none to choose from.')
  return item
}
