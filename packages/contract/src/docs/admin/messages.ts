import type { messageAdminRoutes } from '../../admin/messages.ts'
import type { DocsOf } from '../../route-docs.ts'
import { ada, page } from '../example-values.ts'

const channel = { id: 2, name: 'support' }
const message = {
  id: 88,
  channel_id: channel.id,
  author_id: ada.id,
  ticket_id: 42,
  body: 'The coupon fix is live.',
  created_at: '2026-11-20T19:10:00.000001Z',
}

/** Documentation of the administration of channels and messages. */
export const messageAdminDocs: DocsOf<typeof messageAdminRoutes> = {
  'channels.list': {
    summary: 'List channels',
    description: 'Channels of the workspace, newest first.',
    responses: { channels: page(channel) },
  },
  'channels.create': {
    summary: 'Create a channel',
    description: 'Answers 409 if the name is taken.',
    bodies: { channel: { name: 'support' } },
    responses: { created: channel },
  },
  'channels.get': { summary: 'Get a channel', responses: { channel } },
  'channels.update': {
    summary: 'Rename a channel',
    description: 'Answers 409 if the name is taken.',
    bodies: { rename: { name: 'support' } },
    responses: { channel },
  },
  'channels.delete': { summary: 'Delete a channel', description: 'Answers 409 if the channel has messages.' },
  'messages.list': {
    summary: 'List messages',
    description:
      'Messages of the workspace, newest first. `channel_id` selects those of one channel, `ticket_id` those about one ticket.',
    responses: { messages: page(message) },
  },
  'messages.create': {
    summary: 'Post a message',
    description: 'On behalf of a member, or without an author.',
    bodies: { message: { channel_id: channel.id, author_id: ada.id, body: 'The coupon fix is live.' } },
    responses: { posted: { id: 88, body: message.body, channel, author: ada, created_at: message.created_at } },
  },
}
