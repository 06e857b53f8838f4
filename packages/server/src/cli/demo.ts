import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlatformServer } from '../server.ts'
import type { Seeded } from '../testing/seeds/seeded.ts'
import { seedDemo } from './demo-data.ts'

/** What a person or a tool needs to use the demo workspace; the keys are those of the `ready` line. */
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
 * The demo workspace of a data directory: made at the first start, the same ever after. Only hashes of its secrets are
 * in the database, so what is shown at each start is kept in a file that only its owner can read.
 */
export async function openDemo(server: PlatformServer, directory: string | undefined): Promise<DemoCredentials> {
  if (directory === undefined) return seedDemo(server)
  const file = join(directory, 'demo-credentials.json')
  const kept = await readKept(file)
  if (kept !== undefined && (await isUsable(server, kept))) return kept
  const credentials = await seedDemo(server)
  await keep(directory, file, credentials)
  return credentials
}

/** The same of a demo that was planted as a seed. */
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

async function readKept(file: string): Promise<DemoCredentials | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DemoCredentials // written by `keep` only
  } catch {
    return undefined
  }
}

/** The file may belong to a database that is gone. */
async function isUsable(server: PlatformServer, { workspace, token }: DemoCredentials): Promise<boolean> {
  const tokens = await server.admin.tokens.list(workspace)
  return tokens.some(({ hint, revoked_at }) => revoked_at === null && token.endsWith(hint))
}

async function keep(directory: string, file: string, credentials: DemoCredentials): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // Written beside and renamed, so that a crash never leaves half a file.
  await writeFile(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
