import type { EventPattern } from '@service/client/admin'
import type { CheckedBodyOf, RouteTable } from '@service/contract'
import { didYouMean } from '@service/contract/nearest'
import type { controlRoutes } from '@service/contract/test-controls'
import type { clockControlRoutes } from '@service/contract/test-controls/clock'
import type { dataControlRoutes } from '@service/contract/test-controls/data'
import type { faultControlRoutes } from '@service/contract/test-controls/faults'
import type { inboxControlRoutes } from '@service/contract/test-controls/inboxes'
import type { journalControlRoutes } from '@service/contract/test-controls/journal'
import type { settingControlRoutes } from '@service/contract/test-controls/settings'
import type { stateControlRoutes } from '@service/contract/test-controls/state'
import { ApiError } from '../../core/errors.ts'
import { type Kind, kinds } from '../factories/define-factory.ts'
import type { ActiveFault, ConnectionFault, Damage, Fault } from '../faults/fault.ts'
import type { ExpectedRequest } from '../journal/expected-request.ts'
import type { TestServer } from '../test-controls.ts'
import type { CapturedEvent } from '../webhooks/captured-event.ts'
import type { DeliveryFault } from '../webhooks/delivery-fault-rule.ts'
import { type ControlHandlers, fromWire, type HandleRegistry, toSnake, toWire } from './control-route.ts'

const now = ({ clock }: TestServer) => ({ now: clock.now().toISOString(), frozen: clock.isFrozen })

const clockControls = {
  'clock.get': now,
  async 'clock.set'(server, { body }) {
    await server.clock.set(body.at)
    return now(server)
  },
  async 'clock.advance'(server, { body }) {
    await server.clock.advance(body.by)
    return now(server)
  },
  async 'clock.freeze'(server, { body }) {
    await server.clock.freeze(body.at)
    return now(server)
  },
  async 'clock.unfreeze'(server) {
    await server.clock.unfreeze()
    return now(server)
  },
} satisfies ControlHandlers<typeof clockControlRoutes>

/** By path name, such as `lead_source`. */
const kindNames = new Map(Object.keys(kinds).map((kind) => [toSnake(kind), kind as Kind])) // the keys of `kinds` are the kinds

function getKind(name: string): Kind {
  const kind = kindNames.get(name)
  if (kind !== undefined) return kind
  const names = [...kindNames.keys()]
  throw new ApiError(
    'not_found',
    `There is no factory ${name}.${didYouMean(name, names)} There are ${names.join(', ')}.`,
  )
}

const dataControls = {
  'seeded.get': (server) => server.seeded,
  'factories.create': (server, { body, kind }) => server.create[getKind(kind)](body as never), // validated by the factory
  'tokens.issue': (server, { body: { expires_in, ...input } }) =>
    server.tokens.issue({ ...input, ...(expires_in === undefined ? {} : { expiresIn: expires_in }) } as never), // likewise
} satisfies ControlHandlers<typeof dataControlRoutes>

type NewFault = CheckedBodyOf<RouteTable<typeof faultControlRoutes>['faults.add']>

// The contract cannot import from the server, so it repeats these types. A missing one is a compile error.
type Unlisted = Exclude<Damage, NewFault['damage']> | Exclude<ConnectionFault, NewFault['connection']>
true satisfies [Unlisted] extends [never] ? true : `test-controls/faults.ts lacks ${Unlisted}`

const toFault = ({ respond, ...fields }: NewFault): Fault => ({
  ...fromWire(fields),
  ...(respond === undefined ? {} : { respond: typeof respond === 'number' ? respond : fromWire(respond) }),
})

const toFaultJson = (active: ActiveFault, { faults }: HandleRegistry) => {
  const { name, hits, fault } = active
  const { match, after, times } = fault
  return { id: faults.idOf(active), name, hits, match, after, times }
}

const faultControls = {
  'faults.list': (server, { handles }) => server.faults.list().map((active) => toFaultJson(active, handles)),
  'faults.add': (server, { body, handles }) => toFaultJson(server.faults.add(toFault(body)), handles),
  'faults.clear': (server) => server.faults.clear(),
  'faults.remove': (_, { id, handles }) => handles.faults.remove(id).remove(),
} satisfies ControlHandlers<typeof faultControlRoutes>

type NewDeliveryFault = CheckedBodyOf<RouteTable<typeof inboxControlRoutes>['deliveryFaults.add']>

