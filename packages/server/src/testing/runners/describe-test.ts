import { describeCall } from '../journal/expected-request.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { TestServer } from '../test-controls.ts'
import { describeDelivery, listDeliveries } from '../webhooks/delivery-log.ts'

const maxRequests = 24
const maxDeliveries = 12

/** The requests of a test with the rows that they changed, and its deliveries, in at most 40 lines. */
export async function describeTest(server: TestServer): Promise<string> {
  const requests = server.journal.entries().map(describeEntry)
  const deliveries = (await listDeliveries(server)).map(describeDelivery)
  return [...section('Requests', requests, maxRequests), ...section('Deliveries', deliveries, maxDeliveries)].join('\n')
}

/** The newest lines below a heading. */
function section(heading: string, lines: readonly string[], limit: number): string[] {
  const left = lines.length - limit
  return [
    `${heading} (${lines.length}):`,
    ...(left > 0 ? [`  … and ${left} before`] : []),
    ...lines.slice(-limit).map((line) => `  ${line}`),
  ]
}

/** `#1 POST /api/v1/workspaces/1/tickets (tickets.create) → 201; events +1, tickets +1` */
function describeEntry({ rows, response, error, ...entry }: JournalEntry): string {
  const changes = rows.map(({ table, inserted, updated, deleted }) =>
    [table, inserted > 0 && `+${inserted}`, updated > 0 && `~${updated}`, deleted > 0 && `−${deleted}`]
      .filter(Boolean)
      .join(' '),
  )
  return [
    describeCall({ ...entry, outcome: response?.status ?? error }),
    ...(changes.length > 0 ? [changes.join(', ')] : []),
  ].join('; ')
}
