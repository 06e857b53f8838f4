import type { Client } from 'pg'
import { OpenError } from './open-error.ts'
import { inTransaction } from './postgres-client.ts'
import { codeOf } from './postgres-faults.ts'

/** An arbitrary key of a PostgreSQL advisory lock, which all servers on a database share while they are connected. */
const servingLock = 7_163_204_119

export const shareServingLock = `select pg_advisory_lock_shared(${servingLock})`

/** The connections of a server that has just stopped may take this long to end. */
const endingMs = 1000

/** Changes that a server makes while its database is copied or distributed would be lost silently. */
export async function requireNoServer(client: Client): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`set local lock_timeout = ${endingMs}`)
    await client.query(`select pg_advisory_xact_lock(${servingLock})`)
  }).catch((fault: unknown) => {
    if (codeOf(fault) !== lockNotAvailable) throw fault
    throw new OpenError(
      `A server runs on the PostgreSQL database ${client.database}. Stop all servers of the platform first: what they change meanwhile would be lost.`,
    )
  })
}

const lockNotAvailable = '55P03'