const toRule = (body: NewDeliveryFault): DeliveryFault => fromWire(body)

/** Converts headers and bytes to JSON. */
const toEventJson = ({ event, headers, body, attempt, deliveryId }: CapturedEvent) => ({
  event,
  headers: Object.fromEntries(headers),
  body: Buffer.from(body).toString('utf8'),
  attempt,
  delivery_id: deliveryId,
})

const inboxControls = {
  async 'inboxes.open'(server, { body, handles }) {
    const events = body.events as EventPattern[] // `capture` rejects unknown patterns
    const inbox = server.webhooks.capture(events, body.workspace === undefined ? {} : { workspace: body.workspace })
    await inbox.ready
    return { id: handles.inboxes.idOf(inbox), url: inbox.url, secret: inbox.secret }
  },
  async 'inboxes.next'(_, { body, id, handles }) {
    const event = body.event as EventPattern // unknown patterns are rejected
    return toEventJson(await handles.inboxes.get(id).next(event, { timeout: body.timeout_ms }))
  },
  'inboxes.list': (_, { id, handles }) => handles.inboxes.get(id).all().map(toEventJson),
  'inboxes.deliveries': (_, { id, handles }) =>
    handles.inboxes
      .get(id)
      .deliveries()
      .then((all) => all.map(toWire)),
  'inboxes.respondWith': (_, { body, id, handles }) => handles.inboxes.get(id).respondWith(...body.answers),
  'inboxes.close': (_, { id, handles }) => handles.inboxes.remove(id).close(),
  'deliveryFaults.add': (server, { body, handles }) => ({
    id: handles.deliveryFaults.idOf(server.webhooks.deliveryFaults.add(toRule(body))),
  }),
  'deliveryFaults.remove': (_, { id, handles }) => handles.deliveryFaults.remove(id).remove(),
  'events.trigger': (server, { body }) =>
    server.trigger(body.event, {
      ...body.overrides,
      ...(body.workspace === undefined ? {} : { workspace_id: body.workspace }),
    }),
} satisfies ControlHandlers<typeof inboxControlRoutes>

// zod omits absent fields, so its output is an `ExpectedRequest` without undefined fields.

const journalControls = {
  'journal.list': (server, { query }) => server.journal.find(query as ExpectedRequest).map(toWire),
  'journal.clear': (server) => server.journal.clear(),
  'journal.expect': (server, { body: { match = {}, times } }) =>
    server.expectRequest(match as ExpectedRequest, times === undefined ? {} : { times }).map(toWire),
  'journal.wait': async (server, { body: { match = {}, timeout_ms } }) =>
    toWire(await server.waitFor(match as ExpectedRequest, { timeout: timeout_ms })),
  'journal.verify'(server) {
    try {
      server.verify()
    } catch (found) {
      throw new ApiError('conflict', found instanceof Error ? found.message : String(found))
    }
  },
} satisfies ControlHandlers<typeof journalControlRoutes>

const limits = (server: TestServer) => ({ requests_per_minute: server.limits.requestsPerMinute })

const settingControls = {
  'quirks.get': (server) => toWire(server.quirks.current),
  'quirks.set'(server, { body }) {
    server.quirks.set(fromWire(body)) // invalid values are rejected
    return toWire(server.quirks.current)
  },
  'limits.get': limits,
  'limits.set'(server, { body }) {
    server.limits.set({ requestsPerMinute: body.requests_per_minute })
    return limits(server)
  },
} satisfies ControlHandlers<typeof settingControlRoutes>

const stateControls = {
  'state.reset': (server, { body }) => server.reset(body),
  'state.snapshot': (server) => server.snapshot(),
  'state.restore': (server, { body }) => server.restore(body),
  'state.settled': (server) => server.settled(),
  'states.list': (server) => server.states.list(),
  'states.save': (server, { name }) => server.states.save(name),
  'states.load': (server, { name }) => server.states.load(name),
  'forks.open': (_, { forks, origin }) => forks.open(origin),
  'forks.close': (_, { forks, id }) => forks.close(id),
} satisfies ControlHandlers<typeof stateControlRoutes>

/** All test controls. */
export const controls = {
  ...stateControls,
  ...clockControls,
  ...dataControls,
  ...faultControls,
  ...journalControls,
  ...inboxControls,
  ...settingControls,
} satisfies ControlHandlers<typeof controlRoutes>
