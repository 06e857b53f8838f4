import { validation } from '../core/errors.ts'
import type { Ids } from '../core/ids.ts'
import { type Cipher, createCipher } from './cipher.ts'
import type { KeyRing } from './key-ring.ts'

/** The platform's sealer. Without a key it refuses to keep a secret, and says which setting is missing. */
export function createAppCipher(keys: KeyRing | undefined, ids: Ids): Cipher {
  if (keys !== undefined) return createCipher(keys, ids)
  const refuse = (): never => {
    throw validation({ secret: ['Set encryptionKey (SERVICE_ENCRYPTION_KEY) to keep secrets in PostgreSQL.'] })
  }
  return { encrypt: refuse, decrypt: refuse, isReadable: () => false, keys: undefined }
}
