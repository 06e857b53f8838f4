import type { messageAdminRoutes } from '@service/contract/admin/messages'
import { actorOf, toAuthorId } from '../../core/admin-caller.ts'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import * as service from './service.ts'

export const messageAdminHandlers = {
  'channels.list': paged(service.listChannels),
  'channels.create': (app, { workspaceId, body }) => service.createChannel(app, { workspace_id: workspaceId, ...body }),
  'channels.get': service.getChannel,
  'channels.update': (app, { body, ...at }) => service.updateChannel(app, at, body),
  'channels.delete': service.deleteChannel,
  'messages.list': paged((app, workspaceId, { channel_id, ticket_id, search, ...page }) =>
    service.listMessages(app, { workspaceId, channel_id, ticket_id, search }, page),
  ),
  'messages.create': (app, { caller, workspaceId, body: { author_id: id, ...message } }) => {
    const author_id = toAuthorId(caller, { field: 'author_id', id })
    return service.postMessage({ ...app, actor: actorOf(caller) }, { workspace_id: workspaceId, author_id, ...message })
  },
  'mentions.list': service.listMentions,
  'mentions.delete': service.deleteMention,
} satisfies AdminHandlers<typeof messageAdminRoutes>
