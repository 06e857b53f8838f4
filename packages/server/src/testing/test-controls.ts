import { requireKnown } from '../core/known-keys.ts'
import type { Server } from '../server.ts'
import { type ClockControl, createClockControl } from './clock-control.ts'
import { createFactories, type Factories } from './factories/factories.ts'
import type { Faults } from './faults/faults.ts'
import {
  createRuntimeSettings,
  type LimitControl,
  type QuirkControl,
  type RuntimeSettings,
  type SettingValues,
} from './faults/runtime-settings.ts'
import type { InstrumentedFetch } from './instrumented-fetch.ts'
import type { Interception } from './intercept.ts'
import type { RecordedControls, RequestControls } from './journal/journal.ts'
import type { Seeded } from './seeds/seed-state.ts'
import {
  applySnapshot,
  createStateControl,
  notInMemory,
  type Snapshot,
  type StateControl,
  type StateParts,
  takeSnapshot,
} from './state-control.ts'
import type { StateHistory } from './state-history.ts'
import type { InitialState, TestPlatform } from './test-platform.ts'
import { createTokenControl, type TokenControl } from './tokens.ts'
import { createTurns } from './turns.ts'
import {
  createTrigger,
  createWebhookControl,
  type TriggerEvent,
  type WebhookControl,
} from './webhooks/webhook-control.ts'

/** The test controls. */
export interface TestControls extends StateControl, RequestControls, Factories {
  /** Faults of requests and responses. */
  readonly faults: Faults
  /** Moves, freezes, and reads the platform's time. Work that becomes due runs before a call resolves. */
  readonly clock: ClockControl
  /** Receivers and faults of outbound webhooks. */
  readonly webhooks: WebhookControl
  /** Triggers an event by creating or changing a real object, and returns the payload that subscribers receive. */
  readonly trigger: TriggerEvent
  /** Issues and revokes tokens of the REST API. */
  readonly tokens: TokenControl
  /** Switches for the cases in which the documentation is ambiguous. */
  readonly quirks: QuirkControl
  /** Reads and sets the rate limit while the server runs. */
  readonly limits: LimitControl
  /** The result of the seed: workspaces with their members, tokens, and secrets. */
  readonly seeded: Seeded
  /** Restores the state after the seed: rows, ids, clock, rate windows, and deliveries. */
  reset(options?: ResetOptions): Promise<void>
  /** Throws contract violations and findings of `strict` since the last call. */
  verify(): void
  /** Resolves when no request, delivery, retry, or job is running or due by the server's clock. */
  settled(): Promise<void>
}

/** A running platform that a test controls. */
export interface TestServer extends Server, TestControls {
  /**
   * Handles `globalThis.fetch` requests to these origins, until the interception is disposed or the server closes.
   * If several servers intercept an origin, the latest one gets it.
   *
   * @example
   * using _ = server.intercept('https://api.example.com')
   */
  intercept(origin: string | readonly string[]): Interception
  /**
   * The address of a page that shows this server's data and requests and controls its clock. It needs no password.
   * Opens a port if none is open.
   */
  dashboardUrl(): Promise<string>
  /** Another server with a copy of the present state, settings, and faults. `reset` returns both to their seed. */
  fork(): Promise<TestServer>
}

/** With `only`, resets only these parts. */
interface ResetOptions {
  readonly only?: readonly ('journal' | 'faults')[] | undefined
}

const resetParts = ['journal', 'faults'] as const

/** A misspelled part would silently reset nothing. */
function checkReset(options: ResetOptions): void {
  requireKnown(options, ['only'], '`reset`')
  const unknown = options.only?.find((part) => !resetParts.includes(part))
  if (unknown === undefined) return
  throw new TypeError(`Unknown part ${JSON.stringify(unknown)} to reset. Use one of ${resetParts.join(', ')}.`)
}

export interface TestParts extends TestPlatform {
  readonly instrumented: InstrumentedFetch
  readonly history: StateHistory | undefined
  /** The settings and faults of the server from which it is forked. */
  readonly inherited: ControlsState | undefined
}

/** The settings and faults of a server, for a fork. */
export interface ControlsState {
  readonly settings: SettingValues
  readonly faults: ReturnType<InstrumentedFetch['states']>
  readonly deliveryFaults: ReturnType<TestPlatform['hub']['deliveryFaults']['states']>
}

/** What a fork starts with. */
export interface Present {
  readonly initialState: InitialState
  readonly controls: ControlsState
}

