import type { Client, ClientConfig } from 'pg'
import { connectAlone, destroy, letProcessEnd } from './postgres-client.ts'
import { isConnectionLost } from './postgres-faults.ts'
import { withTimeLimit } from './time-limit.ts'

/** One connection that is made anew whenever it has broken. */
export interface LoneConnection {
  /** Throws a `TimeLimitError` when no answer came in time. */
  ask(statement: string, limitMs: number): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

const longestGoodbyeMs = 900

/** Throws when the first connection cannot be made. */
export async function openLoneConnection(config: ClientConfig): Promise<LoneConnection> {
  let connecting: Promise<Client> | undefined
  let isClosed = false

  function connect(): Promise<Client> {
    const made = connectAlone(config).then((client) => {
      letProcessEnd(client)
      if (isClosed) destroy(client)
      return client
    })
    made.catch(() => forget(made))
    return made
  }

  function forget(made: Promise<Client>): void {
    if (connecting === made) connecting = undefined
    made.then(destroy, () => undefined)
  }

  async function askAnywhere(statement: string): Promise<Record<string, unknown>[]> {
    const known = connecting
    try {
      connecting ??= connect()
      return await askOver(await connecting, statement)
    } catch (fault) {
      if (known === undefined || isClosed || !isConnectionLost(fault)) throw fault
      forget(known)
    }
    connecting ??= connect()
    return askOver(await connecting, statement)
  }

  connecting = connect()
  await connecting
  return {
    async ask(statement, limitMs) {
      let isConnected = false
      connecting?.then(
        () => {
          isConnected = true
        },
        () => undefined,
      )
      try {
        return await withTimeLimit(limitMs, askAnywhere(statement))
      } catch (fault) {
        // A statement that does not come back keeps its connection, which is given up with it. One that is still being
        // made has a limit of its own and may serve the next time.
        if (isConnected && connecting !== undefined) forget(connecting)
        throw fault
      }
    },
    async close() {
      isClosed = true
      const open = connecting
      connecting = undefined
      if (open === undefined) return
      await withTimeLimit(
        longestGoodbyeMs,
        open.then((client) => client.end()),
      ).catch(() => undefined)
      open.then(destroy, () => undefined)
    },
  }
}

async function askOver(client: Client, statement: string): Promise<Record<string, unknown>[]> {
  const { rows } = await client.query<Record<string, unknown>>(statement)
  return rows
}
