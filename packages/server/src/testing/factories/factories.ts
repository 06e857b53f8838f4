import { inspect } from 'node:util'
import type { App } from '../../context.ts'
import { ApiError, validation } from '../../core/errors.ts'
import { inTransaction } from '../../store/transaction.ts'
import { createTurns } from '../turns.ts'
import { type Kind, kinds } from './define-factory.ts'
import { type CreatedRecord, createFactoryContext } from './factory-context.ts'
import type { FactoryTypes, FieldsOf, RecordOf } from './factory-types.ts'
import { nameOfUnreadable } from './unreadable.ts'

/**
 * Creates one record. All fields are optional. Missing relations (a workspace, a member, a project …) are found, or
 * created once per workspace. Relations are ids, objects with an id, or names. Invalid input throws an `ApiError`
 * with field errors and creates nothing.
 */
export type Create = { readonly [K in keyof FactoryTypes]: (fields?: FieldsOf<K>) => Promise<RecordOf<K>> }

/** Creates several records in one transaction. The function receives the index, from 0. */
export type CreateMany = {
  readonly [K in keyof FactoryTypes]: (count: number, fields?: (index: number) => FieldsOf<K>) => Promise<RecordOf<K>[]>
}

/** Creates test data. */
export interface Factories {
  /** Creates one record with its missing relations, e.g. `create.ticket({ title: 'Printer' })`. All fields are optional. */
  readonly create: Create
  /** Creates several records in one transaction, e.g. `createMany.task(3, (index) => ({ title: `Task ${index}` }))`. */
  readonly createMany: CreateMany
}

/**
 * `onCreated` is called for every created record, including relations. Parallel calls create one after the other,
 * so that each finds the relations that an earlier one has created.
 */
export function createFactories(app: App, onCreated?: (created: CreatedRecord) => void): Factories {
  const turns = createTurns(app)
  const perKind = <Factory>(factory: (kind: Kind) => Factory) =>
    Object.fromEntries(Object.keys(kinds).map((kind) => [kind, factory(kind as Kind)])) // the keys of `kinds` are the kinds
  const createRecords = (kind: Kind, inputs: readonly unknown[], isMany = false) => {
    for (const input of inputs)
      requirePlain(input, isMany ? `The function of \`createMany.${kind}\` must return` : `\`create.${kind}\` needs`)
    return turns.take(() => createAll(app, { kind, inputs, isMany, onCreated }))
  }
  return {
    create: perKind((kind) => async (input?: unknown) => (await createRecords(kind, [input]))[0]) as unknown as Create, // one definition per kind
    createMany: perKind((kind) => async (count: number, input: (index: number) => unknown = () => ({})) => {
      checkCount(count, kind)
      const inputs = Array.from({ length: count }, (_, index) => input(index))
      return createRecords(kind, inputs, true)
    }) as unknown as CreateMany, // likewise
  }
}

/** Far more than a test needs, so that a mistyped number does not freeze the process. */
const maxCount = 1_000_000

function checkCount(count: number, kind: Kind): void {
  if (Number.isInteger(count) && count >= 0 && count <= maxCount) return
  throw new TypeError(
    `\`createMany.${kind}\` creates a whole number of records from 0 to ${maxCount}; it was ${inspect(count)}.`,
  )
}

/** The fields of a promise or a Map would be ignored. */
function requirePlain(input: unknown, owner: string): void {
  const name = nameOfUnreadable(input)
  if (name === undefined) return
  throw new TypeError(`${owner} an object with fields, not a ${name}.${name === 'Promise' ? ' Await it first.' : ''}`)
}

interface CreateOptions {
  readonly kind: Kind
  readonly inputs: readonly unknown[]
  /** Whether field errors are prefixed with the record's index. */
  readonly isMany: boolean
  readonly onCreated: ((created: CreatedRecord) => void) | undefined
}

async function createAll(app: App, { kind, inputs, isMany, onCreated }: CreateOptions): Promise<object[]> {
  // Loaded on first use, so that servers without test data start faster.
  const { createRecord } = await import('./create-record.ts')
  return inTransaction(app, async (app) => {
    const context = createFactoryContext(app, onCreated)
    const records: object[] = []
    for (const [index, input] of inputs.entries()) {
      const creating = createRecord(context, kind, input)
      records.push(
        await (isMany ? creating.catch((refusal: unknown) => Promise.reject(numbered(refusal, index))) : creating),
      )
    }
    return records
  })
}

/** The `title` of the fourth record is `3.title`. */
function numbered(refusal: unknown, index: number): unknown {
  if (!(refusal instanceof ApiError) || refusal.errors === undefined) return refusal
  return validation(
    Object.fromEntries(Object.entries(refusal.errors).map(([field, messages]) => [`${index}.${field}`, messages])),
  )
}
