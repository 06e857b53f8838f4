import type { Chart } from './chart.ts'
import type { Curves } from './curves.ts'
import { type Spread, spreadOf } from './spread.ts'

/** What one scenario found: a table, and how it stands against the goals. */
export interface Findings {
  readonly title: string
  /** How it was measured, in a few sentences. */
  readonly method: string
  /** Names of the figures, with their unit. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly goals: readonly Goal[]
  /** What is no measurement, below the figures. */
  readonly details?: readonly TextTable[]
  /** Written into docs/charts/ with the results. */
  readonly charts?: readonly Chart[]
  readonly curves?: readonly Curves[]
}

export interface TextTable {
  readonly head: readonly string[]
  readonly lines: readonly (readonly string[])[]
}

export interface Row {
  readonly name: string
  /** One per column; nothing where a figure makes no sense. */
  readonly cells: readonly (Spread | undefined)[]
}

export interface Goal {
  readonly says: string
  readonly wanted: string
  readonly got: Spread
  readonly met: boolean
  /** What stands in the way where it is not met. */
  readonly why?: string | undefined
}

export const row = (name: string, ...figures: (readonly number[] | undefined)[]): Row => ({
  name,
  cells: figures.map((values) => values && spreadOf(values)),
})

/** The median decides; the range is shown beside it. */
export function atMost(says: string, limit: number, values: readonly number[]): Goal {
  const got = spreadOf(values)
  return { says, wanted: `≤ ${limit}`, got, met: got.median <= limit }
}

export function atLeast(says: string, limit: number, values: readonly number[]): Goal {
  const got = spreadOf(values)
  return { says, wanted: `≥ ${limit}`, got, met: got.median >= limit }
}

/** A goal with what stands in its way. */
export const because = (goal: Goal, why: string): Goal => ({ ...goal, why })
