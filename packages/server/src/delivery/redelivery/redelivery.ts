import type { TxApp } from '../../core/context.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { wakeQueue } from '../leases/queues.ts'
import { largestBodyBytes } from '../outbox/largest-body.ts'
import { insertJob } from './job-queries.ts'
import type { RedeliveryScope } from './redelivery-queries.ts'
import * as queries from './redelivery-queries.ts'

/** Has one delivery sent again, whatever became of it. */
export async function resend(
  app: TxApp,
  { workspaceId, id, subscriptionId }: RowRef & { readonly subscriptionId: number },
): Promise<void> {
  await queries.setPending(app.db, { workspaceId, id }, app.clock.scheduleNow())
  await wakeQueue(app, { workspaceId, id: subscriptionId })
}

/** Has all that was given up or is held since then sent again; gives back the number of the job that does it. */
export async function recover(app: TxApp, wanted: RedeliveryScope): Promise<number> {
  return startJob(app, 'recover', { ...wanted, lastId: await queries.lastDeliveryId(app.db, wanted) })
}

/** Has events since then that the subscription never got delivered to it; gives back the number of the job. */
export async function replay(app: TxApp, wanted: RedeliveryScope): Promise<number> {
  return startJob(app, 'replay', { ...wanted, lastId: await queries.lastEventId(app.db, wanted.workspaceId) })
}

async function startJob(
  app: TxApp,
  kind: 'recover' | 'replay',
  wanted: RedeliveryScope & { lastId: number },
): Promise<number> {
  const { id } = await insertJob(app.db, { kind, ...wanted, now: app.clock.now() })
  app.store.afterCommit(app.wakeSignal.notify)
  return id
}

export const countRecoverable = ({ db }: Pick<TxApp, 'db'>, wanted: RedeliveryScope): Promise<number> =>
  queries.countRecoverable(db, wanted)

export const countReplayable = ({ db }: Pick<TxApp, 'db'>, wanted: RedeliveryScope): Promise<number> =>
  queries.countReplayable(db, wanted, largestBodyBytes)
