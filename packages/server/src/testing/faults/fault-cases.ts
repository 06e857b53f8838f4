import { apiRoutes, errorStatusesOf, inboundRoutes, type Route } from '@service/contract'
import { didYouMean } from '@service/contract/nearest'
import { keysOf, requireKnown } from '../../core/known-keys.ts'
import { checkMatch, type OperationName } from '../observed-request.ts'
import { requireServer } from '../require-server.ts'
import type { TestServer } from '../test-controls.ts'
import type { DeliveryFault } from '../webhooks/delivery-fault-rule.ts'
import type { Fault } from './fault.ts'

type CallerFaultKind =
  | '401'
  | '403'
  | '404'
  | '409'
  | '422'
  | '429'
  | '500'
  | '503'
  | 'slow first byte'
  | 'stalled body'
  | 'truncated JSON'
  | 'reset before the write'
  | 'reset after the write'
  | 'DNS failure'

type ReceiverFaultKind =
  | 'duplicate delivery'
  | 'reordered deliveries'
  | 'delayed delivery'
  | 'lost delivery'
  | 'old timestamp'
  | 'rotated secret'

/** A failure that callers of the API or receivers of webhooks can meet. */
export type FaultKind = CallerFaultKind | ReceiverFaultKind

const callerFaults: Readonly<Record<CallerFaultKind, Fault>> = {
  401: { respond: 401 },
  403: { respond: 403 },
  404: { respond: 404 },
  409: { respond: 409 },
  422: { respond: 422 },
  429: { respond: { status: 429, retryAfterSeconds: 1 } },
  500: { respond: 500 },
  503: { respond: { status: 503, retryAfterSeconds: 1 } },
  'slow first byte': { latency: '500ms' },
  'stalled body': { bytesPerSecond: 0 },
  'truncated JSON': { damage: 'malformed' },
  'reset before the write': { connection: 'reset' },
  'reset after the write': { connection: 'reset', when: 'after' },
  'DNS failure': { connection: 'dns' },
}

const receiverFaults: Readonly<Record<ReceiverFaultKind, DeliveryFault>> = {
  'duplicate delivery': { duplicate: true },
  'reordered deliveries': { shuffle: true },
  'delayed delivery': { delay: '10m', times: 1 },
  'lost delivery': { drop: true, times: 1 },
  'old timestamp': { oldTimestamp: true, times: 1 },
  // For a receiver, the signature of a secret that it does not have looks like any other wrong signature.
  'rotated secret': { badSignature: true, times: 1 },
}

const capture = 'a webhook subscription, such as server.webhooks.capture(), and'

const receiverNeeds: Readonly<Record<ReceiverFaultKind, string>> = {
  'duplicate delivery': `${capture} an event that is delivered to it`,
  'reordered deliveries': `${capture} two events that are delivered to it within 50 ms, such as those of server.createMany.ticket(2)`,
  'delayed delivery': `${capture} an event that is delivered to it`,
  'lost delivery': `${capture} an event that is delivered to it`,
  'old timestamp': `a webhook subscription with standard_webhooks, such as server.webhooks.capture(), and an event that is delivered to it`,
  'rotated secret': `${capture} an event that is delivered to it`,
}

/** A failure under which a test runs. */
export interface FaultCase {
  /** For example `503`, or `tickets.create: 503`. */
  readonly name: string
  readonly kind: FaultKind
  /** What a test must do so that the fault applies. */
  readonly needs: string
  /** Adds the faults to a server: the first request of each operation fails. Returns their hits and removal. */
  apply(server: Pick<TestServer, 'faults' | 'webhooks'>): AppliedFaultCase
}

/** The faults of a case on a server. Disposing of it removes them. */
export interface AppliedFaultCase extends Disposable {
  /** The number of requests or deliveries that the case has affected. If it is 0, the test proves nothing. */
  readonly hits: number
}

/** The selection of `faultCases.for`. */
export interface FaultSelection {
  /** Creates one case per operation and kind that the operation documents. By default, a case covers all operations. */
  readonly operations?: readonly OperationName[]
  /** Defaults to all kinds; with `operations`, to those of callers. */
  readonly kinds?: readonly FaultKind[]
}

const callerKinds = Object.keys(callerFaults) as CallerFaultKind[] // its keys
const receiverKinds = Object.keys(receiverFaults) as ReceiverFaultKind[] // its keys
const allKinds: readonly FaultKind[] = [...callerKinds, ...receiverKinds]
const routes: readonly Route[] = [...apiRoutes, ...inboundRoutes]

function casesFor(selection: FaultSelection): readonly FaultCase[] {
  requireKnown(selection, keysOf<FaultSelection>({ operations: true, kinds: true }), '`faultCases.for`')
  const { operations, kinds = operations === undefined ? allKinds : callerKinds } = selection
  for (const operation of operations ?? []) checkMatch({ operation })
  return kinds.flatMap((kind) => {
    if (isReceiverKind(kind)) return [receiverCase(kind)]
    if (!Object.hasOwn(callerFaults, kind)) throw unknownKind(kind)
    const documented = routes
      .filter((route) => documents(route, kind))
      .map(({ operation }) => operation as OperationName) // the operations of the contract
    if (operations === undefined) return [callerCase(kind, kind, documented)]
    return operations
      .filter((operation) => documented.includes(operation))
      .map((operation) => callerCase(`${operation}: ${kind}`, kind, [operation]))
  })
}

const isReceiverKind = (kind: FaultKind): kind is ReceiverFaultKind => Object.hasOwn(receiverFaults, kind)

/** A status is documented by the route. The network can fail for all of them. */
const documents = (route: Route, kind: CallerFaultKind): boolean =>
  Number.isNaN(Number(kind)) || errorStatusesOf(route).some((status) => String(status) === kind)

function callerCase(name: string, kind: CallerFaultKind, operations: readonly OperationName[]): FaultCase {
  return {
    name,
    kind,
    needs: operations.length === 1 ? `a request to ${operations[0]}` : 'a request to an operation that documents it',
    apply(server) {
      requireServer(server, { part: 'faults', owner: '`apply`' })
      const added = operations.map((operation) =>
        server.faults.add({ ...callerFaults[kind], match: { operation }, times: 1, name }),
      )
      return joined(added)
    },
  }
}

const receiverCase = (kind: ReceiverFaultKind): FaultCase => ({
  name: kind,
  kind,
  needs: receiverNeeds[kind],
  apply(server) {
    requireServer(server, { part: 'webhooks', owner: '`apply`' })
    return server.webhooks.deliveryFaults.add(receiverFaults[kind])
  },
})

const joined = (added: readonly AppliedFaultCase[]): AppliedFaultCase => ({
  get hits() {
    return added.reduce((sum, { hits }) => sum + hits, 0)
  },
  [Symbol.dispose]() {
    for (const each of added) each[Symbol.dispose]()
  },
})

function unknownKind(kind: string): TypeError {
  const hint = didYouMean(kind, allKinds, "'")
  return new TypeError(`There is no kind of fault ${JSON.stringify(kind)}.${hint} There are ${allKinds.join(', ')}.`)
}

/** Failures for tests that must pass under each of them. */
export const faultCases = {
  /** One case per documented kind of failure, for any operation. */
  documented: casesFor({}),
  /** The cases of some operations and kinds. Throws a TypeError if there are none. */
  for(selection: FaultSelection): readonly FaultCase[] {
    const cases = casesFor(selection)
    if (cases.length > 0) return cases
    throw new TypeError('No operation of this selection documents one of its kinds, so there is nothing to test.')
  },
}
