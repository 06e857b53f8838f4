import * as z from 'zod/mini'
import { NewChannel, NewMessage } from '../../../modules/messages/input.ts'
import { createChannel, postMessage } from '../../../modules/messages/service.ts'
import { defineFactory } from '../define-factory.ts'

export const channel = defineFactory({
  kind: 'channel',
  shape: { name: z.optional(NewChannel.shape.name) },
  relations: {},
  needs: [],
  make: (app, { workspace_id, name }, n) =>
    createChannel(app, { workspace_id, name: name ?? (n === 1 ? 'general' : `channel-${n}`) }),
})

export const message = defineFactory({
  kind: 'message',
  shape: { body: z.optional(NewMessage.shape.body) },
  relations: { channel_id: 'channel', author_id: 'member' },
  needs: ['channel_id', 'author_id'],
  make: (app, { workspace_id, channel_id, author_id, body }, n) =>
    postMessage(app, { workspace_id, channel_id: channel_id ?? 0, author_id, body: body ?? `Message ${n}` }),
})
