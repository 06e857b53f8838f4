import type { App } from '../../core/context.ts'
import { listFinishedSince } from './flow-queries.ts'

/** When deliveries were made of events, by whether the receiver has taken them. One that is tried again has failed so far. */
export async function listDeliveryFlow({ db }: App, at: { readonly workspaceId: number; readonly since: number }) {
  const rows = await listFinishedSince(db, at)
  const momentsOf = (isMeant: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(isMeant).map(({ created_at }) => created_at)
  return {
    succeededAt: momentsOf(({ state }) => state === 'succeeded'),
    failedAt: momentsOf(({ state, attempts }) => state === 'failed' || (state === 'pending' && attempts > 0)),
  }
}
