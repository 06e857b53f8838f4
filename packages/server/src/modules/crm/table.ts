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
  created_at: number
  updated_at: number
}

export interface LeadSourcesTable {
  workspace_id: number
  source: string
  active: number
  /** SHA-256 of the secret that its webhook asks for; none until it is issued. */
  secret_hash: string | null
  /** The same, encrypted, for platforms whose signatures need it. */
  secret_encrypted: string | null
  /** JSON: how its bodies are read. */
  mapping: string | null
  created_at: number
  updated_at: number
}

export interface LeadsTable {
  id: Generated<number>
  workspace_id: number
  name: string
  email: string | null
  /** Trimmed and lower-cased: what makes two leads one. */
  email_key: string | null
  /** The account on WhatsApp: the number's digits, or the user id. A telephone elsewhere may be a household's or an office's. */
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

/** Every time somebody got in touch, also when they are a lead already. */
export interface LeadEnquiriesTable {
  id: Generated<number>
  workspace_id: number
  lead_id: number
  source: string
  /** The platform's own id, the same when it delivers again. */
  external_id: string | null
  name: string | null
  email: string | null
  phone: string | null
  company: string | null
  notes: string | null
  received_at: number
}
