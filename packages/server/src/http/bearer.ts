import { forbidden, unauthorized } from '../api-error.ts'
import type { App } from '../context.ts'
import { type Caller, findCaller } from '../modules/tokens/service.ts'
import { currentTrace } from '../trace.ts'

const scheme = /^Bearer +(\S+) *$/i

/** The caller of a bearer token, if there is a valid one. */
export async function callerOf(app: App, authorization: string | null): Promise<Caller | undefined> {
  const token = authorization === null ? undefined : scheme.exec(authorization)?.[1]
  if (token === undefined) return undefined
  const caller = await findCaller(app, token)
  const trace = currentTrace()
  if (trace !== undefined && caller !== undefined) trace.caller = caller
  return caller
}

/** 401 without a valid token, then 403 for another workspace (whether it exists is not told), then 403 for the scope. */
export function requireCaller(
  caller: Caller | undefined,
  needed: { workspaceId: number; scope: string | undefined },
): Caller {
  if (caller === undefined) throw unauthorized('Unauthenticated.')
  if (caller.workspaceId !== needed.workspaceId) throw forbidden('This token does not belong to this workspace.')
  if (needed.scope !== undefined && !caller.scopes.has(needed.scope)) {
    throw forbidden(`This token lacks the scope ${needed.scope}.`)
  }
  return caller
}
