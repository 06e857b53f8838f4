import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import type { Ids } from '../ids.ts'

const keyFileName = 'encryption.key'

/**
 * The key that seals secrets: the configured one, else one kept in a file of the data directory, else (in memory, where
 * nothing outlives the process) a random one. PostgreSQL without a key has none: what is sealed there outlives us.
 */
export function findKey(config: Config, ids: Ids): KeyObject | undefined {
  if (config.encryptionKey !== undefined) return toKey(config.encryptionKey)
  const file = config.sealingKeyFile ?? (config.data === undefined ? undefined : join(config.data, keyFileName))
  if (file !== undefined) return toKey(readOrCreate(file))
  return config.databaseUrl === undefined ? createSecretKey(ids.bytes(32)) : undefined
}

/** Any text of at least 32 characters is a key. */
const toKey = (text: string) => createSecretKey(createHash('sha256').update(text).digest())

function readOrCreate(file: string): string {
  if (!existsSync(file)) create(file)
  return readFileSync(file, 'utf8').trim()
}

function create(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // `wx`: when two processes start at once, one makes the key and both read it.
  try {
    const descriptor = openSync(file, 'wx', 0o600)
    writeSync(descriptor, `${randomBytes(32).toString('base64url')}\n`)
    closeSync(descriptor)
  } catch (fault) {
    if (!existsSync(file)) throw fault
  }
}
