import type { Micros } from '../../../core/clock.ts'
import type { TxApp } from '../../../core/context.ts'
import type { Day } from './calendar.ts'
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
