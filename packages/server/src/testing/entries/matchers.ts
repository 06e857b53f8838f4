import { AssertionError } from 'node:assert'
import type { Delivery } from '@service/client/admin'
import { type EventName, eventNames } from '@service/contract'
// TypeScript can only augment a module that it has loaded.
import type {} from 'vitest'
import { requireKnown } from '../../core/known-keys.ts'
import {
  describeDifferences,
  describeExpected,
  type ExpectedRequest,
  type FieldDifference,
  partialDifferences,
} from '../journal/expected-request.ts'
import type { ExpectOptions } from '../journal/journal.ts'
import type { TestServer } from '../test-controls.ts'

export type { ExpectedRequest } from '../journal/expected-request.ts'

/** The expectation of `toHaveReceived`: a request and how often. */
export type ReceivedRequest = ExpectedRequest & ExpectOptions

/** Options of `toHaveDelivered`. */
export interface DeliveredOptions extends ExpectOptions {
  /** The workspace to search; all by default. */
  readonly workspace?: number
}

/** The result of a matcher, for vitest and Jest. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/**
 * Matchers for `expect`, of vitest or of Jest.
 *
 * ```ts
 * import { matchers } from '@service/server/matchers'
 * expect.extend(matchers)
 *
 * expect(server).toHaveReceived({ operation: 'tickets.create', body: { title: 'Printer' } })
 * await expect(server).toHaveDelivered('ticket.created', { ticket: { title: 'Printer' } })
 * ```
 */
export const matchers = { toHaveReceived, toHaveDelivered }

/** Whether such a request was received, at least once or exactly `times`. */
export function toHaveReceived(server: TestServer, { times, ...match }: ReceivedRequest = {}): MatcherResult {
  requireServer(server, 'toHaveReceived')
  try {
    const { length } = server.expectRequest(match, times === undefined ? {} : { times })
    return result(
      true,
      `Expected ${times === undefined ? 'no request' : `a number of requests other than ${times}`} like ${describeExpected(match)}, but received ${length}.`,
    )
  } catch (failure) {
    if (!(failure instanceof AssertionError)) throw failure
    return result(false, failure.message)
  }
}

/** Whether such an event reached a subscriber, after all due deliveries are sent. The payload may be partial. */
export async function toHaveDelivered(
  server: TestServer,
  event: EventName,
  ...[payload = {}, options = {}]: [payload?: object, options?: DeliveredOptions]
): Promise<MatcherResult> {
  requireServer(server, 'toHaveDelivered')
  requireKnown(options, ['times', 'workspace'], '`toHaveDelivered`')
  requireEvent(event)
  const { times, workspace } = options
  const expected = { event, payload }
  const records = await deliveryRecords(server, workspace)
  const { length } = records.filter((record) => differencesTo(expected, record).length === 0)
  const expectation = `${event} with ${describeExpected({ body: payload })}`
  if (times === undefined ? length > 0 : length === times)
    return result(true, `Expected no ${expectation} to be delivered.`)
  const often = times === undefined ? '' : ` ${times} times`
  return result(
    false,
    `Expected ${expectation} to be delivered${often}; it was ${length} times.\n${explainDelivered(expected, records)}`,
  )
}

/** A delivery that a test expects. */
interface ExpectedDelivery {
  readonly event: EventName
  /** What the JSON body must contain. */
  readonly payload: object
}

type DeliveryRecord = Awaited<ReturnType<typeof deliveryRecords>>[number]

type DeliveryLogServer = Pick<TestServer, 'admin' | 'settled'>

const maxWorkspaces = 200
const maxDeliveries = 1000

/** The newest deliveries of a workspace, page by page. */
async function listAll(deliveries: DeliveryLogServer['admin']['deliveries'], workspace: number): Promise<Delivery[]> {
  const listed: Delivery[] = []
  for (let before: number | undefined; listed.length < maxDeliveries; ) {
    const { data, next_before } = await deliveries.list({ workspace }, { limit: 200, before })
    listed.push(...data)
    if (next_before === null) break
    before = next_before
  }
  return listed
}

/** The log of all deliveries, oldest first, once no work is running or due. */
async function deliveryRecords(server: DeliveryLogServer, workspace: number | undefined) {
  await server.settled()
  const { workspaces, deliveries } = server.admin
  const ids =
    workspace === undefined ? (await workspaces.list({ limit: maxWorkspaces })).data.map(({ id }) => id) : [workspace]
  const logs = await Promise.all(
    ids.map(async (workspace) => {
      const all = await listAll(deliveries, workspace)
      return Promise.all(all.map(({ id }) => deliveries.get({ workspace, id })))
    }),
  )
  const records = logs.flat().map((each) => ({ ...each, body: JSON.parse(each.body) as unknown }))
  return records.toSorted((a, b) => a.id - b.id)
}

/** The closest delivery with its differences, followed by the log. */
function explainDelivered(expected: ExpectedDelivery, records: readonly DeliveryRecord[]): string {
  if (records.length === 0) return 'No deliveries at all. Is there a subscription, e.g. server.webhooks.capture()?'
  // A delivery of the same event is always closer than one of another event.
  const sameEvent = records.filter(({ event }) => event === expected.event)
  const [closest] = (sameEvent.length > 0 ? sameEvent : records)
    .map((record) => ({ record, differences: differencesTo(expected, record) }))
    .toSorted((a, b) => a.differences.length - b.differences.length)
  const log = records.slice(-10).map((record) => `  ${describeRecord(record)}`)
  return [
    ...(closest === undefined ? [] : [`The closest is delivery ${describeRecord(closest.record)}; it differs in`]),
    ...describeDifferences(closest?.differences ?? []),
    'Delivery log:',
    ...log,
  ].join('\n')
}

function differencesTo({ event, payload }: ExpectedDelivery, record: DeliveryRecord): FieldDifference[] {
  if (record.event !== event) return [{ field: 'event', expected: event, received: record.event }]
  return [
    ...partialDifferences('succeeded', record.state, 'state'),
    ...partialDifferences(payload, record.body, 'body'),
  ]
}

/** `#3 ticket.created pending after 2 attempts (500)` */
function describeRecord({ id, event, state, attempts, error }: DeliveryRecord): string {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  return `#${id} ${event} ${state} after ${tries}${error === null ? '' : ` (${error})`}`
}

function requireEvent(event: EventName): void {
  if (eventNames.includes(event)) return
  throw new TypeError(`Unknown event ${JSON.stringify(event)}. Use one of ${eventNames.join(', ')}.`)
}

const result = (pass: boolean, message: string): MatcherResult => ({ pass, message: () => message })

function requireServer(server: unknown, matcher: string): void {
  if (typeof server === 'object' && server !== null && 'expectRequest' in server) return
  throw new TypeError(`${matcher} needs a server from createTestServer: expect(server).${matcher}(…).`)
}

// Augments the matchers of Vitest and Jest without loading either.

interface ServiceMatchers<Result> {
  /** Whether such a request was received, at least once or exactly `times`. */
  toHaveReceived(expected?: ReceivedRequest): Result
  /** Whether such an event reached a subscriber, after all due deliveries are sent. Await it. */
  toHaveDelivered(event: EventName, payload?: object, options?: DeliveredOptions): Promise<void>
}

declare module 'vitest' {
  // The names and defaults of the type parameters must match Vitest's.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends ServiceMatchers<R> {}
}

declare global {
  // biome-ignore lint/style/noNamespace: the types of Jest have one.
  namespace jest {
    interface Matchers<R> extends ServiceMatchers<R> {}
  }
}
