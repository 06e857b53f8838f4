import type { Micros } from '../../../core/clock.ts'
import type { Company } from './company.ts'
import { insertRows } from './insert-rows.ts'

/** What the log says of one delivery. */
export interface Received {
  readonly at: Micros
  readonly status: number
  readonly summary: string
}

/** As many as are shown of one integration, and more than anybody reads. */
const mostOfOne = 120

/** The log of what third parties have pushed in, by integration. */
export async function storeInbound(
  { app, workspace }: Company,
  received: Readonly<Record<string, readonly Received[]>>,
): Promise<void> {
  const latest = Object.entries(received).flatMap(([integration, entries]) =>
    entries
      .toSorted((a, b) => a.at - b.at)
      .slice(-mostOfOne)
      .map((entry) => ({ ...entry, integration })),
  )
  await insertRows(
    app,
    'inbound_deliveries',
    latest
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, integration, status, summary }) => {
        const request_id = app.ids.uuid()
        return { workspace_id: workspace, integration, status, summary, request_id, received_at: at }
      }),
  )
}
