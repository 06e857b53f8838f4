import type { Store } from '../store/store.ts'
import { findFingerprint } from './queries.ts'

/** The fingerprint of the key of a database's secrets; undefined where nothing was encrypted yet. */
export const findFingerprintOf = ({ db }: Store): Promise<string | undefined> => findFingerprint(db)
