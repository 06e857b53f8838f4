import type { Admin } from '@service/client/admin'
import type { Kind } from '../factories/define-factory.ts'
import type { Factories } from '../factories/factories.ts'
import type { WorkspaceFields } from '../factories/factory-fields.ts'
import type { FieldsOf } from '../factories/factory-types.ts'

/** States that the server brings along. */
type Scenario = 'empty' | 'demo' | 'company' | 'large' | 'edge'

/**
 * What a server begins with: a scenario, data, the path of a YAML or JSON file (or of a module that exports data or a
 * function), or a function that makes everything itself.
 */
export type Seed = Scenario | (string & {}) | SeedData | ((admin: Admin, factories: Factories) => unknown)

/** What a workspace may hold, in the order in which it is made: who subscribes comes last and is told nothing of a seed. */
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

/** A name by which other parts of the seed refer to this one. */
interface SeedKey {
  readonly key?: string
}

type Sections = {
  readonly [Section in keyof typeof sections]?: readonly (FieldsOf<(typeof sections)[Section]> & SeedKey)[]
}

/** A workspace and everything in it. References are ids, keys, or names (of members: e-mail addresses). */
export interface SeedWorkspace extends WorkspaceFields, SeedKey, Sections {}

/** Data that a server begins with. */
export interface SeedData {
  readonly workspaces?: readonly SeedWorkspace[]
}

/** All that is wrong with a seed, at once; in a file with line and column. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    super(`The seed has ${count}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}
