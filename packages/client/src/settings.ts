import type { CheckBody } from './check-schema.ts'
import type { ClientOptions } from './client-options.ts'
import type { ClientHooks } from './hooks.ts'
import { requireDuration, requireInteger } from './requirements.ts'
import type { TokenSource } from './token-source.ts'
import { isBrowser, userAgent } from './user-agent.ts'

/** The checked options, with defaults. */
export type Settings = ReturnType<typeof readSettings>

/** The settings of a client for one workspace. */
export interface WorkspaceSettings extends Settings {
  readonly workspace: number
}

// Does not jump when the system clock is set, and still roughly gives the date.
const monotonicClock = () => performance.timeOrigin + performance.now()

/** The settings that differ between the kinds of clients. */
interface ClientKindSettings {
  readonly baseUrl: string
  /** The name of the base URL's option and its expected path, for error messages. */
  readonly expectedBaseUrl: { readonly option: string; readonly path: string }
  readonly tokens: TokenSource
  readonly check: CheckBody
}

export function readSettings(options: Omit<ClientOptions, 'baseUrl' | 'token' | 'workspace'>, own: ClientKindSettings) {
  const { onUnexpectedResponse = 'throw', idempotency = 'off', ...rest } = options
  requireOneOf('onUnexpectedResponse', onUnexpectedResponse, ['throw', 'warn', 'ignore'])
  requireOneOf('idempotency', idempotency, ['auto', 'off'])
  requireDuration('timeoutMs', rest.timeoutMs)
  requireDuration('deadlineMs', rest.deadlineMs)
  requireDuration('maxRetryAfterMs', rest.maxRetryAfterMs, 0)
  requireInteger('maxRetries', rest.maxRetries)
  requireInteger('maxResponseBytes', rest.maxResponseBytes, 1)
  return {
    ...own,
    onUnexpectedResponse,
    idempotency,
    fetch: requireFunction('fetch', rest.fetch),
    timeoutMs: rest.timeoutMs ?? 15_000,
    deadlineMs: rest.deadlineMs ?? 60_000,
    maxRetries: rest.maxRetries ?? 2,
    maxResponseBytes: rest.maxResponseBytes ?? 32 * 2 ** 20,
    maxRetryAfterMs: rest.maxRetryAfterMs ?? 30_000,
    onEvent: requireFunction('onEvent', rest.onEvent),
    hooks: requireHooks(rest.hooks),
    clock: requireFunction('clock', rest.clock) ?? monotonicClock,
    sleep: requireFunction('sleep', rest.sleep) ?? sleep,
    random: requireFunction('random', rest.random) ?? Math.random,
    headers: commonHeaders(options),
  }
}

export function requireWorkspace(workspace: number): number {
  if (Number.isSafeInteger(workspace) && workspace >= 1) return workspace
  throw new TypeError('workspace must be its id, a positive integer.')
}

// In a browser each additional header costs a preflight, and the browser sends its own `User-Agent`.
function commonHeaders({ appInfo, dangerouslyAllowBrowser }: Partial<ClientOptions>): Readonly<Record<string, string>> {
  if (!isBrowser()) return { accept: 'application/json', 'user-agent': userAgent(appInfo) }
  if (dangerouslyAllowBrowser) return { accept: 'application/json' }
  throw new TypeError(
    'In a browser, every user can read tokens and secrets. Call your own server, or set dangerouslyAllowBrowser.',
  )
}

function requireOneOf(option: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw new TypeError(`${option} must be one of: ${known.join(', ')}.`)
}

const hookNames = ['beforeRequest', 'afterResponse', 'beforeError']

function requireHooks(hooks: ClientHooks | undefined): ClientHooks | undefined {
  for (const [name, list] of Object.entries(hooks ?? {})) {
    if (!hookNames.includes(name))
      throw new TypeError(`hooks.${name} is unknown. It must be one of: ${hookNames.join(', ')}.`)
    if (list !== undefined && !(Array.isArray(list) && list.every((hook) => typeof hook === 'function'))) {
      throw new TypeError(`hooks.${name} must be a list of functions.`)
    }
  }
  return hooks
}

function requireFunction<Value>(option: string, value: Value): Value {
  if (value !== undefined && typeof value !== 'function') throw new TypeError(`${option} must be a function.`)
  return value
}

/** Waits, or returns early when the signal fires, so that no timer keeps a process alive. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Timers may fire up to a millisecond early, and a requested wait must not be shortened.
    const timer = setTimeout(done, ms + 1)
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
