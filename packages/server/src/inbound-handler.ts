import type { Route } from '@service/contract'
import type { App } from './context.ts'
import type { Caller } from './modules/tokens/service.ts'

/** What a third party sent, as far as it is known before its body is read. */
export interface InboundCall {
  readonly workspaceId: number
  readonly workspaceName: string
  /** The parameters of the path: `provider` or `source`. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Whose valid bearer token came along, if one did. */
  readonly caller: Caller | undefined
}

export interface InboundDelivery extends InboundCall {
  readonly body: Uint8Array
  readonly requestId: string
}

/** The JSON answer of a route with its status, or a plain text that a platform's challenge asks for. */
export type InboundReply =
  | { readonly status: number; readonly answer: object }
  | { readonly status: number; readonly text: string; readonly contentType: string }

/** A route without a credential that tells a sender that it has found the right place. */
export interface PingHandler {
  readonly route: Route
  ping(app: App, call: InboundCall): Promise<InboundReply>
}

/** A route that takes what a third party pushes. */
export interface ReceiveHandler {
  readonly route: Route
  /** Throws not_found when the integration is off and unauthorized when the secret is wrong; runs before the body is read. */
  authorize(app: App, call: InboundCall): Promise<void>
  receive(app: App, delivery: InboundDelivery): Promise<InboundReply>
  readonly maxBodyBytes?: number
  /** False where the sender's own delivery id does the work of an idempotency key. */
  readonly idempotencyKey?: boolean
}

export const ok = (answer: object): InboundReply => ({ status: 200, answer })
