import type { Method } from '@service/contract/route'
import { type CreateOptions, lowerCased, requireCallOptions } from './call-options.ts'
import { omitUndefined } from './omit-undefined.ts'
import type { CallRoute, PreparedCall } from './prepared-call.ts'
import { toQuery } from './query.ts'
import { secretsIn } from './redact.ts'
import type { Settings } from './settings.ts'
import { invalidRequest, writeJson } from './write-json.ts'

/** The input of a call: a route, its URL for this client, a body and the caller's options. */
export interface CallInput {
  readonly route: CallRoute
  readonly url: string
  readonly body: unknown
  readonly options: CreateOptions | undefined
  /** The caller's stack without the line of the message. */
  readonly callerStack: () => string
}

/** Throws a TypeError for invalid options. The body is checked later. */
export function prepareCall(
  settings: Settings,
  { route, url, body, options = {}, callerStack }: CallInput,
): PreparedCall {
  requireCallOptions(options, settings.overrideHeaders)
  const { method, path } = route
  const { timeoutMs, deadlineMs, maxRetries, shouldRetry } = { ...settings, ...omitUndefined(options) }
  const idempotencyKey = method === 'POST' ? keyFor(options, settings) : undefined
  return {
    settings,
    route,
    method,
    path,
    url: options.extraQuery ? url + toQuery(options.extraQuery) : url,
    headers: headersFor(settings, { method, extra: options.headers, key: idempotencyKey }),
    body: undefined,
    idempotencyKey,
    repeatable: method === 'GET' || idempotencyKey !== undefined,
    signal: options.signal,
    timeoutMs,
    deadlineMs,
    maxRetries,
    shouldRetry,
    startedAt: settings.clock(),
    callerStack,
    fetchOptions: options.fetchOptions ? { ...settings.fetchOptions, ...options.fetchOptions } : settings.fetchOptions,
    secrets: () =>
      secretsIn([settings.tokens.known(), settings.extraHeaders, options.headers], body, options.extraBody),
  }
}

/**
 * Checks and serializes the body once, so that later changes to the caller's object do not affect retries. Throws an
 * InvalidRequestError before anything is sent.
 */
export function withBody(call: PreparedCall, { body, options }: CallInput): PreparedCall {
  const schema = call.route.body
  if (!schema) return call
  const { issues } = call.settings.check(schema, body)
  if (issues) throw invalidRequest(call, issues)
  const json = writeJson(call, body === undefined ? {} : body)
  const { extraBody } = options ?? {}
  return { ...call, body: extraBody ? writeJson(call, { ...JSON.parse(json), ...extraBody }) : json }
}

interface HeaderParts {
  readonly method: Method
  readonly extra: CreateOptions['headers']
  readonly key: string | undefined
}

function headersFor(settings: Settings, { method, extra, key }: HeaderParts): Readonly<Record<string, string>> {
  if (method === 'GET' && !extra) return settings.headers
  return {
    ...settings.headers,
    ...lowerCased(extra),
    ...(method !== 'GET' && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
}

function keyFor({ idempotencyKey }: CreateOptions, { idempotency }: Settings): string | undefined {
  if (typeof idempotencyKey === 'string') return idempotencyKey
  return idempotencyKey || idempotency === 'auto' ? crypto.randomUUID() : undefined
}
