import type { Log, LogFields } from '../core/log.ts'

/** What a database can do at the moment. A full disk, or a standby, can be read and not written. */
export interface StoreHealth {
  readonly canRead: boolean
  readonly canWrite: boolean
  readonly fault?: LogFields | undefined
  /** The file, where it is damaged: that does not pass by itself. */
  readonly damaged?: string | undefined
}

export const healthy: StoreHealth = { canRead: true, canWrite: true }

/** Says in the log when a database stops answering or writing, and when it does again: once per outage, not per attempt. */
export function healthLog(log: Pick<Log, 'error' | 'info'>): (health: StoreHealth) => void {
  let last = healthy
  return (health) => {
    // Which of our lines has noticed it says nothing about a disk or a network.
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
      log.info('The database answers and takes changes again.')
    }
    last = health
  }
}
