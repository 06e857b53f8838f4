import type { Micros } from '../clock.ts'
import type { TxApp } from '../context.ts'
import * as queries from './again-queries.ts'
import { insertJob } from './job-queries.ts'
import { largestBodyBytes } from './largest-body.ts'
import { stirQueue } from './queues.ts'

/** A subscription, and from when on its deliveries are meant. */
export interface Wanted {
  readonly workspaceId: number
  readonly subscriptionId: number
  readonly since: Micros
}

/** Has one delivery sent again, whatever became of it. */
export async function resend(
  app: TxApp,
  { id, subscriptionId }: { id: number; subscriptionId: number },
): Promise<void> {
  await queries.setPending(app.db, id, app.clock.now())
  await stirQueue(app, subscriptionId)
}

/** Has all that was given up or is held since then sent again; gives back the number of the job that does it. */
export async function recover(app: TxApp, wanted: Wanted): Promise<number> {
  return startJob(app, 'recover', { ...wanted, lastId: await queries.lastDeliveryId(app.db, wanted.subscriptionId) })
}

/** Has events since then that the subscription never got delivered to it; gives back the number of the job. */
export async function replay(app: TxApp, wanted: Wanted): Promise<number> {
  return startJob(app, 'replay', { ...wanted, lastId: await queries.lastEventId(app.db, wanted.workspaceId) })
}

async function startJob(app: TxApp, kind: 'recover' | 'replay', wanted: Wanted & { lastId: number }): Promise<number> {
  const { id } = await insertJob(app.db, { kind, ...wanted, now: app.clock.now() })
  app.store.afterCommit(app.bell.ring)
  return id
}

export const countRecoverable = ({ db }: Pick<TxApp, 'db'>, wanted: Wanted): Promise<number> =>
  queries.countRecoverable(db, wanted)

export const countReplayable = ({ db }: Pick<TxApp, 'db'>, wanted: Wanted): Promise<number> =>
  queries.countReplayable(db, wanted, largestBodyBytes)
