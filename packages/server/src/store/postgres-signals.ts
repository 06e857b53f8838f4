import type { Client } from 'pg'
import { after } from '../core/clock.ts'
import { connectAlone, destroy } from './postgres-client.ts'
import type { ConnectionPool } from './postgres-pool.ts'
import type { StoreSignals } from './store.ts'
import { withTimeLimit } from './time-limit.ts'

/** What a word between processes is about. */
export type NotifyChannel = 'service_deliveries' | 'service_changes'

const reconnectAfterMs = 1000
const longestGoodbyeMs = 900

/**
 * NOTIFY is sent outside of the transactions that it tells about, because PostgreSQL lets commits with a NOTIFY pass only
 * one by one. One that gets lost costs time, not a delivery.
 */
export function postgresSignals(
  pool: ConnectionPool,
  { url, connectMs, channel }: { url: string; connectMs: number; channel: NotifyChannel },
): StoreSignals {
  return {
    async send(word = '') {
      const { client, release } = await pool.borrow('reading')
      let isBroken = true
      try {
        await client.query('select pg_notify($1, $2)', [channel, word])
        isBroken = false
      } finally {
        release(isBroken)
      }
    },
    async receive(onSignal) {
      let ended = false
      let client: Client | undefined
      const connect = async () => {
        client = await listening({ url, connectMs, channel }, onSignal, () => {
          if (!ended) after(reconnectAfterMs, () => void reconnect())
        })
        if (ended) await end(client)
      }
      /** What was said while nobody listened is lost, so it is looked for. */
      const reconnect = async () => {
        await connect()
        onSignal('')
      }
      await connect()
      return async () => {
        ended = true
        await end(client)
      }
    },
  }
}

/** A database that hangs does not answer the end of a connection. */
async function end(client: Client | undefined): Promise<void> {
  if (client === undefined) return
  await withTimeLimit(longestGoodbyeMs, client.end()).catch(() => undefined)
  destroy(client)
}

/** A connection of its own that listens; `onEnd` is called when it breaks, or when it cannot be made. */
async function listening(
  { url, connectMs, channel }: { url: string; connectMs: number; channel: NotifyChannel },
  onSignal: (word: string) => void,
  onEnd: () => void,
): Promise<Client | undefined> {
  let client: Client | undefined
  try {
    client = await connectAlone({
      connectionString: url,
      connectionTimeoutMillis: connectMs,
      query_timeout: connectMs,
    })
    client.on('notification', ({ payload = '' }) => onSignal(payload))
    await client.query(`listen ${channel}`)
    client.on('end', onEnd)
    return client
  } catch {
    if (client !== undefined) destroy(client)
    onEnd()
    return undefined
  }
}
