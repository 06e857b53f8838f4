import { randomBytes } from 'node:crypto'
import { after, stopwatchMs } from '../core/clock.ts'
import type { Store } from './store.ts'

/** Whose changes to follow: a workspace's, and for instance admins also those outside any workspace. */
export interface ChangeScope {
  readonly workspaceId: number
  readonly isInstance: boolean
}

/** Reports commits of this and other processes on the same database to followers, who then read the data again. */
export interface ChangeSignal {
  /**
   * The current position, as text. Later reads of the database include all changes before it. The first call waits
   * until this process receives notifications from the others.
   */
  position(): Promise<string>
  /** Reports changes in a scope after a position, earlier ones at once. Returns a function that stops following. */
  follow(from: ChangeScope & { readonly since: string | undefined }, follower: Follower): () => void
  /** Reports a change that is not stored to the followers in this process. `what` takes the place of a table. */
  announce(workspaceId: number, what: string): void
  /** Sends a note to the other processes, which may lose it. */
  sendNote(note: string): void
  /** Receives the notes of other processes. */
  onNote(receive: (note: string) => void): void
  /** Ends all followers, because the database is replaced or the server stops. */
  close(): Promise<void>
}

export interface Follower {
  /**
   * `tables` have changed (an empty list means any table) up to `position`: `tickets`, or `tickets:12` for an update of
   * the row with this id. `rights` means that someone may have lost access.
   */
  changed(tables: readonly string[], position: string): void
  ended(): void
}

interface Change {
  readonly atMs: number
  /** `note` is not a change: its `tables` are notes. */
  readonly of: number | 'instance' | 'all' | 'note'
  /** An empty list means any table. */
  readonly tables: readonly string[]
}

interface Following extends ChangeScope, Follower {
  notifiedUntilMs: number
}

/** Commits within this time are reported together. */
const batchMs = 50

/** Older changes are forgotten, so any table may have changed before them. */
const maxChanges = 2000

/** Recent changes known to this process. */
function createHistory() {
  const changes: Change[] = []
  let knownFromMs = Number.POSITIVE_INFINITY
  return {
    startNow() {
      knownFromMs = stopwatchMs()
    },
    add(change: Change) {
      changes.push(change)
      if (changes.length > maxChanges) knownFromMs = changes.shift()?.atMs ?? knownFromMs
    },
    /** The changed tables; undefined if any table may have changed. */
    tablesSince(fromMs: number, { workspaceId, isInstance }: ChangeScope): string[] | undefined {
      if (!(fromMs > knownFromMs)) return undefined
      const since = changes.slice(changes.findLastIndex(({ atMs }) => atMs < fromMs) + 1)
      const inScope = since.filter(({ of }) => of === workspaceId || of === 'all' || (of === 'instance' && isInstance))
      return inScope.some(({ tables }) => tables.length === 0) ? undefined : inScope.flatMap(({ tables }) => tables)
    },
  }
}

function createFollowers({ tablesSince }: Pick<ReturnType<typeof createHistory>, 'tablesSince'>, ownPrefix: string) {
  const following = new Set<Following>()
  function notify(follower: Following): void {
    const tables = tablesSince(follower.notifiedUntilMs, follower)
    follower.notifiedUntilMs = stopwatchMs()
    if (tables === undefined || tables.length > 0) follower.changed(tables ?? [], ownPrefix + follower.notifiedUntilMs)
  }
  /** A position issued by another process means nothing here. */
  const toMs = (position: string | undefined) =>
    position?.startsWith(ownPrefix) === true ? Number(position.slice(ownPrefix.length)) : Number.NEGATIVE_INFINITY
  return {
    notifyAll() {
      for (const follower of following) notify(follower)
    },
    add({ since, ...scope }: ChangeScope & { readonly since: string | undefined }, follower: Follower) {
      const added: Following = { ...scope, ...follower, notifiedUntilMs: toMs(since) }
      following.add(added)
      notify(added)
      return () => void following.delete(added)
    },
    end() {
      for (const { ended } of following) ended()
    },
  }
}

/**
 * Reports this process's commits locally and, on a shared database, to the other processes. If the database is not
 * shared, nothing is observed until the first use.
 */
export function createChangeSignal(store: Pick<Store, 'observeTransactions' | 'changeSignals'>): ChangeSignal {
  const { changeSignals } = store
  // A position is a monotonic clock reading: a counter would reveal how much others change.
  const ownPrefix = `${randomBytes(6).toString('base64url')}.`
  const history = createHistory()
  const followers = createFollowers(history, ownPrefix)
  let unwatch: (() => void) | undefined
  let receiveNote: (note: string) => void = () => undefined
  let receiving: Promise<() => Promise<void>> | undefined

  function watch(): void {
    if (unwatch !== undefined) return
    unwatch = watchCommits(store, {
      committed: history.add,
      gathered(changes) {
        followers.notifyAll()
        // A lost notification is harmless, see StoreSignals.
        changeSignals?.send(toMessage(ownPrefix, changes)).catch(() => undefined)
      },
    })
    if (changeSignals === undefined) history.startNow()
  }

  function receive(message: string): void {
    if (message.startsWith(ownPrefix)) return
    for (const { of, tables } of fromMessage(message)) {
      if (of === 'note') for (const note of tables) receiveNote(note)
      else history.add({ atMs: stopwatchMs(), of, tables })
    }
    followers.notifyAll()
  }

  function start(): void {
    watch()
    if (changeSignals === undefined || receiving !== undefined) return
    receiving = changeSignals.receive(receive)
    receiving = receiving.then((end) => {
      history.startNow()
      return end
    })
  }

  if (changeSignals !== undefined) watch()
  return {
    async position() {
      start()
      await receiving?.catch(() => undefined)
      return ownPrefix + stopwatchMs()
    },
    follow(from, follower) {
      start()
      return followers.add(from, follower)
    },
    announce(workspaceId, what) {
      history.add({ atMs: stopwatchMs(), of: workspaceId, tables: [what] })
      followers.notifyAll()
    },
    sendNote(note) {
      changeSignals?.send(toMessage(ownPrefix, [{ of: 'note', tables: [note] }])).catch(() => undefined)
    },
    onNote(receive) {
      receiveNote = receive
    },
    async close() {
      unwatch?.()
      followers.end()
      await receiving?.then((end) => end()).catch(() => undefined)
    },
  }
}

