import { checkInput } from '../check-input.ts'
import type { App } from '../context.ts'
import { NewChannel, NewMessage } from '../modules/messages/input.ts'
import * as messages from '../modules/messages/service.ts'
import { defaultPage, type Page } from '../page.ts'

/** Channels and their messages. */
export const messagesAdmin = (app: App) => ({
  channels: {
    create: (input: NewChannel) => messages.createChannel(app, checkInput(NewChannel, input)),
    list: (workspaceId: number) => messages.listChannels(app, workspaceId),
  },
  messages: {
    post: (input: NewMessage) => messages.postMessage(app, checkInput(NewMessage, input)),
    list: ({ workspace_id, channel_id }: { workspace_id: number; channel_id: number }, page: Page = defaultPage) =>
      messages.listMessages(app, { workspaceId: workspace_id, channelId: channel_id }, page),
  },
})
