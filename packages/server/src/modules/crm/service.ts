import type { Lead, NewLead } from '@service/contract'
import { conflict, notFound, validation } from '../../api-error.ts'
import type { App } from '../../context.ts'
import { toInstant } from '../../instants.ts'
import type { Page } from '../../page.ts'
import { toBoolean } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { LeadPatch } from './input.ts'
import { toMinorUnits, toMoneyOrNull } from './money.ts'
import * as queries from './queries.ts'

/** Creates a lead; an open lead with the same e-mail is a conflict, also when two requests come at the same instant. */
export function createLead(app: App, workspaceId: number, lead: NewLead): Promise<Lead> {
  return inTransaction(app, async (app) => {
    const source = await queries.findLeadSource(app.db, workspaceId, lead.source)
    if (source === undefined || !toBoolean(source.active)) {
      throw validation({ source: ['The selected source is not an active lead source.'] })
    }
    const row = await queries.insertLead(app.db, toRow(app, workspaceId, lead))
    if (row === undefined) throw conflict('An open lead with this email already exists.')
    return toLead(row)
  })
}

/** The newest 50 leads of a workspace, newest first. */
export async function listLeads(app: App, workspaceId: number): Promise<Lead[]> {
  return (await queries.listNewestLeads(app.db, workspaceId)).map(toLead)
}

/** Leads of a workspace page by page, newest first. */
export async function listLeadsPage(app: App, workspaceId: number, page: Page): Promise<Lead[]> {
  return (await queries.listLeadsPage(app.db, workspaceId, page)).map(toLead)
}

/** Moves a lead to another status; reopening one whose e-mail has an open lead by now is a conflict. */
export function updateLead(
  app: App,
  { workspaceId, id }: { workspaceId: number; id: number },
  { status }: LeadPatch,
): Promise<Lead> {
  return inTransaction(app, async (app) => {
    const lead = await queries.findLead(app.db, workspaceId, id)
    if (lead === undefined) throw notFound('lead', id)
    return toLead(await queries.updateLead(app.db, id, { status, updated_at: app.clock.now() }))
  })
}

function toRow(app: App, workspace_id: number, lead: NewLead): queries.NewLeadRow {
  const now = app.clock.now()
  return {
    workspace_id,
    name: lead.name,
    email: lead.email ?? null,
    email_key: lead.email ? toEmailKey(lead.email) : null,
    phone_key: null,
    phone: lead.phone ?? null,
    company: lead.company ?? null,
    source: lead.source,
    notes: lead.notes ?? null,
    estimated_value: typeof lead.estimated_value === 'number' ? toMinorUnits(lead.estimated_value) : null,
    status: 'new',
    created_at: now,
    updated_at: now,
  }
}

/** Two spellings of one address are one person. */
const toEmailKey = (email: string) => email.trim().toLowerCase()

function toLead(row: queries.LeadRow): Lead {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    company: row.company,
    source: row.source,
    estimated_value: toMoneyOrNull(row.estimated_value),
    status: row.status,
    created_at: toInstant(row.created_at),
  }
}
