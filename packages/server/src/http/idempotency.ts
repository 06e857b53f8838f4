import { createHash } from 'node:crypto'
import { validation } from '../api-error.ts'
import { microsPerDay } from '../clock.ts'
import type { App, TxApp } from '../context.ts'
import { inTransaction } from '../store/transaction.ts'

// The key's row commits in the transaction of the change, so a crash leaves both or neither; a second request with the
// key waits for the first and then gets its answer.

/** A status and the JSON text of a body. */
export interface Answer {
  readonly status: number
  readonly json: string
  readonly replayed?: boolean
  /** JSON unless told otherwise. */
  readonly contentType?: string
}

export interface KeyedRequest {
  readonly scope: string
  readonly key: string
  /** What makes two requests the same: method, path and body bytes. */
  readonly request: readonly (string | Uint8Array)[]
}

const longestKey = 255

/** Runs `answer` once per key within 24 h; the same request again gets the stored answer, another one 422. */
export function answerOnce(app: App, keyed: KeyedRequest, answer: (app: TxApp) => Promise<Answer>): Promise<Answer> {
  requireKey(keyed.key)
  const request_hash = hashOf(keyed.request)
  return inTransaction(app, async (app) => {
    await forgetExpired(app)
    if (!(await claim(app, keyed, request_hash))) return replay(app, keyed, request_hash)
    const fresh = await answer(app)
    await keep(app, keyed, fresh)
    return fresh
  })
}

function requireKey(key: string): void {
  if (key.length > 0 && key.length <= longestKey && /^[\x21-\x7e]+$/.test(key)) return
  throw validation({
    'Idempotency-Key': [`The Idempotency-Key header must have 1 to ${longestKey} printable characters.`],
  })
}

function hashOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

const forgetExpired = (app: TxApp) =>
  app.db.deleteFrom('idempotency_keys').where('expires_at', '<=', app.clock.now()).execute()

async function claim(app: TxApp, { scope, key }: KeyedRequest, request_hash: string): Promise<boolean> {
  const claimed = await app.db
    .insertInto('idempotency_keys')
    .values({ scope, key, request_hash, status: null, answer: null, expires_at: app.clock.now() + microsPerDay })
    .onConflict((conflict) => conflict.columns(['scope', 'key']).doNothing())
    .returning('key')
    .execute()
  return claimed.length > 0
}

async function replay(app: TxApp, { scope, key }: KeyedRequest, request_hash: string): Promise<Answer> {
  const kept = await app.db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'answer'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (kept.request_hash === request_hash && kept.status !== null && kept.answer !== null) {
    return { status: kept.status, json: kept.answer, replayed: true }
  }
  throw validation({ 'Idempotency-Key': ['The Idempotency-Key header was used with another request; send a new key.'] })
}

const keep = (app: TxApp, { scope, key }: KeyedRequest, { status, json }: Answer) =>
  app.db
    .updateTable('idempotency_keys')
    .set({ status, answer: json })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .execute()
