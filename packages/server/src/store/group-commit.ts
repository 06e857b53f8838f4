import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from '../real-timers.ts'
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
  submit<Result>(work: () => Promise<Result>, durability?: Durability): Promise<Result>
  /** Resolves when no transaction is open. */
  idle(): Promise<void>
  /** Resolves when none is open and none waits for its turn. */
  drained(): Promise<void>
}

/** More than this many in one commit only makes the first of them wait longer. */
const largestGroup = 256

export function groupCommit(connection: WriterConnection): GroupCommit {
  let queue: Waiting[] = []
  let running: Promise<void> | undefined

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
      settle(await commitGroup(connection, group))
      await gather()
    }
    running = undefined
  }

  return {
    submit: (work, durability = 'now') =>
      new Promise((resolve, reject) => {
        // Each work runs in its caller's own asynchronous context, not in that of whoever came first in the group.
        const inOwnContext = AsyncLocalStorage.snapshot()
        queue.push({ work: () => inOwnContext(work), durability, resolve, reject })
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

async function commitGroup(connection: WriterConnection, group: readonly Waiting[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  try {
    connection.prepareFor(group.some(({ durability }) => durability === 'now') ? 'now' : 'soon')
    connection.run('begin immediate')
    for (const waiting of group) outcomes.push(await runOne(connection, waiting))
    connection.run('commit')
    return outcomes
  } catch (failure) {
    undo(connection)
    // Nothing of the group is on disk, so nobody in it may be told otherwise.
    return group.map((waiting, index) => {
      const outcome = outcomes[index]
      return outcome !== undefined && 'failure' in outcome ? outcome : { waiting, failure }
    })
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

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
