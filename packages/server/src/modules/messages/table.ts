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
  /** Null for a message posted by a rule or a program. */
  author_id: number | null
  /** An `Actor` that is not a person. */
  origin: string | null
  origin_id: number | null
  /** The ticket that it is about. */
  ticket_id: number | null
  body: string
  created_at: number
}

/** A member who was mentioned and has not seen the message. */
export interface MentionsTable {
  workspace_id: number
  user_id: number
  message_id: number
}
