import { type CreateOptions, requireCallOptions } from './call-options.ts'
import type { Issue } from './errors/details.ts'
import { InvalidRequestError } from './errors/family.ts'
import { failure } from './failure.ts'
import { toQuery } from './query.ts'
import { secretsIn } from './redact.ts'
import type { Settings } from './settings.ts'
import { firstTrip } from './trip.ts'

/** What a call needs of its route. How its schemas are written is between the settings' `check` and whoever makes calls. */
export interface CallRoute {
  /** As the client names it, e.g. `tickets.create`. */
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  readonly answer: unknown
  /** Refusals that are results, by status. */
  readonly refusalAnswers?: Readonly<Record<number, unknown>>
}

/** Compares a value with a schema: its data, or what is wrong with it. */
export type Check = (
  schema: unknown,
  value: unknown,
) => { readonly data?: unknown; readonly issues?: readonly Issue[] | undefined }

/** A call that is checked and ready to be sent, as often as need be. */
export interface PreparedCall {
  readonly settings: Settings
  readonly contract: CallRoute
  readonly method: 'GET' | 'POST'
  readonly route: string
  readonly url: string
  /** Everything but the token. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly idempotencyKey: string | undefined
  /** The platform acts once, however often the request comes. */
  readonly repeatable: boolean
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly maxRetries: number
  readonly startedAt: number
  /** Remembers where the caller stands. */
  readonly site: Error
  /** What must not stand in an error although the platform may echo it. */
  readonly secrets: () => readonly string[]
}

/** What a resource asks for: a route, where it is for this client, a body and the caller's options. */
export interface Order {
  readonly contract: CallRoute
  readonly url: string
  readonly body: unknown
  readonly options: CreateOptions | undefined
}

/** Throws a TypeError for wrong options. The body is not looked at yet. */
export function prepareCall(settings: Settings, { contract, url, body, options = {} }: Order): PreparedCall {
  requireCallOptions(options)
  const { method, path } = contract
  const idempotencyKey = method === 'POST' ? keyFor(options, settings) : undefined
  return {
    settings,
    contract,
    method,
    route: path,
    url: options.extraQuery ? url + toQuery(options.extraQuery) : url,
    headers: headersFor(settings, { method, extra: options.headers, key: idempotencyKey }),
    body: undefined,
    idempotencyKey,
    repeatable: method === 'GET' || idempotencyKey !== undefined,
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
    deadlineMs: options.deadlineMs ?? settings.deadlineMs,
    maxRetries: options.maxRetries ?? settings.maxRetries,
    startedAt: settings.clock(),
    site: new Error('made here'),
    secrets: () => secretsIn(settings.tokens.known(), options.headers, body, options.extraBody),
  }
}

/**
 * Checks and writes the body, once: later changes to the caller's object do not reach a retry. Throws an
 * InvalidRequestError; nothing was sent then.
 */
export function withBody(call: PreparedCall, { body, options }: Order): PreparedCall {
  const schema = call.contract.body
  if (!schema) return call
  const { issues } = call.settings.check(schema, body)
  if (issues) throw invalid(call, issues)
  try {
    return { ...call, body: JSON.stringify({ ...Object(body), ...options?.extraBody }) }
  } catch {
    throw invalid(call, [{ path: '', message: 'The body cannot be written as JSON.' }])
  }
}

function invalid(call: PreparedCall, issues: readonly Issue[]): InvalidRequestError {
  const complaint = `was not sent: ${issues.map((issue) => issue.message).join(' ')}`
  return failure(InvalidRequestError, { trip: firstTrip(call), complaint, fields: { issues } })
}

interface HeaderParts {
  readonly method: 'GET' | 'POST'
  readonly extra: CreateOptions['headers']
  readonly key: string | undefined
}

function headersFor(settings: Settings, { method, extra, key }: HeaderParts): Readonly<Record<string, string>> {
  if (method === 'GET' && !extra) return settings.headers
  return {
    ...settings.headers,
    ...extra,
    ...(method === 'POST' && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
}

function keyFor({ idempotencyKey }: CreateOptions, { idempotency }: Settings): string | undefined {
  if (typeof idempotencyKey === 'string') return idempotencyKey
  return idempotencyKey || idempotency === 'auto' ? crypto.randomUUID() : undefined
}
