import type { Scope } from '@service/contract'
import { forbidden, unauthorized } from '../core/errors.ts'
import { type Caller, requireScope } from '../modules/tokens/service.ts'

const scheme = /^Bearer +(\S+) *$/i

export const bearerToken = (request: Request): string | undefined => {
  const authorization = request.headers.get('authorization')
  return authorization === null ? undefined : scheme.exec(authorization)?.[1]
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
