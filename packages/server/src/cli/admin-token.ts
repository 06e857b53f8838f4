import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from './environment.ts'

/** The token of administration: the configured one, else one made at the first start and kept for its owner to read. */
export function readAdminToken({ options, demoDirectory }: Environment): string {
  const configured = options['adminToken']
  if (typeof configured === 'string') return configured
  const made = `service_admin_${randomBytes(32).toString('base64url')}`
  if (demoDirectory === undefined) return made
  const file = join(demoDirectory, 'admin-token')
  if (!existsSync(file)) {
    mkdirSync(demoDirectory, { recursive: true, mode: 0o700 })
    writeFileSync(file, `${made}\n`, { mode: 0o600 })
  }
  return readFileSync(file, 'utf8').trim()
}
