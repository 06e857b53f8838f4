import type { ClientOptions } from './client-options.ts'
import type { Check } from './prepare-call.ts'
import { requireDuration, requireRetries } from './requirements.ts'
import { sleep } from './sleep.ts'
import type { TokenSource } from './token-source.ts'
import { isBrowser, userAgent } from './user-agent.ts'

/** The options, checked and complete. */
export type Settings = ReturnType<typeof readSettings>

// Keeps running when the system clock is set, and still says roughly what day it is.
const monotonicClock = () => performance.timeOrigin + performance.now()

/** What the two clients have in common and each reads in its own way. */
interface OwnSettings {
  readonly baseUrl: string
  readonly tokens: TokenSource
  readonly check: Check
}

export function readSettings(options: Omit<ClientOptions, 'baseUrl' | 'token'>, own: OwnSettings) {
  const { workspace, onUnexpectedResponse = 'throw', idempotency = 'off', ...rest } = options
  if (!Number.isSafeInteger(workspace) || workspace < 1) {
    throw new TypeError('workspace must be a positive integer: the numeric id of the workspace.')
  }
  requireOneOf('onUnexpectedResponse', onUnexpectedResponse, ['throw', 'warn', 'ignore'])
  requireOneOf('idempotency', idempotency, ['auto', 'off'])
  requireDuration('timeoutMs', rest.timeoutMs)
  requireDuration('deadlineMs', rest.deadlineMs)
  requireDuration('maxRetryAfterMs', rest.maxRetryAfterMs, 0)
  requireRetries('maxRetries', rest.maxRetries)
  return {
    ...own,
    workspace,
    onUnexpectedResponse,
    idempotency,
    fetch: requireFunction('fetch', rest.fetch),
    timeoutMs: rest.timeoutMs ?? 15_000,
    deadlineMs: rest.deadlineMs ?? 60_000,
    maxRetries: rest.maxRetries ?? 2,
    maxRetryAfterMs: rest.maxRetryAfterMs ?? 30_000,
    onEvent: requireFunction('onEvent', rest.onEvent),
    clock: requireFunction('clock', rest.clock) ?? monotonicClock,
    sleep: requireFunction('sleep', rest.sleep) ?? sleep,
    random: requireFunction('random', rest.random) ?? Math.random,
    headers: commonHeaders(options),
  }
}

// In a browser every further header costs a preflight, and the browser names itself anyway.
function commonHeaders({ appInfo, dangerouslyAllowBrowser }: Partial<ClientOptions>): Readonly<Record<string, string>> {
  if (!isBrowser()) return { accept: 'application/json', 'user-agent': userAgent(appInfo) }
  if (dangerouslyAllowBrowser) return { accept: 'application/json' }
  throw new TypeError(
    'In a browser everybody can read tokens and secrets. Call your own server, or set dangerouslyAllowBrowser.',
  )
}

function requireOneOf(option: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw new TypeError(`${option} must be one of: ${known.join(', ')}.`)
}

function requireFunction<Value>(option: string, value: Value): Value {
  if (value !== undefined && typeof value !== 'function') throw new TypeError(`${option} must be a function.`)
  return value
}