/** PostgreSQL limits a NOTIFY payload to 7999 bytes. */
const maxMessageLength = 7000

/** The changed tables by scope. If they do not fit, the word is empty, which means any table. */
function toMessage(prefix: string, changes: readonly Omit<Change, 'atMs'>[]): string {
  const gathered = new Map<Change['of'], Set<string>>()
  for (const { of, tables } of changes) gathered.set(of, new Set([...(gathered.get(of) ?? []), ...tables]))
  const message = prefix + JSON.stringify([...gathered].map(([of, tables]) => ({ of, tables: [...tables] })))
  return message.length > maxMessageLength ? '' : message
}

const fromMessage = (message: string): Omit<Change, 'atMs'>[] =>
  message === '' ? [{ of: 'all', tables: [] }] : JSON.parse(message.slice(message.indexOf('.') + 1)) // `toWord` wrote it

/** Internal tables that change on every request or continuously and that no page shows. */
const ignoredTables = new Set([
  'delivery_queues',
  'idempotency_keys',
  'one_time_links',
  'operation_marks',
  'rate_limit_windows',
  'sessions',
  'ticket_search',
])

/** Tables that decide who may see what. A change of any row may end the access of a follower in any scope. */
const rightsTables = new Set(['members', 'users', 'workspaces'])

/** A session only ends by a deletion; other statements record its use. */
const mayEndAccess = (sql: string, table: string) =>
  rightsTables.has(table) || (table === 'sessions' && sql.startsWith('delete'))

interface Watching {
  committed(change: Change): void
  gathered(changes: readonly Change[]): void
}

interface Commit {
  readonly changed: ReadonlySet<string>
  readonly mayEnd: boolean
  readonly workspaceIds: ReadonlySet<number>
}

function changesOf({ changed, mayEnd, workspaceIds }: Commit): Change[] {
  const atMs = stopwatchMs()
  const scopes = workspaceIds.size === 0 ? (['instance'] as const) : [...workspaceIds]
  return [
    ...(mayEnd ? [{ atMs, of: 'all' as const, tables: ['rights'] }] : []),
    ...(changed.size === 0 ? [] : scopes.map((of) => ({ atMs, of, tables: [...changed] }))),
  ]
}

function watchCommits(store: Pick<Store, 'observeTransactions'>, watching: Watching): () => void {
  let gathered: Change[] = []
  const flush = () => {
    watching.gathered(gathered)
    gathered = []
  }
  return store.observeTransactions(() => {
    const changed = new Set<string>()
    let mayEnd = false
    return {
      statementRan(sql, rows, parameters) {
        const table = rows > 0 ? tableWrittenBy(sql) : undefined
        if (table === undefined) return
        mayEnd ||= mayEndAccess(sql, table)
        if (ignoredTables.has(table)) return
        const id = parameters[findIdParameter(sql)]
        changed.add(id === undefined ? table : `${table}:${id}`)
      },
      committed(_, workspaceIds) {
        const changes = changesOf({ changed, mayEnd, workspaceIds })
        if (changes.length > 0 && gathered.length === 0) after(batchMs, flush)
        for (const change of changes) {
          watching.committed(change)
          gathered.push(change)
        }
      },
    }
  })
}

/** Statements repeat, so the table of each is cached. */
const tableByStatement = new Map<string, string | undefined>()
const maxCachedStatements = 2000

/** Words that may follow `update` instead of a table: `for update skip locked`, `on conflict do update set`. */
const clauses = new Set(['nowait', 'of', 'set', 'skip'])

/** The only table that a statement writes, quoted or not; undefined if there are several or none. */
export function tableWrittenBy(sql: string): string | undefined {
  if (tableByStatement.has(sql)) return tableByStatement.get(sql)
  const found = [...sql.matchAll(/\b(?:insert into|update|delete from) "?(\w+)/g)].map(([, table = '']) => table)
  const tables = new Set(found.filter((table) => !clauses.has(table)))
  const table = tables.size === 1 ? [...tables][0] : undefined
  if (tableByStatement.size >= maxCachedStatements) tableByStatement.clear()
  tableByStatement.set(sql, table)
  return table
}

/** The index of the id in `update … where workspace_id = … and id = …`; -1 for other statements. */
function findIdParameter(sql: string): number {
  const found = /^update .* where (?:"workspace_id" = (?:\+\?|\$\d+) and )?"id" = (?:\+\?|\$(\d+))/s.exec(sql)
  if (found === null) return -1
  const [before, number] = found
  return (number === undefined ? before.split('?').length - 1 : Number(number)) - 1
}
