import { after } from '../core/clock.ts'
import type { Store } from './store.ts'

/** Tells what has been committed, for who shows it and asks again. */
export interface ChangeSignal {
  /** Calls `act` with the tables that have changed; none stands for any. Gives back what ends it. */
  onChange(act: (tables: readonly string[]) => void): () => void
}

/** Many commits within so short a time are told as one. */
const gatherMs = 50

/** What the platform notes down for itself, at each request or all the time; no page shows it. */
const unseen = new Set([
  'delivery_queues',
  'idempotency_keys',
  'one_time_links',
  'operation_marks',
  'rate_limit_windows',
  'sessions',
])

type Tell = (tables: readonly string[]) => void

/**
 * Where several processes share the database, what each commits is sent to all by the database; else
 * nothing is watched until there is a listener.
 */
export function createChangeSignal(store: Store): ChangeSignal {
  const listeners = new Set<Tell>()
  const tell: Tell = (tables) => {
    for (const act of listeners) act(tables)
  }
  const { changeSignals } = store
  const source = changeSignals === undefined ? ownCommits(store, tell) : commitsOfAll(changeSignals, tell)
  // A lost word is no harm, see StoreSignals.
  if (changeSignals !== undefined)
    watchCommits(store, (tables) => void changeSignals.send(tables.join(' ')).catch(() => undefined))
  return {
    onChange(act) {
      if (listeners.size === 0) source.start()
      listeners.add(act)
      return () => {
        if (listeners.delete(act) && listeners.size === 0) source.stop()
      }
    },
  }
}

interface Source {
  start(): void
  stop(): void
}

function ownCommits(store: Store, tell: Tell): Source {
  let end = () => undefined as unknown
  return {
    start() {
      end = watchCommits(store, tell)
    },
    stop: () => void end(),
  }
}

function commitsOfAll(signals: NonNullable<Store['changeSignals']>, tell: Tell): Source {
  let ending: Promise<() => Promise<void>> | undefined
  return {
    start() {
      ending = signals.receive((word) => tell(word.split(' ').filter(Boolean)))
      ending.catch(() => undefined)
    },
    stop() {
      void ending?.then((end) => end()).catch(() => undefined)
    },
  }
}

function watchCommits(store: Store, tell: Tell): () => void {
  const gathered = new Set<string>()
  const flush = () => {
    const tables = [...gathered]
    gathered.clear()
    tell(tables)
  }
  return store.observeTransactions(() => {
    const changed = new Set<string>()
    return {
      statementRan(sql, rows) {
        const table = rows > 0 ? tableWrittenBy(sql) : undefined
        if (table !== undefined && !unseen.has(table)) changed.add(table)
      },
      committed() {
        if (changed.size === 0) return
        if (gathered.size === 0) after(gatherMs, flush)
        for (const table of changed) gathered.add(table)
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
