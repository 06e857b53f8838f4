import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** Sends rows with `copy … from stdin`. Rejects with PostgreSQL's own error, also if the connection breaks meanwhile. */
export async function copyIn(client: Client, statement: string, rows: Readable): Promise<void> {
  const { promise: failure, reject } = Promise.withResolvers<never>()
  const broken = () => reject(new Error('Connection terminated unexpectedly'))
  const copying = client.query(copyFrom(statement))
  // After an error, the stream waits for an answer that never comes if the connection is gone, and so does `pipeline`.
  copying.once('error', reject)
  client.once('end', broken)
  await Promise.race([pipeline(rows, copying), failure]).finally(() => client.off('end', broken))
}
