/** Answers kept for 24 h under the caller's `Idempotency-Key`. */
export interface IdempotencyKeysTable {
  /** Whose key it is: two callers may use the same text. */
  scope: string
  key: string
  request_hash: string
  status: number | null
  answer: string | null
  expires_at: number
}
