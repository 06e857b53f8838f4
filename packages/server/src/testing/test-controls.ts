import type { OpenedPlatform } from '../open-platform.ts'
import type { Beginning } from './beginning.ts'
import { type ClockControl, createClockControl } from './clock-control.ts'
import type { WatchedDoor } from './door.ts'
import { createFactories, type Factories } from './factories/factories.ts'
import { createSwitches, type LimitControl, type QuirkControl } from './faults/switches.ts'
import type { RequestControls } from './journal/journal.ts'
import type { Seeded } from './seeds/seeded.ts'
import type { Snapshot } from './snapshot.ts'
import { applySnapshot, createStateControl, type StateControl, takeSnapshot } from './state-control.ts'
import { createTokenControl, type TokenControl } from './tokens.ts'
import { createTrigger, type TriggerEvent } from './webhooks/trigger.ts'
import { createWebhookControl, type WebhookControl } from './webhooks/webhook-control.ts'

/** What a test holds in its hand besides the platform itself. */
export interface TestControls extends StateControl, RequestControls, Factories, Pick<WatchedDoor, 'faults'> {
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

/** With `only`, nothing but these parts is put back. */
export interface ResetOptions {
  readonly only?: readonly ('journal' | 'faults')[] | undefined
}

export interface TestParts extends OpenedPlatform {
  readonly door: WatchedDoor
  /** What `reset` goes back to; undefined where the database is not in memory. */
  readonly baseline: Snapshot | undefined
}

export function createTestControls(parts: TestParts): Omit<TestControls, 'seeded'> & { branch(): Promise<Beginning> } {
  const { platform, room, door, baseline } = parts
  const { runDue, nextDueAt } = platform.deliveries
  const settled = async () => {
    await room.quiet()
    await door.quiet()
    await runDue()
    await door.quiet()
    // Some requests write after their answer, such as when their token was used last.
    await platform.app.store.drained()
  }
  const state = { ...parts, settled }
  const factories = createFactories(platform.app)
  const { quirks, limits, ...switches } = createSwitches(platform.app)
  return {
    ...createStateControl(state),
    clock: createClockControl(parts.clock ?? platform.app.clock, platform.deliveries),
    ...factories,
    tokens: createTokenControl(platform.app, factories.create),
    trigger: createTrigger(platform.app),
    webhooks: createWebhookControl({ app: platform.app, room, settled, nextDueAt }),
    settled,
    quirks,
    limits,
    faults: door.faults,
    journal: door.requests.journal,
    expectRequest: door.requests.expectRequest,
    waitFor: door.requests.waitFor,
    verify: door.findings.verify,
    async reset({ only } = {}) {
      if (only?.includes('faults') ?? true) door.findings.faultsEnd()
      // Before all else: a request that hangs in a fault would never be over.
      if (only?.includes('faults') ?? true) door.faults.clear()
      if (only?.includes('journal') ?? true) door.requests.journal.clear()
      if (only !== undefined) return
      switches.reset()
      room.shut()
      await applySnapshot(state, baseline).finally(room.clear)
    },
    async branch() {
      const { encryptionKey } = platform.app.config
      const snapshot = await takeSnapshot(state)
      return { state: snapshot, baseline: baseline ?? snapshot, encryptionKey }
    },
  }
}
