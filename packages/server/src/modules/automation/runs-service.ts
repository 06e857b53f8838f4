import type { App, TicketRef } from '../../core/context.ts'
import * as queries from './queries.ts'

/** What rules did to a ticket, newest first, and the names of the rules that there are. */
export async function findRunsOf(app: App, ticket: TicketRef, limit: number) {
  const rules = await queries.listRules(app.db, ticket.workspaceId)
  return {
    runs: await queries.listRunsOf(app.db, ticket, limit),
    ruleNames: new Map(rules.map(({ id, name }) => [id, name])),
  }
}
