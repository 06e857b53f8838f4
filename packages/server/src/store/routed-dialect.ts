import type { DatabaseConnection, Dialect, Driver } from 'kysely'

/** A Kysely dialect whose driver asks, for every query, which connection the calling code should use. */
export function routedDialect(
  parts: Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>,
  connectionForCaller: () => DatabaseConnection,
): Dialect {
  return { ...parts, createDriver: () => routingDriver(connectionForCaller) }
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
