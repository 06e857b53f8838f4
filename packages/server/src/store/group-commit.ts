import { AsyncLocalStorage } from 'node:async_hooks'
import { stopwatchMs as systemStopwatchMs } from '../core/clock.ts'
import { nextTurn } from '../core/next-turn.ts'
import type { Durability } from './store.ts'

// Write transactions that wait at the same moment share one `begin immediate … commit`: one fsync for all of them.
// Each has its own savepoint, so one that fails takes nothing of the others with it, and each answer waits for the
// commit. Gathering is by `setImmediate`, never by a timer: a timer makes a lone writer wait for nobody.

/** The six things the writer needs from its connection. All are synchronous: SQLite runs in this thread. */
export interface WriterConnection {
  readonly inTransaction: boolean
  run(
    statement: 'begin immediate' | 'commit' | 'rollback' | 'savepoint work' | 'release work' | 'rollback to work',
  ): void
  /** Said before a transaction: how durable its commit must be. */
  prepareFor(durability: Durability): void
}

interface Waiting {
  readonly work: () => Promise<unknown>
  readonly durability: Durability
  readonly resolve: (result: never) => void
  readonly reject: (reason: unknown) => void
}

type Outcome = { readonly waiting: Waiting } & ({ readonly result: unknown } | { readonly failure: unknown })

export interface GroupCommit {
  submit<Result>(work: () => Promise<Result>, options?: SubmitOptions): Promise<Result>
  idle(): Promise<void>
  /** Resolves when none is open and none waits for its turn. */
  drained(): Promise<void>
}

interface SubmitOptions {
  readonly durability?: Durability
}

/** More than this many in one commit only makes the first of them wait longer. */
const largestGroup = 256

/**
 * A group runs in one turn of the event loop, in which nothing else is answered. After this long it takes no more, unless a
 * commit takes longer than that: then larger groups are what keeps a slow disk in use.
 */
const longestGroupMs = 10

/** Before its commit a group that has taken longer lets others have a turn. */
const longTurnMs = 4

export interface GroupCommitOptions {
  /** Measures how long a group takes; a test that asks what shares a commit lets no time pass. */
  readonly stopwatchMs?: () => number
  /**
   * Whether each write runs in the asynchronous context of its caller (`AsyncLocalStorage`), which an embedder's code and
   * observed requests look at; the default. Without it a write costs a fifth less.
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

  // While one turn of the event loop brings more, another is waited for: the callers that the last commit answered send
  // their next request within it. A lone writer waits for one turn, as ever.
  async function gather(): Promise<void> {
    let seen = 0
    while (queue.length > seen && seen < largestGroup) {
      seen = queue.length
      await nextTurn()
    }
  }

  async function drain(): Promise<void> {
    await gather()
    while (queue.length > 0) {
      const group = queue.slice(0, largestGroup)
      queue = queue.slice(largestGroup)
      const done = await commitGroup(connection, group, { stopwatchMs, limitMs: Math.max(longestGroupMs, commitMs) })
      queue = [...group.slice(done.outcomes.length), ...queue]
      commitMs = (commitMs + done.commitMs) / 2
      settle(done.outcomes)
      await gather()
    }
    running = undefined
  }

  return {
    submit: (work, { durability = 'now' } = {}) =>
      new Promise((resolve, reject) => {
        queue.push({ work: keepsContext ? inOwnContext(work) : work, durability, resolve, reject })
        running ??= drain()
      }),
    idle: async () => {
      // `running` is checked too: waiting for nobody would be an endless loop.
      while (connection.inTransaction && running !== undefined) await running
    },
    drained: async () => {
      while (running !== undefined) await running
    },
  }
}

/** The work in its caller's own asynchronous context, not in that of whoever came first in the group. */
function inOwnContext(work: Waiting['work']): Waiting['work'] {
  const enter = AsyncLocalStorage.snapshot()
  return () => enter(work)
}

interface Committed {
  /** Of the first works of the group, as many as there was time for. */
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
    undo(connection)
    // Nothing of the group is on disk, so nobody in it may be told otherwise.
    const failed = group.map((waiting, index) => {
      const outcome = outcomes[index]
      return outcome !== undefined && 'failure' in outcome ? outcome : { waiting, failure }
    })
    return { outcomes: failed, commitMs: 0 }
  }
}

/** A rollback that fails too leaves nothing to undo it with; the next `begin` will tell. */
function undo(connection: WriterConnection): void {
  try {
    if (connection.inTransaction) connection.run('rollback')
  } catch {
    // The first failure is the one to tell.
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
    else outcome.waiting.resolve(outcome.result as never) // the queue forgets each work's own result type
  }
}
