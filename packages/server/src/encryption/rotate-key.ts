import type { App } from '../core/context.ts'
import { conflict } from '../core/errors.ts'
import { inTransaction } from '../store/transaction.ts'
import { countOthers, reencryptSome } from './encrypted-columns.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { KeyRing } from './key-ring.ts'
import { replaceFingerprint } from './queries.ts'

/** Texts of each column in one transaction: some milliseconds. */
const batch = 100

/** Makes a new key, unless a rotation is under way already; what was encrypted before can be read all the while. */
export async function rotateKey(app: App) {
  const ring = ringOf(app)
  if (ring.fingerprints().length === 1) {
    if (ring.rotate === undefined) {
      throw conflict(
        'The key is configured: set the new one as encryptionKey (SERVICE_ENCRYPTION_KEY), the one before as previousEncryptionKeys (SERVICE_PREVIOUS_ENCRYPTION_KEYS), and start again.',
      )
    }
    ring.rotate()
  }
  const fingerprint = fingerprintOf(ring.current())
  await inTransaction(app, ({ db }) => replaceFingerprint(db, fingerprint, app.clock.now()))
  return progress(app, ring)
}

/** Encrypts some secrets with the current key; when nothing remains, the keys before are forgotten. */
export async function reencrypt(app: App) {
  const ring = ringOf(app)
  const fingerprints = ring.fingerprints()
  if (fingerprints.length > 1) {
    const order = { ring: fingerprints, fingerprint: fingerprintOf(ring.current()), limit: batch }
    await inTransaction(app, ({ store, cipher }) => reencryptSome(store, cipher, order))
  }
  const reached = await progress(app, ring)
  if (reached.remaining === 0 && fingerprints.length > 1) ring.forgetOld?.()
  return reached
}

function ringOf({ cipher }: App): KeyRing {
  if (cipher.keys === undefined) throw conflict('There is no encryption key.')
  return cipher.keys
}

async function progress({ store }: App, ring: KeyRing) {
  const key_fingerprint = fingerprintOf(ring.current())
  const fingerprints = ring.fingerprints()
  const remaining = fingerprints.length > 1 ? await countOthers(store, fingerprints, key_fingerprint) : 0
  return { key_fingerprint, remaining }
}
