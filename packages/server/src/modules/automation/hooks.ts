import type { DomainHooks } from '../../context.ts'
import { compiledRulesOf } from './rule-cache.ts'
import { runRules } from './run-rules.ts'
import { setServiceLevel } from './sla.ts'

/** Service levels and rules, as what happens to tickets. */
export const automationHooks: DomainHooks = {
  async ticketCreated(app, ticket) {
    const { rules, policies } = await compiledRulesOf(app, ticket.workspaceId)
    const changed = await runRules(app, rules, { trigger: 'ticket_created', ticket, quiet: true })
    await setServiceLevel(app, policies, ticket)
    return changed
  },
  async ticketUpdated(app, ticket, changedFields) {
    const { rules, policies } = await compiledRulesOf(app, ticket.workspaceId)
    if (changedFields.includes('priority')) await setServiceLevel(app, policies, ticket)
    await runRules(app, rules, { trigger: 'ticket_updated', ticket, facts: { changed: changedFields } })
  },
  async errorReported(app, ticket, error) {
    const { rules } = await compiledRulesOf(app, ticket.workspaceId)
    await runRules(app, rules, { trigger: 'error_reported', ticket, facts: error })
  },
}
