import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Sqlite from 'better-sqlite3'
import { databaseFile } from '../data/seed.ts'

// What both floors share. A floor does the documented work of a route and nothing else, with node:http and
// better-sqlite3 as a careful person would write it by hand: no framework, no layers, no log, no request ids.

export interface FloorCaller {
  readonly tokenId: number
  readonly workspaceId: number
  readonly userId: number
}

const path = /^\/api\/v1\/workspaces\/(\d+)\/tickets$/
const limit = 1_000_000_000
const windowMs = 60_000

export function openFloorDatabase(): Sqlite.Database {
  const database = new Sqlite(databaseFile(process.argv[2] ?? ''))
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = full')
  database.pragma('foreign_keys = on')
  return database
}

type TokenRow = [
  id: number,
  workspaceId: number,
  userId: number,
  scopes: string,
  expires: number | null,
  revoked: number | null,
]

/** The caller, or the status of the refusal: 404, 401, 403 in the documented order. */
export function floorBearer(database: Sqlite.Database, scope: string) {
  const find = database
    .prepare('select id, workspace_id, user_id, scopes, expires_at, revoked_at from api_tokens where token_hash = ?')
    .raw()
  return ({ url = '', headers }: IncomingMessage): FloorCaller | 401 | 403 | 404 => {
    const workspace = path.exec(url)?.[1]
    if (workspace === undefined) return 404
    const token = headers.authorization?.startsWith('Bearer ') ? headers.authorization.slice(7) : ''
    const hash = createHash('sha256').update(token).digest('hex')
    const row = find.get(hash) as TokenRow | undefined // the columns above
    if (row === undefined) return 401
    const [tokenId, workspaceId, userId, scopes, expiresAt, revokedAt] = row
    if (revokedAt !== null || (expiresAt !== null && expiresAt <= Date.now() * 1000)) return 401
    if (workspaceId !== Number(workspace) || !scopes.includes(`"${scope}"`)) return 403
    return { tokenId, workspaceId, userId }
  }
}

/** A fixed window per token, in memory. Answers how many requests are left in it. */
export function floorLimiter(): (tokenId: number) => number {
  const windows = new Map<number, { hits: number; endsAt: number }>()
  return (tokenId) => {
    const now = Date.now()
    let window = windows.get(tokenId)
    if (window === undefined || now >= window.endsAt) {
      window = { hits: 0, endsAt: now + windowMs }
      windows.set(tokenId, window)
    }
    window.hits += 1
    return limit - window.hits
  }
}

export interface FloorAnswer {
  readonly status: number
  readonly json: string
  readonly remaining?: number
}

export const refused = (status: number): FloorAnswer => ({ status, json: '{"message":"Refused."}' })

export function reply(response: ServerResponse, { status, json, remaining = 0 }: FloorAnswer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(json),
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
  })
  response.end(json)
}

export function serveFloor(handle: (request: IncomingMessage, response: ServerResponse) => void): void {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo // a TCP server that listens has one
    console.log(JSON.stringify({ event: 'ready', base_url: `http://127.0.0.1:${port}/api/v1` }))
  })
  process.once('SIGTERM', () => process.exit(0))
}
