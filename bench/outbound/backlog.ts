import { randomUUID } from 'node:crypto'
import { createServer } from '@service/server'
import Sqlite from 'better-sqlite3'
import { databaseFile } from '../data/seed.ts'

/** What waits, and where it should go. */
export interface Backlog {
  readonly url: string
  readonly deliveries: number
}

/** A body as `ticket.created` has it. */
export const sampleBody = (turn: number): string =>
  JSON.stringify({
    event: 'ticket.created',
    workspace_id: 1,
    timestamp: '2026-11-20T18:51:53+00:00',
    ticket: {
      id: turn,
      ticket_number: `TKT-${turn}`,
      title: `The invoice export prints the total without tax, case ${turn}`,
      description: 'Reported by phone. The customer sees it on every invoice since Monday – “always”.',
      status: 'open',
      priority: 'high',
      category: 'bug',
      assignee: { id: 7, name: 'Zoë Müller' },
      creator: { id: 9, name: 'Ada Obi' },
      project: { id: 3, name: 'Billing' },
      due_at: '2026-12-18',
      created_at: '2026-11-20T18:51:53.123456Z',
    },
  })

/** A fresh data directory with a subscription for which deliveries wait. */
export async function seedBacklog(data: string, { url, deliveries }: Backlog): Promise<void> {
  await using server = await createServer({ data, synchronous: 'normal', egressAllow: ['127.0.0.1'] })
  const { id: workspace_id } = await server.admin.workspaces.create({ name: 'Outbound' })
  const { id } = await server.admin.webhooks.create({ workspace: workspace_id }, { url, events: ['ticket.*'] })
  await server.close()
  insertDeliveries(data, { workspace_id, subscription_id: id, deliveries })
}

interface WaitingDeliveries {
  readonly workspace_id: number
  readonly subscription_id: number
  readonly deliveries: number
  /** Until when they wait: they are due at once unless told otherwise. */
  readonly afterMs?: number
}

/** Straight into the tables: through the front door they would be sent as they come. */
export function insertDeliveries(
  data: string,
  { workspace_id, subscription_id, deliveries, afterMs = 0 }: WaitingDeliveries,
): void {
  const database = new Sqlite(databaseFile(data))
  const event = database.prepare(
    `insert into events (workspace_id, name, body, created_at, key) values (?, 'ticket.created', ?, ?, ?)`,
  )
  const delivery = database.prepare(
    `insert into deliveries (workspace_id, subscription_id, event_id, state, attempt_class, attempts, attempts_before,
      next_attempt_at, created_at) values (?, ?, ?, 'pending', 0, 0, 0, ?, ?)`,
  )
  const start = Date.now() * 1000
  database.transaction(() => {
    for (let turn = 1; turn <= deliveries; turn += 1) {
      const at = start + turn
      const { lastInsertRowid } = event.run(workspace_id, sampleBody(turn), at, randomUUID())
      delivery.run(workspace_id, subscription_id, lastInsertRowid, at + afterMs * 1000, at)
    }
    database
      .prepare('update delivery_queues set due_at = ? where subscription_id = ?')
      .run(afterMs === 0 ? 1 : start + afterMs * 1000, subscription_id)
  })()
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}
