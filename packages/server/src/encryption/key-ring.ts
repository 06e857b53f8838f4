import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { followSecret, replaceSecret, type SecretFile } from './secret-file.ts'

/** The current encryption key, and older keys that can still decrypt. */
export interface KeyRing {
  current(): KeyObject
  find(fingerprint: string): KeyObject | undefined
  /** The fingerprints of all keys, the current one first. */
  fingerprints(): string[]
  /** Creates a new current key and keeps the old one for decryption. Absent if keys are configured. */
  rotate?(): void
  /** Deletes the old keys. */
  retireOld?(): void
}

/** Configured keys, the current one first. */
export const fixedKeys = (first: KeyObject, ...others: readonly KeyObject[]): KeyRing => ({
  current: () => first,
  find: (fingerprint) => [first, ...others].find((key) => fingerprintOf(key) === fingerprint),
  fingerprints: () => [first, ...others].map(fingerprintOf),
})

/**
 * Keys from a file, one per line, the current one first. The file is read again when it changes, so that if one process
 * rotates the key, the others that share the file follow.
 */
export function keysOfFile(file: SecretFile): KeyRing {
  const read = followSecret(file)
  const lines = () => read().split('\n').filter(Boolean)
  const keys = () => lines().map(toKey)
  const current = () => {
    const [first] = keys()
    if (first === undefined) throw new Error(`The key file ${file.path} is missing or empty. Restore it from a backup.`)
    return first
  }
  return {
    current,
    find: (fingerprint) => keys().find((key) => fingerprintOf(key) === fingerprint),
    fingerprints: () => keys().map(fingerprintOf),
    rotate: () => replaceSecret(file.path, [createKeyText(), ...lines()].join('\n')),
    retireOld() {
      const [first, ...old] = lines()
      // Older backups need these keys, so only the operator deletes them.
      for (const key of old) replaceSecret(`${file.path}.${fingerprintOf(toKey(key))}`, key)
      if (first !== undefined) replaceSecret(file.path, first)
    },
  }
}

/** Any text of at least 32 characters is a key. */
export const toKey = (text: string): KeyObject => createSecretKey(createHash('sha256').update(text).digest())

export const createKeyText = (): string => randomBytes(32).toString('base64url')

/** Identifies a key without revealing it. */
export function fingerprintOf(key: KeyObject): string {
  return createHash('sha256').update(key.export()).digest('hex').slice(0, 16)
}
