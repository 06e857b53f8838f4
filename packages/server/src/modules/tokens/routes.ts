import type { tokenAdminRoutes } from '@service/contract/admin/people'
import type { AdminCaller } from '../../core/admin-caller.ts'
import { validation } from '../../core/errors.ts'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import * as service from './service.ts'

export const tokenAdminHandlers = {
  'tokens.list': paged(service.listTokens),
  'tokens.create': (app, { workspaceId, body, caller }) =>
    service.createTokenAs(app, caller, {
      workspace_id: workspaceId,
      ...body,
      user_id: body.user_id ?? requirePersonId(caller),
    }),
  'tokens.get': service.getToken,
  'tokens.revoke': service.revokeToken,
} satisfies AdminHandlers<typeof tokenAdminRoutes>

/** A person creates tokens for themselves unless the request names another member. */
function requirePersonId({ user }: AdminCaller): number {
  if (user === undefined) throw validation({ user_id: ['The user_id field is required.'] })
  return user.id
}
