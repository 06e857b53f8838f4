import { parentPort, workerData } from 'node:worker_threads'
import { quietLog } from '../core/log.ts'
import { systemClock } from '../core/system-clock.ts'
import { rebuildTicketSearch } from '../modules/tickets/search-index.ts'
import { type CopiedRows, copyDatabase } from '../store/copy/copy-database.ts'
import { type CopyPlan, markTarget, openCopiedDatabase, toConfig } from '../store/copy/open-copied-database.ts'
import { openStore } from '../store/open.ts'

/** A message from the thread: its progress from 0 to 1, or the copied rows at the end. */
export type CopyMessage = { readonly done: number } | { readonly copied: readonly CopiedRows[] }

const post = (message: CopyMessage) => parentPort?.postMessage(message)
const clock = systemClock()

/** The approximate share of copying and checking in the total time. The rest is ticket indexing. */
const copyingShare = 0.7

/** The worker thread of `db copy`; see `db.ts`. The target is marked complete last, so that a copy can resume. */
async function copy(plan: CopyPlan): Promise<readonly CopiedRows[]> {
  const copied = await copyTables(plan)
  await indexTickets(plan, copied.find(({ table }) => table === 'tickets')?.rows ?? 0)
  const target = await openCopiedDatabase(plan, 'to', clock)
  await target.finish().finally(target.close)
  return copied
}

async function copyTables(plan: CopyPlan): Promise<readonly CopiedRows[]> {
  const source = await openCopiedDatabase(plan, 'from', clock)
  try {
    const target = await openCopiedDatabase(plan, 'to', clock)
    const onProgress = (done: number) => post({ done: copyingShare * done })
    const copied = await copyDatabase(source, target, { onProgress }).finally(target.close)
    await source.requireUnused()
    return copied
  } finally {
    await source.close()
  }
}

/** The databases use different kinds of ticket indexes, so the index is rebuilt rather than copied. */
async function indexTickets(plan: CopyPlan, all: number): Promise<void> {
  const store = await openStore(toConfig(plan.to, 'to'), { clock, log: quietLog(), permit: markTarget(plan) })
  try {
    let done = 0
    await rebuildTicketSearch(store, (tickets) => {
      done += tickets
      post({ done: copyingShare + (1 - copyingShare) * Math.min(1, done / Math.max(1, all)) })
    })
  } finally {
    await store.close()
  }
}

post({ copied: await copy(workerData as CopyPlan) })
