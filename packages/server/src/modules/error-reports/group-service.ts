import type { ErrorRecord } from '@service/intake/errors/record'
import type { App, TicketRef, TxApp } from '../../context.ts'
import { formatInstant, microsPerDay, toDay } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { findTicketReference } from '../tickets/service.ts'
import * as queries from './queries.ts'

/** How many of the newest reports of an error are kept. */
const mostSamples = 10
const daysShown = 30

interface Report {
  readonly workspaceId: number
  readonly group: { readonly id: number; readonly count: number }
  /** JSON. */
  readonly sample: string
}

/** Keeps a report beside the newest ones of its error, and counts its day. */
export async function keepReport(app: TxApp, { workspaceId, group, sample }: Report): Promise<void> {
  const now = app.clock.now()
  const slot = group.count % mostSamples
  const report = { workspace_id: workspaceId, group_id: group.id, slot, sample, seen_at: now, day: toDay(now) }
  await queries.keepReport(app.store, report, group.count > mostSamples)
}

/** An error with its newest reports, how often it came on each of the last days, and its ticket. */
export async function getError(app: App, { workspaceId, id }: { workspaceId: number; id: number }) {
  const row = await queries.findGroup(app.db, workspaceId, id)
  if (row === undefined) throw notFound('error report', id)
  const since = toDay(app.clock.now() - (daysShown - 1) * microsPerDay)
  const samples = await queries.listSamples(app.db, { workspaceId, id })
  return {
    ...toErrorGroup(row),
    ticket: row.ticket_id === null ? null : ((await findTicketReference(app, workspaceId, row.ticket_id)) ?? null),
    samples: samples.map(({ sample, seen_at }) => ({
      seen_at: formatInstant(seen_at),
      report: JSON.parse(sample) as Record<string, unknown>, // written by keepReport only
    })),
    days: (await queries.listDays(app.db, { workspaceId, id }, since)).map(({ day, count }) => ({ day, count })),
  }
}

/** The error whose reports are counted on a ticket. */
export const findErrorOf = (app: App, { workspaceId, id }: TicketRef) => queries.findGroupOf(app.db, workspaceId, id)

/** On which days an error was reported since an instant, the oldest first. */
export const listErrorDays = (app: App, group: RowRef, since: number) => queries.listDays(app.db, group, toDay(since))

/** What rules may look at of the errors that are counted on these tickets. */
export async function listErrorFactsOf(app: App, workspaceId: number, tickets: readonly { readonly id: number }[]) {
  const rows = await queries.listFactsOf(
    app.store,
    workspaceId,
    tickets.map(({ id }) => id),
  )
  return new Map(rows.map(({ ticket_id, ...facts }) => [ticket_id ?? 0, [facts]]))
}

/** An error as lists show it. */
export const toErrorGroup = ({ workspace_id: _, first_seen_at, last_seen_at, sample, ...row }: queries.GroupRow) => ({
  ...row,
  first_seen_at: formatInstant(first_seen_at),
  last_seen_at: formatInstant(last_seen_at),
  sample: JSON.parse(sample) as ErrorRecord, // written by recordOne only
})
