import type { Micros } from '../core/clock.ts'
import type { Db } from '../store/database.ts'

export const findFingerprint = async (db: Db): Promise<string | undefined> =>
  (await db.selectFrom('encryption_key').select('fingerprint').executeTakeFirst())?.fingerprint

/** Of several processes that start at once with different keys, the first one's is kept. */
export const insertFingerprint = (db: Db, fingerprint: string, now: Micros) =>
  db
    .insertInto('encryption_key')
    .values({ id: 1, fingerprint, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const replaceFingerprint = (db: Db, fingerprint: string, now: Micros) =>
  db.updateTable('encryption_key').set({ fingerprint, created_at: now }).execute()
