import { checkInput } from '../check-input.ts'
import type { App } from '../context.ts'
import { NewRule, RulePatch, SlaPolicyInput } from '../modules/automation/rule.ts'
import * as automation from '../modules/automation/service.ts'
import { detectBreaches } from '../modules/automation/sla.ts'
import { defaultPage, type Page } from '../page.ts'
import { at, type Place } from './place.ts'

/** Rules, service levels, and the log of what rules did. */
export const automationAdmin = (app: App) => ({
  rules: {
    create: (input: NewRule) => automation.createRule(app, checkInput(NewRule, input)),
    update: (place: Place, patch: RulePatch) => automation.updateRule(app, at(place), checkInput(RulePatch, patch)),
    list: (workspaceId: number) => automation.listRules(app, workspaceId),
    /** What rules did and why, newest first. */
    runs: (workspaceId: number, page: Page = defaultPage) => automation.listRuns(app, workspaceId, page),
  },
  slaPolicies: {
    set: (input: SlaPolicyInput) => automation.setSlaPolicy(app, checkInput(SlaPolicyInput, input)),
    list: (workspaceId: number) => automation.listSlaPolicies(app, workspaceId),
    /** Looks for due times that have passed, as the clock does by itself; resolves with how many were breached. */
    detectBreaches: () => detectBreaches(app),
  },
})
