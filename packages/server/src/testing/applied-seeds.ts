import { readInstant } from './clock-control.ts'
import type { TestServerOptions } from './server-options.ts'
import type { Snapshot } from './state-control.ts'

/** Each holds up to 10 MB, and a test file uses few seeds. */
const maxStates = 8

/** The states of the last seeds of this process. Copying one takes milliseconds, and applying `large` takes seconds. */
const states = new Map<string, Snapshot>()

export const findAppliedSeed = (key: string | undefined): Snapshot | undefined =>
  key === undefined ? undefined : states.get(key)

export function keepAppliedSeed(key: string | undefined, state: Snapshot | undefined): void {
  if (key === undefined || state === undefined) return
  const [oldest] = states.keys()
  if (oldest !== undefined && states.size >= maxStates) states.delete(oldest)
  // Tests may change what their server tells about its seed.
  states.set(key, { ...state, head: structuredClone(state.head) })
}

const scenarios: readonly unknown[] = ['demo', 'company', 'large', 'edge']

/**
 * Everything that determines the state after a seed: the scenario, the fixed time, the randomness, and the settings.
 * Undefined if the state differs each time, or depends on code or files.
 */
export function appliedSeedKey(options: TestServerOptions): string | undefined {
  const { seed, clock, random, ids, hooks, lookup: _, log: __, ...settings } = options
  const isFixed = typeof clock === 'string' || clock instanceof Date
  if (!scenarios.includes(seed) || !isFixed || random === 'system' || ids !== undefined || hooks !== undefined)
    return undefined
  return JSON.stringify({ seed, at: readInstant(clock, 'clock'), random, ...settings })
}
