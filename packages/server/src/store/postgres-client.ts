import type { Socket } from 'node:net'
import type { Client, ClientBase, ClientConfig } from 'pg'

// Connections of PostgreSQL, with what pg leaves to its users: a listener for errors, and an end that does not wait.

export interface PostgresLimits {
  readonly connectMs: number
  readonly waitMs: number
  readonly lockMs: number
  readonly statementMs: number
}

export const defaultLimits: PostgresLimits = { connectMs: 5000, waitMs: 2000, lockMs: 5000, statementMs: 15_000 }

/** So much longer than the server's own limit is waited for its word; only a server that hangs takes it. */
const graceMs = 1000

export const clientLimitMs = ({ statementMs }: Pick<PostgresLimits, 'statementMs'>): number => statementMs + graceMs

/** A transaction that does nothing for so long is ended by the server, so that its locks do not outlive a frozen process. */
export const idleLimitMs = ({ statementMs }: Pick<PostgresLimits, 'statementMs'>): number => 2 * statementMs

export async function connectAlone(config: ClientConfig): Promise<Client> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ keepAlive: true, ...config })
  // Without a listener an error of the connection ends the process.
  client.on('error', () => undefined)
  try {
    return await client.connect()
  } catch (fault) {
    destroy(client)
    throw fault
  }
}

/** Closes the socket at once. `end()` waits for the server, and one that hangs would be waited for in vain. */
export const destroy = (client: ClientBase): void => void socketOf(client).destroy()

function socketOf(client: ClientBase): Socket {
  const { connection } = client as unknown as { connection: { stream: Socket } } // pg tells its types nothing of it
  return connection.stream
}
