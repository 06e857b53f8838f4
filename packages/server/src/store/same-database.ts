import { randomInt } from 'node:crypto'
import { OpenError } from './open-error.ts'
import { connectClient } from './postgres-client.ts'
import { withoutPassword } from './postgres-faults.ts'

// Two URLs may name different databases by mistake, even copies of each other. Advisory locks belong to one database of
// one running server: a lock that is held over one URL and free over the other proves that the databases differ.

/** An arbitrary class of locks, and a key that no other process uses. */
const lockClass = 7_236_413
const newKey = () => randomInt(2 ** 31)

/** The statements of a check: hold the lock over one connection, then try it over the other. */
export function lockCheck(): { readonly hold: string; readonly probe: string } {
  const lock = `${lockClass}, ${newKey()}`
  return {
    hold: `select pg_advisory_lock_shared(${lock})`,
    probe: `select pg_try_advisory_xact_lock(${lock}) as differs`,
  }
}

export const differentDatabases = (url: string, directUrl: string): OpenError =>
  new OpenError(
    `SERVICE_DATABASE_URL (${withoutPassword(url)}) and SERVICE_DATABASE_DIRECT_URL (${withoutPassword(directUrl)}) lead to different databases. Correct one of them (databaseUrl, databaseDirectUrl): the direct URL is that of the same database without its pooler.`,
  )

/** Throws if the URLs lead to different databases. */
export async function requireSameDatabase(url: string | undefined, directUrl: string | undefined): Promise<void> {
  if (url === undefined || directUrl === undefined || url === directUrl) return
  const { hold, probe } = lockCheck()
  const direct = await connectClient({ connectionString: directUrl })
  try {
    await direct.query(hold)
    const pooled = await connectClient({ connectionString: url })
    const { rows } = await pooled.query<{ differs: boolean }>(probe).finally(() => pooled.end())
    if (rows[0]?.differs !== false) throw differentDatabases(url, directUrl)
  } finally {
    await direct.end()
  }
}
