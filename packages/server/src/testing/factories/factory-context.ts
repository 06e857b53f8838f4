import type { TxApp } from '../../core/context.ts'
import type { Database } from '../../store/database.ts'
import type { Kind } from './kinds.ts'

/** Something that was just made. */
export interface Made {
  readonly kind: Kind
  readonly workspaceId: number
  readonly thing: object
}

/** What is remembered while things are made in one transaction. All else is asked of the database. */
export interface FactoryContext {
  readonly app: TxApp
  /** The next id of a table, as far as somebody has asked. */
  readonly nextIds: Map<keyof Database, number>
  /** Parents that were found or made, by `parentKey`. */
  readonly parents: Map<string, number>
  /** What a seed calls its things, by `nameKey`. */
  readonly named: Map<string, number>
  onMade(made: Made): void
}

export const createFactoryContext = (app: TxApp, onMade: (made: Made) => void = () => undefined): FactoryContext => ({
  app,
  nextIds: new Map(),
  parents: new Map(),
  named: new Map(),
  onMade,
})

export const nameKey = (workspaceId: number, kind: Kind, name: string) => `${workspaceId} ${kind} ${name}`

export const idOf = (thing: object): number | undefined =>
  'id' in thing && typeof thing.id === 'number' ? thing.id : undefined
