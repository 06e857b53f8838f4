import { randomBytes } from 'node:crypto'
import { after, stopwatchMs } from '../core/clock.ts'
import type { Store } from './store.ts'

/** Whose changes are told: a workspace's, and to administrators of the instance also those of no workspace. */
export interface ChangeScope {
  readonly workspaceId: number
  readonly isInstance: boolean
}

/** Tells what is committed, here or by another process on the same database, for who shows it and asks again. */
export interface ChangeSignal {
  /**
   * The present moment, as text. What is read of the database afterwards shows all that happened before it. The first one
   * waits until the other processes are heard.
   */
  position(): Promise<string>
  /** Tells what changes in a scope from a position on, at once what has changed since. Gives back what ends it. */
  follow(from: ChangeScope & { readonly since: string | undefined }, follower: Follower): () => void
  /** Ends what is followed, as another database takes the place of this one or the server stops. */
  close(): Promise<void>
}

export interface Follower {
  /** With the tables that have changed, of which none stands for any, and the position until which they are told. */
  changed(tables: readonly string[], position: string): void
  ended(): void
}

interface Change {
  readonly atMs: number
  readonly of: number | 'instance' | 'all'
  /** None stands for any. */
  readonly tables: readonly string[]
}

interface Following extends ChangeScope, Follower {
  toldUntilMs: number
}

/** Many commits within so short a time are told as one. */
const gatherMs = 50

/** Of what happened before these nothing is known: then anything may have changed. */
const mostRemembered = 2000

/** What has changed lately, as far as it is known here. */
function createHistory() {
  const changes: Change[] = []
  let knownFromMs = Number.POSITIVE_INFINITY
  return {
    knowFromNow() {
      knownFromMs = stopwatchMs()
    },
    add(change: Change) {
      changes.push(change)
      if (changes.length > mostRemembered) knownFromMs = changes.shift()?.atMs ?? knownFromMs
    },
    /** The tables that have changed; undefined where any may have. */
    tablesSince(fromMs: number, { workspaceId, isInstance }: ChangeScope): string[] | undefined {
      if (!(fromMs > knownFromMs)) return undefined
      const since = changes.slice(changes.findLastIndex(({ atMs }) => atMs < fromMs) + 1)
      const told = since.filter(({ of }) => of === workspaceId || of === 'all' || (of === 'instance' && isInstance))
      return told.some(({ tables }) => tables.length === 0) ? undefined : told.flatMap(({ tables }) => tables)
    },
  }
}

/**
 * A process tells its own commits here, and to the others where several share the database. Where none do, nothing is
 * watched until somebody asks.
 */
export function createChangeSignal(store: Pick<Store, 'observeTransactions' | 'changeSignals'>): ChangeSignal {
  const { changeSignals } = store
  // A position is a reading of the stopwatch: a count of changes would tell how much others do.
  const ownPrefix = `${randomBytes(6).toString('base64url')}.`
  const following = new Set<Following>()
  const history = createHistory()
  let unwatch: (() => void) | undefined
  let hearing: Promise<() => Promise<void>> | undefined

  function tell(follower: Following): void {
    const tables = history.tablesSince(follower.toldUntilMs, follower)
    follower.toldUntilMs = stopwatchMs()
    if (tables === undefined || tables.length > 0) follower.changed(tables ?? [], ownPrefix + follower.toldUntilMs)
  }

  function tellAll(): void {
    for (const follower of following) tell(follower)
  }

  function watch(): void {
    if (unwatch !== undefined) return
    unwatch = watchCommits(store, {
      committed: history.add,
      gathered(changes) {
        tellAll()
        // A lost word is no harm, see StoreSignals.
        changeSignals?.send(toWord(ownPrefix, changes)).catch(() => undefined)
      },
    })
    if (changeSignals === undefined) history.knowFromNow()
  }

  function start(): void {
    watch()
    if (changeSignals === undefined || hearing !== undefined) return
    hearing = changeSignals.receive((word) => {
      if (word.startsWith(ownPrefix)) return
      for (const { of, tables } of fromWord(word)) history.add({ atMs: stopwatchMs(), of, tables })
      tellAll()
    })
    hearing = hearing.then((end) => {
      history.knowFromNow()
      return end
    })
  }

  /** What another process has called a position says nothing here. */
  const toMs = (position: string | undefined) =>
    position?.startsWith(ownPrefix) === true ? Number(position.slice(ownPrefix.length)) : Number.NEGATIVE_INFINITY

  if (changeSignals !== undefined) watch()
  return {
    async position() {
      start()
      await hearing?.catch(() => undefined)
      return ownPrefix + stopwatchMs()
    },
    follow({ since, ...scope }, follower) {
      start()
      const added: Following = { ...scope, ...follower, toldUntilMs: toMs(since) }
      following.add(added)
      tell(added)
      return () => void following.delete(added)
    },
    async close() {
      unwatch?.()
      for (const { ended } of following) ended()
      await hearing?.then((end) => end()).catch(() => undefined)
    },
  }
}

