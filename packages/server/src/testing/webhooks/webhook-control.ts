import { defaultOrigin } from '../../default-origin.ts'
import type { Receive } from '../../delivery/receivers.ts'
import { type CaptureOptions, type CaptureParts, capture } from './capture.ts'
import type { ActiveDisorder } from './disorder.ts'
import type { DisorderRule } from './disorder-rule.ts'
import { type InboundDelivery, type InboundSender, inboundRequest } from './inbound-request.ts'
import type { Inbox } from './inbox.ts'
import type { EventPattern } from './patterns.ts'

/** Outbound webhooks in your hand: where they go in this process, and what goes wrong with them. */
export interface WebhookControl {
  /** Subscribes an inbox, in all workspaces and those made later unless one is named. No port is opened. */
  capture(types?: EventPattern | readonly EventPattern[], options?: CaptureOptions): Inbox
  /** Has a function take what goes to a URL, or to everything on an origin. Subscribe the URL as any other. */
  receive(url: string, handler: Receive): LocalReceiver
  /** Has deliveries come twice, late, in another order, altered or not at all. */
  disorder(rule: DisorderRule): ActiveDisorder
  /** The request that GitHub, an error monitor, a lead form … would send here, signed as they sign: pass it to `server.fetch`. */
  inbound(sender: InboundSender, delivery: InboundDelivery): Request
}

/** A receiver in this process. */
export interface LocalReceiver {
  readonly url: string
  close(): void
  [Symbol.dispose](): void
}

export const createWebhookControl = (parts: CaptureParts): WebhookControl => ({
  capture: (types, options) => capture(parts, types, options),
  receive(url, handler) {
    if (!URL.canParse(url))
      throw new TypeError(`A receiver stands at a URL such as 'https://app.test/hooks'; it was ${JSON.stringify(url)}.`)
    const close = parts.room.receivers.add(url, handler)
    return { url, close, [Symbol.dispose]: close }
  },
  disorder: (rule) => parts.room.disorder.add(rule),
  inbound: (sender, delivery) => inboundRequest({ origin: defaultOrigin, clock: parts.app.clock }, sender, delivery),
})
