import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'

/** Files and connections of the database, the health port, deliveries, and backups. */
const reserved = 256

/**
 * Limits the connections of a port, so that the rest of the process can still open files. Beyond the limit of open files,
 * Node would close connections without a word.
 */
export function limitConnections(server: Server, onFull: (connections: number) => void): void {
  const files = Number(/^Max open files +(\d+)/m.exec(readLimits())?.[1] ?? Number.NaN)
  if (Number.isNaN(files)) return
  const most = Math.max(Math.floor(files / 2), files - reserved)
  server.maxConnections = most
  server.on('drop', () => onFull(most))
}

/** Only Linux has this file. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
