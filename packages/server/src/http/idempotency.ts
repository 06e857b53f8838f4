import { createHash } from 'node:crypto'
import type { App, TxApp } from '../context.ts'
import { microsPerDay } from '../core/clock.ts'
import { validation } from '../core/errors.ts'
import { isJsonObject } from '../core/json.ts'
import { type Cipher, responseContext } from '../encryption/cipher.ts'
import { encrypt } from '../encryption/encryption-key.ts'
import { inTransaction } from '../store/transaction.ts'
import type { TextResult } from './handler-result.ts'

// The key's row commits in the transaction of the change, so a crash keeps both or neither. A second request with the
// same key waits for the first and then gets its response.

export interface KeyedRequest {
  /** The workspace of the request; undefined for instance routes. */
  readonly workspaceId: number | undefined
  readonly scope: string
  readonly key: string
  readonly request: readonly (string | Uint8Array)[]
  readonly cipher?: Cipher
  readonly hasSecrets?: (answer: unknown) => boolean
}

const maxKeyLength = 255
/** Real ids start at 1. */
const noWorkspace = 0

/**
 * Runs `answer` once per key within 24 h. A repeated request gets the stored response, a different one 422. A refusal is
 * not stored, so that the request can be repeated once its cause is gone.
 */
export function runOnce(
  app: App,
  keyed: KeyedRequest,
  answer: (app: TxApp) => Promise<TextResult>,
): Promise<TextResult> {
  requireKey(keyed.key)
  const request_hash = hashOf(keyed.request)
  return inTransaction(app, async (app) => {
    await deleteKey(app, keyed).where('expires_at', '<=', app.clock.now()).execute()
    if (!(await claim(app, keyed, request_hash))) return replay(app, keyed, request_hash)
    const fresh = await answer(app)
    if (fresh.status < 400 && fresh.isRefusal !== true) await storeResponse(app, keyed, fresh)
    else await deleteKey(app, keyed).execute()
    return fresh
  })
}

function requireKey(key: string): void {
  if (key.length > 0 && key.length <= maxKeyLength && /^[\x21-\x7e]+$/.test(key)) return
  throw validation({
    'Idempotency-Key': [
      `The Idempotency-Key header must have 1 to ${maxKeyLength} printable ASCII characters without spaces.`,
    ],
  })
}

function hashOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(typeof part === 'string' ? part : normalizeBody(part)).update('\0')
  return hash.digest('hex')
}

/** JSON without white space and with sorted keys, because two senders may write the same body differently. */
function normalizeBody(body: Uint8Array): string | Uint8Array {
  try {
    return JSON.stringify(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)), sortKeys)
  } catch {
    return body // another format, such as a form, or nested too deeply
  }
}

const sortKeys = (_key: string, value: unknown) =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value

/** Other expired keys are deleted in small batches, see `retention.ts`. */
const deleteKey = (app: TxApp, { workspaceId = noWorkspace, scope, key }: KeyedRequest) =>
  app.db
    .deleteFrom('idempotency_keys')
    .where('workspace_id', '=', workspaceId)
    .where('scope', '=', scope)
    .where('key', '=', key)

async function claim(
  app: TxApp,
  { workspaceId: workspace_id = noWorkspace, scope, key }: KeyedRequest,
  request_hash: string,
): Promise<boolean> {
  const expires_at = app.clock.now() + microsPerDay
  const claimed = await app.db
    .insertInto('idempotency_keys')
    .values({ workspace_id, scope, key, request_hash, status: null, answer: null, expires_at })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'scope', 'key']).doNothing())
    .returning('key')
    .execute()
  return claimed.length > 0
}

async function replay(app: TxApp, keyed: KeyedRequest, request_hash: string): Promise<TextResult> {
  const { workspaceId = noWorkspace, scope, key, cipher } = keyed
  const recorded = await app.db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'answer'])
    .where('workspace_id', '=', workspaceId)
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (recorded.request_hash === request_hash && recorded.status !== null && recorded.answer !== null) {
    const { answer } = recorded
    const text =
      cipher?.isReadable(answer) === true
        ? cipher.decrypt(answer, responseContext({ workspaceId, scope, key }))
        : answer
    return { kind: 'text', status: recorded.status, text, headers: { 'idempotency-replayed': 'true' } }
  }
  throw validation({ 'Idempotency-Key': ['The Idempotency-Key header was used with another request; send a new key.'] })
}

async function storeResponse(app: TxApp, keyed: KeyedRequest, { status, text }: TextResult) {
  const { workspaceId = noWorkspace, scope, key, cipher, hasSecrets } = keyed
  const context = responseContext({ workspaceId, scope, key })
  const isSecret = hasSecrets?.(JSON.parse(text)) === true
  const answer = isSecret && cipher !== undefined ? await encrypt(app, text, context) : text
  await app.db
    .updateTable('idempotency_keys')
    .set({ status, answer })
    .where('workspace_id', '=', workspaceId)
    .where('scope', '=', scope)
    .where('key', '=', key)
    .execute()
}
