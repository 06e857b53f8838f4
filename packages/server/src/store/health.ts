import type { Log, LogFields } from '../core/log.ts'

/** Whether a database can be read and written. A full disk or a standby can be read but not written. */
export interface StoreHealth {
  readonly canRead: boolean
  readonly canWrite: boolean
  readonly fault?: LogFields | undefined
  /** The path of a damaged file, which does not recover by itself. */
  readonly damaged?: string | undefined
}

export const healthy: StoreHealth = { canRead: true, canWrite: true }

/** Logs when a database stops answering or accepting writes, and when it recovers: once per outage. */
export function healthLog(log: Pick<Log, 'error' | 'info'>): (health: StoreHealth) => void {
  let last = healthy
  return (health) => {
    // Our stack trace does not help with a disk or network failure.
    const { stack: _, ...fault } = health.fault ?? {}
    if (health.damaged !== undefined && last.damaged === undefined) {
      log.error(
        `The database file ${health.damaged} is damaged. Stop the server, and restore a backup ("service-server restore") or salvage what can be read with the .recover command of sqlite3.`,
        fault,
      )
    } else if (last.canRead && !health.canRead) log.error('The database does not answer.', fault)
    else if (health.canRead && last.canWrite && !health.canWrite) {
      log.error('The database can be read but not written.', fault)
    } else if (health.canRead && health.canWrite && !(last.canRead && last.canWrite)) {
      log.info('The database answers and accepts writes again.')
    }
    last = health
  }
}
