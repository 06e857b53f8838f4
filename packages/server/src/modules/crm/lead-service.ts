import { emailForm, emailText, type Lead, leadSources, type NewLead } from '@service/contract'
import type { LeadDetail, LeadEnquiry } from '@service/contract/admin/crm'
import type { LeadPatch, LeadQuery } from '@service/contract/admin/crm-input'
import { emailKey } from '@service/intake/leads/contact-key'
import * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { checkInput } from '../../core/check-input.ts'
import { formatInstant } from '../../core/clock.ts'
import { conflict, notFound, validation } from '../../core/errors.ts'
import { type Page, toSortablePage } from '../../core/pagination.ts'
import { toBoolean } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { toMinorUnitsOrNull, toMoneyOrNull } from './money.ts'
import * as queries from './queries.ts'

/** The e-mail check that the contract leaves to the server. Null clears the address. */
const LeadContact = z.object({ email: z.nullish(emailText.check(emailForm)) })

/** Creates a lead from an active lead source. */
export function createLead(app: App, workspaceId: number, lead: NewLead): Promise<Lead> {
  checkInput(LeadContact, lead)
  return inTransaction(app, async (app) => {
    const source = await queries.findLeadSource(app.db, workspaceId, lead.source)
    if (source === undefined || !toBoolean(source.active)) {
      throw validation({ source: ['The selected source is not an active lead source.'] })
    }
    return enterLead(app, workspaceId, lead)
  })
}

/** In administration, a source need not be active. */
const EnteredLead = z.extend(LeadContact, { source: z.enum(leadSources) })

/** Creates a lead from any source. An open lead with the same e-mail is a conflict, also for concurrent requests. */
export async function enterLead(app: App, workspaceId: number, lead: NewLead): Promise<Lead> {
  checkInput(EnteredLead, lead)
  return inTransaction(app, async (app) => {
    const row = await queries.insertLead(app.db, toRow(app, workspaceId, lead))
    if (row === undefined) throw conflict('An open lead with this email already exists.')
    return toLead(row)
  })
}

/** Leads of a workspace, newest first or sorted. */
export async function listLeadsPage(app: App, workspaceId: number, query: LeadQuery) {
  return toSortablePage(await queries.listLeadsPage(app.store, workspaceId, query), query, toLead)
}

const maxEnquiries = 1000

/** A lead with its notes and its newest inquiries. */
export async function getLeadDetail(app: App, { workspaceId, id }: RowRef): Promise<LeadDetail> {
  const row = await queries.findLead(app.db, workspaceId, id)
  if (row === undefined) throw notFound('lead', id)
  return {
    ...toLead(row),
    notes: row.notes,
    updated_at: formatInstant(row.updated_at),
    enquiries: await listEnquiriesPage(app, { workspaceId, leadId: id }, { limit: maxEnquiries }),
    deal: (await queries.findDealOfLead(app.db, workspaceId, id)) ?? null,
  }
}

/** Changes a lead. Conflicts if another open lead has the same e-mail. */
export function updateLead(app: App, lead: RowRef, { estimated_value, ...patch }: LeadPatch): Promise<Lead> {
  checkInput(LeadContact, patch)
  return inTransaction(app, async (app) => {
    await getLeadDetail(app, lead)
    const { email } = patch
    const email_key = typeof email === 'string' ? emailKey(email) : email
    const changed = {
      ...patch,
      email_key,
      estimated_value: estimated_value === undefined ? undefined : toMinorUnitsOrNull(estimated_value),
      updated_at: app.clock.now(),
    }
    return toLead(await queries.updateLead(app.db, lead, changed))
  })
}

interface EnquiryFilter {
  readonly workspaceId: number
  readonly leadId?: number | undefined
  readonly email?: string | undefined
}

/** Inquiries of a workspace, of one lead, or of all leads with an address, newest first. */
export async function listEnquiriesPage(
  app: App,
  { workspaceId, leadId, email }: EnquiryFilter,
  page: Page,
): Promise<LeadEnquiry[]> {
  const leadIds = email === undefined ? undefined : await queries.listIdsWithEmail(app.store, workspaceId, email)
  const rows = await queries.listEnquiriesPage(app.store, { workspaceId, leadId, leadIds }, page)
  return rows.map(({ workspace_id: _, scope: _scope, copy_key: _copyKey, received_at, ...row }) => ({
    ...row,
    received_at: formatInstant(received_at),
  }))
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
    estimated_value: toMinorUnitsOrNull(lead.estimated_value),
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
