import { inspect } from 'node:util'
import type { ServerHooks } from './app.ts'
import type { Clock } from './core/clock.ts'
import { type ConfigOptions, settings } from './core/config.ts'
import type { Ids } from './core/ids.ts'
import { requireUnit } from './core/instant-units.ts'
import { keysOf, requireKnown } from './core/known-keys.ts'
import type { Log } from './core/log.ts'
import type { Lookup } from './delivery/egress.ts'

/** Options of `createServer`. Without options the server is empty and in memory. */
export interface ServerOptions extends ConfigOptions {
  /** The server's clock (default: the machine's clock). */
  readonly clock?: Clock
  /** The source of identifiers and secrets (default: the system's random numbers). */
  readonly ids?: Ids | undefined
  /** Receives every log entry. By default, only server faults are written to stderr. */
  readonly log?: Log | undefined
  /** Your code that runs inside the server's transactions. */
  readonly hooks?: ServerHooks | undefined
  /** Resolves the host names of webhook receivers (default: the system's resolver). */
  readonly lookup?: Lookup | undefined
}

/** The names of all options of `createServer`, including the settings. */
export const serverOptionNames: readonly string[] = [
  ...Object.keys(settings),
  ...keysOf<Omit<ServerOptions, keyof ConfigOptions>>({
    clock: true,
    ids: true,
    log: true,
    hooks: true,
    lookup: true,
  }),
]

const hookNames = keysOf<ServerHooks>({ ticketCreated: true })

/** Options that only the test double has, and that users of `createServer` often try. */
const testOnlyOptions = ['seed', 'random', 'journal', 'contract', 'strict', 'allowFaultHeaders', 'testControls']

/** The functions that replacements must have. */
const replaceableFunctions = {
  clock: keysOf<Pick<Clock, 'now'>>({ now: true }),
  ids: keysOf<Pick<Ids, 'uuid' | 'bytes'>>({ uuid: true, bytes: true }),
  log: keysOf<Log>({ info: true, warn: true, error: true }),
} as const

type GivenParts = { readonly [Name in 'hooks' | 'clock' | 'ids' | 'log' | 'lookup']?: unknown }

/** Throws a TypeError for an unknown option or an invalid replacement. Settings are validated by `readConfig`. */
export function checkServerOptions(options: ServerOptions): void {
  const testOnlyOption = testOnlyOptions.find((name) => name in options)
  if (testOnlyOption !== undefined) {
    throw new TypeError(
      `\`${testOnlyOption}\` is an option of the test double: use createTestServer of '@service/server/testing'.`,
    )
  }
  requireKnown(options, serverOptionNames, 'createServer')
  checkParts(options)
}

/** Throws a TypeError for a replacement that lacks a function. */
export function checkParts({ hooks, lookup, ...given }: GivenParts): void {
  requireKnown(hooks, hookNames, '`hooks`')
  for (const name of ['clock', 'ids', 'log'] as const) requireFunctions(given[name], name, replaceableFunctions[name])
  if (given.clock !== undefined) checkClock(given.clock as Clock) // it has now()
  if (lookup !== undefined && typeof lookup !== 'function')
    throw new TypeError('`lookup` is a function, like that of node:dns.')
}

/** Throws a TypeError for a clock whose time is not in microseconds. */
function checkClock(clock: Clock): void {
  const now: unknown = clock.now()
  if (!Number.isInteger(now))
    throw new TypeError(
      `\`clock.now()\` must return an integer: microseconds since 1970, such as Date.now() * 1000; it was ${inspect(now)}.`,
    )
  requireUnit(Number(now), { name: 'clock.now()', unit: 'microseconds' })
}

function requireFunctions(given: unknown, name: string, functions: readonly string[]): void {
  if (given === undefined) return
  const missing = functions.find((each) => typeof Object(given)[each] !== 'function')
  if (missing === undefined) return
  const found = Object(given) === given ? `it has no ${missing}()` : `it was ${inspect(given)}`
  throw new TypeError(
    `\`${name}\` is an object with ${functions.map((each) => `${each}()`).join(', ')}; ${found}. Omit the option to use the default.`,
  )
}
