import type { ServerHooks } from './app.ts'
import type { Clock } from './core/clock.ts'
import { type ConfigOptions, settings } from './core/config.ts'
import type { Ids } from './core/ids.ts'
import { keysOf, requireKnown } from './core/known-keys.ts'
import type { Log } from './core/log.ts'
import type { Lookup } from './delivery/egress.ts'

/** Options of `createServer`. Without any the server is in memory and empty. */
export interface ServerOptions extends ConfigOptions {
  /** Where the server takes the time from; the machine's clock when left out. */
  readonly clock?: Clock
  /** Where identifiers and secrets come from; the system's random numbers when left out. */
  readonly ids?: Ids
  /** Gets every log entry; when left out, only faults of the server's own are written, to stderr. */
  readonly log?: Log
  /** Code of yours that runs inside the transactions of the server. */
  readonly hooks?: ServerHooks
  /** Finds the addresses of webhook receivers; the system's resolver when left out. */
  readonly lookup?: Lookup
}

/** Options of `createServer` by name; settings of the configuration are among them. */
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

/** What JavaScript users try first, and what only the test double has. */
const forTests = ['seed', 'random', 'journal', 'contract', 'strict', 'allowFaultHeaders', 'testControls']

/** The functions that what is put in place of the server's own must have. */
const parts = {
  clock: keysOf<Pick<Clock, 'now'>>({ now: true }),
  ids: keysOf<Pick<Ids, 'uuid' | 'bytes'>>({ uuid: true, bytes: true }),
  log: keysOf<Log>({ info: true, warn: true, error: true }),
} as const

type GivenParts = { readonly [Name in 'hooks' | 'clock' | 'ids' | 'log' | 'lookup']?: unknown }

/**
 * Throws a TypeError for an option that does not exist, and for code that cannot do what it is for. What settings must be,
 * each reader of one says itself.
 */
export function checkServerOptions(options: ServerOptions): void {
  const ofDouble = forTests.find((name) => name in options)
  if (ofDouble !== undefined) {
    throw new TypeError(
      `\`${ofDouble}\` is an option of the test double: use createTestServer of '@service/server/testing'.`,
    )
  }
  requireKnown(options, serverOptionNames, 'createServer')
  checkParts(options)
}

/** Throws a TypeError for code that cannot do what it is for. */
export function checkParts({ hooks, lookup, ...given }: GivenParts): void {
  requireKnown(hooks, hookNames, '`hooks`')
  for (const name of ['clock', 'ids', 'log'] as const) requireFunctions(given[name], name, parts[name])
  if (lookup !== undefined && typeof lookup !== 'function')
    throw new TypeError('`lookup` is a function, like that of node:dns.')
}

function requireFunctions(given: unknown, name: string, functions: readonly string[]): void {
  if (given === undefined) return
  const missing = functions.find((each) => typeof Object(given)[each] !== 'function')
  if (missing === undefined) return
  throw new TypeError(
    `\`${name}\` is an object with ${functions.map((each) => `${each}()`).join(', ')}; it has no ${missing}(). Leave it out to have the server's own.`,
  )
}
