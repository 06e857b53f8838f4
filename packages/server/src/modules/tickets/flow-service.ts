import type { TicketAtRisk } from '@service/contract/admin/overview'
import type { App } from '../../context.ts'
import { formatInstant, type Micros } from '../../core/clock.ts'
import * as queries from './flow-queries.ts'
import { toTicketNumber } from './queries.ts'

/** When tickets were opened, and when resolved. */
export async function listTicketFlow({ db }: App, at: queries.Since) {
  return { openedAt: await queries.listOpenedAt(db, at), resolvedAt: await queries.listResolvedAt(db, at) }
}

const mostAtRisk = 20

/** Tickets with a promise that is due before this moment. Of two promises of a ticket the first to be due counts. */
export async function listAtRisk({ db }: App, workspaceId: number, before: Micros): Promise<TicketAtRisk[]> {
  const responses = await queries.listResponsesDue(db, { workspaceId, before })
  const resolutions = await queries.listResolutionsDue(db, { workspaceId, before })
  const due = [
    ...responses.map((row) => ({ ...row, level: 'first_response' as const })),
    ...resolutions.map((row) => ({ ...row, level: 'resolution' as const })),
  ].toSorted((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0))
  return due
    .filter(({ id }, index) => due.findIndex((other) => other.id === id) === index)
    .slice(0, mostAtRisk)
    .map(({ number, due_at, ...ticket }) => ({
      ...ticket,
      ticket_number: toTicketNumber(number),
      due_at: formatInstant(due_at ?? before),
    }))
}
