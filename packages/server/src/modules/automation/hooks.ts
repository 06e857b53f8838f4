import type { App, DomainHooks, TicketRef, TxApp } from '../../context.ts'
import { microsPerMinute } from '../../core/clock.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import { inTransaction } from '../../store/transaction.ts'
import { findBreaches, findTicketFacts, markBreached, nextBreachAt, setDueTimes } from '../tickets/facts-service.ts'
import { type CompiledRules, getCompiledRules } from './rule-cache.ts'
import { runRules } from './run-rules.ts'

/** Runs SLA policies and rules on ticket events. */
export const automationHooks: DomainHooks = {
  async ticketCreation(app, workspaceId) {
    const { rules, policies } = await getCompiledRules(app, workspaceId)
    return async (app, ticket) => {
      const changed = await runRules(app, rules, { trigger: 'ticket_created', ticket, quiet: true })
      await setServiceLevel(app, policies, ticket)
      return changed
    }
  },
  async ticketUpdated(app, ticket, changedFields) {
    const { rules, policies } = await getCompiledRules(app, ticket.workspaceId)
    if (changedFields.includes('priority')) await setServiceLevel(app, policies, ticket)
    await runRules(app, rules, { trigger: 'ticket_updated', ticket, facts: { changed: changedFields } })
  },
  async errorReported(app, ticket, error) {
    const { rules } = await getCompiledRules(app, ticket.workspaceId)
    await runRules(app, rules, { trigger: 'error_reported', ticket, facts: error })
  },
}

/** Sets a ticket's due times from the policy of its priority. Without a policy they are cleared. */
async function setServiceLevel(app: TxApp, policies: CompiledRules['policies'], ticket: TicketRef): Promise<void> {
  if (policies.length === 0) return
  const found = await findTicketFacts(app, ticket)
  if (found === undefined) return
  const policy = policies.find(({ priority }) => priority === found.facts.priority)
  const due = (minutes: number | null | undefined) => (minutes ? found.createdAt + minutes * microsPerMinute : null)
  const dueTimes = {
    firstResponse: due(policy?.first_response_minutes),
    resolution: due(policy?.resolution_minutes),
  }
  await setDueTimes(app, ticket, dueTimes)
  for (const at of Object.values(dueTimes)) if (at !== null) app.store.afterCommit(() => app.dueSignal.scheduleAt(at))
}

const breachesPerRound = 100

/** Marks missed due times and runs the rules for them. Returns whether there were any. */
async function detectBreaches(app: App): Promise<boolean> {
  const breaches = await findBreaches(app, { now: app.clock.now(), limit: breachesPerRound })
  for (const breach of breaches) {
    // One transaction per ticket, so a failing rule does not block the others. Another worker may have marked it first.
    await inTransaction(app, async (app) => {
      app.store.noteWorkspaces([breach.ticket.workspaceId])
      if (!(await markBreached(app, breach))) return
      const { ticket, level } = breach
      const { rules } = await getCompiledRules(app, ticket.workspaceId)
      await runRules(app, rules, { trigger: 'sla_breached', ticket, facts: { sla: level } })
    })
  }
  return breaches.length > 0
}

/** Schedules SLA breach detection. */
export const createSlaTask = (app: App): MaintenanceTask => ({
  nextDueAt: () => nextBreachAt(app),
  run: () => detectBreaches(app),
})
