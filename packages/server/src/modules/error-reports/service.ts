import type { ErrorReceipt, TicketReference } from '@service/contract'
import type { ErrorCountQuery, ErrorReportQuery } from '@service/contract/admin/error-reports'
import { maxCount } from '@service/contract/admin/pages'
import { isCounted } from '@service/intake/errors/level'
import type { ErrorRecord } from '@service/intake/errors/record'
import type { Mapping } from '@service/intake/evaluate-mapping'
import type * as z from 'zod/mini'
import type { App, TicketRef, TxApp } from '../../context.ts'
import { formatInstant, type Micros, microsPerDay, parseInstantOrUndefined, toDay } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import { nextSlice } from '../../core/next-turn.ts'
import { toSortablePage } from '../../core/pagination.ts'
import { refuseUnreadable } from '../../core/refuse-unreadable.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import {
  type Changed,
  type CountedReport,
  type ReceivedDelivery,
  recordDelivery,
} from '../inbound-deliveries/service.ts'
import { findTicketReference } from '../tickets/service.ts'
import type { KeyedReport } from './keyed-reports.ts'
import * as queries from './queries.ts'
import { readReports } from './read-body.ts'
import { noTicket, type ReportTicket, recordReport, type TicketOrNone, type TicketPolicy } from './record-report.ts'
import { rereadReport } from './reread-report.ts'

interface ErrorDelivery extends ReceivedDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** For a replay: what the delivery was counted as before, and where to list what changes. */
  readonly before?: Before | undefined
}

interface Before {
  readonly counted: readonly CountedReport[]
  readonly receivedAt: Micros
  readonly changed: Changed[]
}

/**
 * Counts every report of a body, opening tickets as needed. The response describes the first report that opened a
 * ticket, or else the first one counted on a ticket.
 */
export async function receiveErrors(
  app: App,
  delivery: ErrorDelivery,
  policy: TicketPolicy & { readonly mapping: Mapping | null },
): Promise<ErrorReceipt> {
  const { before } = delivery
  const { reports, ignored } = await readDelivery(delivery, policy)
  return inTransaction(app, async (app) => {
    const tickets: ReportTicket[] = []
    const counted = new Map(before?.counted.map((report) => [report.place, report]))
    let openedCount = 0
    let heldBack = 0
    // Sorted by key, so that concurrent batches lock rows in the same order and cannot deadlock.
    for (const keyed of reports.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      const mayOpen = openedCount < policy.maxNewTickets
      const earlier = counted.get(keyed.place)
      const recorded = await record(app, delivery, { ...policy, mayOpen, keyed, earlier })
      const { ticket } = recorded
      counted.set(keyed.place, recorded.counted)
      if (recorded.joined !== undefined) followJoin(counted, recorded.joined, recorded.counted.group)
      if (ticket === 'held_back') heldBack += 1
      else {
        tickets.push(ticket)
        openedCount += Number(ticket.ticket_created)
      }
      if (reports.length > 1) await nextSlice('first')
    }
    await recordDelivery(app, delivery, {
      integration: 'errors',
      status: 200,
      summary: summaryOf({ reports: reports.length, ignored, opened: openedCount, heldBack }),
      opened: [...counted.values()].some(({ opened }) => opened),
      entries: [...counted.values()],
    })
    const opened = tickets.find(({ ticket_created }) => ticket_created)
    const found = tickets.find(({ ticket_id }) => ticket_id !== null)
    return { received: true, ...(opened ?? found ?? noTicket) }
  })
}

/** A replay also reads reports below every level, because they may have been counted before. */
async function readDelivery(
  { workspaceId, headers, body, before }: ErrorDelivery,
  { minLevel, mapping }: Pick<TicketPolicy, 'minLevel'> & { readonly mapping: Mapping | null },
) {
  const level = before === undefined ? minLevel : 'trace'
  const raw = { headers, body, minLevel: level, mapping }
  const { reports, ignored } = await readReports(raw, { workspaceId }).catch(refuseUnreadable)
  const places = new Set(before?.counted.map(({ place }) => place))
  const isWanted = (report: KeyedReport) =>
    places.has(report.place) ||
    report.opens === true ||
    isCounted({ record: report.read(), isDocumented: report.isDocumented }, minLevel)
  return { reports: before === undefined ? reports : reports.filter(isWanted), ignored }
}

/** Another report of the delivery was counted on the joined error, too, under a key that no error has any more. */
function followJoin(counted: Map<string, CountedReport>, from: number, group: number): void {
  for (const [place, entry] of counted) if (entry.group === from) counted.set(place, { ...entry, group, key: '' })
}

/** In place of an error: the report was a recovery, which is not an occurrence of an error. */
const recovery = 0

interface ReportInDelivery extends TicketPolicy {
  readonly mayOpen: boolean
  readonly keyed: KeyedReport
  readonly earlier: CountedReport | undefined
}

interface RecordedInDelivery {
  readonly ticket: TicketOrNone
  readonly counted: CountedReport
  /** The earlier error of a replayed report, if it was joined with another. */
  readonly joined?: number | undefined
}

