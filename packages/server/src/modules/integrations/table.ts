export interface IntegrationsTable {
  workspace_id: number
  /** `errors`, `attendance`, or a Git provider's key. */
  kind: string
  enabled: number
  /** SHA-256 of a secret that is only compared. */
  secret_hash: string | null
  /** A secret that must be read again to compute a signature, encrypted. */
  secret_encrypted: string | null
  /** JSON. */
  settings: string
  created_at: number
  updated_at: number
}
