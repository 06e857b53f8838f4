import * as z from 'zod/mini'
import { instant, integerId, orNull } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { ChannelInput, ChannelPatch, MessageInput } from './message-input.ts'
import { Origin } from './origin.ts'
import { idFilter, pageOf, pageQuery, searchFilter, wholeListOf } from './pages.ts'
import { create, list, read, remove, update, workspace } from './route-kinds.ts'

/** A channel, whose name is unique in the workspace. */
export const Channel = z.object({ id: integerId, name: z.string() })

export type Channel = z.output<typeof Channel>

const NamedOrNull = z.nullable(z.object({ id: integerId, name: z.string() }))

/** A message as the list shows it. */
export const Message = z.object({
  id: integerId,
  channel_id: integerId,
  author_id: z.nullable(integerId),
  author: NamedOrNull,
  /** Null if it has an author, and for older messages. */
  origin: orNull(Origin),
  ticket_id: orNull(integerId),
  body: z.string(),
  created_at: instant,
})

export type Message = z.output<typeof Message>

/** The response to posting a message, with the names of the channel and the author. */
export const PostedMessage = z.object({
  id: integerId,
  body: z.string(),
  channel: z.object({ id: integerId, name: z.string() }),
  author: NamedOrNull,
  created_at: instant,
})

export type PostedMessage = z.output<typeof PostedMessage>

const channels = `${workspace}/channels` as const
const channel = `${channels}/{id}` as const
const messages = `${workspace}/messages` as const
const mentions = `${workspace}/mentions` as const

export const messageAdminRoutes = [
  { ...list, operation: 'channels.list', path: channels, responses: { 200: pageOf(Channel) } },
  { ...create, operation: 'channels.create', path: channels, body: ChannelInput, responses: { 201: Channel } },
  { ...read, operation: 'channels.get', path: channel, responses: { 200: Channel } },
  { ...update, operation: 'channels.update', path: channel, body: ChannelPatch, responses: { 200: Channel } },
  { ...remove, operation: 'channels.delete', path: channel },
  {
    ...list,
    operation: 'messages.list',
    path: messages,
    query: z.object({ ...pageQuery, channel_id: idFilter, ticket_id: idFilter, search: searchFilter }),
    responses: { 200: pageOf(Message) },
  },
  {
    ...create,
    operation: 'messages.create',
    path: messages,
    body: MessageInput,
    responses: { 201: PostedMessage },
    emits: 'message.created',
  },
  { ...read, operation: 'mentions.list', path: mentions, responses: { 200: wholeListOf(Message) } },
  { ...remove, role: 'viewer', operation: 'mentions.delete', path: `${mentions}/{id}` },
] as const satisfies readonly AdminRoute[]
