import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App, TxApp } from '../context.ts'
import { listTokens } from '../modules/tokens/service.ts'
import { createPrivateDirectory } from '../store/private-directory.ts'
import { replaceSecret } from '../store/secret-file.ts'
import { inTransaction } from '../store/transaction.ts'
import type { Seeded } from '../testing/seeds/seed-state.ts'

/** Everything needed to use the demo workspace. The keys match the `ready` line. */
export interface DemoCredentials {
  readonly workspace: number
  readonly token: string
  readonly secrets: {
    readonly errors: string
    readonly attendance: string
    readonly device: string
    readonly leads: Readonly<Record<string, string>>
  }
  readonly device: { readonly id: number; readonly source_type: string; readonly external_device_id: string }
  readonly employee: {
    readonly user_id: number
    readonly employee_code: string
    readonly attendance_uid: string
    readonly email: string
  }
}

/**
 * The demo workspace of a data directory, created on the first start. The database has only hashes of
 * its secrets, so the credentials shown at each start are kept in a file that only its owner can read. The file is
 * written before the commit. If a start is killed in between, the file has no workspace and is recreated.
 */
export async function openDemo(app: App, directory: string | undefined): Promise<DemoCredentials> {
  if (directory === undefined) return inTransaction(app, seedDemo)
  const file = join(directory, 'demo-credentials.json')
  const saved = readCredentials(file)
  if (saved !== undefined && (await isUsable(app, saved))) return saved
  return inTransaction(app, async (app) => {
    const credentials = await seedDemo(app)
    saveCredentials(directory, file, credentials)
    return credentials
  })
}

async function seedDemo(app: TxApp): Promise<DemoCredentials> {
  // Loaded only on the first start.
  const { seedCompany } = await import('../testing/seeds/company/seed-company.ts')
  const credentials = credentialsOf(await seedCompany(app))
  if (credentials === undefined) throw new Error('The demo company has no token, no device, or no employee E-001.')
  return credentials
}

/** The demo credentials of a test server. */
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

function readCredentials(file: string): DemoCredentials | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoCredentials // written only by `keep`
  } catch {
    return undefined
  }
}

/** The file may belong to a deleted database. */
async function isUsable(app: App, { workspace, token }: DemoCredentials): Promise<boolean> {
  const tokens = await listTokens(app, workspace, { limit: 200 })
  return tokens.some(({ hint, revoked_at }) => revoked_at === null && token.endsWith(hint))
}

function saveCredentials(directory: string, file: string, credentials: DemoCredentials): void {
  createPrivateDirectory(directory)
  replaceSecret(file, JSON.stringify(credentials, null, 2))
}
