import type { Generated } from 'kysely'

/** What happened, kept in the transaction of its change (transactional outbox). */
export interface EventsTable {
  id: Generated<number>
  workspace_id: number
  name: string
  /** The JSON text that is signed and sent, byte for byte. */
  body: string
  created_at: number
}
