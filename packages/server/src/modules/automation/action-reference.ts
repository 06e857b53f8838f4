import type { Action } from '@service/contract/admin/automation-input'
import type { App } from '../../context.ts'
import type { Reference } from '../../core/references.ts'
import { findMember } from '../members/service.ts'
import { channelExists } from '../messages/service.ts'

/** How the log and a dry run name a refused action. */
export const describeRefusal = ({ type }: Action, reason: string) => `Refused to ${type.replace('_', ' ')}: ${reason}`

/** The user or channel that an action refers to; undefined for other action types. */
export function toReference(
  app: App,
  workspaceId: number,
  action: Action,
): (Reference<unknown> & { readonly field: string }) | undefined {
  const find = (id: number) => findMember(app, workspaceId, id)
  switch (action.type) {
    case 'assign':
      return { field: 'user_id', id: action.user_id, find }
    case 'create_task':
      return { field: 'assigned_to', id: action.assigned_to, find }
    case 'post_message': {
      const findChannel = async (id: number) => (await channelExists(app, workspaceId, id)) || undefined
      return { field: 'channel_id', id: action.channel_id, find: findChannel }
    }
    default:
      return undefined
  }
}
