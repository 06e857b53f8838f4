import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../context.ts'
import { replaceSecret } from '../encryption/secret-file.ts'
import { listTokens } from '../modules/tokens/service.ts'
import { inTransaction } from '../store/transaction.ts'
import type { DemoCredentials } from '../testing/seeds/scenarios/demo-data.ts'
import type { Seeded } from '../testing/seeds/seed-state.ts'

/**
 * The demo workspace of a data directory: made at the first start, the same ever after. Only hashes of its secrets are
 * in the database, so what is shown at each start is kept in a file that only its owner can read. The file is written
 * before the commit: a start that is killed leaves either both or a file without a workspace, which is made anew.
 */
export async function openDemo(app: App, directory: string | undefined): Promise<DemoCredentials> {
  if (directory === undefined) return inTransaction(app, await seed())
  const file = join(directory, 'demo-credentials.json')
  const recorded = readKept(file)
  if (recorded !== undefined && (await isUsable(app, recorded))) return recorded
  const seedCompany = await seed()
  return inTransaction(app, async (app) => {
    const credentials = await seedCompany(app)
    keep(directory, file, credentials)
    return credentials
  })
}

const seed = async () => (await import('../testing/seeds/company/seed-company.ts')).seedCompany

/** The same of a demo that a test server began with. */
export function credentialsOf({ workspaces: [demo], token }: Seeded): DemoCredentials | undefined {
  const [device] = demo?.devices ?? []
  const first = demo?.employees.find(({ employee_code }) => employee_code === 'E-001')
  if (demo === undefined || token === undefined || device === undefined || first === undefined) return undefined
  const { errors = '', attendance = '', ...leads } = demo.secrets
  const { user_id, attendance_uid } = first
  return {
    workspace: demo.id,
    token,
    secrets: { errors, attendance, device: device.secret ?? '', leads },
    device: { id: device.id, source_type: device.source_type, external_device_id: device.external_device_id ?? '' },
    employee: { user_id, employee_code: 'E-001', attendance_uid: attendance_uid ?? '', email: first.user.email },
  }
}

function readKept(file: string): DemoCredentials | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoCredentials // written by `keep` only
  } catch {
    return undefined
  }
}

/** The file may belong to a database that is gone. */
async function isUsable(app: App, { workspace, token }: DemoCredentials): Promise<boolean> {
  const tokens = await listTokens(app, workspace, { limit: 200 })
  return tokens.some(({ hint, revoked_at }) => revoked_at === null && token.endsWith(hint))
}

function keep(directory: string, file: string, credentials: DemoCredentials): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  replaceSecret(file, JSON.stringify(credentials, null, 2))
}
