import { type Compilable, type CompiledQuery, SqliteAdapter, sql } from 'kysely'
import type { Db } from './database.ts'

// Building a query costs more than running it (100 µs a ticket on the write path), so the hottest are compiled once
// per dialect. `param('name')` stands in the query where the value of that name goes at each call.

/** Stands in a query where a value goes later. */
export // On SQLite each parameter becomes `+?`: as better-sqlite3 builds it (with STAT4), SQLite plans a join anew whenever a bare
// parameter is bound again, which costs half as much as running it; an expression that does nothing keeps it from that.

class Parameter {
  readonly parameter: string
  constructor(parameter: string) {
    this.parameter = parameter
  }
}

type Param<Params> = <Name extends keyof Params & string>(name: Name) => Params[Name]

/** A query compiled at its first use on each store, then only executed. */
export function prepared<Params extends object, Row>(
  build: (db: Db, param: Param<Params>) => Compilable<Row>,
): (db: Db, params: Params) => Promise<Row[]> {
  const compiledByAdapter = new WeakMap<object, CompiledQuery<Row>>()
  return async (db, params) => {
    const executor = db.getExecutor()
    let compiled = compiledByAdapter.get(executor.adapter)
    if (compiled === undefined) {
      const isSqlite = executor.adapter instanceof SqliteAdapter
      // Takes the value's place while compiling.
      const param: Param<Params> = (name) => (isSqlite ? sql`+${new Parameter(name)}` : new Parameter(name)) as never
      compiled = build(db, param).compile()
      compiledByAdapter.set(executor.adapter, compiled)
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Parameter ? params[value.parameter as keyof Params] : value,
    )
    return (await executor.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}