async function record(
  app: TxApp,
  { workspaceId, before }: ErrorDelivery,
  { keyed: { read, json, ...keyed }, earlier, ...policy }: ReportInDelivery,
): Promise<RecordedInDelivery> {
  const report = { ...policy, ...keyed, workspaceId, record: read(), sample: json }
  const { place, key } = keyed
  if (report.record.recovered && earlier?.group === recovery && earlier.key === key)
    return { ticket: noTicket, counted: earlier }
  const {
    ticket,
    group = recovery,
    joined,
  } = before === undefined || earlier === undefined
    ? { ...(await recordReport(app, report)), joined: undefined }
    : await rereadReport(app, { ...report, earlier, receivedDay: toDay(before.receivedAt), changed: before.changed })
  const isOpened = earlier?.opened === true || (ticket !== 'held_back' && ticket.ticket_created)
  return { ticket, counted: { place, key, group, ...(isOpened ? { opened: true } : {}) }, joined }
}

interface Counts {
  readonly reports: number
  readonly ignored: number
  readonly opened: number
  readonly heldBack: number
}

function summaryOf({ reports, ignored, opened, heldBack }: Counts): string {
  const parts = [
    reports === 1 ? 'error report' : `${reports} error reports`,
    ...(ignored === 0 ? [] : [`${ignored} ignored by the mapping`]),
    ...(heldBack === 0 ? [] : [`${opened} tickets opened, ${heldBack} new errors held back`]),
  ]
  return (reports === 0 && ignored > 0 ? parts.slice(1) : parts).join(', ')
}

/** Error groups of a workspace with their daily counts. */
export async function listErrors(
  app: App,
  workspaceId: number,
  { since, ...query }: z.output<typeof ErrorReportQuery>,
) {
  const rows = await queries.listGroups(app.store, workspaceId, { ...query, since: parseInstantOrUndefined(since) })
  const ids = rows.map(({ id }) => id)
  const days = Map.groupBy(
    await queries.listGroupDays(app.store, { workspaceId, ids, since: firstDay(app, daysListed) }),
    ({ group_id }) => group_id,
  )
  return toSortablePage(rows, query, ({ sort_key: _, ...row }) => ({
    ...toErrorGroup(row),
    days: (days.get(row.id) ?? []).map(({ day, count }) => ({ day, count })),
  }))
}

/** The number of matching errors. Stops at `maxCount`. */
export const countErrors = async (
  { db }: App,
  workspaceId: number,
  { status, since }: z.output<typeof ErrorCountQuery>,
) => ({
  count: await queries.countGroups(db, workspaceId, { status, since: parseInstantOrUndefined(since), limit: maxCount }),
})

/** The first of the last days (UTC), including today. */
const firstDay = ({ clock }: App, days: number) => toDay(clock.now() - (days - 1) * microsPerDay)

/** Reports and distinct errors per application since this day (UTC). */
export async function countErrorsByApp({ db }: App, workspaceId: number, day: string) {
  const rows = await queries.countByApp(db, workspaceId, day)
  return rows.map(({ app, reports, kinds }) => ({ app, reports: Number(reports), kinds: Number(kinds) }))
}

/** Number of daily counts of an error in a list, and of a single error. */
const daysListed = 14
const daysShown = 30

/** An error with its newest reports, its daily counts, and its ticket. */
export async function getError(app: App, { workspaceId, id }: RowRef) {
  const row = await queries.findGroup(app.db, workspaceId, id)
  if (row === undefined) throw notFound('error report', id)
  const since = firstDay(app, daysShown)
  const samples = await queries.listSamples(app.db, { workspaceId, id })
  return {
    ...toErrorGroup(row),
    ticket: await findReference(app, row),
    samples: samples.map(({ sample, seen_at }) => ({
      seen_at: formatInstant(seen_at),
      report: JSON.parse(sample) as Record<string, unknown>, // written only by `storeReport`
    })),
    days: (await queries.listDays(app.db, { workspaceId, id }, since)).map(({ day, count }) => ({ day, count })),
  }
}

/** The ticket of an error, if it has one. */
export async function findTicketOfError(app: App, { workspaceId, id }: RowRef): Promise<TicketReference | null> {
  const row = await queries.findGroup(app.db, workspaceId, id)
  return row === undefined ? null : findReference(app, row)
}

const findReference = async (app: App, { workspace_id, ticket_id }: queries.GroupRow) =>
  ticket_id === null ? null : ((await findTicketReference(app, workspace_id, ticket_id)) ?? null)

/** The error whose reports are counted on a ticket. */
export const findTicketError = (app: App, { workspaceId, id }: TicketRef) =>
  queries.findTicketGroup(app.db, workspaceId, id)

/** Daily report counts since an instant, oldest first. */
export const listErrorDays = (app: App, group: RowRef, since: number) => queries.listDays(app.db, group, toDay(since))

/** Error details that rules can match, for these tickets. */
export async function listTicketErrorFacts(app: App, workspaceId: number, tickets: readonly { readonly id: number }[]) {
  const rows = await queries.listTicketFacts(
    app.store,
    workspaceId,
    tickets.map(({ id }) => id),
  )
  return new Map(rows.map(({ ticket_id, ...facts }) => [ticket_id ?? 0, [facts]]))
}

/** An error in list form. */
const toErrorGroup = ({ workspace_id: _, first_seen_at, last_seen_at, sample, ...row }: queries.GroupRow) => ({
  ...row,
  first_seen_at: formatInstant(first_seen_at),
  last_seen_at: formatInstant(last_seen_at),
  sample: JSON.parse(sample) as ErrorRecord, // written only by `recordReport`
})
