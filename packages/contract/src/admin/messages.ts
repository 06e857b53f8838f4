import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { ChannelInput, ChannelPatch, MessageInput } from './message-input.ts'
import {
  actionRefusals,
  Changed,
  listRefusals,
  PageQuery,
  pageOf,
  pageQuery,
  readRefusals,
  writeRefusals,
} from './pages.ts'

/** A channel, whose name is unique in the workspace. */
export const Channel = z.object({ id: integerId, name: z.string() })

export type Channel = z.output<typeof Channel>

const NamedOrNull = z.nullable(z.object({ id: integerId, name: z.string() }))

/** A message as the list shows it. */
export const Message = z.object({
  id: integerId,
  channel_id: integerId,
  author_id: z.nullable(integerId),
  body: z.string(),
  created_at: instant,
})

export type Message = z.output<typeof Message>

/** A message as posting it answers, with the names of channel and author. */
export const PostedMessage = z.object({
  id: integerId,
  body: z.string(),
  channel: z.object({ id: integerId, name: z.string() }),
  author: NamedOrNull,
  created_at: instant,
})

export type PostedMessage = z.output<typeof PostedMessage>

const workspace = '/workspaces/{workspace}'

const list = { surface: 'admin', role: 'viewer', method: 'GET', refusals: listRefusals } as const

const create = { surface: 'admin', role: 'member', method: 'POST', refusals: writeRefusals } as const

export const messageAdminRoutes = [
  {
    ...list,
    operation: 'channels.list',
    path: `${workspace}/channels`,
    query: PageQuery,
    answers: { 200: pageOf(Channel) },
  },
  {
    ...create,
    operation: 'channels.create',
    path: `${workspace}/channels`,
    body: ChannelInput,
    answers: { 201: Channel },
  },
  {
    ...list,
    operation: 'channels.get',
    path: `${workspace}/channels/{id}`,
    answers: { 200: Channel },
    refusals: readRefusals,
  },
  {
    ...create,
    operation: 'channels.update',
    method: 'PATCH',
    path: `${workspace}/channels/{id}`,
    body: ChannelPatch,
    answers: { 200: Channel },
  },
  {
    ...create,
    operation: 'channels.delete',
    method: 'DELETE',
    path: `${workspace}/channels/{id}`,
    answers: { 200: Changed },
    refusals: actionRefusals,
  },
  {
    ...list,
    operation: 'messages.list',
    path: `${workspace}/messages`,
    query: z.object({ ...pageQuery, channel_id: z.optional(z.coerce.number().check(z.int(), z.positive())) }),
    answers: { 200: pageOf(Message) },
  },
  {
    ...create,
    operation: 'messages.create',
    path: `${workspace}/messages`,
    body: MessageInput,
    answers: { 201: PostedMessage },
    emits: 'message.created',
  },
] as const satisfies readonly AdminRoute[]
