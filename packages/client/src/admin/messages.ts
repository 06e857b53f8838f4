import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { ById, Changed, InWorkspace, Page, PageQuery } from './page.ts'

/** A channel, whose name is unique in the workspace. */
export interface Channel {
  id: number
  name: string
}

/** The channels of a workspace. */
export interface Channels {
  /** Newest first. */
  list(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<Channel>>
  /** @throws ConflictError when the name is taken. */
  create(at: InWorkspace, channel: { name: string }, options?: CreateOptions): Call<Channel>
  get(at: ById, options?: CallOptions): Call<Channel>
  /** @throws ConflictError when the name is taken. */
  update(at: ById, patch: { name?: string | undefined }, options?: CallOptions): Call<Channel>
  /** @throws ConflictError when it has messages. */
  delete(at: ById, options?: CallOptions): Call<Changed>
}

/** A message as the list shows it. */
export interface Message {
  id: number
  channel_id: number
  author_id: number | null
  body: string
  created_at: string
}

/** A message as posting it answers. */
export interface PostedMessage {
  id: number
  body: string
  channel: Channel
  author: { id: number; name: string } | null
  created_at: string
}

export interface NewMessage {
  channel_id: number
  /** A member's id, or nobody. */
  author_id?: number | null | undefined
  body: string
}

/** The messages of a workspace. */
export interface Messages {
  /** Newest first; of one channel with `channel_id`. */
  list(
    at: InWorkspace,
    query?: PageQuery & { channel_id?: number | undefined },
    options?: CallOptions,
  ): Call<Page<Message>>
  /** Emits `message.created`. */
  create(at: InWorkspace, message: NewMessage, options?: CreateOptions): Call<PostedMessage>
}
