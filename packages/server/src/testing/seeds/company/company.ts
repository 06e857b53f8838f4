import type { TxApp } from '../../../context.ts'
import { type Micros, microsPerDay, microsPerSecond } from '../../../core/clock.ts'
import type { SeededWorkspace } from '../seed-state.ts'

export interface Person {
  readonly id: number
  readonly name: string
  readonly employeeId: number
  readonly department: string | null
  readonly device: { readonly id: number; readonly source_type: string }
  /** The days on which a shift begins; 0 is Sunday. */
  readonly weekdays: string
  /** The hours of the shift; beyond 24 it ends on the next day. */
  readonly from: number
  readonly to: number
}

/** The company during seeding: created records and its people. */
export interface Company extends Pick<SeededWorkspace, 'ids' | 'projects' | 'subscriptions'> {
  readonly app: TxApp
  readonly now: Micros
  readonly workspace: number
  readonly people: readonly Person[]
}

/** The people of some departments, or of all if none are given. */
export const peopleOf = ({ people }: Company, departments: readonly string[]): readonly Person[] =>
  departments.length === 0 ? people : people.filter(({ department }) => departments.includes(department ?? ''))

export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Converts the rows of a data table to objects. Missing values are undefined. */
export const records = <Row>({ columns, rows }: Table) =>
  rows.map((row) => Object.fromEntries(row.map((value, index) => [columns[index], value])) as Row) // the data's format

/** Evenly spread numbers from 0 to 1, the same in every run: multiples of the golden ratio. */
export const spread = (n: number): number => (n * 0.6180339887498949) % 1

/** Picks cyclically. */
export function pick<Item>(items: readonly Item[], n: number): Item {
  const item = items[Math.floor(n) % items.length]
  if (item === undefined) throw new RangeError('There is nothing to pick from.')
  return item
}

/** Days ago, oldest first: the range of the company's data. */
export const allDays = Array.from({ length: 61 }, (_, index) => 60 - index)

export const daysFrom = (now: Micros, days: number): Micros => Math.round(now + days * microsPerDay)

/** An hour on a day some days ago. Company days are UTC days. */
export const atHour = (now: Micros, ago: number, hour: number): Micros =>
  (Math.floor(now / microsPerDay) - ago) * microsPerDay + Math.round(hour * 3600) * microsPerSecond

/** 0 is Sunday; 1970-01-01 was a Thursday. */
export const getWeekday = (now: Micros, ago: number): number => (Math.floor(now / microsPerDay) - ago + 4) % 7

export const isWorkday = (now: Micros, ago: number): boolean => [1, 2, 3, 4, 5].includes(getWeekday(now, ago))
