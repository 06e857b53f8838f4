import type { Route } from '@service/contract'
import type { Context, Handler } from 'hono'
import { checkInput } from '../check-input.ts'
import type { App } from '../context.ts'
import { workspaceName } from '../modules/workspaces/service.ts'
import { parseJson } from '../parse-json.ts'
import type { ApiHandler } from '../route-handler.ts'
import { callerOf, requireCaller } from './bearer.ts'
import type { Door } from './door.ts'
import { type Answer, answerOnce } from './idempotency.ts'
import { requireKnownValues } from './known-values.ts'
import { readBytes, requireJson } from './read-body.ts'

// One function per request instead of a chain of middleware: the order of checks is the order of lines, and a chain of
// asynchronous middleware costs a tenth of a short request.

/** A route of the contract and its handler as a Hono handler: rate limit, 401, 403, body, answer. */
export function implement(app: App, door: Door, { route, handle, status }: ApiHandler): Handler {
  return door.guard(route.path, async (c, visit) => {
    const found = await callerOf(app, c.req.raw.headers.get('authorization'))
    door.limit(visit, found === undefined ? undefined : `token:${found.tokenId}`)
    const workspaceId = Number(c.req.param('workspace'))
    if (found !== undefined && found.workspaceId !== workspaceId) await requireWorkspace(app, workspaceId)
    const caller = requireCaller(found, { workspaceId, scope: route.scope })
    visit.caller = caller
    const answer = async (app: App, body: unknown): Promise<Answer> => {
      const answered = await handle(app, { workspaceId, caller, body: body as never }) // parsed by the route's own schema
      return { status: status?.(app, answered) ?? successStatus(app, route), json: JSON.stringify(answered) }
    }
    if (route.body === undefined) return answer(app, undefined)
    return answerBody(app, c, { route, answer, scope: `token:${caller.tokenId}` })
  })
}

interface WithBody {
  readonly route: Route
  readonly answer: (app: App, body: unknown) => Promise<Answer>
  readonly scope: string
}

async function answerBody(app: App, c: Context, { route, answer, scope }: WithBody): Promise<Answer> {
  const bytes = await readBytes(c.req.raw)
  requireJson(c.req.raw)
  const body = route.body && checkInput(route.body, parseJson(bytes))
  if (app.config.validation === 'strict') requireKnownValues(route.operation, body)
  const key = c.req.raw.headers.get('idempotency-key')
  if (key === null) return answer(app, body)
  return answerOnce(app, { scope, key, request: [c.req.method, c.req.path, bytes] }, (app) => answer(app, body))
}

function successStatus(app: App, route: Route): number {
  return route.status === 201 ? app.config.createdStatus : route.status
}

/** Only where the platform is told to reveal which workspaces there are. */
async function requireWorkspace(app: App, workspaceId: number): Promise<void> {
  if (app.config.unknownWorkspaceStatus === 404) await workspaceName(app, workspaceId)
}
