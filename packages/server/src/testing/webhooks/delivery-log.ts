import type { Delivery } from '@service/client/admin'
import { listRows } from '../list-rows.ts'
import type { TestServer } from '../test-controls.ts'

/** The deliveries of a workspace, or of all, oldest first. */
export async function listDeliveries(
  server: Pick<TestServer, 'admin'>,
  workspace?: number,
): Promise<(Delivery & { readonly workspace: number })[]> {
  return (await listRows(server, 'deliveries', workspace)).toSorted((a, b) => a.id - b.id)
}

/** `#3 ticket.created pending after 2 attempts (500)` */
export function describeDelivery({ id, event, state, attempts, error }: Delivery): string {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  return `#${id} ${event} ${state} after ${tries}${error === null ? '' : ` (${error})`}`
}
