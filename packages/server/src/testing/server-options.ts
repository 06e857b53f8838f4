import { inspect } from 'node:util'
import type { Clock } from '../core/clock.ts'
import { keysOf, requireKnown } from '../core/known-keys.ts'
import { checkParts, type ServerOptions, serverOptionNames } from '../server-options.ts'
import { isInMemory } from '../store/open.ts'
import { isFixedTime } from './clock-control.ts'
import type { FaultOptions } from './faults/faults.ts'
import type { ContractMode, ContractOptions, Strictness } from './journal/contract-violations.ts'
import type { JournalOptions } from './journal/journal.ts'
import type { Seed } from './seeds/seed.ts'

/** Options of `createTestServer`: those of `createServer`, plus options for tests. */
export interface TestServerOptions extends Omit<ServerOptions, 'clock'>, ContractOptions, FaultOptions {
  /** The initial data, which `reset()` restores. A database with workspaces is not changed, and `seeded` is empty. */
  readonly seed?: Seed | undefined
  /** A custom clock, or an instant at which to freeze the platform's clock. */
  readonly clock?: Clock | string | Date | undefined
  /**
   * Seeds the ids, tokens, and secrets of an in-memory server with a whole number or any text, so that they are the same
   * in every run; `'system'` uses real randomness. A server with a `seed` or frozen `clock` is deterministic by default.
   */
  readonly random?: number | string | undefined
  /**
   * Whether to record requests, and how many. In memory, the default is the last 1000; with a
   * database, the default is none.
   */
  readonly journal?: boolean | JournalOptions | undefined
  /** Serves `/admin/v1/test`, which lets tests in any language control the server. Requires `adminToken`. */
  readonly testControls?: boolean | undefined
}

const ownNames = keysOf<Omit<TestServerOptions, Exclude<keyof ServerOptions, 'clock'>>>({
  seed: true,
  clock: true,
  random: true,
  journal: true,
  testControls: true,
  contract: true,
  strict: true,
  allowFaultHeaders: true,
})

/** The options of `createTestServer` by name, including settings. Its own come first, because messages list them. */
export const testServerOptionNames: readonly string[] = [...new Set([...ownNames, ...serverOptionNames])]

const journalNames = keysOf<JournalOptions>({ limit: true, bodyLimit: true, restorable: true })
const strictNames = keysOf<Strictness>({ unexpectedErrors: true, unknownRoutes: true, unusedFaults: true })
const contractModes: readonly ContractMode[] = ['throw', 'collect', 'off']

function checkClock(clock: unknown): void {
  if (clock === undefined || typeof Object(clock).now === 'function' || isFixedTime(clock)) return
  if (clock === 'virtual' || clock === 'real') {
    throw new TypeError(
      `\`clock: '${clock}'\` is an option of a fault: \`server.faults.add({ latency: '1h', clock: '${clock}' })\`. The \`clock\` of a server is an instant at which to freeze it, such as '2026-01-01T00:00:00Z', or an object with now().`,
    )
  }
  throw new TypeError(
    `\`clock\` must be an instant at which to freeze the clock, such as '2026-01-01T00:00:00Z' or a Date, or an object with now(); it was ${inspect(clock)}. Omit it to use the machine's clock.`,
  )
}

/** Another number is a mistake in a calculation. */
function checkRandom(random: unknown): void {
  if (random === undefined || Number.isSafeInteger(random) || (typeof random === 'string' && random !== '')) return
  throw new TypeError(`\`random\` must be a whole number, a text, or 'system'; it was ${inspect(random)}.`)
}

function checkJournal({ limit = 0, bodyLimit = 0 }: JournalOptions): void {
  for (const [name, value] of Object.entries({ limit, bodyLimit })) {
    if (Number.isSafeInteger(value) && value >= 0) continue
    throw new TypeError(`\`journal.${name}\` must be a whole number of at least 0; it was ${inspect(value)}.`)
  }
}

function checkFaultHeaders(allowed: unknown): void {
  if (allowed === undefined || typeof allowed === 'boolean') return
  throw new TypeError(`\`allowFaultHeaders\` is true or false; it was ${inspect(allowed)}.`)
}

/** Throws a TypeError for an unknown option. Values are validated where they are used. */
export function checkTestServerOptions(options: TestServerOptions): void {
  requireKnown(options, testServerOptionNames, 'createTestServer')
  const { clock, journal, strict, contract } = options
  checkClock(clock)
  checkRandom(options.random)
  checkParts({ ...options, clock: isFixedTime(clock) ? undefined : clock })
  requireKnown(strict, strictNames, '`strict`')
  if (typeof journal !== 'boolean') requireKnown(journal, journalNames, '`journal`')
  if (typeof journal === 'object') checkJournal(journal)
  checkFaultHeaders(options.allowFaultHeaders)
  if (typeof journal === 'object' && journal.restorable === true && !isInMemory(options)) {
    throw new TypeError('`journal.restorable` requires an in-memory server: omit `data` and `databaseUrl`.')
  }
  if (contract === undefined || contractModes.includes(contract)) return
  throw new TypeError(`\`contract\` is 'throw', 'collect' or 'off'; it was ${JSON.stringify(contract)}.`)
}
