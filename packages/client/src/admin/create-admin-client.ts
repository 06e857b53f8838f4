import { adminRoutes } from '@service/contract/admin'
import type { Page } from '@service/contract/admin/pages'
import type { AdminRoute } from '@service/contract/route'
import type { Call } from '../call.ts'
import type { CreateOptions, QueryValue } from '../call-options.ts'
import { callerStack } from '../caller-stack.ts'
import { checkSchema } from '../check-schema.ts'
import type { ClientOptions } from '../client-options.ts'
import { requireKnownNames } from '../known-names.ts'
import { createMethods } from '../methods.ts'
import { fillPath, paramNamesIn } from '../path.ts'
import { prepareCall, withBody } from '../prepare-call.ts'
import { toQuery } from '../query.ts'
import { start } from '../send-call.ts'
import { sendWithRetries } from '../send-with-retries.ts'
import { readSettings, type Settings } from '../settings.ts'
import { type Token, tokenSource } from '../token-source.ts'
import type { Admin } from './admin-types.ts'
import { toListCall } from './list-call.ts'

/** The options of `createAdminClient`. Only the first two are required. */
export interface AdminClientOptions extends Omit<ClientOptions, 'workspace'> {
  /** The base URL of administration, e.g. `https://example.com/admin/v1`. */
  readonly baseUrl: string
  /** A token of administration, or a function that fetches one. */
  readonly token: Token
}

/**
 * Creates a client for the platform's administration. Nothing is sent until a method is called. The client keeps no
 * connection and needs no closing.
 *
 * @example
 * const admin = createAdminClient({ baseUrl: 'https://example.com/admin/v1', token: '…' })
 * const { id: workspace } = await admin.workspaces.create({ name: 'Northwind' })
 * const ada = await admin.members.create({ workspace }, { name: 'Ada Obi', email: 'ada@example.com' })
 * const { token } = await admin.tokens.create({ workspace }, { user_id: ada.id, scopes: ['tickets:write'] })
 * @throws TypeError for an invalid option, with its name and how to fix it.
 */
export function createAdminClient(options: AdminClientOptions): Admin {
  const given: AdminClientOptions = Object(options)
  const settings = readSettings(given, {
    creator: 'createAdminClient',
    ownOptions: ['baseUrl', 'token'],
    baseUrl: given.baseUrl,
    expectedBaseUrl: { option: 'baseUrl', path: '/admin/v1' },
    tokens: tokenSource(given.token),
    check: checkResponse,
  })
  // Both have tickets, so its calls would create some before they fail.
  if (settings.baseUrl.endsWith('/api/v1')) throw new TypeError('baseUrl does not end with /admin/v1.')
  return createMethods(adminRoutes, (route) => createMethod(settings, route))
}

/** The schema of bodies, which only the server checks. */
const uncheckedBody = {}
const checkResponse: typeof checkSchema = (schema, value) =>
  schema === uncheckedBody ? { data: value } : checkSchema(schema, value)

/** Backups and table sizes of a large database take minutes. The limits of the client are for short calls. */
const longCall = { timeoutMs: 3_600_000, deadlineMs: 3_600_000 }

/** Its arguments: the path parameters if there are any, then the body or the query, then options. */
function createMethod(settings: Settings, adminRoute: AdminRoute) {
  const takesParams = adminRoute.path.includes('{')
  const route = { ...adminRoute, body: adminRoute.body && uncheckedBody }
  const hasPages = route.query !== undefined && 'before' in route.query.shape
  const method = (...args: unknown[]) => {
    const params = takesParams && args.shift()
    const input = (route.body ?? route.query) && args.shift()
    const path = fillPath(route.path, (name) => getParam(adminRoute, Object(params), name))
    const body = route.body && input
    // `as`: the interfaces define the arguments, and prepareCall rejects invalid options.
    const given = args.shift() as CreateOptions | undefined
    const options = adminRoute.takesLong === true ? { ...longCall, ...given } : given
    const common = { route, body, options, callerStack: callerStack(method) }
    const send = (query: object): Call<unknown> => {
      const callInput = { ...common, url: settings.baseUrl + path + toQuery(query as Record<string, QueryValue>) }
      const call = prepareCall(settings, callInput)
      return start(call, () => sendWithRetries(withBody(call, callInput)))
    }
    if (!hasPages) return send(route.query === undefined ? {} : Object(input))
    return toListCall((cursor) => send({ ...Object(input), ...cursor }) as Call<Page<unknown>>)
  }
  return method
}

/** A path parameter. If it is missing, a misspelled one is reported. */
function getParam({ operation, path }: AdminRoute, params: Readonly<Record<string, unknown>>, name: string): unknown {
  if (params[name] === undefined) requireKnownNames(`The path of ${operation}`, params, paramNamesIn(path))
  return params[name]
}
