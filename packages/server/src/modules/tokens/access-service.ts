import { type Scope, scopes } from '@service/contract'
import { forbidden, unauthorized } from '../../core/errors.ts'
import type { Caller, TokenScopes } from './service.ts'

/** Throws 403 if the token has no such scope, or the role of its person does not allow it now. */
export function requireScope({ role, ownScopes, scopes: allowed }: TokenScopes, scope: Scope): void {
  if (allowed.has(scope)) return
  if (!ownScopes.includes(scope)) throw forbidden(`This token lacks the scope ${scope}.`)
  throw forbidden(
    `This token is limited by the role of its person: ${scope} needs the role ${scopes[scope].role}; theirs is ${role}.`,
  )
}

/** 401 without a valid token, 403 for another workspace (even if it does not exist), then 403 without the scope. */
export function requireCaller(
  caller: Caller | undefined,
  needed: { workspaceId: number; scope: Scope; token: string | undefined },
): Caller {
  if (caller === undefined) throw unauthorized('Unauthenticated.', needed.token)
  if (caller.workspaceId !== needed.workspaceId) throw forbidden('This token does not belong to this workspace.')
  requireScope(caller, needed.scope)
  return caller
}
