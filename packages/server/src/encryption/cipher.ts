import { createCipheriv, createDecipheriv } from 'node:crypto'
import { validation } from '../core/errors.ts'
import type { Ids } from '../core/ids.ts'
import { fingerprintOf, type KeyRing } from './key-ring.ts'

// Secrets that must be decrypted later (to compute a signature) are encrypted at rest with AES-256-GCM and a fresh
// nonce: `v1.<key fingerprint>.<nonce>.<tag>.<text>`. The place is authenticated, so a ciphertext cannot be moved
// elsewhere.

/** Encrypts and decrypts secrets of one place, e.g. `integration:1:github`. */
export interface Cipher {
  encrypt(secret: string, place: string): string
  decrypt(encrypted: string, place: string): string
  /** Whether it was encrypted with a known key. Secrets of a lost key stay stored but cannot be decrypted. */
  isReadable(encrypted: string): boolean
  /** Undefined without a key. */
  readonly keys: KeyRing | undefined
}

const algorithm = 'aes-256-gcm'

function createCipher(keys: KeyRing, ids: Ids): Cipher {
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

/** The platform's cipher. Without a key it rejects secrets and names the missing setting. */
export function createAppCipher(keys: KeyRing | undefined, ids: Ids): Cipher {
  if (keys !== undefined) return createCipher(keys, ids)
  const refuse = (): never => {
    throw validation({ secret: ['Set encryptionKey (SERVICE_ENCRYPTION_KEY) to keep secrets in PostgreSQL.'] })
  }
  return { encrypt: refuse, decrypt: refuse, isReadable: () => false, keys: undefined }
}

// The places of encrypted texts. A place is part of the authenticated data, so a text cannot be moved elsewhere.

export const secretPlace = (subscriptionId: number) => `subscription:${subscriptionId}:secret`
export const urlPlace = (subscriptionId: number) => `subscription:${subscriptionId}:url`
export const headersPlace = (subscriptionId: number) => `subscription:${subscriptionId}:headers`
export const integrationPlace = (workspaceId: number, kind: string) => `integration:${workspaceId}:${kind}`
export const leadSourcePlace = (workspaceId: number, source: string) => `lead-source:${workspaceId}:${source}`
interface KeyedAnswer {
  readonly workspaceId: number
  readonly scope: string
  readonly key: string
}

export const answerPlace = ({ workspaceId, scope, key }: KeyedAnswer) => `idempotency:${workspaceId}:${scope}:${key}`
