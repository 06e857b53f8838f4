import type { ErrorLevel, ErrorReceipt } from '@service/contract'
import type { ErrorCountQuery } from '@service/contract/admin/error-reports'
import { maxCount } from '@service/contract/admin/pages'
import { opensTicket } from '@service/intake/errors/level'
import type { ErrorRecord } from '@service/intake/errors/record'
import { priorityOf } from '@service/intake/errors/severity'
import { describeError, titleOf } from '@service/intake/errors/ticket-text'
import type { Mapping } from '@service/intake/evaluate-mapping'
import type * as z from 'zod/mini'
import type { App, TicketRef, TxApp } from '../../context.ts'
import { formatInstant, microsPerDay, microsPerHour, toDay } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import { nextSlice } from '../../core/next-turn.ts'
import { toSortablePage } from '../../core/pagination.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { type ReceivedDelivery, recordDelivery } from '../inbound-deliveries/service.ts'
import { createTicket, findTicketReference } from '../tickets/service.ts'
import { findTicketState, reopenTicket, resolveTicket, type TicketState } from '../tickets/update-service.ts'
import * as queries from './queries.ts'
import { readReports, refuseUnreadable } from './read-body.ts'

/** If the ticket was closed longer ago than this, the error gets a new ticket. */
const reopensWithin = 14 * microsPerDay

/** The workspace's settings for error reports. */
interface TicketPolicy {
  /** Minimum level at which a report opens a ticket; null if not set. */
  readonly minLevel: ErrorLevel | null
  readonly resolvesTickets: boolean
  /** Maximum number of tickets that one delivery may open. */
  readonly maxNewTickets: number
}

interface ErrorDelivery extends ReceivedDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Keys of the errors that an earlier attempt of this delivery already counted. */
  readonly countedBefore?: readonly string[]
}

interface ReportTicket {
  readonly ticket_created: boolean
  readonly ticket_number: string | null
  readonly ticket_id: number | null
}

/** The actor in ticket history. */
const actor = { kind: 'error_report', id: null } as const

const noTicket: ReportTicket = { ticket_created: false, ticket_number: null, ticket_id: null }

/**
 * Counts every report of a body, opening tickets as needed. The response describes the first report that opened a
 * ticket, or else the first one counted on a ticket.
 */
