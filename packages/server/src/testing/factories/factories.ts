import type { App } from '../../context.ts'
import { ApiError, validation } from '../../core/errors.ts'
import { inTransaction } from '../../store/transaction.ts'
import { type Kind, kinds } from './define-factory.ts'
import { createFactoryContext, type Made } from './factory-context.ts'
import type { FactoryTypes, FieldsOf, MadeOf } from './factory-types.ts'

/**
 * Creates one record. All fields are optional. Missing relations (a workspace, a member, a project …) are found, or
 * created once per workspace. Relations are ids, objects with an id, or names. Invalid input throws an `ApiError`
 * with field errors and creates nothing.
 */
export type Create = { readonly [K in keyof FactoryTypes]: (fields?: FieldsOf<K>) => Promise<MadeOf<K>> }

/** Creates several records in one transaction. The function receives the index, from 0. */
export type CreateMany = {
  readonly [K in keyof FactoryTypes]: (count: number, fields?: (index: number) => FieldsOf<K>) => Promise<MadeOf<K>[]>
}

/** Creates test data. */
export interface Factories {
  readonly create: Create
  readonly createMany: CreateMany
}

/** `onMade` is called for every created record, including relations. */
export function createFactories(app: App, onMade?: (made: Made) => void): Factories {
  const perKind = <Factory>(factory: (kind: Kind) => Factory) =>
    Object.fromEntries(Object.keys(kinds).map((kind) => [kind, factory(kind as Kind)])) // the keys of `kinds` are the kinds
  const make = (kind: Kind, inputs: readonly unknown[], isMany = false) =>
    makeAll(app, { kind, inputs, isMany, onMade })
  return {
    create: perKind((kind) => async (input?: unknown) => (await make(kind, [input]))[0]) as unknown as Create, // one recipe per kind
    createMany: perKind((kind) => async (count: number, input: (index: number) => unknown = () => ({})) => {
      const inputs = Array.from({ length: count }, (_, index) => input(index))
      return make(kind, inputs, true)
    }) as unknown as CreateMany, // likewise
  }
}

interface ToMake {
  readonly kind: Kind
  readonly inputs: readonly unknown[]
  /** Whether field errors are prefixed with the record's index. */
  readonly isMany: boolean
  readonly onMade: ((made: Made) => void) | undefined
}

async function makeAll(app: App, { kind, inputs, isMany, onMade }: ToMake): Promise<object[]> {
  // Loaded on first use, so that servers without test data start faster.
  const { makeOne } = await import('./make-one.ts')
  return inTransaction(app, async (app) => {
    const bench = createFactoryContext(app, onMade)
    const made: object[] = []
    for (const [index, input] of inputs.entries()) {
      const making = makeOne(bench, kind, input)
      made.push(await (isMany ? making.catch((refusal: unknown) => Promise.reject(numbered(refusal, index))) : making))
    }
    return made
  })
}

/** The `title` of the fourth record is `3.title`. */
function numbered(refusal: unknown, index: number): unknown {
  if (!(refusal instanceof ApiError) || refusal.errors === undefined) return refusal
  return validation(
    Object.fromEntries(Object.entries(refusal.errors).map(([field, says]) => [`${index}.${field}`, says])),
  )
}