/** PostgreSQL takes 7999 bytes in a NOTIFY. */
const longestWord = 7000

/** The tables that have changed, by whose they are. Too many of them are an empty word, which stands for any. */
function toWord(prefix: string, changes: readonly Change[]): string {
  const gathered = new Map<Change['of'], Set<string>>()
  for (const { of, tables } of changes) gathered.set(of, new Set([...(gathered.get(of) ?? []), ...tables]))
  const word = prefix + JSON.stringify([...gathered].map(([of, tables]) => ({ of, tables: [...tables] })))
  return word.length > longestWord ? '' : word
}

const fromWord = (word: string): Omit<Change, 'atMs'>[] =>
  word === '' ? [{ of: 'all', tables: [] }] : JSON.parse(word.slice(word.indexOf('.') + 1)) // written by `toWord`

/** What the platform notes down for itself, at each request or all the time; no page shows it. */
const unseen = new Set([
  'delivery_queues',
  'idempotency_keys',
  'one_time_links',
  'operation_marks',
  'rate_limit_windows',
  'sessions',
  'ticket_search',
])

interface Watching {
  committed(change: Change): void
  gathered(changes: readonly Change[]): void
}

function watchCommits(store: Pick<Store, 'observeTransactions'>, watching: Watching): () => void {
  let gathered: Change[] = []
  const flush = () => {
    watching.gathered(gathered)
    gathered = []
  }
  return store.observeTransactions(() => {
    const changed = new Set<string>()
    return {
      statementRan(sql, rows) {
        const table = rows > 0 ? tableWrittenBy(sql) : undefined
        if (table !== undefined && !unseen.has(table)) changed.add(table)
      },
      committed(_, workspaceIds) {
        if (changed.size === 0) return
        if (gathered.length === 0) after(gatherMs, flush)
        for (const of of workspaceIds.size === 0 ? (['instance'] as const) : workspaceIds) {
          const change = { atMs: stopwatchMs(), of, tables: [...changed] }
          watching.committed(change)
          gathered.push(change)
        }
      },
    }
  })
}

/** Statements come again and again, so what each writes is kept; so many different ones there are not. */
const written = new Map<string, string | undefined>()
const mostKept = 2000

/** What may follow `update` where no table does: `for update skip locked`, `on conflict do update set`. */
const clauses = new Set(['nowait', 'of', 'set', 'skip'])

/** The one table that a statement writes, quoted or not; undefined where there are several, or none is found. */
export function tableWrittenBy(sql: string): string | undefined {
  if (written.has(sql)) return written.get(sql)
  const found = [...sql.matchAll(/\b(?:insert into|update|delete from) "?(\w+)/g)].map(([, table = '']) => table)
  const tables = new Set(found.filter((table) => !clauses.has(table)))
  const table = tables.size === 1 ? [...tables][0] : undefined
  if (written.size >= mostKept) written.clear()
  written.set(sql, table)
  return table
}
