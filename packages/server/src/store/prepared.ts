import {
  type Compilable,
  type CompiledQuery,
  type InsertResult,
  type QueryResult,
  type RawBuilder,
  SqliteAdapter,
  sql,
} from 'kysely'
import type { Db } from './database.ts'
import { connectionFor } from './routed-dialect.ts'
import type { Store } from './store.ts'

// Building a query costs more than running it (100 µs a ticket on the write path), so the hottest are compiled once
// per dialect. `param('name')` stands in the query where the value of that name goes at each call.

class Parameter {
  readonly parameter: string
  constructor(parameter: string) {
    this.parameter = parameter
  }
}

type Param<Params> = <Name extends keyof Params & string>(name: Name) => Params[Name]

/** A query compiled at its first use on each kind of database, then only executed. */
export function prepared<Params extends object, Row>(
  build: (db: Db, param: Param<Params>) => Compilable<Row>,
): (db: Db, params: Params) => Promise<Row[]> {
  const execute = compiledOnce(build)
  return async (db, params) => (await execute(db, params)).rows
}

interface Insertion extends Compilable<InsertResult> {
  returning(column: 'id'): Compilable<{ id: number }>
}

/**
 * The insertion of a row, answered with its id. SQLite knows the id by itself, and for `returning` it would first build a
 * table of what it returns.
 */
export function preparedInsert<Params extends object>(
  build: (db: Db, param: Param<Params>) => Insertion,
): (db: Db, params: Params) => Promise<number> {
  const execute = compiledOnce<Params, { id: number }>((db, param) => {
    const insertion = build(db, param)
    return isSqlite(db) ? (insertion as Compilable<never>) : insertion.returning('id')
  })
  return async (db, params) => {
    const { insertId, rows } = await execute(db, params)
    return Number(insertId ?? rows[0]?.id)
  }
}

const isSqlite = (db: Db) => db.getExecutor().adapter instanceof SqliteAdapter

function compiledOnce<Params extends object, Row>(
  build: (db: Db, param: Param<Params>) => Compilable<Row>,
): (db: Db, params: Params) => Promise<QueryResult<Row>> {
  const compiledByDialect = new Map<unknown, CompiledQuery<Row>>()
  return (db, params) => {
    const dialect = db.getExecutor().adapter.constructor
    let compiled = compiledByDialect.get(dialect)
    if (compiled === undefined) {
      const param: Param<Params> = (name) => new Parameter(name) as never // takes the value's place while compiling
      compiled = build(db, param).compile()
      compiledByDialect.set(dialect, compiled)
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Parameter ? params[value.parameter as keyof Params] : value,
    )
    // Straight to the connection: Kysely's executor adds eight turns of the microtask queue and has nothing left to do.
    return connectionFor(db).executeQuery<Row>({ ...compiled, parameters })
  }
}

/** Begins the text of a statement that PostgreSQL is to plan at each execution. */
export const planEachTimeMark = '/* plan each time */'

/**
 * For statements whose best plan depends on the values: a word that is in every row wants another plan than one that is in
 * none. Such a statement gets no name, because PostgreSQL may plan a named one once for all values.
 */
export const planEachTime = sql.raw(planEachTimeMark)

type ColumnTypes<Row> = { readonly [Name in keyof Row & string]: 'bigint' | 'text' }

/** The row that a statement is run for: its columns, and what stands after `from` so that they can be named. */
interface GivenRow<Row> {
  of(column: keyof Row & string): RawBuilder<unknown>
  readonly from: RawBuilder<unknown>
}

/**
 * A statement that is meant for each row of a list. Over a connection the whole list travels as one parameter of JSON, and
 * the statement is run once. In the process it is run once per row, with plain parameters: that takes a third of the time
 * that SQLite needs to take JSON apart and to join with it.
 */
export function forEachRow<Row extends object>(
  types: ColumnTypes<Row>,
  statement: Statement<Row>,
): (store: Store, rows: readonly Row[]) => Promise<void> {
  const perRow = inProcess(statement)
  return async (store, rows) => {
    if (rows.length === 0) return
    if (store.runForEach !== undefined) perRow(store, rows)
    else await statement(fromJson(types, rows)).execute(store.db)
  }
}

type Statement<Row> = (given: GivenRow<Row>) => RawBuilder<unknown>

/** The same where the database is known to be in the process; gives back how many rows were changed. */
export function inProcess<Row extends object>(
  statement: Statement<Row>,
): (store: Store, rows: readonly Row[]) => number {
  let compiled: CompiledQuery | undefined
  return ({ db, runForEach }, rows) => {
    if (runForEach === undefined) throw new TypeError('This statement is for a database in the process.')
    compiled ??= statement(fromParameters<Row>()).compile(db)
    return runForEach(compiled.sql, toParameters(compiled, rows))
  }
}

const fromParameters = <Row>(): GivenRow<Row> => ({ of: (column) => sql`${new Parameter(column)}`, from: sql`` })

function toParameters<Row extends object>({ parameters }: CompiledQuery, rows: readonly Row[]): unknown[][] {
  const names = parameters.map((parameter) => (parameter as Parameter).parameter as keyof Row) // see fromParameters
  return rows.map((row) => names.map((name) => row[name]))
}

function fromJson<Row extends object>(types: ColumnTypes<Row>, rows: readonly Row[]): GivenRow<Row> {
  const columns = Object.entries<string>(types).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
  return {
    of: (column) => sql.ref(`given.${column}`),
    from: sql`from json_to_recordset(${JSON.stringify(rows)}::json) as given (${sql.join(columns)})`,
  }
}
