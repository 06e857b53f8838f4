import type { Client, Pool } from 'pg'
import { after } from '../clock.ts'
import type { StoreSignals } from './store.ts'

const channel = 'service_deliveries'
const reconnectAfterMs = 1000

/**
 * NOTIFY is sent outside of the transactions that it tells about, because PostgreSQL lets commits with a NOTIFY pass only
 * one by one. One that gets lost costs time, not a delivery.
 */
export function postgresSignals(pool: Pool, url: string): StoreSignals {
  return {
    send: async () => void (await pool.query(`notify ${channel}`)),
    async receive(onSignal) {
      let ended = false
      let client: Client | undefined
      const connect = async () => {
        client = await listening(url, onSignal, () => {
          if (!ended) after(reconnectAfterMs, () => void connect())
        })
        if (ended) await client?.end()
      }
      await connect()
      return async () => {
        ended = true
        await client?.end().catch(() => undefined)
      }
    },
  }
}

/** A connection of its own that listens; `onEnd` is called when it breaks, or when it cannot be made. */
async function listening(url: string, onSignal: () => void, onEnd: () => void): Promise<Client | undefined> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  client.on('notification', onSignal)
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
    client.on('end', onEnd)
    return client
  } catch {
    await client.end().catch(() => undefined)
    onEnd()
    return undefined
  }
}
