import type { InboundRoute } from '@service/contract'
import type { Caller } from '../modules/tokens/service.ts'
import type { App } from './context.ts'

/** What a third party sent, as far as it is known before its body is read. */
export interface InboundCall {
  readonly workspaceId: number
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
  ping(app: App, call: InboundCall): Promise<InboundReply>
}

/** A sender that may deliver, or may if the body proves it too. */
export interface Authorized<Context> {
  /** Names the credential, e.g. `secret` or `device:7`: an idempotency key belongs to one credential. */
  readonly credential: string
  /** What was looked up to authorize the sender, for the steps that follow. */
  readonly context: Context
}

/** A route that takes what a third party pushes. */
export interface ReceiveHandler<Context = unknown> {
  /** Throws not_found when the integration is off and unauthorized when the secret is wrong; runs before the body is read. */
  authorize(app: App, call: InboundCall): Promise<Authorized<Context>>
  /**
   * Throws unauthorized when the credential is in the body, or signs it, and is wrong. Runs before anything is replayed,
   * stored or refused because of an idempotency key, so that a stranger learns and writes nothing.
   */
  verifyBody?(app: App, delivery: InboundDelivery, context: Context): void
  receive(app: App, delivery: InboundDelivery, context: Context): Promise<InboundReply>
  readonly maxBodyBytes?: number
}

/** One handler for each route of a list: a GET is a ping, a POST takes what is pushed. */
export type InboundHandlers<Routes extends readonly InboundRoute[]> = {
  readonly [R in Routes[number] as R['operation']]: R['method'] extends 'GET' ? PingHandler : ReceiveHandler
}

export const ok = (answer: object): InboundReply => ({ status: 200, answer })
