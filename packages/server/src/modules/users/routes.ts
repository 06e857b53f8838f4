import type { userAdminRoutes } from '@service/contract/admin/users'
import type { AdminCaller } from '../../core/admin-caller.ts'
import { forbidden } from '../../core/errors.ts'
import { pagedInstance, toPage } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import * as links from './link-service.ts'
import * as users from './service.ts'
import * as tokens from './session-service.ts'
import * as sessions from './session-service.ts'

export const userAdminHandlers = {
  'setup.complete': { prepare: (app, { body, caller }) => links.prepareSetup(app, body, caller) },
  'setupLinks.create': (app) => links.createSetupLink(app),
  'sessions.create': {
    async prepare(app, { body, caller }) {
      const user = await users.requirePassword(app, body, caller)
      return (app) => sessions.openSession(app, user, caller)
    },
  },
  'sessions.createByLink': (app, { body, caller }) => links.signInByLink(app, body, caller),
  'sessions.list': async (app, { caller, query }) =>
    toPage(
      await sessions.listSessions(app, { userId: requirePersonId(caller), current: caller.sessionId }, query),
      query,
    ),
  'sessions.delete': (app, { caller, id }) => sessions.deleteSession(app, requirePersonId(caller), id),
  'passwordResets.complete': { prepare: (app, { body }) => links.preparePasswordReset(app, body) },
  'account.get': (app, { caller, query }) => users.getAccount(app, requirePersonId(caller), query),
  'account.update': {
    prepare: (app, { body, caller }) =>
      users.prepareAccountUpdate(app, { userId: requirePersonId(caller), sessionId: caller.sessionId }, body),
  },
  'personalTokens.list': async (app, { caller, query }) =>
    toPage(await tokens.listPersonalTokens(app, requirePersonId(caller), query), query),
  'personalTokens.create': (app, { caller, body }) => {
    const { sessionId } = caller
    if (sessionId === undefined) throw forbidden('Sign in to create a personal access token.')
    return tokens.createPersonalToken(app, { userId: requirePersonId(caller), sessionId }, body)
  },
  'personalTokens.revoke': (app, { caller, id }) => tokens.revokePersonalToken(app, requirePersonId(caller), id),
  'users.list': pagedInstance(users.listUsers),
  'users.create': (app, { body }) => users.createUser(app, body),
  'users.get': (app, { id }) => users.getUser(app, id),
  'users.update': (app, { id, body: patch, caller }) => users.updateUser(app, { id, patch, caller }),
  'users.resetPassword': (app, { id, body, caller }) => links.createPasswordLink(app, { userId: id, caller, ...body }),
  'invitations.create': (app, call) => links.createInvitation(app, call),
  'users.signInLink': (app, { id, caller }) => links.createSignInLink(app, { userId: id, caller }),
} satisfies AdminHandlers<typeof userAdminRoutes>

/** Only people can call routes of the role `person`. */
function requirePersonId({ user }: AdminCaller): number {
  if (user === undefined) throw new Error('A route for people was called without a person.')
  return user.id
}
