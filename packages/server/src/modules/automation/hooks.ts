import type { DomainHooks } from '../../core/context.ts'
import { runRules } from './run-rules.ts'
import { setServiceLevel } from './sla.ts'

/** Service levels and rules, as what happens to tickets. */
export const automationHooks: DomainHooks = {
  async ticketCreated(app, ticket) {
    const changed = await runRules(app, { trigger: 'ticket_created', ticket, quiet: true })
    await setServiceLevel(app, ticket)
    return changed
  },
  async ticketUpdated(app, ticket, changedFields) {
    if (changedFields.includes('priority')) await setServiceLevel(app, ticket)
    await runRules(app, { trigger: 'ticket_updated', ticket, facts: { changed: changedFields } })
  },
  async errorReported(app, ticket, error) {
    await runRules(app, { trigger: 'error_reported', ticket, facts: error })
  },
}
