import type { EventName, EventPattern } from '@service/client/admin'
import { eventResources, type ResourceOf } from '@service/contract'
import type { App } from '../../context.ts'
import { defaultOrigin } from '../../core/config.ts'
import { requireKnown } from '../../core/known-keys.ts'
import type { ObjectOverrides } from '../../modules/webhooks/trigger-input.ts'
import { createWorkspace, getWorkspace, listWorkspaces, type Workspace } from '../../modules/workspaces/service.ts'
import { createTurns } from '../turns.ts'
import { type CaptureParts, capture, type WebhookCaptureOptions } from './capture.ts'
import type { EventPayload } from './captured-event.ts'
import type { DeliveryFault } from './delivery-fault-rule.ts'
import type { ActiveDeliveryFault } from './delivery-faults.ts'
import type { ReceiveRequest } from './in-process-receivers.ts'
import { type InboundRequest, type InboundSender, inboundRequest } from './inbound-request.ts'
import type { Inbox } from './inbox.ts'

/** Controls outbound webhooks: in-process receivers and delivery faults. */
export interface WebhookControl {
  /** Subscribes an inbox, by default in all workspaces, including later ones. Opens no port. */
  capture(types?: EventPattern | readonly EventPattern[], options?: WebhookCaptureOptions): Inbox
  /** Passes requests to a URL or origin to a function. Subscribe the URL as usual. */
  receive(url: string, handler: ReceiveRequest): LocalReceiver
  /** Makes deliveries arrive twice, late, out of order, altered, or not at all. */
  readonly deliveryFaults: { add(rule: DeliveryFault): ActiveDeliveryFault }
  /** A signed request as GitHub, an error monitor, or a lead form would send it. Pass it to `server.fetch`. */
  inbound(sender: InboundSender, delivery: InboundRequest): Request
}

/** An in-process receiver. */
export interface LocalReceiver {
  readonly url: string
  close(): void
  [Symbol.dispose](): void
}

export const createWebhookControl = (parts: CaptureParts): WebhookControl => ({
  capture: (types, options) => capture(parts, types, options),
  receive(url, handler) {
    if (!URL.canParse(url))
      throw new TypeError(`A receiver needs a URL such as 'https://app.test/hooks'; it was ${JSON.stringify(url)}.`)
    const close = parts.hub.receivers.add(url, handler)
    return { url, close, [Symbol.dispose]: close }
  },
  deliveryFaults: { add: (rule) => parts.hub.deliveryFaults.add(rule) },
  inbound: (sender, delivery) => inboundRequest({ origin: defaultOrigin, clock: parts.app.clock }, sender, delivery),
})

/** Values for the triggered event, at their place in the payload: `{ task: { title: 'Call back' } }`. */
export type TriggerOverrides = { readonly [Resource in ResourceOf<EventName>]?: ObjectOverrides }

/** Triggers an event on a real object and returns the payload. */
export type TriggerEvent = <Name extends EventName>(
  event: Name,
  /** With an id, the event concerns that object. */
  overrides?: TriggerOverrides & { readonly workspace_id?: number },
) => Promise<EventPayload<Name>>

/** Parallel calls run one after the other, so that each finds the objects that an earlier one has created. */
export function createTrigger(app: App): TriggerEvent {
  const turns = createTurns(app)
  return async (event, values = {}) => {
    requireKnown(values, [...eventResources, 'workspace_id'], '`trigger`')
    const { workspace_id, ...overrides } = values
    const { checkTrigger, trigger } = await import('../../modules/webhooks/trigger-service.ts')
    const input = { ...checkTrigger({ event, overrides }), event }
    const sent: unknown = await turns.take(async () => {
      const { id } = await (workspace_id === undefined ? anyWorkspace(app) : getWorkspace(app, workspace_id))
      return trigger(app, { workspaceId: id }, input)
    })
    return sent as EventPayload<typeof event> // spelled out; `public-types.test.ts` compares it with the contract
  }
}

/** The first workspace, created if there is none. */
async function anyWorkspace(app: App): Promise<Workspace> {
  const [first] = await listWorkspaces(app)
  return first ?? createWorkspace(app, { name: 'Triggered', time_zone: 'UTC' })
}
