import { AssertionError } from 'node:assert'
import type { EventName } from '@service/client/admin'
import { eventNames } from '@service/contract'
import { didYouMean } from '@service/contract/nearest'
// TypeScript can only augment modules that it has loaded.
import type {} from 'expect'
import type {} from 'vitest'
import { requireKnown } from '../../core/known-keys.ts'
import { countEffects, findDuplicates } from '../invariants.ts'
import {
  describeDifferences,
  describeExpected,
  type ExpectedRequest,
  type FieldDifference,
  partialDifferences,
} from '../journal/expected-request.ts'
import type { ExpectOptions } from '../journal/journal.ts'
import type { ListName, ListRow } from '../list-rows.ts'
import type { OperationName } from '../observed-request.ts'
import { requireServer } from '../require-server.ts'
import type { TestServer } from '../test-controls.ts'
import { describeDelivery, listDeliveries } from '../webhooks/delivery-log.ts'

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
export const matchers = { toHaveReceived, toHaveDelivered, toHaveEffect, toHaveNoDuplicates }

/** Whether such a request was received, at least once or exactly `times`. */
export function toHaveReceived(server: TestServer, { times, ...match }: ReceivedRequest = {}): MatcherResult {
  requireExpected(server, 'toHaveReceived')
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
  requireExpected(server, 'toHaveDelivered')
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

/** Whether exactly `times` requests of an operation changed rows, whatever response the caller received. */
export function toHaveEffect(server: TestServer, operation: OperationName, times: number): MatcherResult {
  requireExpected(server, 'toHaveEffect')
  const count = countEffects(server, operation)
  return result(
    count === times,
    `Expected ${operation} to take effect ${timesText(times)}; it took effect ${timesText(count)}.`,
  )
}

/** Whether no two records of a workspace have the same value in a field. */
export async function toHaveNoDuplicates<Name extends ListName>(
  server: TestServer,
  list: Name,
  field: keyof ListRow<Name> & string,
): Promise<MatcherResult> {
  requireExpected(server, 'toHaveNoDuplicates')
  const duplicates = await findDuplicates(server, list, field)
  const lines = duplicates.map(
    ({ workspace, value, ids }) => `  ${JSON.stringify(value)} in workspace ${workspace}: ids ${ids.join(', ')}`,
  )
  if (lines.length === 0) return result(true, `Expected ${list} with the same ${field}, but there are none.`)
  return result(false, [`Expected every ${field} of ${list} to be unique, but found`, ...lines].join('\n'))
}

/** A delivery that a test expects. */
interface ExpectedDelivery {
  readonly event: EventName
  /** What the JSON body must contain. */
  readonly payload: object
}

type DeliveryRecord = Awaited<ReturnType<typeof deliveryRecords>>[number]

/** The log of all deliveries with their bodies, once no work is running or due. */
async function deliveryRecords(server: TestServer, workspace: number | undefined) {
  await server.settled()
  const { deliveries } = server.admin
  const listed = await listDeliveries(server, workspace)
  const records = await Promise.all(listed.map(({ workspace, id }) => deliveries.get({ workspace, id })))
  return records.map((record) => ({ ...record, body: JSON.parse(record.body) as unknown }))
}

/** The closest delivery with its differences, followed by the log. */
function explainDelivered(expected: ExpectedDelivery, records: readonly DeliveryRecord[]): string {
  if (records.length === 0) return 'No deliveries at all. Is there a subscription, e.g. server.webhooks.capture()?'
  // A delivery of the same event is always closer than one of another event.
  const sameEvent = records.filter(({ event }) => event === expected.event)
  const [closest] = (sameEvent.length > 0 ? sameEvent : records)
    .map((record) => ({ record, differences: differencesTo(expected, record) }))
    .toSorted((a, b) => a.differences.length - b.differences.length)
  const log = records.slice(-10).map((record) => `  ${describeDelivery(record)}`)
  return [
    ...(closest === undefined ? [] : [`The closest is delivery ${describeDelivery(closest.record)}; it differs in`]),
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

function requireEvent(event: EventName): void {
  if (eventNames.includes(event)) return
  throw new TypeError(
    `Unknown event ${JSON.stringify(event)}.${didYouMean(event, eventNames, "'")} Use one of ${eventNames.join(', ')}.`,
  )
}

const timesText = (count: number) => (count === 1 ? 'once' : `${count} times`)

const result = (pass: boolean, message: string): MatcherResult => ({ pass, message: () => message })

const requireExpected = (server: unknown, matcher: keyof typeof matchers) =>
  requireServer(server, { part: 'expectRequest', owner: `expect(server).${matcher}(…)` })

// Augments the matchers of Vitest and Jest without loading either.

interface ServiceMatchers<Result> {
  /** Whether such a request was received, at least once or exactly `times`. */
  toHaveReceived(expected?: ReceivedRequest): Result
  /** Whether such an event reached a subscriber, after all due deliveries are sent. Await it. */
  toHaveDelivered(event: EventName, payload?: object, options?: DeliveredOptions): Promise<void>
  /** Whether exactly `times` requests of an operation changed rows, whatever response the caller received. */
  toHaveEffect(operation: OperationName, times: number): Result
  /** Whether no two records of a workspace have the same value in a field. Await it. */
  toHaveNoDuplicates<Name extends ListName>(list: Name, field: keyof ListRow<Name> & string): Promise<void>
}

declare module 'vitest' {
  // Without type parameters, because Vitest 5 has others than Vitest 3 and 4.
  interface Matchers extends ServiceMatchers<void> {}
}

// What `@jest/globals` exports.
declare module 'expect' {
  interface Matchers<R> extends ServiceMatchers<R> {}
}

declare global {
  // biome-ignore lint/style/noNamespace: the types of Jest have one.
  namespace jest {
    interface Matchers<R> extends ServiceMatchers<R> {}
  }
}
