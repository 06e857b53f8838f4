import type { Micros } from '../clock.ts'
import type { App } from '../context.ts'
import { inTransaction } from '../store/transaction.ts'

/** Puts off a delivery that waits, without an attempt. */
export const postpone = (app: App, id: number, until: Micros) =>
  inTransaction(app, ({ db }) =>
    db
      .updateTable('deliveries')
      .set({ next_attempt_at: until })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .execute(),
  )
