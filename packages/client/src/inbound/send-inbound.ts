import type { Call } from '../call.ts'
import type { CreateOptions } from '../call-options.ts'
import { fillPath } from '../path.ts'
import { prepareCall, withBody } from '../prepare-call.ts'
import type { CallRoute, PreparedCall } from '../prepared-call.ts'
import { secretsIn } from '../redact.ts'
import { start } from '../send-call.ts'
import { sendWithRetries } from '../send-with-retries.ts'
import type { WorkspaceSettings } from '../settings.ts'
import { noToken } from '../token-source.ts'
import type { ShapeOf } from './check-shape.ts'

/** An inbound route, with shapes instead of schemas. */
export interface InboundRoute extends CallRoute {
  readonly responses: { readonly 200: ShapeOf; readonly 422?: ShapeOf }
}

/** The input of one call to a webhook. */
interface InboundRequest {
  readonly route: InboundRoute
  /** The path's parameters besides the workspace. */
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Headers that authenticate the sender. Errors and events do not contain them. */
  readonly credentials?: Readonly<Record<string, string>>
  readonly options: CreateOptions | undefined
  /** The caller's stack. */
  readonly callerStack: () => string
  /** Only reports of errors may use a bearer token. */
  readonly withToken?: boolean
  /** Writes the body and whatever depends on its bytes. Defaults to JSON. */
  readonly write?: (call: PreparedCall) => Promise<PreparedCall>
}

/** Sends a delivery. The caller names the type of the response, which the shape has checked. */
export type SendInbound = <Answer>(delivery: InboundRequest) => Call<Answer>

export function inboundSender(settings: WorkspaceSettings): SendInbound {
  const tokenless = { ...settings, tokens: noToken }
  // Gateways may put secrets into the paths of webhooks.
  const segments = settings.baseUrl.split('/').slice(3)
  return (delivery) => {
    const { route, params, body, credentials = {}, options, withToken, callerStack } = delivery
    const named: Readonly<Record<string, unknown>> = { workspace: settings.workspace, ...params }
    const url = settings.baseUrl + fillPath(route.path, (name) => named[name])
    const input = { route, url, body, options, callerStack }
    const bare = prepareCall(withToken ? settings : tokenless, input)
    const call = {
      ...bare,
      headers: { ...bare.headers, ...credentials },
      secrets: () => secretsIn([credentials, segments, bare.secrets()]),
    }
    const write = delivery.write ?? ((call: PreparedCall) => withBody(call, input))
    return start(call, async () => sendWithRetries(await write(call)))
  }
}

/** The header that authenticates the sender, if there is a secret. */
export const secretHeader = (
  secret: string | undefined,
  header = 'x-service-webhook-secret',
): Record<string, string> => (secret === undefined ? {} : { [header]: secret })
