import { type ExpectedBaseUrl, requireBaseUrl } from './base-url.ts'
import { lowerCased, requireSharedOptions } from './call-options.ts'
import type { CheckBody } from './check-schema.ts'
import type { ClientOptions } from './client-options.ts'
import type { OnEvent } from './events.ts'
import type { ClientHooks } from './hooks.ts'
import { requireKnownNames } from './known-names.ts'
import { omitUndefined } from './omit-undefined.ts'
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
  readonly expectedBaseUrl: ExpectedBaseUrl
  readonly tokens: TokenSource
  readonly check: CheckBody
  /** The function that creates this kind of client, for error messages. */
  readonly creator: string
  /** Options that only this kind of client has. */
  readonly ownOptions: readonly string[]
  /** The pacer of the client that this one is a copy of. */
  readonly loadPacer?: (() => Promise<Pacer>) | undefined
}

const defaults = {
  timeoutMs: 15_000,
  deadlineMs: 90_000,
  maxRetries: 2,
  maxResponseBytes: 32 * 2 ** 20,
  maxRetryAfterMs: 60_000,
  onUnexpectedResponse: 'throw',
  idempotency: 'off',
  pace: 'off',
  overrideHeaders: [],
  clock: monotonicClock,
  sleep,
  random: () => Math.random(),
} as const satisfies Partial<CommonOptions>

// The options without a default. An interface has no names at run time.
const otherNames = [
  'fetch',
  'fetchOptions',
  'headers',
  'shouldRetry',
  'onEvent',
  'logger',
  'hooks',
  'appInfo',
  'dangerouslyAllowBrowser',
  'allowInsecure',
] as const satisfies readonly (keyof CommonOptions)[]
true satisfies Exclude<keyof CommonOptions, keyof typeof defaults> extends (typeof otherNames)[number]
  ? true
  : 'otherNames is incomplete'

/** The options of every kind of client. */
type CommonOptions = Omit<ClientOptions, 'baseUrl' | 'token' | 'workspace'>

export function readSettings(options: CommonOptions, { creator, ownOptions, ...own }: ClientKindSettings) {
  requireKnownNames(creator, options, [...ownOptions, ...Object.keys(defaults), ...otherNames])
  const given = { ...defaults, ...omitUndefined(options) }
  requireOneOf('onUnexpectedResponse', given.onUnexpectedResponse, ['throw', 'warn', 'ignore'])
  for (const option of ['idempotency', 'pace'] as const) requireOneOf(option, given[option], ['auto', 'off'])
  for (const option of ['fetch', 'onEvent', 'clock', 'sleep', 'random'] as const) requireFunction(option, given[option])
  requireDuration('maxRetryAfterMs', given.maxRetryAfterMs, 0)
  requireInteger('maxResponseBytes', given.maxResponseBytes, 1)
  requireHooks(given.hooks)
  requireSharedOptions(given, given.overrideHeaders)
  return {
    ...given,
    ...own,
    baseUrl: requireBaseUrl(own.baseUrl, own.expectedBaseUrl, given.allowInsecure),
    listeners: createListeners(options),
    loadPacer: given.pace === 'auto' ? (own.loadPacer ?? pacerLoader()) : undefined,
    headers: { ...commonHeaders(options), ...lowerCased(options.headers) },
    /** The headers that the application added, which may contain secrets. */
    extraHeaders: options.headers,
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
  const listeners = onEvent ? [onEvent] : []
  if (logger) {
    for (const level of levels) requireFunction(`logger.${level}`, logger[level] ?? null)
    const loaded = import('./log-event.ts')
    listeners.push((event) => loaded.then(({ logEvent }) => logEvent(logger, event)))
  }
  return listeners
}

const levels = ['debug', 'info', 'warn', 'error'] as const

export function requireWorkspace(workspace: number): number {
  requireInteger('workspace', workspace ?? Number.NaN, 1) // untyped callers forget it
  return workspace
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

const hookNames = ['beforeRequest', 'afterResponse', 'beforeError'] as const

function requireHooks(hooks: ClientHooks | undefined): void {
  requireKnownNames('hooks', hooks, hookNames)
  for (const name of hookNames) {
    const list: unknown = hooks?.[name]
    if (list !== undefined && !(Array.isArray(list) && list.every((hook) => typeof hook === 'function'))) {
      throw new TypeError(`hooks.${name} must be a list of functions.`)
    }
  }
}

/** Waits, or returns early when the signal of this wait fires, so that no timer keeps a process alive. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Timers may fire up to a millisecond early, and a requested wait must not be shortened.
    const timer = setTimeout(resolve, ms + 1)
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)))
  })
}
