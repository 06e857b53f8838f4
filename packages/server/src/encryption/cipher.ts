import { createCipheriv, createDecipheriv } from 'node:crypto'
import { unavailable, validation } from '../core/errors.ts'
import type { Ids } from '../core/ids.ts'
import { fingerprintOf, type KeyRing } from './key-ring.ts'

// Secrets that must be decrypted later (to compute a signature) are encrypted at rest with AES-256-GCM and a fresh
// nonce: `v1.<key fingerprint>.<nonce>.<tag>.<text>`. The context is authenticated, so a ciphertext cannot be moved to
// another row.

/** Encrypts and decrypts secrets in a context, e.g. `integration:1:github`. */
export interface Cipher {
  /** Without a fingerprint, with the current key. */
  encrypt(secret: string, context: string, fingerprint?: string): string
  decrypt(encrypted: string, context: string): string
  /** Whether it was encrypted with a known key. Secrets of a lost key stay stored but cannot be decrypted. */
  isReadable(encrypted: string): boolean
  /** Undefined without a key. */
  readonly keys: KeyRing | undefined
}

const algorithm = 'aes-256-gcm'

function createCipher(keys: KeyRing, ids: Ids): Cipher {
  return {
    keys,
    encrypt(secret, context, fingerprint) {
      const key = fingerprint === undefined ? keys.current() : keys.find(fingerprint)
      if (key === undefined) throw unavailable(lacksKey(fingerprint))
      const nonce = ids.bytes(12)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return ['v1', fingerprintOf(key), ...[nonce, cipher.getAuthTag(), text].map(toText)].join('.')
    },
    decrypt(encrypted, context) {
      const [version, encryptedWith, ...parts] = encrypted.split('.')
      const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'))
      if (version !== 'v1' || nonce === undefined || tag === undefined || text === undefined) {
        throw new Error(`The encrypted secret of ${context} cannot be read.`)
      }
      const key = keys.find(encryptedWith ?? '')
      if (key === undefined) {
        throw new Error(
          `The secret of ${context} was encrypted with another key. Start with the encryption key that encrypted it.`,
        )
      }
      const decipher = createDecipheriv(algorithm, key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag)
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    },
    isReadable: (encrypted) => keys.find(encrypted.split('.')[1] ?? '') !== undefined,
  }
}

const lacksKey = (fingerprint = '') =>
  `A rotation has activated the encryption key with the fingerprint ${fingerprint}, which this server does not have. ` +
  'Give it that key, as the other servers have it, and restart it.'

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** The platform's cipher. Without a key it rejects secrets and names the missing setting. */
export function createAppCipher(keys: KeyRing | undefined, ids: Ids): Cipher {
  if (keys !== undefined) return createCipher(keys, ids)
  const refuse = (): never => {
    throw validation({ secret: ['Set encryptionKey (SERVICE_ENCRYPTION_KEY) to store secrets in PostgreSQL.'] })
  }
  return { encrypt: refuse, decrypt: refuse, isReadable: () => false, keys: undefined }
}

// The contexts of encrypted secrets.

export const secretContext = (subscriptionId: number) => `subscription:${subscriptionId}:secret`
export const urlContext = (subscriptionId: number) => `subscription:${subscriptionId}:url`
export const headersContext = (subscriptionId: number) => `subscription:${subscriptionId}:headers`
export const integrationContext = (workspaceId: number, kind: string) => `integration:${workspaceId}:${kind}`
export const leadSourceContext = (workspaceId: number, source: string) => `lead-source:${workspaceId}:${source}`
interface StoredResponse {
  readonly workspaceId: number
  readonly scope: string
  readonly key: string
}

export const responseContext = ({ workspaceId, scope, key }: StoredResponse) =>
  `idempotency:${workspaceId}:${scope}:${key}`
