import type { Delivery } from '@service/client/admin'
import { listRows } from '../list-rows.ts'
import type { TestServer } from '../test-controls.ts'

const maxDeliveries = 1000

/** The newest deliveries of a workspace, or of all, oldest first. */
export async function listDeliveries(
  server: Pick<TestServer, 'admin'>,
  workspace: number | undefined,
): Promise<(Delivery & { readonly workspace: number })[]> {
  const rows = await listRows(server, 'deliveries', { workspace, limit: maxDeliveries })
  return rows.toSorted((a, b) => a.id - b.id)
}

/** `#3 ticket.created pending after 2 attempts (500)` */
export function describeDelivery({ id, event, state, attempts, error }: Delivery): string {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  return `#${id} ${event} ${state} after ${tries}${error === null ? '' : ` (${error})`}`
}
