import type { TxApp } from '../../../context.ts'
import { type Micros, microsPerDay, microsPerSecond, toDay } from '../../../core/clock.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'

/** The company while it is made. */
export interface Company {
  readonly app: TxApp
  readonly workspace: number
  readonly now: Micros
  readonly calendar: readonly Day[]
  readonly people: readonly Person[]
  /** The stream of a part. */
  random(part: string): Random
}

/** How far back the company's data go. */
export const daysBack = 60

/** Iceland has UTC all year, so that a day of the company is a UTC day and no rule about clocks is needed here. */
export const companyZone = 'Atlantic/Reykjavik'

export interface Day {
  /** `YYYY-MM-DD` */
  readonly name: string
  readonly startsAt: Micros
  /** 0 is Sunday. */
  readonly weekday: number
  readonly ago: number
}

/** The days up to today, the oldest first. */
export function calendarOf(now: Micros): readonly Day[] {
  const today = Math.floor(now / microsPerDay)
  return Array.from({ length: daysBack + 1 }, (_, index) => {
    const number = today - daysBack + index
    const startsAt = number * microsPerDay
    // 1970-01-01 was a Thursday.
    return { name: toDay(startsAt), startsAt, weekday: (number + 4) % 7, ago: daysBack - index }
  })
}

export const isWorkday = ({ weekday }: Day): boolean => weekday >= 1 && weekday <= 5

/** An hour of a day, with a fraction, to the second. */
export const hourOf = ({ startsAt }: Day, hour: number): Micros => startsAt + Math.round(hour * 3600) * microsPerSecond
