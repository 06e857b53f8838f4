export interface IntegrationsTable {
  workspace_id: number
  /** `errors`, `attendance`, or a Git provider's key. */
  kind: string
  enabled: number
  /** SHA-256 of a secret that is only compared. */
  secret_hash: string | null
  /** The encrypted secret, if it is needed to compute signatures. */
  secret_encrypted: string | null
  /** JSON. */
  settings: string
  created_at: number
  updated_at: number
}
