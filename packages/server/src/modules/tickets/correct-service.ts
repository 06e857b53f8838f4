import type { TicketPatch } from '@service/contract/admin/work-input'
import type { TicketRef, TxApp } from '../../context.ts'
import { listHistory } from './history-queries.ts'
import * as queries from './queries.ts'
import { lockTicket, updateTicket } from './update-service.ts'

type Correctable = Required<Pick<TicketPatch, 'description' | 'priority' | 'title'>>

interface Correction {
  readonly fields: Correctable
  /** These fields are corrected only if they have this value. */
  readonly expected: Partial<Correctable>
}

interface CorrectedField {
  readonly field: string
  readonly from: string | null
  readonly to: string | null
}

const maxHistory = 1_000

/** Changes the fields of a ticket that only the actor of the app has changed. Returns what changed. */
export async function correctTicket(
  app: TxApp,
  ref: TicketRef,
  { fields, expected }: Correction,
): Promise<readonly CorrectedField[]> {
  await lockTicket(app, ref)
  const before = await queries.findTicket(app.db, ref.workspaceId, ref.id)
  if (before === undefined) return []
  const touched = await listTouchedFields(app, ref)
  const names = Object.keys(fields) as (keyof Correctable)[] // the keys of `fields`
  const corrected = names
    .filter((field) => !touched.has(field) && (expected[field] === undefined || expected[field] === before[field]))
    .map((field) => ({ field, from: before[field], to: fields[field] ?? null }))
    .filter(({ from, to }) => from !== to)
  if (corrected.length > 0)
    await updateTicket(app, ref, Object.fromEntries(corrected.map(({ field, to }) => [field, to])))
  return corrected
}

/** The fields that others have changed since the ticket was created. */
async function listTouchedFields(app: TxApp, ref: TicketRef): Promise<ReadonlySet<string>> {
  const history = await listHistory(app.db, ref, maxHistory)
  const others = history.filter(({ actor_kind }) => actor_kind !== app.actor?.kind)
  return new Set(others.flatMap(({ changes }) => Object.keys(JSON.parse(changes))))
}
