import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { QueryResult as PgResult, PoolClient, QueryConfig, QueryResultRow } from 'pg'
import { deadline } from '../core/clock.ts'
import { allowSeveralTables, clientLimitMs, idleLimitMs, type PostgresLimits } from './postgres-client.ts'
import {
  codeOf,
  hasStalePlan,
  isConnectionLost,
  isConnectionSpent,
  lostInCommit,
  type ToRefusal,
  unavailableFor,
} from './postgres-faults.ts'
import type { ConnectionPool } from './postgres-pool.ts'
import { isPlannedEachTime } from './statement-marks.ts'
import { announceCommit, newTransaction, noteRows, runInTransaction } from './transaction.ts'

export type NameOf = (sql: string) => string | undefined

/** Names a statement when it is sent a second time, so that the connection plans it only once. */
export function statementNames(capacity = 500): NameOf {
  const seen = new Set<string>()
  const names = new Map<string, string>()
  return (sql) => {
    if (isPlannedEachTime(sql)) return undefined
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

type Send = <Row extends QueryResultRow>(query: string | QueryConfig) => Promise<PgResult<Row>>

/**
 * Sends each statement after the previous one is answered: code in a transaction may run several at once, and pg is
 * deprecating its queue. After a failure that broke the connection, nothing more is sent.
 */
function oneAtATime(client: PoolClient): Send {
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
  /** Overrides the pool's statement timeout. */
  readonly limitMs?: number
  readonly noteFailure?: (failure: unknown) => void
}

function postgresConnection(send: Send, { nameOf, limitMs, noteFailure }: ConnectionOptions): DatabaseConnection {
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
      noteRows(sql, affected, parameters)
      return { rows: result.rows, numAffectedRows: BigInt(affected) }
    },
    streamQuery: refuseStreams,
  }
}

/** Outside a transaction, each statement uses its own connection, and temporary failures become 503. */
export function pooledConnection(
  pool: ConnectionPool,
  { nameOf, toRefusal }: { readonly nameOf: NameOf; readonly toRefusal: ToRefusal },
): DatabaseConnection {
  return {
    executeQuery: <Row>(query: CompiledQuery) =>
      withRetries({ pool, toRefusal, ...requestRetries }, async (): Promise<QueryResult<Row>> => {
        const { client, release } = await pool.borrow('reading')
        let isBroken = false
        try {
          return await postgresConnection((query) => client.query(query), { nameOf }).executeQuery<Row>(query)
        } catch (failure) {
          isBroken = isConnectionSpent(failure)
          throw failure
        } finally {
          release(isBroken)
        }
      }),
    streamQuery: refuseStreams,
  }
}

function refuseStreams(): never {
  throw new TypeError('Streaming is not supported. Read pages with a limit.')
}

export interface TransactionOptions {
  readonly pool: ConnectionPool
  readonly nameOf: NameOf
  readonly limits: PostgresLimits
  /** Whether the connections have their limits already, or each transaction has to set them. */
  readonly limitsAtStart: boolean
  readonly toRefusal: ToRefusal
  readonly store: () => object
}

export interface Transactions {
  run<Result>(work: () => Promise<Result>, workspaceId: number | undefined): Promise<Result>
  /** With long limits, for migrations and for waiting until another process has migrated. */
  runMigration<Result>(work: () => Promise<Result>): Promise<Result>
}

interface Retries {
  readonly codes: ReadonlySet<string>
  readonly most: number
  readonly pauseMs?: number
}

/** Deadlocks and serialization failures: the database rolled back the transaction, which should be retried. */
const rolledBackCodes = ['40001', '40P01']
/** A row that a transaction has found was deleted before it referred to it. The next attempt finds it missing. */
const missingReferenceCode = '23503'
const requestRetries: Retries = { codes: new Set([...rolledBackCodes, missingReferenceCode]), most: 5 }
/** A migration waits briefly for a table, and then lets the requests pass that wait behind it. */
const migrationRetries: Retries = { codes: new Set([...rolledBackCodes, '55P03']), most: 60, pauseMs: 500 }
const migrationLimits = { lockMs: 60_000, statementMs: 3_600_000 }
const rollbackLimitMs = 2000

