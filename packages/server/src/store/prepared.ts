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
import { isInWorkspaces } from './list-query.ts'
import { connectionFor } from './routed-dialect.ts'
import type { Store } from './store.ts'

// Building a query costs more than running it (100 µs per ticket on the write path), so the hottest queries are
// compiled once per dialect. `param('name')` marks where the value of that name goes in each call.

class Parameter {
  readonly parameter: string
  constructor(parameter: string) {
    this.parameter = parameter
  }
}

type Param<Params> = <Name extends keyof Params & string>(name: Name) => Params[Name]

/** A query that is compiled on first use per dialect, and only executed afterwards. */
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
 * Inserts a row and returns its id. SQLite reports the id without `returning`, for which it would first build a table
 * of the result.
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
      const param: Param<Params> = (name) => new Parameter(name) as never // replaces the value while compiling
      compiled = build(db, param).compile()
      compiledByDialect.set(dialect, compiled)
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Parameter ? params[value.parameter as keyof Params] : value,
    )
    // Bypasses Kysely's executor, which would only add eight microtasks.
    return connectionFor(db).executeQuery<Row>({ ...compiled, parameters })
  }
}

type ColumnTypes<Row> = { readonly [Name in keyof Row & string]: 'bigint' | 'text' }

/** A row of a workspace. */
interface WorkspaceRow {
  readonly workspace_id: number
}

/** The row that a statement runs for: its columns, and the `from` item that provides them. */
interface GivenRow<Row> {
  of(column: keyof Row & string): RawBuilder<unknown>
  readonly from: RawBuilder<unknown>
}

interface GivenRows<Row> extends GivenRow<Row> {
  /** Whether a column has the workspace of one of the rows, from which a distributed database knows the shards. */
  inWorkspaces(column: string): RawBuilder<boolean>
}

/**
 * A statement to run for each row of a list. On PostgreSQL the whole list is sent as one JSON parameter and the
 * statement runs once. On SQLite it runs once per row with plain parameters, which takes a third of the time of
 * unpacking and joining JSON.
 */
export function forEachRow<Row extends WorkspaceRow>(
  types: ColumnTypes<Row>,
  statement: (given: GivenRows<Row>) => RawBuilder<unknown>,
): (store: Store, rows: readonly Row[]) => Promise<void> {
  const perRow = inProcess<Row>((given) =>
    statement({ ...given, inWorkspaces: (column) => sql`${sql.ref(column)} = ${given.of('workspace_id')}` }),
  )
  return async (store, rows) => {
    if (rows.length === 0) return
    if (store.runForEach !== undefined) perRow(store, rows)
    else await statement(fromJson(types, rows)).execute(store.db)
  }
}

type Statement<Row> = (given: GivenRow<Row>) => RawBuilder<unknown>

/** The same for SQLite only; returns the number of changed rows. */
export function inProcess<Row extends object>(
  statement: Statement<Row>,
): (store: Store, rows: readonly Row[]) => number {
  let compiled: CompiledQuery | undefined
  return ({ db, runForEach }, rows) => {
    if (runForEach === undefined) throw new TypeError('This statement requires SQLite.')
    compiled ??= statement(fromParameters<Row>()).compile(db)
    return runForEach(compiled.sql, toParameters(compiled, rows))
  }
}

const fromParameters = <Row>(): GivenRow<Row> => ({ of: (column) => sql`${new Parameter(column)}`, from: sql`` })

function toParameters<Row extends object>({ parameters }: CompiledQuery, rows: readonly Row[]): unknown[][] {
  const names = parameters.map((parameter) => (parameter as Parameter).parameter as keyof Row) // see fromParameters
  return rows.map((row) => names.map((name) => row[name]))
}

function fromJson<Row extends WorkspaceRow>(types: ColumnTypes<Row>, rows: readonly Row[]): GivenRows<Row> {
  const columns = Object.entries<string>(types).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
  return {
    of: (column) => sql.ref(`given.${column}`),
    from: sql`from json_to_recordset(${JSON.stringify(rows)}::json) as given (${sql.join(columns)})`,
    inWorkspaces: (column) =>
      isInWorkspaces(
        column,
        rows.map((row) => row.workspace_id),
      ),
  }
}
