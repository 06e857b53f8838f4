import { requireKnown } from '../core/known-keys.ts'
import type { Server } from '../server.ts'
import { type ClockControl, createClockControl } from './clock-control.ts'
import { createFactories, type Factories } from './factories/factories.ts'
import type { Faults } from './faults/faults.ts'
import { createRuntimeSettings, type LimitControl, type QuirkControl } from './faults/runtime-settings.ts'
import type { InstrumentedFetch } from './instrumented-fetch.ts'
import type { Interception } from './intercept.ts'
import type { RequestControls } from './journal/journal.ts'
import type { Seeded } from './seeds/seed-state.ts'
import { applySnapshot, createStateControl, type Snapshot, type StateControl, takeSnapshot } from './state-control.ts'
import type { InitialState, TestPlatform } from './test-platform.ts'
import { createTokenControl, type TokenControl } from './tokens.ts'
import {
  createTrigger,
  createWebhookControl,
  type TriggerEvent,
  type WebhookControl,
} from './webhooks/webhook-control.ts'

/** What a test holds in its hand besides the platform itself. */
export interface TestControls extends StateControl, RequestControls, Factories {
  /** What goes wrong with requests and answers. */
  readonly faults: Faults
  readonly clock: ClockControl
  /** Where outbound webhooks go, and what goes wrong with them. */
  readonly webhooks: WebhookControl
  readonly trigger: TriggerEvent
  readonly tokens: TokenControl
  /** Which of two readings holds where the documentation says two things. */
  readonly quirks: QuirkControl
  readonly limits: LimitControl
  /** What the seed made: workspaces with their people, tokens and secrets. */
  readonly seeded: Seeded
  /** Puts everything back to the seed: rows, identifiers, clock, rate windows, deliveries. */
  reset(options?: ResetOptions): Promise<void>
  /** Throws what was found to break the contract or the option `strict` since it was last asked. */
  verify(): void
  /** Resolves when no request, delivery, retry or job is running or due by the server's clock. */
  settled(): Promise<void>
}

/** A running platform in the hands of a test. */
export interface TestServer extends Server, TestControls {
  /**
   * Answers what `globalThis.fetch` is asked from these origins, until the interception is disposed of or the server
   * closes. The latest server that takes an origin gets it.
   *
   * @example
   * using _ = server.intercept('https://api.example.com')
   */
  intercept(origin: string | readonly string[]): Interception
  /**
   * The address of a page that shows what this server holds and was asked, and moves its clock. It needs no password.
   * Opens a port where none is.
   */
  dashboardUrl(): Promise<string>
  /** Another server with the same state, which goes its own way from here. */
  fork(): Promise<TestServer>
}

/** With `only`, nothing but these parts is put back. */
interface ResetOptions {
  readonly only?: readonly ('journal' | 'faults')[] | undefined
}

const resetParts = ['journal', 'faults'] as const

/** A misspelt part would put nothing back. */
function checkReset(options: ResetOptions): void {
  requireKnown(options, ['only'], '`reset`')
  const strange = options.only?.find((part) => !resetParts.includes(part))
  if (strange === undefined) return
  throw new TypeError(`There is no part ${JSON.stringify(strange)} to reset; there is ${resetParts.join(', ')}.`)
}

export interface TestParts extends TestPlatform {
  readonly instrumented: InstrumentedFetch
  /** What `reset` goes back to; undefined where the database is not in memory. */
  readonly baseline: Snapshot | undefined
}

export function createTestControls(
  parts: TestParts,
): Omit<TestControls, 'seeded'> & { branch(): Promise<InitialState> } {
  const { platform, hub, instrumented, baseline } = parts
  const { faults, requests, violations } = instrumented
  const { runDue, nextDueAt } = platform.deliveries
  const settled = async () => {
    await hub.whenIdle()
    await instrumented.whenIdle()
    await runDue()
    await instrumented.whenIdle()
    // Some requests write after their answer, such as when their token was used last.
    await platform.app.store.drained()
  }
  const state = { ...parts, settled }
  const factories = createFactories(platform.app)
  const { quirks, limits, ...switches } = createRuntimeSettings(platform.app)
  return {
    ...createStateControl(state),
    clock: createClockControl(parts.clock ?? platform.app.clock, platform.deliveries),
    ...factories,
    tokens: createTokenControl(platform.app, factories.create),
    trigger: createTrigger(platform.app),
    webhooks: createWebhookControl({ app: platform.app, hub, settled, nextDueAt }),
    settled,
    quirks,
    limits,
    faults,
    journal: requests.journal,
    expectRequest: requests.expectRequest,
    waitFor: requests.waitFor,
    verify: violations.verify,
    async reset(options = {}) {
      checkReset(options)
      const { only } = options
      if (only?.includes('faults') ?? true) violations.faultsEnd()
      // Before all else: a request that hangs in a fault would never be over.
      if (only?.includes('faults') ?? true) faults.clear()
      if (only?.includes('journal') ?? true) requests.journal.clear()
      if (only !== undefined) return
      switches.reset()
      hub.abortAll()
      await applySnapshot(state, baseline).finally(hub.clear)
    },
    async branch() {
      const { encryptionKey } = platform.app.config
      const snapshot = await takeSnapshot(state)
      return { state: snapshot, baseline: baseline ?? snapshot, encryptionKey }
    },
  }
}
