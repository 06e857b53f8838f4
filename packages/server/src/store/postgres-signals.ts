import type { Client } from 'pg'
import { after } from '../core/clock.ts'
import { connectClient, destroy } from './postgres-client.ts'
import type { ConnectionPool } from './postgres-pool.ts'
import { shareServingLock } from './serving-lock.ts'
import type { StoreSignals } from './store.ts'
import { withTimeLimit } from './time-limit.ts'

/** The topic of a notification between processes. */
export type NotifyChannel = 'service_deliveries' | 'service_changes'

const reconnectAfterMs = 1000
const maxCloseMs = 900

/**
 * NOTIFY is sent outside the transactions it announces, because PostgreSQL serializes commits that contain a NOTIFY. A
 * lost notification delays a delivery but does not lose it.
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
      /** Notifications sent while disconnected are lost, so the receiver has to poll. */
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

/** An unresponsive database does not confirm the end of a connection. */
async function end(client: Client | undefined): Promise<void> {
  if (client === undefined) return
  await withTimeLimit(maxCloseMs, client.end()).catch(() => undefined)
  destroy(client)
}

/** A dedicated listening connection; `onEnd` is called if it breaks or cannot be opened. */
async function listening(
  { url, connectMs, channel }: { url: string; connectMs: number; channel: NotifyChannel },
  onSignal: (word: string) => void,
  onEnd: () => void,
): Promise<Client | undefined> {
  let client: Client | undefined
  try {
    client = await connectClient({
      connectionString: url,
      connectionTimeoutMillis: connectMs,
      query_timeout: connectMs,
    })
    client.on('notification', ({ payload = '' }) => onSignal(payload))
    await client.query(shareServingLock)
    await client.query(`listen ${channel}`)
    client.on('end', onEnd)
    return client
  } catch {
    if (client !== undefined) destroy(client)
    onEnd()
    return undefined
  }
}
