import type { Call } from '../call.ts'
import type { CreateOptions } from '../call-options.ts'
import { fillPath } from '../path.ts'
import { perform } from '../perform.ts'
import { prepareCall, withBody } from '../prepare-call.ts'
import type { CallRoute, PreparedCall } from '../prepared-call.ts'
import { secretsIn } from '../redact.ts'
import { start } from '../send-call.ts'
import type { WorkspaceSettings } from '../settings.ts'
import { noToken } from '../token-source.ts'
import type { ShapeOf } from './check-shape.ts'

/** An inbound route: its answers by shapes instead of schemas. */
export interface InboundRoute extends CallRoute {
  readonly answers: { readonly 200: ShapeOf; readonly 422?: ShapeOf }
}

/** What one call to a webhook needs. */
interface Delivery {
  readonly route: InboundRoute
  /** The path's parameters besides the workspace. */
  readonly place?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Headers that prove who sends; they are in no error and no event. */
  readonly proof?: Readonly<Record<string, string>>
  readonly options: CreateOptions | undefined
  /** Where the application has called. */
  readonly callerStack: () => string
  /** A bearer token is for reports of errors only. */
  readonly withToken?: boolean
  /** Writes the body and whatever depends on its bytes. JSON when not given. */
  readonly write?: (call: PreparedCall) => Promise<PreparedCall>
}

/** Sends a delivery. The answer's type is for the caller to name; the shape has checked it. */
export type SendInbound = <Answer>(delivery: Delivery) => Call<Answer>

export function inboundSender(settings: WorkspaceSettings): SendInbound {
  const tokenless = { ...settings, tokens: noToken }
  // Gateways put secrets into the paths of their webhooks.
  const segments = settings.baseUrl.split('/').slice(3)
  return (delivery) => {
    const { route, place, body, proof = {}, options, withToken, callerStack } = delivery
    const named: Readonly<Record<string, unknown>> = { workspace: settings.workspace, ...place }
    const url = settings.baseUrl + fillPath(route.path, (name) => named[name])
    const order = { contract: route, url, body, options, callerStack }
    const bare = prepareCall(withToken ? settings : tokenless, order)
    const call = {
      ...bare,
      headers: { ...bare.headers, ...proof },
      secrets: () => secretsIn(proof, segments, bare.secrets()),
    }
    const write = delivery.write ?? ((call: PreparedCall) => withBody(call, order))
    return start(call, async () => perform(await write(call)))
  }
}

/** The header that proves who sends, where there is a secret. */
export const proofBy = (secret: string | undefined, header = 'x-service-webhook-secret'): Record<string, string> =>
  secret === undefined ? {} : { [header]: secret }
