import { AsyncLocalStorage } from 'node:async_hooks'
import { stopwatchMs as systemStopwatchMs } from '../core/clock.ts'
import { nextTurn } from '../core/next-turn.ts'
import type { Durability, WriteOptions } from './store.ts'

// Write transactions that wait at the same time share one `begin immediate … commit`, and so one fsync. Each has its
// own savepoint, so one that fails does not affect the others, and each caller is answered after the commit. Workspaces
// take turns when a group takes long. Groups form with `setImmediate`, because a timer would delay a lone writer.

/** The operations the writer needs from its connection. All are synchronous: SQLite runs in this thread. */
export interface WriterConnection {
  readonly inTransaction: boolean
  run(
    statement: 'begin immediate' | 'commit' | 'rollback' | 'savepoint work' | 'release work' | 'rollback to work',
  ): void
  /** Sets how durable the commit of the next transaction must be. */
  prepareFor(durability: Durability): void
}

interface Waiting {
  readonly work: () => Promise<unknown>
  readonly durability: Durability
  readonly workspaceId: number | undefined
  readonly resolve: (result: never) => void
  readonly reject: (reason: unknown) => void
}

type Outcome = { readonly waiting: Waiting } & ({ readonly result: unknown } | { readonly failure: unknown })

export interface GroupCommit {
  submit<Result>(work: () => Promise<Result>, options?: WriteOptions): Promise<Result>
  idle(): Promise<void>
  /** Resolves when no transaction is open or waiting. */
  drained(): Promise<void>
}

/** Larger groups only make their first transaction wait longer. */
const maxGroupSize = 256

/**
 * A group runs in one event-loop turn, which blocks everything else. After this time it accepts no more transactions,
 * unless a commit takes longer: on a slow disk, larger groups increase throughput.
 */
const maxGroupMs = 10

/** A group that took longer than this yields to the event loop before its commit. */
const longTurnMs = 4

export interface GroupCommitOptions {
  /** Measures how long a group takes. A test about shared commits can stop the clock. */
  readonly stopwatchMs?: () => number
  /**
   * Whether each write runs in the asynchronous context of its caller (`AsyncLocalStorage`), which an embedder's code
   * and observed requests read (default: true). Without it a write costs a fifth less.
   */
  readonly keepsContext?: boolean | undefined
}

export function groupCommit(
  connection: WriterConnection,
  { stopwatchMs = systemStopwatchMs, keepsContext = true }: GroupCommitOptions = {},
): GroupCommit {
  let queue: Waiting[] = []
  let running: Promise<void> | undefined
  let commitMs = 0

  // While each event-loop turn adds transactions, the group waits for another: callers answered by the last commit send
  // their next request within it. A lone writer waits for one turn.
  async function gather(): Promise<void> {
    let seen = 0
    while (queue.length > seen && seen < maxGroupSize) {
      seen = queue.length
      await nextTurn()
    }
  }

  /** Those of the workspaces that have just written wait behind the others. Work for all workspaces keeps its place. */
  function putBack(rest: readonly Waiting[], outcomes: readonly Outcome[]): void {
    const served = new Set(outcomes.map(({ waiting }) => waiting.workspaceId))
    const hadTurn = ({ workspaceId }: Waiting) => Number(workspaceId !== undefined && served.has(workspaceId))
    queue = [...rest, ...queue].toSorted((a, b) => hadTurn(a) - hadTurn(b))
  }

  async function drain(): Promise<void> {
    await gather()
    while (queue.length > 0) {
      const group = queue.slice(0, maxGroupSize)
      queue = queue.slice(maxGroupSize)
      const done = await commitGroup(connection, group, { stopwatchMs, limitMs: Math.max(maxGroupMs, commitMs) })
      if (done.outcomes.length < group.length) putBack(group.slice(done.outcomes.length), done.outcomes)
      commitMs = (commitMs + done.commitMs) / 2
      settle(done.outcomes)
      await gather()
    }
    running = undefined
  }

  return {
    submit: (work, { durability = 'now', workspaceId } = {}) =>
      new Promise((resolve, reject) => {
        queue.push({ work: keepsContext ? inOwnContext(work) : work, durability, workspaceId, resolve, reject })
        running ??= drain()
      }),
    idle: async () => {
      // Without the `running` check, this would loop forever when there is nothing to await.
      while (connection.inTransaction && running !== undefined) await running
    },
    drained: async () => {
      while (running !== undefined) await running
    },
  }
}

/** Runs the work in its caller's asynchronous context, not in that of the first caller in the group. */
function inOwnContext(work: Waiting['work']): Waiting['work'] {
  const enter = AsyncLocalStorage.snapshot()
  return () => enter(work)
}

interface Committed {
  /** Of the first works of the group, as many as the time limit allowed. */
  readonly outcomes: readonly Outcome[]
  readonly commitMs: number
}

async function commitGroup(
  connection: WriterConnection,
  group: readonly Waiting[],
  { stopwatchMs, limitMs }: { stopwatchMs: () => number; limitMs: number },
): Promise<Committed> {
  const outcomes: Outcome[] = []
  try {
    connection.prepareFor(group.some(({ durability }) => durability === 'now') ? 'now' : 'soon')
    connection.run('begin immediate')
    const startedAt = stopwatchMs()
    for (const waiting of group) {
      outcomes.push(await runOne(connection, waiting))
      if (stopwatchMs() - startedAt > limitMs) break
    }
    if (stopwatchMs() - startedAt > longTurnMs) await nextTurn()
    const ranUntil = stopwatchMs()
    connection.run('commit')
    return { outcomes, commitMs: stopwatchMs() - ranUntil }
  } catch (failure) {
    rollBack(connection)
    // Nothing of the group is on disk, so every caller in it gets an error.
    const failed = group.map((waiting, index) => {
      const outcome = outcomes[index]
      return outcome !== undefined && 'failure' in outcome ? outcome : { waiting, failure }
    })
    return { outcomes: failed, commitMs: 0 }
  }
}

/** If the rollback fails too, nothing can be done here; the next `begin` will report it. */
function rollBack(connection: WriterConnection): void {
  try {
    if (connection.inTransaction) connection.run('rollback')
  } catch {
    // Report the first failure.
  }
}

async function runOne(connection: WriterConnection, waiting: Waiting): Promise<Outcome> {
  connection.run('savepoint work')
  try {
    const result = await waiting.work()
    connection.run('release work')
    return { waiting, result }
  } catch (failure) {
    // Some failures (disk full, I/O) end SQLite's whole transaction; then the group fails as one.
    if (!connection.inTransaction) throw failure
    connection.run('rollback to work')
    connection.run('release work')
    return { waiting, failure }
  }
}

function settle(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    if ('failure' in outcome) outcome.waiting.reject(outcome.failure)
    else outcome.waiting.resolve(outcome.result as never) // the queue loses each result type
  }
}