export function postgresTransactions(options: TransactionOptions): Transactions {
  const { limits, limitsAtStart } = options
  const usual = limitsAtStart ? { begin: `begin; ${allowSeveralTables}` } : { begin: beginWith(limits) }
  const migration = {
    begin: beginWith(migrationLimits, 2 * migrationLimits.statementMs),
    limitMs: clientLimitMs(migrationLimits),
  }
  return {
    run: (work, workspaceId) =>
      withRetries({ ...options, ...requestRetries }, () => runOnce(options, { ...usual, workspaceId }, work)),
    runMigration: (work) => withRetries({ ...options, ...migrationRetries }, () => runOnce(options, migration, work)),
  }
}

interface TransactionStart {
  readonly begin: string
  /** Overrides the pool's statement timeout. */
  readonly limitMs?: number
  readonly workspaceId?: number | undefined
}

/** Sent with `begin`. Limits apply to the transaction only, because a pooler lends the connection to others later. */
function beginWith(
  { lockMs, statementMs }: Pick<PostgresLimits, 'lockMs' | 'statementMs'>,
  idleMs = idleLimitMs,
): string {
  const settings = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
  }
  return [
    'begin',
    allowSeveralTables,
    ...Object.entries(settings).map(([name, ms]) => `set local ${name} = ${ms}`),
  ].join('; ')
}

async function withRetries<Result>(
  { pool, toRefusal, codes, most, pauseMs }: Pick<TransactionOptions, 'pool' | 'toRefusal'> & Retries,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (failure) {
      const isStale = hasStalePlan(failure)
      if (attempt === most || !(isStale || codes.has(codeOf(failure)))) throw toRefusal(failure)
      if (isStale) pool.renew()
      if (pauseMs !== undefined) await new Promise<void>((resolve) => void deadline(pauseMs, resolve))
    }
  }
}

async function runOnce<Result>(
  { pool, nameOf, store }: TransactionOptions,
  { begin, workspaceId, ...limit }: TransactionStart,
  work: () => Promise<Result>,
): Promise<Result> {
  const { client, release } = await pool.borrow('writing', workspaceId)
  const send = oneAtATime(client)
  let isBroken = false
  // Even if a hook swallows the failure on its way up, the broken connection is not lent again.
  const noteFailure = (failure: unknown) => {
    isBroken ||= isConnectionSpent(failure)
  }
  try {
    const transaction = newTransaction(store(), postgresConnection(send, { nameOf, noteFailure, ...limit }))
    await send(begin)
    const result = await runInTransaction(transaction, work)
    if (isBroken) throw unavailableFor('lost')
    await commit(send, noteFailure)
    announceCommit(transaction)
    return result
  } catch (failure) {
    noteFailure(failure)
    if (!isBroken) isBroken = !(await isRolledBack(send))
    throw failure
  } finally {
    release(isBroken)
  }
}

async function commit(send: Send, noteFailure: (failure: unknown) => void): Promise<void> {
  const { command } = await send('commit').catch((failure: unknown) => {
    noteFailure(failure)
    throw isConnectionLost(failure) ? lostInCommit() : failure
  })
  // PostgreSQL reports success for `commit` of a failed transaction, but rolls it back.
  if (command !== 'COMMIT') {
    throw new Error(
      'A statement failed but its error was caught, so the transaction was rolled back. Rethrow the error.',
    )
  }
}

async function isRolledBack(send: Send): Promise<boolean> {
  // pg accepts a limit per statement; its types include only the connection's.
  const rollback: QueryConfig & { query_timeout: number } = { text: 'rollback', query_timeout: rollbackLimitMs }
  return send(rollback).then(
    () => true,
    () => false,
  )
}
