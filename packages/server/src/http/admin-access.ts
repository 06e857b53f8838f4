import type { AdminRole, AdminRoute } from '@service/contract'
import type { App } from '../context.ts'
import { type AdminCaller, isAtLeast } from '../core/admin-caller.ts'
import { forbidden, notFound } from '../core/errors.ts'
import { findRole } from '../modules/members/service.ts'
import { requireScope } from '../modules/tokens/access-service.ts'
import { type Caller, findCaller } from '../modules/tokens/service.ts'
import { findPersonalToken, findSession, personalTokenPrefix, sessionPrefix } from '../modules/users/session-service.ts'
import { workspaceName } from '../modules/workspaces/service.ts'
import { commandLineProduct, instanceTokenCheck, isInProcess, refuseToken } from './admin-login.ts'
import { bearerToken } from './bearer.ts'

// The only place that decides who may call an admin route.

interface AccessRequest {
  readonly request: Request
  readonly address: string
  readonly route: Pick<AdminRoute, 'role' | 'scope'>
  readonly workspaceId: number | undefined
}

/** Throws 401 for unknown callers, 404 for a workspace that is not theirs, and 403 if the role is too low. */
export type Authorize = (asked: AccessRequest) => Promise<AdminCaller>

type ClientInfo = Pick<AdminCaller, 'address' | 'userAgent'>

/** The owner of a credential, before their permissions are known. */
type Identity =
  | { readonly kind: 'in_process' | 'instance_token' | 'command_line' }
  | { readonly kind: 'api_token'; readonly token: Caller }
  | {
      readonly kind: 'person'
      readonly user: Caller['user']
      readonly isInstanceAdmin: boolean
      readonly sessionId?: number
      readonly personalTokenId?: number
    }

export function adminAccess(app: App): Authorize {
  const isInstanceToken = instanceTokenCheck(app)
  return async ({ request, address, route, workspaceId }) => {
    const from = { address, userAgent: request.headers.get('user-agent') }
    const identity = await identify(app, { request, from, isInstanceToken })
    if (route.role === 'public') return { ...publicCaller(identity), ...from }
    if (identity === undefined) return refuseToken(app, { token: bearerToken(request), address })
    const caller = { ...(await callerIn(app, identity, workspaceId)), ...from }
    if (identity.kind === 'api_token') requireTokenRoute(identity.token, route)
    else if (route.role === 'person') requirePerson(caller)
    else requireRole(caller.role, route.role)
    return caller
  }
}

async function identify(
  app: App,
  {
    request,
    from,
    isInstanceToken,
  }: { request: Request; from: ClientInfo; isInstanceToken: (token: string) => boolean },
): Promise<Identity | undefined> {
  if (isInProcess(request)) return { kind: isCommandLine(from) ? 'command_line' : 'in_process' }
  const token = bearerToken(request)
  if (token === undefined) return undefined
  if (isInstanceToken(token)) return { kind: isCommandLine(from) ? 'command_line' : 'instance_token' }
  const person = await findPerson(app, token)
  if (person !== undefined) return { kind: 'person', ...person }
  const apiToken = await findCaller(app, token)
  return apiToken && { kind: 'api_token', token: apiToken }
}

async function findPerson(app: App, token: string) {
  if (token.startsWith(sessionPrefix)) return findSession(app, token)
  return token.startsWith(personalTokenPrefix) ? findPersonalToken(app, token) : undefined
}

/** Trusted only from holders of the admin token. The audit log then names the command line. */
const isCommandLine = ({ userAgent }: ClientInfo) => userAgent?.includes(commandLineProduct) === true

/** Public routes only sign in, which replaces the session of the request. */
const publicCaller = (identity: Identity | undefined): Omit<AdminCaller, keyof ClientInfo> => ({
  kind: 'public',
  role: 'public',
  sessionId: identity?.kind === 'person' ? identity.sessionId : undefined,
})

/** The caller with their role in this workspace. A workspace that is not theirs is 404, as if it did not exist. */
async function callerIn(
  app: App,
  identity: Identity,
  workspaceId: number | undefined,
): Promise<Omit<AdminCaller, keyof ClientInfo>> {
  if (workspaceId !== undefined) await workspaceName(app, workspaceId)
  switch (identity.kind) {
    case 'person': {
      const { isInstanceAdmin, ...person } = identity
      return { ...person, role: isInstanceAdmin ? 'instance' : await roleIn(app, identity.user.id, workspaceId) }
    }
    case 'api_token': {
      const { tokenId, user, workspaceId: own } = identity.token
      if (workspaceId !== undefined && workspaceId !== own) throw notFound('workspace', workspaceId)
      return { kind: 'api_token', user, apiTokenId: tokenId, role: 'public' }
    }
    default:
      return { kind: identity.kind, role: 'instance' }
  }
}

async function roleIn(app: App, userId: number, workspaceId: number | undefined): Promise<AdminRole> {
  if (workspaceId === undefined) return 'person'
  const role = await findRole(app, workspaceId, userId)
  if (role === undefined) throw notFound('workspace', workspaceId)
  return role
}

function requireTokenRoute(token: Caller, { scope }: AccessRequest['route']): void {
  if (scope === undefined) throw forbidden('API tokens can call only the webhook routes of the admin API.')
  requireScope(token, scope)
}

/** Account routes require a signed-in user: the admin token does not belong to one. */
function requirePerson({ kind }: Pick<AdminCaller, 'kind'>): void {
  if (kind !== 'person') throw forbidden('This route requires a person. Sign in or send a personal access token.')
}

function requireRole(role: AdminRole, required: AdminRole): void {
  if (!isAtLeast(role, required)) throw forbidden(`This needs the role ${required}; yours is ${role}.`)
}
