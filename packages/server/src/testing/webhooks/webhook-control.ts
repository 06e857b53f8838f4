import type { EventPattern } from '@service/client/admin'
import { defaultOrigin } from '../../core/default-origin.ts'
import type { ReceiveRequest } from '../../delivery/egress/in-process-receivers.ts'
import { type CaptureOptions, type CaptureParts, capture } from './capture.ts'
import type { DeliveryFault } from './delivery-fault-rule.ts'
import type { ActiveDeliveryFault } from './delivery-faults.ts'
import { type InboundRequest, type InboundSender, inboundRequest } from './inbound-request.ts'
import type { Inbox } from './inbox.ts'

/** Outbound webhooks in your hand: where they go in this process, and what goes wrong with them. */
export interface WebhookControl {
  /** Subscribes an inbox, in all workspaces and those made later unless one is named. No port is opened. */
  capture(types?: EventPattern | readonly EventPattern[], options?: CaptureOptions): Inbox
  /** Has a function take what goes to a URL, or to everything on an origin. Subscribe the URL as any other. */
  receive(url: string, handler: ReceiveRequest): LocalReceiver
  /** Has deliveries come twice, late, in another order, altered or not at all. */
  readonly deliveryFaults: { add(rule: DeliveryFault): ActiveDeliveryFault }
  /** The request that GitHub, an error monitor, a lead form … would send here, signed as they sign: pass it to `server.fetch`. */
  inbound(sender: InboundSender, delivery: InboundRequest): Request
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
    const close = parts.hub.receivers.add(url, handler)
    return { url, close, [Symbol.dispose]: close }
  },
  deliveryFaults: { add: (rule) => parts.hub.deliveryFaults.add(rule) },
  inbound: (sender, delivery) => inboundRequest({ origin: defaultOrigin, clock: parts.app.clock }, sender, delivery),
})
