import { emailForm, emailText, integerId, type Lead, type NewLead } from '@service/contract'
import { AccountInput, DealInput, type LeadPatch } from '@service/contract/admin/crm-input'
import { emailKey } from '@service/intake/leads/contact-key'
import * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { checkInput } from '../../core/check-input.ts'
import { formatInstant } from '../../core/clock.ts'
import { conflict, notFound, validation } from '../../core/errors.ts'
import type { Page } from '../../core/pagination.ts'
import { toBoolean } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { toMinorUnits, toMoneyOrNull } from './money.ts'
import * as queries from './queries.ts'

// The API inputs plus the workspace id, for callers without a path.

/** The e-mail check that the contract leaves to the server. */
const LeadContact = z.object({ email: z.nullish(emailText.check(emailForm)) })

export const NewAccount = z.extend(AccountInput, { workspace_id: integerId })
export type NewAccount = z.input<typeof NewAccount>

export const NewDeal = z.extend(DealInput, { workspace_id: integerId })
export type NewDeal = z.input<typeof NewDeal>

/** Creates a lead. An open lead with the same e-mail is a conflict, also for concurrent requests. */
export async function createLead(app: App, workspaceId: number, lead: NewLead): Promise<Lead> {
  checkInput(LeadContact, lead)
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

/** Leads of a workspace, newest first. */
export async function listLeadsPage(app: App, workspaceId: number, query: Page & queries.LeadFilter): Promise<Lead[]> {
  return (await queries.listLeadsPage(app.db, workspaceId, query)).map(toLead)
}

async function getLead(app: App, { workspaceId, id }: { workspaceId: number; id: number }): Promise<Lead> {
  const row = await queries.findLead(app.db, workspaceId, id)
  if (row === undefined) throw notFound('lead', id)
  return toLead(row)
}

const mostEnquiries = 1000

/** A lead with its notes and all of its enquiries. */
export async function getLeadDetail(app: App, { workspaceId, id }: { workspaceId: number; id: number }) {
  const row = await queries.findLead(app.db, workspaceId, id)
  if (row === undefined) throw notFound('lead', id)
  return {
    ...toLead(row),
    notes: row.notes,
    updated_at: formatInstant(row.updated_at),
    enquiries: await listEnquiriesPage(app, { workspaceId, leadId: id }, { limit: mostEnquiries }),
  }
}

/** Changes a lead. Conflicts if another open lead has the same e-mail. */
export function updateLead(
  app: App,
  { workspaceId, id }: { workspaceId: number; id: number },
  { email, ...patch }: LeadPatch,
): Promise<Lead> {
  return inTransaction(app, async (app) => {
    await getLead(app, { workspaceId, id })
    const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
    const keys = email === undefined ? {} : { email, email_key: email === null ? null : emailKey(email) }
    return toLead(
      await queries.updateLead(app.db, { workspaceId, id }, { ...given, ...keys, updated_at: app.clock.now() }),
    )
  })
}

/** All enquiries of a person: the one that created the lead and every later one. */
export async function listEnquiriesPage(
  app: App,
  { workspaceId, leadId }: { readonly workspaceId: number; readonly leadId?: number | undefined },
  page: Page,
): Promise<LeadEnquiry[]> {
  const rows = await queries.listEnquiriesPage(app.db, { workspaceId, leadId }, page)
  return rows.map(({ workspace_id: _, received_at, ...row }) => ({ ...row, received_at: formatInstant(received_at) }))
}

/** One enquiry as received. The lead itself may hold values of an earlier enquiry. */
export interface LeadEnquiry {
  readonly id: number
  readonly lead_id: number
  readonly source: string
  /** The sender's id of the enquiry; unchanged when the sender retries. */
  readonly external_id: string | null
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly notes: string | null
  readonly received_at: string
}

function toRow(app: App, workspace_id: number, lead: NewLead): queries.NewLeadRow {
  const now = app.clock.now()
  return {
    workspace_id,
    name: lead.name,
    email: lead.email ?? null,
    email_key: lead.email ? emailKey(lead.email) : null,
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
    created_at: formatInstant(row.created_at),
  }
}
