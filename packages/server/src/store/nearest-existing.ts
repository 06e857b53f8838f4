import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The path, or the nearest one above it that exists. */
export function nearestExisting(path: string, exists: (path: string) => boolean = existsSync): string {
  const full = resolve(path)
  const parent = dirname(full)
  return exists(full) || parent === full ? full : nearestExisting(parent, exists)
}
