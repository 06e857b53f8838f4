import { lowerCased, requireSharedOptions } from './call-options.ts'
import type { CheckBody } from './check-schema.ts'
import type { ClientOptions } from './client-options.ts'
import type { OnEvent } from './events.ts'
import type { ClientHooks } from './hooks.ts'
import { requireKnownNames } from './known-names.ts'
import type { Pacer } from './pacer.ts'
import { requireDuration, requireFunction, requireInteger } from './requirements.ts'
import type { TokenSource } from './token-source.ts'
import { isBrowser, userAgent } from './user-agent.ts'

/** The checked options, with defaults. */
export type Settings = ReturnType<typeof readSettings>

/** The settings of a client for one workspace. */
export interface WorkspaceSettings extends Settings {
  readonly workspace: number
}

// Does not jump when the system clock is set, and is still close to the date.
const monotonicClock = () => performance.timeOrigin + performance.now()

/** The settings that differ between the kinds of clients. */
interface ClientKindSettings {
  readonly baseUrl: string
  /** The name of the base URL's option and its expected path, for error messages. */
  readonly expectedBaseUrl: { readonly option: string; readonly path: string }
  readonly tokens: TokenSource
  readonly check: CheckBody
  /** The function that creates this kind of client, for error messages. */
  readonly creator: string
  /** Options that only this kind of client has. */
  readonly ownOptions: readonly string[]
  /** The pacer of the client that this one is a copy of. */
  readonly loadPacer?: (() => Promise<Pacer>) | undefined
}

const optionNames = [
  'fetch',
  'fetchOptions',
  'headers',
  'overrideHeaders',
  'timeoutMs',
  'deadlineMs',
  'maxRetries',
  'shouldRetry',
  'maxResponseBytes',
  'maxRetryAfterMs',
  'idempotency',
  'pace',
  'onUnexpectedResponse',
  'onEvent',
  'logger',
  'hooks',
  'appInfo',
  'dangerouslyAllowBrowser',
  'allowInsecure',
  'clock',
  'sleep',
  'random',
] as const satisfies readonly (keyof CommonOptions)[]
true satisfies keyof CommonOptions extends (typeof optionNames)[number] ? true : 'optionNames is incomplete'

/** The options of every kind of client. */
type CommonOptions = Omit<ClientOptions, 'baseUrl' | 'token' | 'workspace'>

export function readSettings(options: CommonOptions, { creator, ownOptions, ...own }: ClientKindSettings) {
  requireKnownNames(creator, options, [...ownOptions, ...optionNames])
  const { onUnexpectedResponse = 'throw', idempotency = 'off', pace = 'off', ...rest } = options
  requireOneOf('onUnexpectedResponse', onUnexpectedResponse, ['throw', 'warn', 'ignore'])
  for (const [option, value] of Object.entries({ idempotency, pace })) requireOneOf(option, value, ['auto', 'off'])
  requireDuration('maxRetryAfterMs', rest.maxRetryAfterMs, 0)
  requireInteger('maxResponseBytes', rest.maxResponseBytes, 1)
  const { overrideHeaders: overridable = [] } = rest
  requireSharedOptions(rest, overridable)
  return {
    ...own,
    onUnexpectedResponse,
    idempotency,
    fetch: requireFunction('fetch', rest.fetch),
    timeoutMs: rest.timeoutMs ?? 15_000,
    fetchOptions: rest.fetchOptions,
    deadlineMs: rest.deadlineMs ?? 90_000,
    maxRetries: rest.maxRetries ?? 2,
    shouldRetry: rest.shouldRetry,
    maxResponseBytes: rest.maxResponseBytes ?? 32 * 2 ** 20,
    maxRetryAfterMs: rest.maxRetryAfterMs ?? 60_000,
    listeners: createListeners(rest),
    loadPacer: pace === 'auto' ? (own.loadPacer ?? pacerLoader()) : undefined,
    hooks: requireHooks(rest.hooks),
    clock: requireFunction('clock', rest.clock) ?? monotonicClock,
    sleep: requireFunction('sleep', rest.sleep) ?? sleep,
    random: requireFunction('random', rest.random) ?? Math.random,
    overridable,
    headers: { ...commonHeaders(options), ...lowerCased(rest.headers) },
    /** The headers that the application added, which may contain secrets. */
    extraHeaders: rest.headers,
  }
}

/** Loads the pacer with the first call, once for a client and its copies. */
function pacerLoader(): () => Promise<Pacer> {
  let pacer: Promise<Pacer> | undefined
  return () => {
    pacer ??= import('./pacer.ts').then(({ createPacer }) => createPacer())
    return pacer
  }
}

function createListeners({ onEvent, logger }: Pick<ClientOptions, 'onEvent' | 'logger'>): readonly OnEvent[] {
  const listeners = [requireFunction('onEvent', onEvent)]
  if (logger) {
    for (const level of levels) requireFunction(`logger.${level}`, logger[level] ?? null)
    const loaded = import('./log-event.ts')
    listeners.push((event) => loaded.then(({ logEvent }) => logEvent(logger, event)))
  }
  return listeners.filter((listener) => listener !== undefined)
}

const levels = ['debug', 'info', 'warn', 'error'] as const

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
