import type { Micros } from '../../core/clock.ts'
import type { App } from '../../core/context.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'

/** Puts off a delivery that waits by so much, without an attempt. */
export const postpone = (app: App, { workspaceId, id }: RowRef, by: Micros) =>
  inTransaction(app, ({ db }) =>
    db
      .updateTable('deliveries')
      .set({ next_attempt_at: app.clock.scheduleNow() + by })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .execute(),
  )
