import { join, resolve } from 'node:path'
import type { TxApp } from '../context.ts'
import type { Clock, Micros } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import type { Db } from '../store/database.ts'
import { OpenError } from '../store/open-error.ts'
import { keyFileName, readOrCreateSecret, readSecret, type SecretFile } from '../store/secret-file.ts'
import type { Store } from '../store/store.ts'
import { createKeyText, fingerprintOf, fixedKeys, type KeyRing, keysOfFile, toKey } from './key-ring.ts'

const minKeyLength = 32

/**
 * The keys for the secrets of a persistent database: configured ones, else those in a file. PostgreSQL without either
 * has none. The database stores the fingerprint of its key and accepts no other: with a wrong key, existing secrets
 * would be unreadable, and new ones would become unreadable once the right key is back.
 */
export async function loadEncryptionKeys(config: Config, store: Store, clock: Clock): Promise<KeyRing | undefined> {
  const expected = await findFingerprint(store.db)
  if (expected !== undefined) restoreKeyFile(config, expected)
  const keys = config.acceptLostKey || expected === undefined ? readOrCreateKeys(config) : readKeys(config)
  if (keys === undefined && expected === undefined) return undefined
  if (keys !== undefined && expected === undefined) await store.transaction(() => insert(store, keys, clock))
  else if (keys !== undefined && config.acceptLostKey) await store.transaction(() => replace(store, keys, clock))
  const known = await findFingerprint(store.db)
  if (keys !== undefined && known !== undefined && keys.find(known) !== undefined) return keys
  throw new OpenError(mismatchMessage(config, { expected: known, found: keys }))
}

const getCurrentFingerprint = (keys: KeyRing) => fingerprintOf(keys.current())
const insert = ({ db }: Store, keys: KeyRing, clock: Clock) =>
  insertFingerprint(db, getCurrentFingerprint(keys), clock.now())
const replace = ({ db }: Store, keys: KeyRing, clock: Clock) =>
  replaceFingerprint(db, getCurrentFingerprint(keys), clock.now())

/** The configured keys, or those in the key file; undefined if there are none. */
export function readKeys(config: Config): KeyRing | undefined {
  if (config.encryptionKey !== undefined) {
    return fixedKeys(toKey(config.encryptionKey), ...previousKeys(config))
  }
  const file = keyFileOf(config)
  return file === undefined || readSecret(file) === undefined ? undefined : keysOfFile(file, previousKeys(config))
}

function readOrCreateKeys(config: Config): KeyRing | undefined {
  const file = config.encryptionKey === undefined ? keyFileOf(config) : undefined
  if (file === undefined) return readKeys(config)
  readOrCreateSecret(file, createKeyText)
  return keysOfFile(file, previousKeys(config))
}

/** If the key file is missing, but its key is configured as a previous one or kept by a rotation, writes the file again. */
function restoreKeyFile(config: Config, fingerprint: string): void {
  const file = config.encryptionKey === undefined ? keyFileOf(config) : undefined
  if (file === undefined || readSecret(file) !== undefined) return
  const text = findKeyText(config, file, fingerprint)
  if (text !== undefined) readOrCreateSecret(file, () => text)
}

function findKeyText({ previousEncryptionKeys }: Config, file: SecretFile, fingerprint: string): string | undefined {
  const kept = readSecret({ ...file, path: `${file.path}.${fingerprint}` })
  return [...previousEncryptionKeys, ...(kept === undefined ? [] : [kept])].find(
    (text) => fingerprintOf(toKey(text)) === fingerprint,
  )
}

/** Whether the next start finds the key that encrypted a database's secrets. */
export function hasKey(config: Config, fingerprint: string): boolean {
  const keys = readKeys(config)
  if (keys !== undefined) return keys.find(fingerprint) !== undefined
  const file = keyFileOf(config)
  return file !== undefined && findKeyText(config, file, fingerprint) !== undefined
}

const previousKeys = ({ previousEncryptionKeys }: Config) => previousEncryptionKeys.map(toKey)

function keyFileOf({ encryptionKeyFile, data, databaseUrl }: Config): SecretFile | undefined {
  const own = data === undefined || databaseUrl !== undefined ? undefined : join(data, keyFileName)
  const path = encryptionKeyFile ?? own
  return path === undefined ? undefined : { path: resolve(path), name: 'encryption key', minLength: minKeyLength }
}

interface Mismatch {
  readonly expected: string | undefined
  readonly found: KeyRing | undefined
}

function mismatchMessage(config: Config, { expected, found }: Mismatch): string {
  const file = keyFileOf(config)
  const location =
    config.encryptionKey !== undefined || file === undefined ? 'encryptionKey (SERVICE_ENCRYPTION_KEY)' : file.path
  const state =
    found === undefined ? `${location} is missing` : `the one in ${location} has ${getCurrentFingerprint(found)}`
  const remedies = [
    config.encryptionKey === undefined && file !== undefined
      ? `as ${file.path}, or as ${file.path}.${expected}`
      : 'as encryptionKey (SERVICE_ENCRYPTION_KEY)',
    ...(found === undefined && file === undefined
      ? []
      : ['add it to previousEncryptionKeys (SERVICE_PREVIOUS_ENCRYPTION_KEYS)']),
  ]
  return (
    `The secrets in this database are encrypted with the key whose fingerprint is ${expected}, and ${state}. ` +
    `Restore that key from a backup ${remedies.join(', or ')}. ` +
    'If it is lost, start once with --accept-lost-key (acceptLostKey): it disables the webhooks and integrations ' +
    'whose URLs, headers, or secrets cannot be read, until these are set again.'
  )
}

/** The fingerprint of the key that encrypted a database's secrets; undefined if nothing was encrypted yet. */
export const findStoredFingerprint = ({ db }: Store): Promise<string | undefined> => findFingerprint(db)

const findFingerprint = async (db: Db): Promise<string | undefined> =>
  (await db.selectFrom('encryption_key').select('fingerprint').executeTakeFirst())?.fingerprint

/**
 * Encrypts a secret that the caller's transaction stores, with the key that is active in the database. That is not the
 * current one of a server that has not been restarted since a rotation, or whose new key is not active yet.
 */
export async function encrypt({ store, cipher }: TxApp, secret: string, context: string): Promise<string> {
  return cipher.encrypt(secret, context, await lockActiveFingerprint(store))
}

/** A rotation waits until the caller's transaction ends. */
const lockActiveFingerprint = async ({ dialect, db }: Store): Promise<string | undefined> =>
  (
    await db
      .selectFrom('encryption_key')
      .select('fingerprint')
      .$if(dialect === 'postgres', (query) => query.forShare())
      .executeTakeFirst()
  )?.fingerprint

/** If several processes start at once with different keys, the first one wins. */
const insertFingerprint = (db: Db, fingerprint: string, now: Micros) =>
  db
    .insertInto('encryption_key')
    .values({ id: 1, fingerprint, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const replaceFingerprint = (db: Db, fingerprint: string, now: Micros) =>
  db.updateTable('encryption_key').set({ fingerprint, created_at: now }).execute()
