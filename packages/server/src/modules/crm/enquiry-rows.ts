import { type CapturedLead, leadNotes } from '@service/intake/leads/captured-lead'
import type { TxApp } from '../../context.ts'
import { contactKeys } from './duplicate-lead.ts'
import type * as queries from './queries.ts'

/** The lead that an inquiry of a new person creates. */
export function toLeadRow(app: TxApp, workspace_id: number, lead: CapturedLead): queries.NewLeadRow {
  const now = app.clock.now()
  return {
    workspace_id,
    ...toPersonRow(lead),
    name: cut(lead.name ?? lead.email ?? lead.phone ?? lead.handle ?? 'Unknown'),
    ...contactKeys(lead),
    source: lead.source,
    estimated_value: null,
    status: 'new',
    created_at: now,
    updated_at: now,
  }
}

/** What an inquiry says about its person. */
export const toPersonRow = (lead: CapturedLead) => ({
  name: cutOrNull(lead.name),
  email: cutOrNull(lead.email),
  phone: cutOrNull(lead.phone ?? lead.handle),
  company: cutOrNull(lead.company),
  notes: leadNotes(lead),
})

const maxFieldLength = 255

const cut = (text: string) => Array.from(text).slice(0, maxFieldLength).join('')

const cutOrNull = (text: string | null) => (text === null ? null : cut(text))