export async function receiveErrors(
  app: App,
  delivery: ErrorDelivery,
  policy: TicketPolicy & { readonly mapping: Mapping | null },
): Promise<ErrorReceipt> {
  const { workspaceId, headers, body, countedBefore = [] } = delivery
  const { minLevel, mapping } = policy
  const { reports, ignored } = await readReports({ headers, body, minLevel, mapping }).catch(refuseUnreadable)
  return inTransaction(app, async (app) => {
    const tickets: ReportTicket[] = []
    const before = new Set(countedBefore)
    let openedCount = 0
    let heldBack = 0
    // Sorted by key, so that concurrent batches lock rows in the same order and cannot deadlock.
    const fresh = reports.filter(({ key }) => !before.has(key))
    for (const { read, json, ...report } of fresh.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      const mayOpen = openedCount < policy.maxNewTickets
      const ticket = await recordReport(app, {
        ...policy,
        ...report,
        workspaceId,
        record: read(),
        sample: json,
        mayOpen,
      })
      if (ticket === 'held_back') heldBack += 1
      else tickets.push(ticket)
      if (ticket !== 'held_back' && ticket.ticket_created) openedCount += 1
      if (reports.length > 1) await nextSlice('first')
    }
    await recordDelivery(app, delivery, {
      integration: 'errors',
      status: 200,
      summary: summaryOf({ reports: reports.length, ignored, opened: openedCount, heldBack }),
      opened: openedCount > 0,
      counted: [...new Set([...before, ...reports.map(({ key }) => key)])],
    })
    const opened = tickets.find(({ ticket_created }) => ticket_created)
    const counted = tickets.find(({ ticket_id }) => ticket_id !== null)
    return { received: true, ...(opened ?? counted ?? noTicket) }
  })
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
export async function listErrors(app: App, workspaceId: number, query: queries.ErrorQuery) {
  const rows = await queries.listGroups(app.db, workspaceId, query)
  const ids = rows.map(({ id }) => id)
  const days = Map.groupBy(
    await queries.listDaysOf(app.store, { workspaceId, ids, since: firstDay(app, daysListed) }),
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
  count: await queries.countGroups(db, workspaceId, {
    status,
    since: since === undefined ? undefined : Date.parse(since) * 1000,
    limit: maxCount,
  }),
})

/** The first of the last days (UTC), including today. */
const firstDay = ({ clock }: App, days: number) => toDay(clock.now() - (days - 1) * microsPerDay)

interface ReportToRecord extends TicketPolicy {
  readonly workspaceId: number
  readonly record: ErrorRecord
  /** The record as JSON. */
  readonly sample: string
  readonly key: string
  /** Whether it has the flat shape that the platform documents. */
  readonly isDocumented: boolean
  /** Whether the mapping wants a ticket; null if it does not decide. */
  readonly opens: boolean | null
  /** Whether the delivery may open another ticket. */
  readonly mayOpen: boolean
}

/** Beyond a delivery or hourly limit, a new error is stored without a ticket. It gets one when it occurs again. */
type Recorded = ReportTicket | 'held_back'

async function recordReport(app: TxApp, report: ReportToRecord): Promise<Recorded> {
  const { workspaceId, record, sample, key } = report
  if (record.recovered) return recordRecovery(app, report)
  const { message, exception, file, line, framework, environment, severity } = record
  const group = await queries.countOccurrence(app.db, {
    workspace_id: workspaceId,
    fingerprint: key,
    last_seen_at: app.clock.now(),
    ...{ message, exception, file, line, framework, environment, severity, app: record.app },
    sample,
  })
  await storeReport(app, { workspaceId, group, sample })
  if (!(report.opens ?? opensTicket(report, report.minLevel))) return noTicket
  const ticket = await ticketOf(app, workspaceId, group)
  const counted = await countOn(app, ticket, { workspaceId, record, groupId: group.id, mayOpen: report.mayOpen })
  if (counted === 'held_back') return counted
  const facts = { exception, message, framework, environment, severity, app: record.app, count: group.count }
  if (counted.ticket_id !== null) await app.hooks.errorReported(app, { workspaceId, id: counted.ticket_id }, facts)
  return counted
}

/** Counts a recovery notice on the error's ticket, if there is one. */
async function recordRecovery(
  app: TxApp,
  { workspaceId, key, resolvesTickets }: ReportToRecord,
): Promise<ReportTicket> {
  const group = await queries.countRecovery(app.db, { workspaceId, key, now: app.clock.now() })
  const ticket = await ticketOf(app, workspaceId, group)
  if (ticket === undefined) return noTicket
  if (resolvesTickets && ticket.resolvedAt === null)
    await resolveTicket({ ...app, actor }, { workspaceId, id: ticket.id })
  return { ticket_created: false, ticket_number: ticket.ticket_number, ticket_id: ticket.id }
}

async function ticketOf(app: TxApp, workspaceId: number, group: { readonly ticket_id: number | null } | undefined) {
  const id = group?.ticket_id ?? null
  return id === null ? undefined : findTicketState(app, workspaceId, id)
}

async function countOn(app: TxApp, ticket: TicketState | undefined, error: TicketRequest): Promise<Recorded> {
  if (ticket === undefined || isTooOldToReopen(app, ticket)) return error.mayOpen ? openTicket(app, error) : 'held_back'
  if (ticket.resolvedAt !== null)
    await reopenTicket({ ...app, actor }, { workspaceId: error.workspaceId, id: ticket.id })
  return { ticket_created: false, ticket_number: ticket.ticket_number, ticket_id: ticket.id }
}

const isTooOldToReopen = (app: TxApp, { resolvedAt }: TicketState) =>
  resolvedAt !== null && app.clock.now() - resolvedAt >= reopensWithin

interface TicketRequest {
  readonly workspaceId: number
  readonly record: ErrorRecord
  readonly groupId: number
  readonly mayOpen: boolean
}

/** Maximum number of tickets that the errors of a workspace open per hour. */
const hourlyTickets = 200

async function openTicket(app: TxApp, { workspaceId, record, groupId }: TicketRequest): Promise<Recorded> {
  const hour = Math.floor(app.clock.now() / microsPerHour)
  const opened = await queries.countOpenedTicket(app.db, { workspaceId, hour })
  if (opened === hourlyTickets + 1) await openNotice(app, workspaceId)
  if (opened > hourlyTickets) return 'held_back'
  const ticket = await createTicket(app, {
    workspaceId,
    author: null,
    ticket: {
      title: titleOf(record),
      description: describeError(record),
      priority: priorityOf(record),
      category: 'error',
    },
  })
  await queries.linkTicket(app.db, { workspaceId, id: groupId, ticketId: ticket.id })
  return { ticket_created: true, ticket_number: ticket.ticket_number, ticket_id: ticket.id }
}

/** Reports and distinct errors per application since this day (UTC). */
export async function countErrorsByApp({ db }: App, workspaceId: number, day: string) {
  const rows = await queries.countByApp(db, workspaceId, day)
  return rows.map(({ app, reports, kinds }) => ({ app, reports: Number(reports), kinds: Number(kinds) }))
}

/** A single ticket in place of those over the hourly limit. */
const openNotice = (app: TxApp, workspaceId: number) =>
  createTicket(app, {
    workspaceId,
    author: null,
    ticket: {
      title: `More than ${hourlyTickets} new errors in an hour: further ones are held back`,
      description:
        'Every report is stored and counted under Errors. An error without a ticket opens one when it occurs again in a later hour.',
      priority: 'high',
      category: 'error',
    },
  })

/** Number of reports kept per error. */
const maxSamples = 10
/** Number of daily counts of an error in a list, and of a single error. */
const daysListed = 14
const daysShown = 30

interface ReportToStore {
  readonly workspaceId: number
  readonly group: { readonly id: number; readonly count: number }
  /** JSON. */
  readonly sample: string
}

/** Stores a report among the newest of its error, and counts it for its day. */
async function storeReport(app: TxApp, { workspaceId, group, sample }: ReportToStore): Promise<void> {
  const now = app.clock.now()
  const slot = group.count % maxSamples
  const report = { workspace_id: workspaceId, group_id: group.id, slot, sample, seen_at: now, day: toDay(now) }
  await queries.storeReport(app.store, report, group.count > maxSamples)
}

/** An error with its newest reports, its daily counts, and its ticket. */
export async function getError(app: App, { workspaceId, id }: { workspaceId: number; id: number }) {
  const row = await queries.findGroup(app.db, workspaceId, id)
  if (row === undefined) throw notFound('error report', id)
  const since = firstDay(app, daysShown)
  const samples = await queries.listSamples(app.db, { workspaceId, id })
  return {
    ...toErrorGroup(row),
    ticket: row.ticket_id === null ? null : ((await findTicketReference(app, workspaceId, row.ticket_id)) ?? null),
    samples: samples.map(({ sample, seen_at }) => ({
      seen_at: formatInstant(seen_at),
      report: JSON.parse(sample) as Record<string, unknown>, // written only by keepReport
    })),
    days: (await queries.listDays(app.db, { workspaceId, id }, since)).map(({ day, count }) => ({ day, count })),
  }
}

/** The error whose reports are counted on a ticket. */
export const findErrorOf = (app: App, { workspaceId, id }: TicketRef) => queries.findGroupOf(app.db, workspaceId, id)

/** Daily report counts since an instant, oldest first. */
export const listErrorDays = (app: App, group: RowRef, since: number) => queries.listDays(app.db, group, toDay(since))

/** Error details that rules can match, for these tickets. */
export async function listErrorFactsOf(app: App, workspaceId: number, tickets: readonly { readonly id: number }[]) {
  const rows = await queries.listFactsOf(
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
  sample: JSON.parse(sample) as ErrorRecord, // written only by recordOne
})
