/** Answers kept for 24 h under the caller's `Idempotency-Key`. */
export interface IdempotencyKeysTable {
  /** 0 for a request about the instance. */
  workspace_id: number
  /** Whose key it is: two callers may use the same text. */
  scope: string
  key: string
  request_hash: string
  status: number | null
  answer: string | null
  expires_at: number
}
