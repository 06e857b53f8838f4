import type { Socket } from 'node:net'
import type { Client, ClientBase, ClientConfig, Pool, PoolConfig } from 'pg'
import { explainStart } from './postgres-faults.ts'

// PostgreSQL connections with an error listener and an immediate close, which pg leaves to its users.

export interface PostgresLimits {
  readonly connectMs: number
  readonly waitMs: number
  readonly lockMs: number
  readonly statementMs: number
}

export const defaultLimits: PostgresLimits = { connectMs: 5000, waitMs: 2000, lockMs: 5000, statementMs: 15_000 }

/** The client's limit exceeds the server's by this much, so it applies only if the server hangs. */
const graceMs = 1000

export const clientLimitMs = ({ statementMs }: Pick<PostgresLimits, 'statementMs'>): number => statementMs + graceMs

/** The server ends a transaction that is idle for this long, so that its locks do not outlive a frozen process for long. */
export const idleLimitMs = 5000

/** A failure names the host and the remedy. */
export async function connectClient(config: ClientConfig & { readonly connectionString: string }): Promise<Client> {
  const { default: pg } = await import('pg')
  const { connectionString, connectionTimeoutMillis = defaultLimits.connectMs } = config
  let client: Client | undefined
  try {
    // Reads the certificates that the URL names.
    client = new pg.Client({ keepAlive: true, ...config })
    // Without a listener, a connection error ends the process.
    client.on('error', () => undefined)
    return await client.connect()
  } catch (fault) {
    if (client !== undefined) destroy(client)
    throw explainStart(fault, connectionString, connectionTimeoutMillis)
  }
}

/**
 * For backups, restores, and copies, whose statements may take hours: a role may have limits that are meant for requests.
 * Only limits that this version of PostgreSQL knows are set.
 */
export async function connectWithoutLimits(config: Parameters<typeof connectClient>[0]): Promise<Client> {
  const client = await connectClient(config)
  try {
    await client.query(`select set_config(name, '0', false) from pg_settings where name in
      ('statement_timeout', 'transaction_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`)
    return client
  } catch (fault) {
    destroy(client)
    throw fault
  }
}

/**
 * Creates pools whose connections close when they cannot sign in. pg leaves such a connection to the server, which keeps
 * it, and the process with it, for a minute if the client has no password to send.
 */
export async function loadPools(): Promise<(config: PoolConfig) => Pool> {
  const { default: pg } = await import('pg')
  class ClosingClient extends pg.Client {
    override connect(): Promise<this>
    override connect(callback: (fault: Error) => void): void
    override connect(callback?: (fault: Error) => void): Promise<this> | undefined {
      if (callback === undefined) return super.connect() as Promise<this> // it resolves to the client
      super.connect((fault: Error) => {
        if (fault) destroy(this)
        callback(fault)
      })
      return undefined
    }
  }
  return (config) => {
    const pool = new pg.Pool({ ...config, Client: ClosingClient, keepAlive: true })
    // Without these listeners, a broken connection ends the process: the pool listens only to idle ones.
    return pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined))
  }
}

/** Closes the socket at once. `end()` waits for the server, which may hang. */
export const destroy = (client: ClientBase): void => void socketOf(client).destroy()

function socketOf(client: ClientBase): Socket {
  const { connection } = client as unknown as { connection: { stream: Socket } } // missing from pg's types
  return connection.stream
}

/** Runs `work` in a transaction of a client. On Citus it may change several distributed tables. */
export async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query(`begin; ${allowSeveralTables}`)
  try {
    await work()
    await client.query('commit')
  } catch (fault) {
    // If this fails too, the first failure is the cause.
    await client.query('rollback').catch(() => undefined)
    throw fault
  }
}

/**
 * For a transaction that reads rows of several workspaces and then changes another table. Citus then uses one connection
 * per node for the shards of all tables. PostgreSQL ignores the setting.
 */
export const allowSeveralTables = "set local citus.multi_shard_modify_mode = 'sequential'"
