import type { Clock } from '../core/clock.ts'
import { keysOf, requireKnown } from '../core/known-keys.ts'
import { checkParts, type ServerOptions, serverOptionNames } from '../server-options.ts'
import type { ContractMode, ContractOptions, Strictness } from './contract/contract-violations.ts'
import type { FaultOptions } from './faults/faults.ts'
import type { JournalOptions } from './journal/journal.ts'
import type { Seed } from './seeds/seed.ts'

/** Options of `createTestServer`: those of `createServer`, and options for tests. */
export interface TestServerOptions extends Omit<ServerOptions, 'clock'>, ContractOptions, FaultOptions {
  /** Your own clock, or the instant at which the platform's clock is frozen. */
  readonly clock?: Clock | string | Date
  /**
   * Seeds the identifiers, tokens and secrets of a server in memory, so that they are the same in every run; `'system'`
   * draws real ones. A server with a `seed` or a frozen `clock` is the same in every run without it.
   */
  readonly random?: number | string
  /** The initial data, which `reset()` restores. A database that has workspaces is not changed. */
  readonly seed?: Seed
  /**
   * Whether requests are recorded, and how many. A server in memory keeps the last 1000; one with a database keeps none by
   * default.
   */
  readonly journal?: boolean | JournalOptions
  /** Serves `/admin/v1/test`, through which a test in any language controls the server. Requires `adminToken`. */
  readonly testControls?: boolean
}

const ownNames = keysOf<Omit<TestServerOptions, Exclude<keyof ServerOptions, 'clock'>>>({
  clock: true,
  random: true,
  seed: true,
  journal: true,
  testControls: true,
  contract: true,
  strict: true,
  allowFaultHeaders: true,
})

/** Options of `createTestServer` by name; settings of the configuration are among them. */
export const testServerOptionNames: readonly string[] = [...new Set([...serverOptionNames, ...ownNames])]

const journalNames = keysOf<JournalOptions>({ limit: true, bodyLimit: true })
const strictNames = keysOf<Strictness>({ unexpectedErrors: true, unknownRoutes: true, unusedFaults: true })
const contractModes: readonly ContractMode[] = ['throw', 'collect', 'off']

/** Throws a TypeError for an option that does not exist. Values are checked where they are read. */
export function checkTestServerOptions(options: TestServerOptions): void {
  requireKnown(options, testServerOptionNames, 'createTestServer')
  const { clock, journal, strict, contract } = options
  checkParts({ ...options, clock: typeof clock === 'string' || clock instanceof Date ? undefined : clock })
  requireKnown(strict, strictNames, '`strict`')
  if (typeof journal === 'object') requireKnown(journal, journalNames, '`journal`')
  if (contract === undefined || contractModes.includes(contract)) return
  throw new TypeError(`\`contract\` is 'throw', 'collect' or 'off'; it was ${JSON.stringify(contract)}.`)
}
