const minute = 60
const hour = 60 * minute

/** Seconds before each attempt, counted from the previous one. Ten attempts take 75 h 35 min. */
export const schedule = [
  0,
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** The retry schedule of a subscription: its own waits, stored as JSON, or the default. */
export const parseSchedule = (waits: string | null): readonly number[] =>
  waits === null ? schedule : [0, ...(JSON.parse(waits) as number[])] // only the subscription's service writes it
