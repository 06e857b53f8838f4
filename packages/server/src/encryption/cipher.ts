import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Ids } from '../core/ids.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { KeyRing } from './key-ring.ts'

// Secrets that must be read again (to compute a signature) are encrypted at rest: AES-256-GCM, a fresh nonce each time,
// `v1.<key fingerprint>.<nonce>.<tag>.<text>`. The place is authenticated too, so a encrypted secret cannot be moved.

/** Encrypts and decrypts secrets for one place, e.g. `integration:1:github`. */
export interface Cipher {
  encrypt(secret: string, place: string): string
  decrypt(encrypted: string, place: string): string
  /** Whether it was encrypted with a known key; a lost key's secrets stay where they are and are not read. */
  isReadable(encrypted: string): boolean
  /** Undefined where there is no key. */
  readonly keys: KeyRing | undefined
}

const algorithm = 'aes-256-gcm'

export function createCipher(keys: KeyRing, ids: Ids): Cipher {
  return {
    keys,
    encrypt(secret, place) {
      const key = keys.current()
      const nonce = ids.bytes(12)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(place))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return ['v1', fingerprintOf(key), ...[nonce, cipher.getAuthTag(), text].map(toText)].join('.')
    },
    decrypt(encrypted, place) {
      const [version, encryptedWith, ...parts] = encrypted.split('.')
      const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'))
      if (version !== 'v1' || nonce === undefined || tag === undefined || text === undefined) {
        throw new Error(`The encrypted secret of ${place} cannot be read.`)
      }
      const key = keys.find(encryptedWith ?? '')
      if (key === undefined) {
        throw new Error(
          `The secret of ${place} was encrypted with another key. Start with the encryption key that encrypted it.`,
        )
      }
      const decipher = createDecipheriv(algorithm, key, nonce).setAAD(Buffer.from(place)).setAuthTag(tag)
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    },
    isReadable: (encrypted) => keys.find(encrypted.split('.')[1] ?? '') !== undefined,
  }
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
