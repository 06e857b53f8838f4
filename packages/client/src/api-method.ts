import type { ApiRoute } from '@service/contract/route'
import type { CreateOptions, QueryValue } from './call-options.ts'
import { callerStack } from './caller-stack.ts'
import { fillPath } from './path.ts'
import { prepareCall, withBody } from './prepare-call.ts'
import { toQuery } from './query.ts'
import { start } from './send-call.ts'
import { sendWithRetries } from './send-with-retries.ts'
import type { WorkspaceSettings } from './settings.ts'

/** Its arguments: the path parameters except for the workspace, then the body or the query, then options. */
export function createApiMethod(settings: WorkspaceSettings, route: ApiRoute) {
  const { baseUrl, workspace } = settings
  const pick = pickFor(route)
  const method = (...args: unknown[]) => {
    const path = fillPath(route.path, (name) => (name === 'workspace' ? workspace : args.shift()))
    const input = (route.body ?? route.query) && args.shift()
    const url = baseUrl + path + toQuery(route.query && (Object(input) as Record<string, QueryValue>))
    // `as`: `Methods` defines the arguments, and prepareCall rejects invalid options.
    const call = { route, url, body: input, options: args[0] as CreateOptions, callerStack: callerStack(method) }
    const prepared = prepareCall(settings, call)
    return start(prepared, () => sendWithRetries(withBody(prepared, call)), pick)
  }
  return method
}

/** The result of responses of the form `{data}` is `data`, otherwise the whole body. Success is the lowest status. */
function pickFor({ responses }: ApiRoute): ((body: unknown) => unknown) | undefined {
  const [success] = Object.values(responses) as { shape?: { data?: unknown } }[]
  return success?.shape?.data ? (body) => (body as { data?: unknown } | null | undefined)?.data : undefined
}
