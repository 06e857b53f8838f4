import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { followSecret, replaceSecret, type SecretFile } from './secret-file.ts'

/** The key that encrypts, and those before it that can still be read with. */
export interface KeyRing {
  current(): KeyObject
  find(fingerprint: string): KeyObject | undefined
  /** Of all keys, the current one's first. */
  fingerprints(): string[]
  /** Makes a new key that encrypts from now on; the one before is kept for reading. Absent where keys are configured. */
  rotate?(): void
  /** Forgets the keys before the current one. */
  forgetOld?(): void
}

/** Keys of the configuration, the current one first. */
export const fixedKeys = (first: KeyObject, ...others: readonly KeyObject[]): KeyRing => ({
  current: () => first,
  find: (fingerprint) => [first, ...others].find((key) => fingerprintOf(key) === fingerprint),
  fingerprints: () => [first, ...others].map(fingerprintOf),
})

/**
 * Keys of a file, one on each line, the current one first. The file is read again when it has changed: of several
 * processes that share it, one rotates the key and the others follow.
 */
export function keysOfFile(file: SecretFile): KeyRing {
  const read = followSecret(file)
  const lines = () => read().split('\n').filter(Boolean)
  const keys = () => lines().map(toKey)
  const current = () => {
    const [first] = keys()
    if (first === undefined) throw new Error(`There is no key in ${file.path}.`)
    return first
  }
  return {
    current,
    find: (fingerprint) => keys().find((key) => fingerprintOf(key) === fingerprint),
    fingerprints: () => keys().map(fingerprintOf),
    rotate: () => replaceSecret(file.path, [makeKeyText(), ...lines()].join('\n')),
    forgetOld() {
      const [first, ...old] = lines()
      // Backups from before need them; they are their operator's to remove.
      for (const key of old) replaceSecret(`${file.path}.${fingerprintOf(toKey(key))}`, key)
      if (first !== undefined) replaceSecret(file.path, first)
    },
  }
}

/** Any text of at least 32 characters is a key. */
export const toKey = (text: string): KeyObject => createSecretKey(createHash('sha256').update(text).digest())

export const makeKeyText = (): string => randomBytes(32).toString('base64url')

/** Names a key without telling it. */
export function fingerprintOf(key: KeyObject): string {
  return createHash('sha256').update(key.export()).digest('hex').slice(0, 16)
}
