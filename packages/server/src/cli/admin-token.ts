import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { readOrCreateSecret } from '../encryption/secret-file.ts'
import type { Environment } from './environment.ts'

export const adminTokenFileName = 'admin-token'

/** As the settings ask of an admin token. */
const shortest = 20

export interface AdminToken {
  readonly adminToken: string
  /** Where it is kept for its owner to read; null when it came from elsewhere. */
  readonly tokenFile: string | null
}

/** The token of administration: the configured one, else one made at the first start and kept in the data directory. */
export function readAdminToken({ options, demoDirectory }: Environment): AdminToken {
  const configured = options['adminToken']
  if (typeof configured === 'string') return { adminToken: configured, tokenFile: null }
  if (demoDirectory === undefined) return { adminToken: makeAdminToken(), tokenFile: null }
  const path = resolve(demoDirectory, adminTokenFileName)
  const adminToken = readOrCreateSecret({ path, name: 'admin token', shortest }, makeAdminToken)
  return { adminToken, tokenFile: path }
}

export const makeAdminToken = () => `service_admin_${randomBytes(32).toString('base64url')}`
