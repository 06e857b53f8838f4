import type { Admin } from '../../admin/admin.ts'
import type { Factories, InputTo } from '../factories/factories.ts'
import type { Kind } from '../factories/kinds.ts'
import type { Recipes } from '../factories/recipes.ts'

/** States that the server brings along. */
export const scenarios = ['empty', 'demo', 'large', 'edge'] as const
export type Scenario = (typeof scenarios)[number]

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
} as const satisfies Record<string, Kind>

type Keyed<Input> = Input & {
  /** What others of the seed call it. */
  readonly key?: string
}

/** A workspace and everything in it. References are ids, keys, or names (of members: e-mails). */
export type SeedWorkspace = Keyed<InputTo<Recipes['workspace']>> & {
  readonly [Section in keyof typeof sections]?: readonly Keyed<InputTo<Recipes[(typeof sections)[Section]]>>[]
}

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
