import { validation } from '../api-error.ts'
import type { Config } from '../config.ts'
import type { Ids } from '../ids.ts'
import { findKey } from './key.ts'
import { type Sealer, sealer } from './seal.ts'

/** The platform's sealer. Without a key it refuses to keep a secret, and says which setting is missing. */
export function appSealer(config: Config, ids: Ids): Sealer {
  let found: Sealer | undefined
  const open = (): Sealer => {
    if (found !== undefined) return found
    const key = findKey(config, ids)
    if (key === undefined)
      throw validation({ secret: ['Set encryptionKey (SERVICE_ENCRYPTION_KEY) to keep secrets in PostgreSQL.'] })
    found = sealer(key, ids)
    return found
  }
  return {
    seal: (secret, place) => open().seal(secret, place),
    unseal: (sealed, place) => open().unseal(sealed, place),
  }
}
