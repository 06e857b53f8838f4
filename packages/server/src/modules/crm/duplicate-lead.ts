import type { CapturedLead } from '@service/intake/leads/captured-lead'
import { emailKey, phoneKey } from '@service/intake/leads/contact-key'
import type { TxApp } from '../../context.ts'
import * as queries from './queries.ts'

// A contact has at most one open lead. Two partial unique indexes enforce it, one for each key.

/** The deduplication keys. A phone number identifies a person only on WhatsApp, where it is the account. */
export function contactKeys({ source, email, phone, handle }: CapturedLead): queries.ContactKeys {
  const phone_key = source === 'whatsapp' ? ((phone === null ? null : phoneKey(phone)) ?? handle) : null
  return { email_key: email === null ? null : emailKey(email), phone_key }
}

/** The lead of an enquiry that the platform has already sent. */
export async function findLeadOfEnquiry(
  app: TxApp,
  workspaceId: number,
  { source, externalId }: CapturedLead,
): Promise<number | undefined> {
  if (externalId === null) return undefined
  return (await queries.findEnquiry(app.db, { workspaceId, source, externalId }))?.lead_id
}

/** The open lead with the same e-mail or WhatsApp account, after an insert conflicted with it. */
export async function getConflictingLead(app: TxApp, workspaceId: number, keys: queries.ContactKeys): Promise<number> {
  const open = await queries.findOpenLeadByKeys(app.db, workspaceId, keys)
  if (open === undefined) throw new Error('The insert of a lead conflicted with an open lead that does not exist.')
  return open.id
}
