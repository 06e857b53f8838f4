import { emailKey, phoneKey } from '@service/intake/leads/contact-key'
import { fromDay, toDay } from '../../../core/clock.ts'
import { type Company, daysFrom, pick, records } from './company.ts'
import { byTime, insertRows, type Received, withIds } from './store-rows.ts'
import type { StoredTicket } from './tickets.ts'
import data from './work.json' with { type: 'json' }

/** A row of the data. Days are relative to now; missing values are null. */
type Text<Columns extends string> = { readonly [Column in Columns]: string } & { readonly created_at: number }

export type StoredTask = Awaited<ReturnType<typeof storeTasks>>[number]

/** Stores the tasks. Driver app tasks in progress relate to a bug. */
export async function storeTasks(
  { app, workspace: workspace_id, now, people, ids }: Company,
  tickets: readonly StoredTicket[],
) {
  type TaskText = Text<'title' | 'project_id' | 'status' | 'priority' | 'assigned_to'> & {
    tags: string[]
    due_at?: number | null
    parent?: string
  }
  const texts = records<TaskText>(data.tasks).map((text) => ({ ...text, at: daysFrom(now, text.created_at) }))
  const tasks = await withIds(app, 'tasks', texts)
  const bugs = tickets.filter(({ row }) => row.category === 'bug')
  const rows = tasks.map(
    ({ id, at, title, status, priority, project_id, assigned_to, tags, due_at, parent }, index) => ({
      id,
      workspace_id,
      title,
      description: null,
      status,
      priority,
      tags: JSON.stringify(tags),
      project_id: ids[project_id] ?? null,
      parent_id: tasks.find((task) => task.title === parent)?.id ?? null,
      ticket_id:
        (isAboutBug({ project_id, status }) && bugs.findLast(({ row }) => row.created_at < at)?.row.id) || null,
      assigned_to: ids[assigned_to] ?? null,
      created_by: pick(people, index % 3).id,
      created_at: at,
      updated_at: at,
      due_at: typeof due_at === 'number' ? fromDay(toDay(daysFrom(now, due_at))) : null,
    }),
  )
  await insertRows(app, 'tasks', rows)
  return rows
}

const isAboutBug = ({ project_id, status }: { readonly project_id: string; readonly status: string }) =>
  project_id === 'driver' && status === 'in_progress'

export async function storeDeals({ app, workspace: workspace_id, now, ids }: Company): Promise<void> {
  type DealText = Text<'title' | 'stage' | 'account_id' | 'owner_id'> & {
    amount: number | null
    expected_close_at: number | null
  }
  const rows = records<DealText>(data.deals).map(
    ({ title, stage, amount, account_id, owner_id, created_at, expected_close_at: closes }) => ({
      workspace_id,
      title,
      stage,
      amount: amount && amount * 100,
      account_id: ids[account_id] ?? null,
      owner_id: ids[owner_id] ?? null,
      expected_close_at: typeof closes === 'number' ? toDay(daysFrom(now, closes)) : null,
      created_at: daysFrom(now, created_at),
      updated_at: daysFrom(now, created_at),
    }),
  )
  await insertRows(app, 'deals', rows)
}

/** Stores the leads with all their inquiries, and returns the delivery times. */
export async function storeLeads({ app, workspace: workspace_id, now }: Company): Promise<readonly Received[]> {
  type LeadText = Text<'name' | 'source' | 'status'> & {
    [Column in 'email' | 'company' | 'notes' | 'phone']?: string | null
  } & { estimated_value?: number | null }
  const texts = records<LeadText>(data.leads).map((text) => ({ ...text, at: daysFrom(now, text.created_at) }))
  const leads = (await withIds(app, 'leads', texts)).map(
    ({ at, email = null, company = null, notes = null, phone = null, estimated_value: value, ...lead }) => ({
      ...lead,
      workspace_id,
      email,
      company,
      notes,
      phone,
      created_at: at,
      updated_at: at,
      email_key: email && emailKey(email),
      phone_key: phone && phoneKey(phone),
      estimated_value: value ? value * 100 : null,
    }),
  )
  await insertRows(app, 'leads', leads)
  const first = leads.map((lead) => ({ lead, at: lead.created_at, notes: lead.notes, outcome: 'lead created' }))
  const repeated = records<{ name: string; days_ago: number; notes: string }>(data.enquired_again)
  const later = repeated.map(({ name, days_ago, notes }) => {
    const own = leads.filter((lead) => lead.name === name)
    return { lead: pick(own, 0), at: daysFrom(now, -days_ago), notes, outcome: 'duplicate' }
  })
  const enquiries = byTime([...first, ...later])
  const rows = enquiries.map(({ at, notes, lead: { id, source, name, email, phone, company } }) => {
    const sent = { source, external_id: null, scope: null, copy_key: null, name, email, phone, company, notes }
    return { workspace_id, lead_id: id, ...sent, received_at: at }
  })
  await insertRows(app, 'lead_enquiries', rows)
  const received = { integration: 'leads', status: 200 }
  return enquiries.map(({ at, lead, outcome }) => ({ ...received, at, summary: `${lead.source}: ${outcome}` }))
}
