import type { TxApp } from '../context.ts'
import { lockActiveFingerprint } from './encryption-key.ts'

/**
 * Encrypts a secret that the caller's transaction stores, with the key that is active in the database. That is not the
 * current one of a server that has not been restarted since a rotation, or whose new key is not active yet.
 */
export async function encrypt({ store, cipher }: TxApp, secret: string, context: string): Promise<string> {
  return cipher.encrypt(secret, context, await lockActiveFingerprint(store))
}
