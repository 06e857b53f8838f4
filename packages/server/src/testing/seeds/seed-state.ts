import type { Kind } from '../factories/define-factory.ts'
import { type CreatedRecord, idOf } from '../factories/factory-context.ts'
import type { RecordOf } from '../factories/factory-types.ts'

/** The result of a seed, with secrets that cannot be read again. */
export interface Seeded {
  /** The first workspace's id. */
  readonly workspace?: number
  /** The text of the first token. */
  readonly token?: string
  readonly workspaces: readonly SeededWorkspace[]
}

/** A seeded workspace. */
export interface SeededWorkspace {
  readonly id: number
  readonly name: string
  /** The ids of all records with a `key` in the seed. */
  readonly ids: Readonly<Record<string, number>>
  readonly members: readonly RecordOf<'member'>[]
  readonly projects: readonly RecordOf<'project'>[]
  readonly employees: readonly RecordOf<'employee'>[]
  readonly devices: readonly RecordOf<'device'>[]
  readonly subscriptions: readonly RecordOf<'subscription'>[]
  readonly tokens: readonly RecordOf<'token'>[]
  /** Secrets of inbound webhooks: `errors`, `attendance`, a Git provider, or a lead source. */
  readonly secrets: Readonly<Record<string, string>>
}

/** Stores the result of a server's seed. */
export interface SeedState {
  seeded: Seeded
}

export const noSeed: Seeded = { workspaces: [] }

const lists = {
  member: 'members',
  project: 'projects',
  employee: 'employees',
  device: 'devices',
  subscription: 'subscriptions',
  token: 'tokens',
} as const satisfies { readonly [K in Kind]?: keyof SeededWorkspace }

/** Records what a seed creates, except for tickets and other large tables, which tests can list. */
export interface SeedRecorder {
  record(created: CreatedRecord): void
  /** Returns false if the workspace already has this key. */
  recordKey(workspaceId: number, key: string, id: number): boolean
  seeded(): Seeded
}

export function createSeedRecorder(): SeedRecorder {
  const records: CreatedRecord[] = []
  const ids = new Map<number, Map<string, number>>()
  const recordsOf = (workspaceId: number, kind: Kind) =>
    records.filter((each) => each.workspaceId === workspaceId && each.kind === kind).map(({ record }) => record)

  const toWorkspace = (workspace: object): SeededWorkspace => {
    const id = idOf(workspace) ?? 0
    const listed = Object.entries(lists).map(([kind, list]) => [list, recordsOf(id, kind as Kind)]) // the keys of `lists` are kinds
    const secrets = [...recordsOf(id, 'integration'), ...recordsOf(id, 'leadSource')].flatMap(secretOf)
    return {
      ...workspace,
      ids: Object.fromEntries(ids.get(id) ?? []),
      ...Object.fromEntries(listed),
      secrets: Object.fromEntries(secrets),
    }
  }

  return {
    record(created) {
      if (created.kind in lists || ['workspace', 'integration', 'leadSource'].includes(created.kind))
        records.push(created)
    },
    recordKey(workspaceId, key, id) {
      const known = ids.get(workspaceId) ?? new Map<string, number>()
      if (known.has(key)) return false
      ids.set(workspaceId, known.set(key, id))
      return true
    },
    seeded() {
      const workspaces = records.filter(({ kind }) => kind === 'workspace').map(({ record }) => toWorkspace(record))
      return withFirsts(workspaces)
    },
  }
}

/** The first of each, for most tests. */
function withFirsts(workspaces: readonly SeededWorkspace[]): Seeded {
  const [workspace] = workspaces
  const token = workspaces.flatMap(({ tokens }) => tokens)[0]?.token
  return {
    ...(workspace === undefined ? {} : { workspace: workspace.id }),
    ...(token === undefined ? {} : { token }),
    workspaces,
  }
}

function secretOf(record: object): [string, string][] {
  const { integration, source, secret }: { integration?: unknown; source?: unknown; secret?: unknown } = record
  const name = integration ?? source
  return typeof name === 'string' && typeof secret === 'string' ? [[name, secret]] : []
}
