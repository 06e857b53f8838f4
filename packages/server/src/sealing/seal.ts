import { createCipheriv, createDecipheriv, createHash, type KeyObject } from 'node:crypto'
import type { Ids } from '../ids.ts'

// Secrets that must be read again (to compute a signature) are encrypted at rest: AES-256-GCM, a fresh nonce each time,
// `v1.<key fingerprint>.<nonce>.<tag>.<text>`. The place is authenticated too, so a sealed secret cannot be moved.

/** Encrypts and decrypts secrets for one place, e.g. `integration:1:github`. */
export interface Sealer {
  seal(secret: string, place: string): string
  unseal(sealed: string, place: string): string
}

const algorithm = 'aes-256-gcm'

export function sealer(key: KeyObject, ids: Ids): Sealer {
  const fingerprint = fingerprintOf(key)
  return {
    seal(secret, place) {
      const nonce = ids.bytes(12)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(place))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return ['v1', fingerprint, ...[nonce, cipher.getAuthTag(), text].map(toText)].join('.')
    },
    unseal(sealed, place) {
      const [version, sealedWith, ...parts] = sealed.split('.')
      const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'))
      if (version !== 'v1' || nonce === undefined || tag === undefined || text === undefined) {
        throw new Error(`The sealed secret of ${place} cannot be read.`)
      }
      if (sealedWith !== fingerprint) {
        throw new Error(
          `The secret of ${place} was sealed with another key. Start with the encryption key that sealed it.`,
        )
      }
      const decipher = createDecipheriv(algorithm, key, nonce).setAAD(Buffer.from(place)).setAuthTag(tag)
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    },
  }
}

/** Names a key without telling it. */
function fingerprintOf(key: KeyObject): string {
  return createHash('sha256').update(key.export()).digest('hex').slice(0, 16)
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
