import type { EventPattern } from '@service/client/admin'
import type { CheckedBodyOf, RouteTable } from '@service/contract'
import type { inboxControlRoutes } from '@service/contract/test-controls/inboxes'
import { fromWire, toWire } from '../../http/wire-names.ts'
import type { CapturedEvent } from '../../webhooks/captured-event.ts'
import type { DeliveryFault } from '../../webhooks/delivery-fault-rule.ts'
import type { ControlHandlers } from '../control-route.ts'

type NewDeliveryFault = CheckedBodyOf<RouteTable<typeof inboxControlRoutes>['deliveryFaults.add']>

const toRule = (body: NewDeliveryFault): DeliveryFault => fromWire(body)

/** Headers and bytes as JSON has them. */
const toJson = ({ event, headers, body, attempt, deliveryId }: CapturedEvent) => ({
  event,
  headers: Object.fromEntries(headers),
  body: Buffer.from(body).toString('utf8'),
  attempt,
  delivery_id: deliveryId,
})

export const inboxControls = {
  async 'inboxes.open'(server, { body, handles }) {
    const events = body.events as EventPattern[] // `capture` refuses what fits no event, in words
    const inbox = server.webhooks.capture(events, body.workspace === undefined ? {} : { workspace: body.workspace })
    await inbox.ready
    return { id: handles.inboxes.add(inbox), url: inbox.url, secret: inbox.secret }
  },
  async 'inboxes.next'(_, { body, id, handles }) {
    const event = body.event as EventPattern // refused in words when it fits no event
    return toJson(await handles.inboxes.get(id).next(event, { timeout: body.timeout_ms }))
  },
  'inboxes.list': (_, { id, handles }) => handles.inboxes.get(id).all().map(toJson),
  'inboxes.deliveries': (_, { id, handles }) =>
    handles.inboxes
      .get(id)
      .deliveries()
      .then((all) => all.map(toWire)),
  'inboxes.respondWith': (_, { body, id, handles }) => handles.inboxes.get(id).respondWith(...body.answers),
  'inboxes.close': (_, { id, handles }) => handles.inboxes.remove(id).close(),
  'deliveryFaults.add': (server, { body, handles }) => ({
    id: handles.deliveryFaults.add(server.webhooks.deliveryFaults.add(toRule(body))),
  }),
  'deliveryFaults.remove': (_, { id, handles }) => handles.deliveryFaults.remove(id).remove(),
  'events.trigger': (server, { body }) =>
    server.trigger(body.event, {
      ...body.overrides,
      ...(body.workspace === undefined ? {} : { workspace_id: body.workspace }),
    }),
} satisfies ControlHandlers<typeof inboxControlRoutes>
