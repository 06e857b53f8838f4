import type { Database } from '../../store/database.ts'

/** How things of one kind are stored and called. */
interface Kept {
  /** The table that counts their ids; a member's id is that of the user. */
  readonly table?: keyof Database
  /** Columns by which a text may name them, the first that fits. */
  readonly names?: readonly string[]
}

/** Everything that can be made, under the name that factories have for it. */
export const kinds = {
  workspace: { table: 'workspaces', names: ['name'] },
  member: { table: 'users', names: ['email', 'name'] },
  token: { table: 'api_tokens', names: ['name'] },
  slaPolicy: {},
  project: { table: 'projects', names: ['name'] },
  account: { table: 'accounts', names: ['name'] },
  channel: { table: 'channels', names: ['name'] },
  ticket: { table: 'tickets', names: ['title'] },
  task: { table: 'tasks', names: ['title'] },
  message: { table: 'messages' },
  deal: { table: 'deals', names: ['title'] },
  leadSource: {},
  lead: { table: 'leads', names: ['email', 'name'] },
  employee: { table: 'employees', names: ['employee_code', 'attendance_uid'] },
  device: { table: 'devices', names: ['external_device_id', 'device_name'] },
  punch: { table: 'punches' },
  integration: {},
  errorReport: {},
  rule: { table: 'automation_rules', names: ['name'] },
  subscription: { table: 'subscriptions', names: ['url'] },
} as const satisfies Record<string, Kept>

export type Kind = keyof typeof kinds

export const tableOf = (kind: Kind): keyof Database | undefined => (kinds[kind] as Kept).table
export const namesOf = (kind: Kind): readonly string[] => (kinds[kind] as Kept).names ?? []
