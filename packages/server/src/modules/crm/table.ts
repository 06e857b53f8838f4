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
