import { hash } from 'node:crypto'
import { type CapturedLead, leadNotes } from '@service/intake/leads/captured-lead'
import { emailKey, phoneKey } from '@service/intake/leads/contact-key'
import type { TxApp } from '../../context.ts'
import * as queries from './queries.ts'

// A contact has at most one open lead. Two partial unique indexes enforce it, one for each key.

/** The deduplication keys. A phone number identifies a person only on WhatsApp, where it is the account. */
export function contactKeys({ source, email, phone, handle }: CapturedLead): queries.ContactKeys {
  const phone_key = source === 'whatsapp' ? ((phone === null ? null : phoneKey(phone)) ?? handle) : null
  return { email_key: email === null ? null : emailKey(email), phone_key }
}

/** Copies of an inquiry have this key in common. Without an id of the sender, no inquiry is a copy. */
export function copyKeyOf(lead: CapturedLead): string | null {
  if (lead.externalId === null) return null
  const { source, externalId, scope, name, email, phone, handle, company } = lead
  const parts = [source, externalId, scope, name, email, phone, handle, company, leadNotes(lead)]
  return hash('sha256', JSON.stringify(parts))
}

/** The lead of an earlier inquiry with the same id of the sender, from the same form and the same person. */
export async function findLeadOfEnquiry(
  app: TxApp,
  workspaceId: number,
  lead: CapturedLead,
): Promise<number | undefined> {
  const { source, externalId, scope } = lead
  if (externalId === null) return undefined
  const earlier = await queries.listEnquiriesWithId(app.db, { workspaceId, source, externalId, scope })
  const person = { ...lead, phone: lead.phone ?? lead.handle }
  return earlier.find((enquiry) => isSamePerson(enquiry, person))?.lead_id
}

type Contact = Pick<CapturedLead, 'name' | 'email' | 'phone'>

/** Whether an address or a number is the same, and nothing else that both have differs. */
function isSamePerson(one: Contact, other: Contact): boolean {
  const [email, phone] = [compare(one.email, other.email, emailKey), compare(one.phone, other.phone, phoneKey)]
  const name = compare(one.name, other.name, (text) => text.toLowerCase().replace(/\s+/g, ' '))
  return [email, phone].includes('same') && ![email, phone, name].includes('different')
}

function compare(one: string | null, other: string | null, toKey: (text: string) => string | null) {
  if (one === null || other === null) return 'unknown'
  return (toKey(one) ?? one) === (toKey(other) ?? other) ? 'same' : 'different'
}

/** Creates a lead, or finds the open lead with the same e-mail or WhatsApp account. */
export async function insertOrFindLead(app: TxApp, row: queries.NewLeadRow) {
  const created = await queries.insertCapturedLead(app.db, row)
  if (created !== undefined) return { lead_id: created.id, isNew: true }
  const open = await queries.findOpenLeadByKeys(app.db, row.workspace_id, row)
  if (open === undefined) throw new Error('The insert of a lead conflicted with an open lead that does not exist.')
  return { lead_id: open.id, isNew: false }
}
