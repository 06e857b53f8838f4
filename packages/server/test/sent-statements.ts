import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'

// Collects the text of every statement on rows that the servers of the tests send. Migrations, `begin`, and the separate
// connections of tests, copies, and backups do not count.

export interface SentStatement {
  readonly dialect: 'sqlite' | 'postgres'
  readonly text: string
  /** Whether it was sent to answer a request, and not by a start, a command, or work in the background. */
  readonly isInRequest: boolean
}

const requests = new AsyncLocalStorage<true>()

/** Runs a request. What it sends counts as sent by it. */
export const inRequest = <Answer>(send: () => Answer): Answer => requests.run(true, send)

/** Whether this runs for a request, and not in the background. */
export const isInRequest = (): boolean => requests.getStore() === true

subscribe('http.server.request.start', () => requests.enterWith(true))

const seen = new Set<string>()
const unread: SentStatement[] = []

/** The statements that were sent for the first time since the last call. */
export const takeSentStatements = (): readonly SentStatement[] => unread.splice(0)

function note(dialect: SentStatement['dialect'], text: string): void {
  const isForRequest = isInRequest()
  const key = `${dialect} ${isForRequest} ${text}`
  if (seen.has(key)) return
  seen.add(key)
  unread.push({ dialect, text, isInRequest: isForRequest })
}

// Only the store uses pools. Tests, copies, and backups use separate connections.
pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
  apply(query, client: object, given: unknown[]) {
    const [asked] = given as [string | { readonly text?: string }]
    const text = typeof asked === 'string' ? asked : asked.text
    if ('release' in client && text !== undefined) note('postgres', text)
    return Reflect.apply(query, client, given)
  },
})

SqliteDatabase.prototype.prepare = new Proxy(SqliteDatabase.prototype.prepare, {
  apply(prepare, database: object, given: [string]) {
    const { stack = '' } = new Error('Captures the caller.')
    if (isAboutRows(given[0]) && stack.includes('/store/sqlite.ts')) note('sqlite', given[0])
    return Reflect.apply(prepare, database, given)
  },
})

export const isAboutRows = (text: string) => /^\s*(\/\*.*?\*\/\s*)*(select|insert|update|delete|with)\b/i.test(text)
