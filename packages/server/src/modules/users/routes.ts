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
      const user = await users.requirePassword(app, body)
      return (app) => sessions.openSession(app, user, caller)
    },
  },
  'sessions.createByLink': (app, { body, caller }) => links.signInByLink(app, body, caller),
  'sessions.list': async (app, { caller, query }) =>
    toPage(await sessions.listSessions(app, { userId: personOf(caller), current: caller.sessionId }, query), query),
  'sessions.delete': (app, { caller, id }) => sessions.deleteSession(app, personOf(caller), id),
  'passwordResets.complete': { prepare: (app, { body }) => links.preparePasswordReset(app, body) },
  'account.get': (app, { caller }) => users.getAccount(app, personOf(caller)),
  'account.update': {
    prepare: (app, { body, caller }) =>
      users.prepareAccountUpdate(app, { userId: personOf(caller), sessionId: caller.sessionId }, body),
  },
  'personalTokens.list': async (app, { caller, query }) =>
    toPage(await tokens.listPersonalTokens(app, personOf(caller), query), query),
  'personalTokens.create': (app, { caller, body }) => {
    if (caller.sessionId === undefined) throw forbidden('Sign in to create a personal access token.')
    return tokens.createPersonalToken(app, personOf(caller), body)
  },
  'personalTokens.revoke': (app, { caller, id }) => tokens.revokePersonalToken(app, personOf(caller), id),
  'users.list': pagedInstance(users.listUsers),
  'users.create': (app, { body }) => users.createUser(app, body),
  'users.get': (app, { id }) => users.getUser(app, id),
  'users.update': (app, { id, body }) => users.updateUser(app, id, body),
  'users.resetPassword': (app, { id }) => links.createPasswordLink(app, id),
  'users.signInLink': (app, { id }) => links.createSignInLink(app, id),
} satisfies AdminHandlers<typeof userAdminRoutes>

/** Only people can call routes of the role `person`. */
function personOf({ user }: AdminCaller): number {
  if (user === undefined) throw new Error('A route for people was called without a person.')
  return user.id
}
