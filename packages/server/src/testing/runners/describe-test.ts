import { describeCall } from '../journal/expected-request.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import { listWorkspaceIds } from '../list-rows.ts'
import type { TestServer } from '../test-controls.ts'
import { describeDelivery } from '../webhooks/delivery-log.ts'

const maxRequests = 24
const maxDeliveries = 12

/** The requests of a test with the rows that they changed, and its deliveries, in at most 40 lines. */
export async function describeTest(server: TestServer): Promise<string> {
  const requests = server.journal.entries().map(describeEntry)
  const deliveries = (await newestDeliveries(server)).map(describeDelivery)
  return [...section('Requests', requests, maxRequests), ...section('Deliveries', deliveries, maxDeliveries)].join('\n')
}

/** A little more than is shown, because a workspace may have many. */
const maxRead = 50

/** The newest deliveries of each workspace, oldest first. */
async function newestDeliveries(server: TestServer) {
  const pages = (await listWorkspaceIds(server)).map((workspace) =>
    server.admin.deliveries.list({ workspace }, { limit: maxRead }),
  )
  return (await Promise.all(pages)).flatMap(({ data }) => data).toSorted((a, b) => a.id - b.id)
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
