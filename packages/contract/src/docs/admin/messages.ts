import type { messageAdminRoutes } from '../../admin/messages.ts'
import type { DocsOf } from '../../route-docs.ts'
import { ada, page } from '../example-values.ts'

const channel = { id: 2, name: 'support' }
const message = {
  id: 88,
  channel_id: channel.id,
  author_id: ada.id,
  author: ada,
  origin: null,
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
    description:
      'A message about a ticket goes to the channel of its last message unless `channel_id` names another. Members are mentioned by `@` and their name. The caller is the author unless `author_id` names a member, or is null; people with the role member may name only themselves. An administrator of the instance who is not a member is named like “Ada Obi (instance)”.',
    bodies: { message: { channel_id: channel.id, author_id: ada.id, body: 'The coupon fix is live.' } },
    responses: { posted: { id: 88, body: message.body, channel, author: ada, created_at: message.created_at } },
  },
  'mentions.list': {
    summary: 'List your mentions',
    description: 'The newest 50 messages that mention the caller and that the caller has not seen or answered.',
    responses: { mentions: { data: [message] } },
  },
  'mentions.delete': {
    summary: 'Mark a mention as seen',
    description:
      '`id` is that of the message. Posting a message about the same ticket, or in the same channel, does this too.',
  },
}
