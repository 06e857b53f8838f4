import type { QueryConfig } from 'pg'
import { announceCommit, newTransaction, runInTransaction } from './current-transaction.ts'
import { clientLimitMs, idleLimitMs, type PostgresLimits } from './postgres-client.ts'
import { type NameOf, oneAtATime, postgresConnection, type Send } from './postgres-connection.ts'
import {
  codeOf,
  isConnectionLost,
  isConnectionSpent,
  lostInCommit,
  type ToRefusal,
  unavailableFor,
} from './postgres-faults.ts'
import type { ConnectionPool } from './postgres-pool.ts'

export interface TransactionOptions {
  readonly pool: ConnectionPool
  readonly nameOf: NameOf
  readonly limits: PostgresLimits
  /** Whether the connections have their limits already, or each transaction has to say them. */
  readonly limitsAtStart: boolean
  readonly toRefusal: ToRefusal
  readonly store: () => object
}

export interface Transactions {
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** With time for what takes long: a migration, and waiting until another process has migrated. */
  runPatiently<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Deadlocks and serialization failures: the database undid the transaction and asks for it again. */
const askedToRepeat = new Set(['40001', '40P01'])
const mostRepeats = 5
const patience = { lockMs: 60_000, statementMs: 3_600_000 }
const rollbackLimitMs = 2000

export function postgresTransactions(options: TransactionOptions): Transactions {
  const { limits, limitsAtStart } = options
  const usual = limitsAtStart ? { begin: 'begin' } : { begin: beginWith(limits) }
  const patient = { begin: beginWith(patience), limitMs: clientLimitMs(patience) }
  return {
    run: (work) => runRepeatedly(options, usual, work),
    runPatiently: (work) => runRepeatedly(options, patient, work),
  }
}

interface Beginning {
  readonly begin: string
  /** In place of the pool's own limit for a statement. */
  readonly limitMs?: number
}

/** In the round trip of `begin`. A pooler gives the connection to others afterwards, so it is said for the transaction. */
function beginWith({ lockMs, statementMs }: Pick<PostgresLimits, 'lockMs' | 'statementMs'>): string {
  const settings = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleLimitMs({ statementMs }),
  }
  return ['begin', ...Object.entries(settings).map(([name, ms]) => `set local ${name} = ${ms}`)].join('; ')
}

async function runRepeatedly<Result>(
  options: TransactionOptions,
  how: Beginning,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await runOnce(options, how, work)
    } catch (failure) {
      if (askedToRepeat.has(codeOf(failure)) && repeat < mostRepeats) continue
      throw options.toRefusal(failure)
    }
  }
}

async function runOnce<Result>(
  { pool, nameOf, store }: TransactionOptions,
  { begin, ...limit }: Beginning,
  work: () => Promise<Result>,
): Promise<Result> {
  const { client, release } = await pool.borrow('writing')
  const send = oneAtATime(client)
  let isBroken = false
  // Whatever becomes of a failure on its way up, a hook may swallow it, the connection is not lent again.
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
  // PostgreSQL answers `commit` of a failed transaction with success and undoes it all the same.
  if (command !== 'COMMIT') {
    throw new Error('A statement of the transaction had failed and its error was not passed on; nothing was committed.')
  }
}

async function isRolledBack(send: Send): Promise<boolean> {
  // pg takes a limit for each statement; its types know only that of the connection.
  const rollback: QueryConfig & { query_timeout: number } = { text: 'rollback', query_timeout: rollbackLimitMs }
  return send(rollback).then(
    () => true,
    () => false,
  )
}
