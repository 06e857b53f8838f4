import type { Clock, Micros } from '../../core/clock.ts'

/** Null where the database's clock counts, which all nodes share; a clock that a test moves has its own say. */
export const sharedTime = (clock: Clock): Micros | null => (clock.followsMachine === true ? null : clock.now())
