import type { Admin } from '@service/client/admin'
import type { Kind } from '../factories/define-factory.ts'
import type { Factories } from '../factories/factories.ts'
import type { WorkspaceFields } from '../factories/factory-fields.ts'
import type { FieldsOf } from '../factories/factory-types.ts'

/** Built-in seeds. */
type Scenario = 'empty' | 'demo' | 'company' | 'large' | 'edge'

/**
 * The initial data of a server: a scenario, data, the path of a YAML or JSON file (or of a module that exports data
 * or a function), or a function that creates the data.
 */
export type Seed = Scenario | (string & {}) | SeedData | ((admin: Admin, factories: Factories) => unknown)

/** The sections of a workspace in creation order. Subscriptions come last, so that seeding sends no events. */
export const sections = {
  members: 'member',
  sla_policies: 'slaPolicy',
  projects: 'project',
  accounts: 'account',
  channels: 'channel',
  tickets: 'ticket',
  tasks: 'task',
  messages: 'message',
  deals: 'deal',
  lead_sources: 'leadSource',
  leads: 'lead',
  employees: 'employee',
  devices: 'device',
  punches: 'punch',
  error_reports: 'errorReport',
  integrations: 'integration',
  rules: 'rule',
  subscriptions: 'subscription',
  tokens: 'token',
} as const satisfies Readonly<Record<string, Kind>>

/** A key that other parts of the seed can refer to. */
interface SeedKey {
  readonly key?: string
}

type Sections = {
  readonly [Section in keyof typeof sections]?: readonly (FieldsOf<(typeof sections)[Section]> & SeedKey)[]
}

/** A workspace and its records. References are ids, keys, or names (for members, e-mail addresses). */
export interface SeedWorkspace extends WorkspaceFields, SeedKey, Sections {}

/** The initial data of a server. */
export interface SeedData {
  readonly workspaces?: readonly SeedWorkspace[]
}

/** All errors of a seed; for a file, with line and column. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[], options?: ErrorOptions) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    super(`The seed has ${count}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`, options)
    this.problems = problems
  }
}
