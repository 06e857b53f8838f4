import type { Generated } from 'kysely'

export interface AccountsTable {
  id: Generated<number>
  workspace_id: number
  name: string
  created_at: number
}

export interface DealsTable {
  id: Generated<number>
  workspace_id: number
  title: string
  stage: string
  /** Minor units. */
  amount: number | null
  account_id: number | null
  owner_id: number | null
  /** `YYYY-MM-DD` */
  expected_close_at: string | null
  /** The lead that it was made from. */
  lead_id: Generated<number | null>
  created_at: number
  updated_at: number
}

export interface LeadSourcesTable {
  workspace_id: number
  source: string
  active: number
  /** SHA-256 of the webhook secret; null until one is issued. */
  secret_hash: string | null
  /** The encrypted secret, for platforms whose signatures require it. */
  secret_encrypted: string | null
  /** JSON: the field mapping for its bodies. */
  mapping: string | null
  created_at: number
  updated_at: number
}

export interface LeadsTable {
  id: Generated<number>
  workspace_id: number
  name: string
  email: string | null
  /** Deduplication key: trimmed and lower-cased. */
  email_key: string | null
  /** WhatsApp account: the number's digits or the user id. Other sources' phone numbers may be shared by people. */
  phone_key: string | null
  phone: string | null
  company: string | null
  source: string
  notes: string | null
  /** Minor units. */
  estimated_value: number | null
  status: string
  created_at: number
  updated_at: number
}

/** Every inquiry, including those of people who are already leads. */
export interface LeadEnquiriesTable {
  id: Generated<number>
  workspace_id: number
  lead_id: number
  source: string
  /** The sender's id of the inquiry; unchanged when the sender retries. */
  external_id: string | null
  /** What `external_id` is unique within; null without an id and in rows of earlier releases. */
  scope: string | null
  /** Equal for copies of an inquiry: the same id, scope, person, and text. Null without an id. */
  copy_key: string | null
  name: string | null
  email: string | null
  phone: string | null
  company: string | null
  notes: string | null
  received_at: number
}
