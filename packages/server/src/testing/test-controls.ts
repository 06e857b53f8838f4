import type { OpenedPlatform } from '../open-platform.ts'
import type { Beginning } from './beginning.ts'
import { type ClockControl, createClockControl } from './clock-control.ts'
import type { WatchedDoor } from './door.ts'
import type { Snapshot } from './snapshot.ts'
import { applySnapshot, createStateControl, type StateControl, takeSnapshot } from './state-control.ts'

/** What a test holds in its hand besides the platform itself. */
export interface TestControls extends StateControl, Pick<WatchedDoor, 'faults' | 'journal'> {
  readonly clock: ClockControl
  /** Puts everything back to the seed: rows, identifiers, clock, rate windows, deliveries. */
  reset(options?: ResetOptions): Promise<void>
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

export function createTestControls(parts: TestParts): TestControls & { branch(): Promise<Beginning> } {
  const { platform, door, baseline } = parts
  const { runDue } = platform.deliveries
  const settled = async () => {
    await door.quiet()
    await runDue()
    await door.quiet()
  }
  const state = { ...parts, settled }
  return {
    ...createStateControl(state),
    clock: createClockControl(parts.clock ?? platform.app.clock, platform.deliveries),
    settled,
    faults: door.faults,
    journal: door.journal,
    async reset({ only } = {}) {
      // Before all else: a request that hangs in a fault would never be over.
      if (only?.includes('faults') ?? true) door.faults.clear()
      if (only?.includes('journal') ?? true) door.journal.clear()
      if (only === undefined) await applySnapshot(state, baseline)
    },
    async branch() {
      const { encryptionKey } = platform.app.config
      const snapshot = await takeSnapshot(state)
      return { state: snapshot, baseline: baseline ?? snapshot, encryptionKey }
    },
  }
}