interface InternalControls {
  present(): Promise<Present>
  /** Makes the present state that of the seed, which a reset restores. */
  addToSeed(added: Pick<Seeded, 'workspace' | 'token'>): Promise<void>
  /** Ends moves of the clock, for `close`. */
  interruptClock(): void
  /** Throws what was found, at the end of the test or when the server closes. */
  verifyAtEnd(): void
  /** Drops all stored states, because test runners may keep a closed server until the end of the run. */
  forgetStates(): void
}

/** Resolves when nothing is left to do. */
async function settle({ platform, hub, instrumented }: TestParts): Promise<void> {
  hub.receivers.requireOutside()
  await hub.whenIdle()
  await instrumented.whenIdle()
  await platform.deliveries.runDue()
  await instrumented.whenIdle()
  // Some requests write after their response, such as a token's last use.
  await platform.app.store.drained()
}

export function createTestControls(
  parts: TestParts,
): Omit<TestControls, 'seeded' | 'journal'> & RecordedControls & InternalControls {
  const { platform, hub, instrumented, clock, ids, isOwnKey, seedState } = parts
  const baseline = { current: parts.baseline }
  const { faults, ownFaults, requests, violations } = instrumented
  const listOwnFaults = () => [...ownFaults.list(), ...hub.deliveryFaults.listOwn()]
  const { nextDueAt } = platform.deliveries
  const movedClock = createClockControl(parts.clock ?? platform.app.clock, {
    due: platform.deliveries,
    turns: createTurns(platform.app),
    requireNoReceiver: hub.receivers.requireOutside,
  })
  const settled = () => settle(parts)
  const { interruptFor, interrupt: interruptClock } = movedClock
  const state = { platform, clock, ids, isOwnKey, seedState, settled, interruptFor, restoreWith: hub.restoreWith }
  const stateControl = createStateControl(state, parts.history)
  const factories = createFactories(platform.app)
  const settings = createRuntimeSettings(platform.app)
  return {
    ...stateControl,
    clock: movedClock.control,
    ...factories,
    tokens: createTokenControl(platform.app, factories.create),
    trigger: createTrigger(platform.app),
    webhooks: createWebhookControl({ app: platform.app, hub, settled, nextDueAt }),
    settled,
    quirks: settings.quirks,
    limits: settings.limits,
    faults,
    journal: requests.journal,
    expectRequest: requests.expectRequest,
    waitFor: requests.waitFor,
    verify: () => violations.verify(listOwnFaults()),
    async reset(options = {}) {
      checkReset(options)
      hub.receivers.requireOutside()
      const { only } = options
      const initial = baseline.current
      if (only === undefined && initial === undefined) throw notInMemory()
      // First, because a request that hangs in a fault never ends.
      if (only?.includes('faults') ?? true) {
        violations.checkUnusedFaults(listOwnFaults())
        faults.clear()
        hub.deliveryFaults.clear()
      }
      if (only?.includes('journal') ?? true) requests.journal.clear()
      if (only !== undefined || initial === undefined) return
      settings.reset()
      hub.abortAll()
      await applySnapshot(state, initial).finally(hub.clear)
    },
    interruptClock,
    verifyAtEnd: () => violations.verifyAtEnd(listOwnFaults()),
    ...createInternalControls({ ...parts, state, baseline, settings, forgetStates: stateControl.forgetStates }),
  }
}

interface InternalParts extends Pick<TestParts, 'instrumented' | 'hub' | 'inherited'> {
  readonly state: StateParts
  /** The state that `reset` restores. */
  readonly baseline: { current: Snapshot | undefined }
  readonly settings: RuntimeSettings
  forgetStates(): void
}

function createInternalControls({
  state,
  baseline,
  ...parts
}: InternalParts): Omit<InternalControls, 'interruptClock' | 'verifyAtEnd'> {
  const { instrumented, settings, inherited, forgetStates } = parts
  const { deliveryFaults } = parts.hub
  if (inherited !== undefined) {
    settings.adopt(inherited.settings)
    instrumented.adopt(inherited.faults)
    deliveryFaults.adopt(inherited.deliveryFaults)
  }
  return {
    async present() {
      const { encryptionKey } = state.platform.app.config
      const snapshot = await takeSnapshot(state)
      return {
        initialState: { state: snapshot, baseline: baseline.current ?? snapshot, encryptionKey },
        controls: {
          settings: settings.values(),
          faults: instrumented.states(),
          deliveryFaults: deliveryFaults.states(),
        },
      }
    },
    async addToSeed(added) {
      state.seedState.seeded = { ...state.seedState.seeded, ...added }
      baseline.current = await takeSnapshot(state)
    },
    forgetStates() {
      baseline.current = undefined
      forgetStates()
    },
  }
}
