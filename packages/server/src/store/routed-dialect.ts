import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import type { Db } from './database.ts'

/** Rejects writes outside a transaction: on PostgreSQL and in memory such a write would go unnoticed. */
export function readOnly(connection: DatabaseConnection): DatabaseConnection {
  return {
    ...connection,
    executeQuery(query) {
      if (writes.has(query.query.kind))
        throw new TypeError('Writes belong in a transaction: use inTransaction(app, work).')
      return connection.executeQuery(query)
    },
  }
}

const writes = new Set<string>(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'])

const connectionsByAdapter = new WeakMap<object, () => DatabaseConnection>()

/** The connection for the calling code, for a query that is already compiled. */
export function connectionFor(db: Db): DatabaseConnection {
  const connectionForCaller = connectionsByAdapter.get(db.getExecutor().adapter)
  if (connectionForCaller === undefined) throw new TypeError('This database was not opened by openStore.')
  return connectionForCaller()
}

/** A Kysely dialect whose driver determines the caller's connection for every query. */
export function routedDialect(
  parts: Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>,
  connectionForCaller: () => DatabaseConnection,
): Dialect {
  return {
    ...parts,
    createAdapter() {
      const adapter = parts.createAdapter()
      connectionsByAdapter.set(adapter, connectionForCaller)
      return adapter
    },
    createDriver: () => routingDriver(connectionForCaller),
  }
}

function routingDriver(connectionForCaller: () => DatabaseConnection): Driver {
  const refuse = async () => {
    throw new TypeError("Use inTransaction(app, work) instead of Kysely's own transactions.")
  }
  return {
    init: async () => undefined,
    acquireConnection: async () => connectionForCaller(),
    releaseConnection: async () => undefined,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => undefined,
  }
}
