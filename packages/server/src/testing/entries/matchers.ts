import { AssertionError } from 'node:assert'
import { type EventName, eventNames } from '@service/contract'
// The compiler adds to a module only when it has loaded it.
import type {} from 'vitest'
import { requireKnown } from '../../core/known-keys.ts'
import { deliveryRecords, explainDelivered, isDelivered } from '../journal/delivered.ts'
import { describeExpected, type ExpectedRequest } from '../journal/expected-request.ts'
import type { ExpectOptions } from '../journal/journal.ts'
import type { TestServer } from '../test-controls.ts'

export type { ExpectedRequest } from '../journal/expected-request.ts'

/** The expectation of `toHaveReceived`: a request, and how often. */
export type ReceivedRequest = ExpectedRequest & ExpectOptions

/** Options of `toHaveDelivered`. */
export interface DeliveredOptions extends ExpectOptions {
  /** The only workspace to look in; all by default. */
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
    return answer(
      true,
      `Expected ${times === undefined ? 'no request' : `another number than ${times} of requests`} like ${describeExpected(match)}, but ${length} came.`,
    )
  } catch (miss) {
    if (!(miss instanceof AssertionError)) throw miss
    return answer(false, miss.message)
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
  const expected = { event, payload, workspace }
  const records = await deliveryRecords(server, workspace)
  const { length } = records.filter((record) => isDelivered(expected, record))
  const wanted = `${event} with ${describeExpected({ body: payload })}`
  if (times === undefined ? length > 0 : length === times) return answer(true, `Expected no ${wanted} to be delivered.`)
  const often = times === undefined ? '' : ` ${times} times`
  return answer(
    false,
    `Expected ${wanted} to be delivered${often}; it was ${length} times.\n${explainDelivered(expected, records)}`,
  )
}

function requireEvent(event: EventName): void {
  if (eventNames.includes(event)) return
  throw new TypeError(`There is no event ${JSON.stringify(event)}; there are ${eventNames.join(', ')}.`)
}

const answer = (pass: boolean, message: string): MatcherResult => ({ pass, message: () => message })

function requireServer(server: unknown, matcher: string): void {
  if (typeof server === 'object' && server !== null && 'expectRequest' in server) return
  throw new TypeError(`${matcher} is asked of a server: expect(server).${matcher}(…), with what createTestServer gave.`)
}

// The types of the matchers are added to those of Vitest and Jest; neither is loaded.

interface ServiceMatchers<Result> {
  /** Whether such a request was received, at least once or exactly `times`. */
  toHaveReceived(expected?: ReceivedRequest): Result
  /** Whether such an event reached a subscriber, after all due deliveries are sent. Await it. */
  toHaveDelivered(event: EventName, payload?: object, options?: DeliveredOptions): Promise<void>
}

declare module 'vitest' {
  // The names and defaults of the type parameters must be vitest's own.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends ServiceMatchers<R> {}
}

declare global {
  // biome-ignore lint/style/noNamespace: the types of Jest have one.
  namespace jest {
    interface Matchers<R> extends ServiceMatchers<R> {}
  }
}
