import { apiRoutes } from '@service/contract/api-routes'
import { createApiMethod } from './api-method.ts'
import type { Api } from './api-types.ts'
import { checkSchema } from './check-schema.ts'
import type { ClientOptions } from './client-options.ts'
import { readVariable } from './environment.ts'
import { createMethods } from './methods.ts'
import { omitUndefined } from './omit-undefined.ts'
import { requestSender, type SendRequest } from './request.ts'
import { readSettings, requireWorkspace, type Settings } from './settings.ts'
import { tokenSource } from './token-source.ts'

/** The platform's API for one workspace. */
export interface Client extends Api {
  /**
   * Sends a request to a route that the client has no method for, with the same retries, errors and time limits. Returns
   * the whole body of the response.
   *
   * @example
   * const invoices = await client.request({ method: 'GET', path: '/workspaces/{workspace}/invoices' })
   */
  readonly request: SendRequest
  /**
   * Returns a client with some options changed. It shares a fetched token and the pacing of this client, unless `token`
   * or `baseUrl` changes.
   *
   * @example
   * const patient = client.withOptions({ timeoutMs: 60_000 })
   */
  withOptions(changes: ClientOptions): Client
}

/**
 * Creates a client for one workspace. Nothing is sent until a method is called. The client keeps no connection and
 * needs no closing. `baseUrl`, `token` and `workspace` default to the environment variables `SERVICE_BASE_URL`,
 * `SERVICE_TOKEN` and `SERVICE_WORKSPACE`.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://example.com/api/v1', token: 'service_…', workspace: 1 })
 * for (const ticket of await client.tickets.list()) console.log(ticket.ticket_number, ticket.title)
 * @throws TypeError for an invalid option, with its name and how to fix it.
 */
export function createClient(options: ClientOptions = {}): Client {
  return openClient(options, {})
}

/** A copy shares the token source, so that a fetched token is fetched once, and the pacer. */
type Shared = Partial<Pick<Settings, 'tokens' | 'loadPacer'>>

function openClient(options: ClientOptions, shared: Shared): Client {
  const baseUrl = options.baseUrl ?? readVariable('baseUrl', 'SERVICE_BASE_URL')
  const tokens = shared.tokens ?? tokenSource(options.token ?? readVariable('token', 'SERVICE_TOKEN'))
  const workspace = requireWorkspace(options.workspace ?? Number(readVariable('workspace', 'SERVICE_WORKSPACE')))
  const common = readSettings(options, {
    creator: 'createClient',
    ownOptions: ['baseUrl', 'token', 'workspace'],
    baseUrl,
    expectedBaseUrl: { option: 'baseUrl', path: '/api/v1' },
    tokens,
    check: checkSchema,
    loadPacer: shared.loadPacer,
  })
  if (common.baseUrl.endsWith('/admin/v1')) throw new TypeError('baseUrl does not end with /api/v1.')
  const settings = { ...common, workspace }
  const api: Api = createMethods(apiRoutes, (route) => createApiMethod(settings, route))
  return {
    ...api,
    request: requestSender(settings),
    withOptions(changes) {
      const isSameCaller = changes.token === undefined && changes.baseUrl === undefined
      return openClient({ ...options, ...omitUndefined(changes) }, isSameCaller ? settings : {})
    },
  }
}
