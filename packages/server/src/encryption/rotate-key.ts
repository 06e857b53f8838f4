import { type RawBuilder, sql } from 'kysely'
import type { App } from '../context.ts'
import { conflict, unavailable } from '../core/errors.ts'
import { OpenError } from '../store/open-error.ts'
import type { Store } from '../store/store.ts'
import { inTransaction } from '../store/transaction.ts'
import { acrossWorkspaces } from '../store/workspace-keys.ts'
import {
  type Cipher,
  headersContext,
  integrationContext,
  leadSourceContext,
  responseContext,
  secretContext,
  urlContext,
} from './cipher.ts'
import { replaceFingerprint } from './encryption-key.ts'
import { fingerprintOf, type KeyRing } from './key-ring.ts'

/** How many texts of each column to re-encrypt per transaction, which takes a few milliseconds. */
const batch = 100

/** Creates a new key, unless a rotation is already running. Existing secrets stay readable. */
export async function rotateKey(app: App) {
  const keys = requireKeyRing(app)
  if (!keys.isRotating()) {
    if (keys.rotate === undefined) {
      throw conflict(
        'The key is configured. Set the new one as encryptionKey (SERVICE_ENCRYPTION_KEY) and the old one as previousEncryptionKeys (SERVICE_PREVIOUS_ENCRYPTION_KEYS), and restart.',
      )
    }
    writingKeys(keys.rotate)
  }
  const fingerprint = fingerprintOf(keys.current())
  await inTransaction(app, ({ db }) => replaceFingerprint(db, fingerprint, app.clock.now()))
  return progress(app, keys)
}

/** Re-encrypts some secrets with the current key. When none are left, deletes the old keys. */
export async function reencrypt(app: App) {
  const ring = requireKeyRing(app)
  const fingerprints = ring.fingerprints()
  if (fingerprints.length > 1) {
    const order = { ring: fingerprints, fingerprint: fingerprintOf(ring.current()), limit: batch }
    await inTransaction(app, ({ store, cipher }) => reencryptSome(store, cipher, order))
  }
  const current = await progress(app, ring)
  if (current.remaining === 0 && ring.isRotating()) writingKeys(() => ring.retireOld?.())
  return current
}

/** The message names the path, for example if the disk is full. */
function writingKeys(write: () => void): void {
  try {
    write()
  } catch (fault) {
    throw fault instanceof OpenError ? unavailable(fault.message) : fault
  }
}

function requireKeyRing({ cipher }: App): KeyRing {
  if (cipher.keys === undefined) throw conflict('There is no encryption key.')
  return cipher.keys
}

async function progress({ store }: App, ring: KeyRing) {
  const key_fingerprint = fingerprintOf(ring.current())
  const fingerprints = ring.fingerprints()
  const remaining = fingerprints.length > 1 ? await countOthers(store, fingerprints, key_fingerprint) : 0
  return { key_fingerprint, remaining }
}

/** A column with encrypted text. List every such column here, so that key rotation covers it. */
interface EncryptedColumn {
  readonly table: string
  readonly column: string
  /** The columns that identify a row, as passed to `context`. */
  readonly key: readonly [string, ...string[]]
  context(key: readonly (string | number)[]): string
}

const subscription = { table: 'subscriptions', key: ['id', 'workspace_id'] } as const
const columns: readonly EncryptedColumn[] = [
  { ...subscription, column: 'url_encrypted', context: ([id]) => urlContext(Number(id)) },
  { ...subscription, column: 'secret_encrypted', context: ([id]) => secretContext(Number(id)) },
  { ...subscription, column: 'previous_secret_encrypted', context: ([id]) => secretContext(Number(id)) },
  { ...subscription, column: 'headers_encrypted', context: ([id]) => headersContext(Number(id)) },
  {
    table: 'integrations',
    column: 'secret_encrypted',
    key: ['workspace_id', 'kind'],
    context: ([workspaceId, kind]) => integrationContext(Number(workspaceId), String(kind)),
  },
  {
    table: 'lead_sources',
    column: 'secret_encrypted',
    key: ['workspace_id', 'source'],
    context: ([workspaceId, source]) => leadSourceContext(Number(workspaceId), String(source)),
  },
  {
    // Only responses with a secret are encrypted.
    table: 'idempotency_keys',
    column: 'answer',
    key: ['workspace_id', 'scope', 'key'],
    context: ([workspaceId, scope, key]) =>
      responseContext({ workspaceId: Number(workspaceId), scope: String(scope), key: String(key) }),
  },
]

/** How many texts are encrypted with another known key. Unreadable ones are not counted. */
const countOthers = (store: Store, ring: readonly string[], fingerprint: string): Promise<number> =>
  countTexts(store, columns, (column) => isOther(column, ring, fingerprint))

/** How many secrets are encrypted with none of these keys. Responses are kept for a day only, so they do not count. */
export function countUnreadable(store: Store, fingerprints: readonly string[]): Promise<number> {
  const known = [...fingerprints, ''].map((fingerprint) => sql.lit(fingerprint))
  const secrets = columns.filter(({ table }) => table !== 'idempotency_keys')
  return countTexts(store, secrets, (column) => sql`${encryptedWith(column)} not in (${sql.join(known)})`)
}

async function countTexts(
  { db }: Store,
  counted: readonly EncryptedColumn[],
  condition: (column: string) => RawBuilder<unknown>,
): Promise<number> {
  let sum = 0
  for (const { table, column } of counted) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
      where ${condition(column)} ${acrossWorkspaces('encryption')}`.execute(db)
    sum += Number(rows[0]?.count ?? 0)
  }
  return sum
}

/** Re-encrypts a batch with the current key, inside the caller's transaction. */
async function reencryptSome(
  { db }: Store,
  cipher: Cipher,
  {
    ring,
    fingerprint,
    limit,
  }: { readonly ring: readonly string[]; readonly fingerprint: string; readonly limit: number },
): Promise<void> {
  for (const { table, column, key, context: contextOf } of columns) {
    const { rows } = await sql<Record<string, string | number>>`select ${sql.join(key.map((name) => sql.ref(name)))},
        ${sql.ref(column)} as encrypted from ${sql.table(table)}
      where ${isOther(column, ring, fingerprint)} limit ${sql.lit(limit)} ${acrossWorkspaces('encryption')}`.execute(db)
    for (const row of rows) {
      const context = contextOf(key.map((name) => row[name] ?? ''))
      const before = String(row['encrypted'])
      const after = cipher.encrypt(cipher.decrypt(before, context), context)
      // A secret that was changed meanwhile already uses the new key.
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${after} where ${sql.ref(column)} = ${before}
        and ${sql.join(
          key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
          sql` and `,
        )}`.execute(db)
    }
  }
}

/** The fingerprint of the key: `v1.<fingerprint>.…` */
const encryptedWith = (column: string) => sql`substr(${sql.ref(column)}, 4, 16)`

/** Encrypted with an old key of the ring. */
const isOther = (column: string, ring: readonly string[], fingerprint: string) =>
  sql`${encryptedWith(column)} in (${sql.join(ring.filter((other) => other !== fingerprint).map((other) => sql.lit(other)))})`
