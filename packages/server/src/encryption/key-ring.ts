import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { OpenError } from '../store/open-error.ts'
import { followSecret, readSecret, replaceSecret, type SecretFile } from '../store/secret-file.ts'

/** The current encryption key, and older keys that can still decrypt. */
export interface KeyRing {
  current(): KeyObject
  find(fingerprint: string): KeyObject | undefined
  /** The fingerprints of all keys, the current one first. */
  fingerprints(): string[]
  /** Whether a new current key was set or created, and the old ones are not retired yet. */
  isRotating(): boolean
  /** Creates a new current key and keeps the old one for decryption. Absent if keys are configured. */
  rotate?(): void
  /** Moves the old keys into files next to the key file. */
  retireOld?(): void
}

/** Configured keys, the current one first. */
export const fixedKeys = (first: KeyObject, ...others: readonly KeyObject[]): KeyRing => ({
  current: () => first,
  find: (fingerprint) => [first, ...others].find((key) => fingerprintOf(key) === fingerprint),
  fingerprints: () => [first, ...others].map(fingerprintOf),
  isRotating: () => others.length > 0,
})

/**
 * Keys from a file, one per line, the current one first. The file is read again when it changes, so that if one process
 * rotates the key, the others that share the file follow. Older keys are also found among the configured ones, and in
 * the files that a rotation keeps, `<file>.<fingerprint>`: after a restore of an old backup, or when a lost key turns up.
 */
export function keysOfFile(file: SecretFile, previous: readonly KeyObject[] = []): KeyRing {
  const read = followSecret(file)
  const lines = () => read().split('\n').filter(Boolean)
  const keys = () => [...lines().map(toKey), ...previous]
  const retired = retiredKeys(file)
  const current = () => {
    const [first] = keys()
    if (first === undefined) throw new Error(`The key file ${file.path} is missing or empty. Restore it from a backup.`)
    return first
  }
  return {
    current,
    find: (fingerprint) => keys().find((key) => fingerprintOf(key) === fingerprint) ?? retired.find(fingerprint),
    fingerprints: () => [...new Set([...keys().map(fingerprintOf), ...retired.fingerprints()])],
    isRotating: () => lines().length > 1,
    rotate: () => replaceSecret(file.path, [createKeyText(), ...lines()].join('\n')),
    retireOld() {
      const [first, ...old] = lines()
      // Older backups need these keys, so only the operator deletes them.
      for (const key of old) replaceSecret(`${file.path}.${fingerprintOf(toKey(key))}`, key)
      if (first !== undefined && old.length > 0) replaceSecret(file.path, first)
    },
  }
}

/** The files that rotations have kept. */
function retiredKeys(file: SecretFile) {
  const found = new Map<string, KeyObject>()
  function read(fingerprint: string): KeyObject | undefined {
    const path = `${file.path}.${fingerprint}`
    const text = readSecret({ ...file, path })
    if (text === undefined) return undefined
    const key = toKey(text)
    if (fingerprintOf(key) === fingerprint) return key
    throw new OpenError(
      `${path} contains the key with the fingerprint ${fingerprintOf(key)}. Rename the file, or restore the key that its name says.`,
    )
  }
  return {
    /** A file that cannot be used is like a missing one, until `fingerprints` says why. */
    find(fingerprint: string): KeyObject | undefined {
      const known = found.get(fingerprint)
      if (known !== undefined || !/^[0-9a-f]{16}$/.test(fingerprint)) return known
      try {
        const key = read(fingerprint)
        if (key !== undefined) found.set(fingerprint, key)
        return key
      } catch {
        return undefined
      }
    },
    fingerprints: () => listRetired(file.path).filter((fingerprint) => read(fingerprint) !== undefined),
  }
}

function listRetired(path: string): string[] {
  const prefix = `${basename(path)}.`
  const names = existsSync(dirname(path)) ? readdirSync(dirname(path)) : []
  return names
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => /^[0-9a-f]{16}$/.exec(name.slice(prefix.length)) ?? [])
}

/** Any text of at least 32 characters is a key. */
export const toKey = (text: string): KeyObject => createSecretKey(createHash('sha256').update(text).digest())

export const createKeyText = (): string => randomBytes(32).toString('base64url')

/** Identifies a key without revealing it. */
export function fingerprintOf(key: KeyObject): string {
  return createHash('sha256').update(key.export()).digest('hex').slice(0, 16)
}
