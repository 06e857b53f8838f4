import type { EventName, EventPattern } from '@service/client/admin'
import type { App } from '../../context.ts'
import { defaultOrigin } from '../../core/config.ts'
import type { TriggerOverrides } from '../../modules/webhooks/trigger-input.ts'
import { createWorkspace, getWorkspace, listWorkspaces, type Workspace } from '../../modules/workspaces/service.ts'
import { type CaptureOptions, type CaptureParts, capture } from './capture.ts'
import type { EventPayload } from './captured-event.ts'
import type { DeliveryFault } from './delivery-fault-rule.ts'
import type { ActiveDeliveryFault } from './delivery-faults.ts'
import type { ReceiveRequest } from './in-process-receivers.ts'
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

/** Has an event happen to a real object, whose id can be read; gives back what is sent. */
export type TriggerEvent = <Name extends EventName>(
  event: Name,
  /** With an id, of the object that has it. */
  overrides?: TriggerOverrides & { readonly workspace_id?: number },
) => Promise<EventPayload<Name>>

export const createTrigger =
  (app: App): TriggerEvent =>
  async (event, { workspace_id, ...overrides } = {}) => {
    const { checkTrigger, trigger } = await import('../../modules/webhooks/trigger-service.ts')
    const asked = { ...checkTrigger({ event, overrides }), event }
    const { id } = await (workspace_id === undefined ? anyWorkspace(app) : getWorkspace(app, workspace_id))
    const sent: unknown = await trigger(app, { workspaceId: id }, asked)
    return sent as EventPayload<typeof event> // the contract's payload, spelled out: `public-types.test.ts` compares the two
  }

/** The first one; a server that has none gets one. */
async function anyWorkspace(app: App): Promise<Workspace> {
  const [first] = await listWorkspaces(app)
  return first ?? createWorkspace(app, { name: 'Triggered', time_zone: 'UTC' })
}
