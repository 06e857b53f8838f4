import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { QueryResult as PgResult, PoolClient, QueryConfig, QueryResultRow } from 'pg'
import { noteRows } from './current-transaction.ts'
import { isConnectionLost, isConnectionSpent, type ToRefusal } from './postgres-faults.ts'
import type { ConnectionPool } from './postgres-pool.ts'
import { planEachTimeMark } from './prepared.ts'

export type NameOf = (sql: string) => string | undefined

/** A statement gets a name, and so is planned once per connection, when its text comes a second time. */
export function statementNames(capacity = 500): NameOf {
  const seen = new Set<string>()
  const names = new Map<string, string>()
  return (sql) => {
    if (sql.startsWith(planEachTimeMark)) return undefined
    const known = names.get(sql)
    if (known !== undefined || names.size >= capacity) return known
    if (!seen.has(sql)) {
      if (seen.size < capacity * 10) seen.add(sql)
      return undefined
    }
    const name = `s${names.size}`
    names.set(sql, name)
    return name
  }
}

/** Sends a statement; see `PoolClient.query`. */
export type Send = <Row extends QueryResultRow>(query: string | QueryConfig) => Promise<PgResult<Row>>

/**
 * Sends each statement when the one before is answered: code inside a transaction may run several at once, and pg is about
 * to stop queueing them. After a failure that broke the connection nothing more is sent.
 */
export function oneAtATime(client: PoolClient): Send {
  let previous: Promise<unknown> = Promise.resolve()
  let lost: unknown
  return <Row extends QueryResultRow>(query: string | QueryConfig) => {
    const answer = previous.then(() => {
      if (lost !== undefined) throw lost
      return client.query<Row>(query)
    })
    previous = answer.catch((failure: unknown) => {
      if (isConnectionLost(failure)) lost = failure
    })
    return answer
  }
}

interface ConnectionOptions {
  readonly nameOf: NameOf
  /** In place of the pool's own limit for a statement. */
  readonly limitMs?: number
  /** Told of each failure, before anybody else. */
  readonly noteFailure?: (failure: unknown) => void
}

/** One connection as Kysely sees it. */
export function postgresConnection(
  send: Send,
  { nameOf, limitMs, noteFailure }: ConnectionOptions,
): DatabaseConnection {
  const limit = limitMs === undefined ? {} : { query_timeout: limitMs }
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const name = nameOf(sql)
      const values = parameters as unknown[] // pg only reads them
      const query = name === undefined ? { text: sql, values, ...limit } : { name, text: sql, values, ...limit }
      const result = await send<Row & Record<string, unknown>>(query).catch((failure: unknown) => {
        noteFailure?.(failure)
        throw failure
      })
      const affected = result.rowCount ?? 0
      noteRows(sql, affected)
      return { rows: result.rows, numAffectedRows: BigInt(affected) }
    },
    streamQuery: refuseStreams,
  }
}

/** Outside of a transaction each statement has a connection of its own, and what passes by itself is a 503. */
export function pooledConnection(
  pool: ConnectionPool,
  { nameOf, toRefusal }: { readonly nameOf: NameOf; readonly toRefusal: ToRefusal },
): DatabaseConnection {
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { client, release } = await pool.borrow('reading')
      let isBroken = false
      try {
        return await postgresConnection((query) => client.query(query), { nameOf }).executeQuery<Row>(query)
      } catch (failure) {
        isBroken = isConnectionSpent(failure)
        throw toRefusal(failure)
      } finally {
        release(isBroken)
      }
    },
    streamQuery: refuseStreams,
  }
}

function refuseStreams(): never {
  throw new TypeError('Streaming is not used: read pages with a limit instead.')
}
