import type { Generated } from 'kysely'

export interface ChannelsTable {
  id: Generated<number>
  workspace_id: number
  name: string
  created_at: number
}

export interface MessagesTable {
  id: Generated<number>
  workspace_id: number
  channel_id: number
  /** Nobody for a message that a rule posted. */
  author_id: number | null
  body: string
  created_at: number
}
