import type { ErrorLevel, ErrorReceipt } from '@service/contract'
import { opensTicket } from '@service/intake/errors/level'
import type { ErrorRecord } from '@service/intake/errors/record'
import { priorityOf } from '@service/intake/errors/severity'
import { describeError, titleOf } from '@service/intake/errors/ticket-text'
import type { App, TicketRef, TxApp } from '../../context.ts'
import { formatInstant, microsPerDay, toDay } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import { nextSlice } from '../../core/next-turn.ts'
import type { Page } from '../../core/pagination.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { noteDelivery } from '../inbound-deliveries/service.ts'
import { createTicket, findTicketReference } from '../tickets/service.ts'
import { findTicketState, reopenTicket, resolveTicket, type TicketState } from '../tickets/update-service.ts'
import type { KeyedReport } from './keyed-reports.ts'
import * as queries from './queries.ts'

/** A ticket closed longer ago than this is history; the error then gets a new one. */
const reopensWithin = 14 * microsPerDay

/** How the workspace takes error reports. */
interface TicketPolicy {
  /** From which level on a report opens a ticket; null while the workspace has set none. */
  readonly minLevel: ErrorLevel | null
  readonly resolvesTickets: boolean
}

interface Reported extends TicketPolicy {
  readonly workspaceId: number
  readonly requestId: string
  readonly reports: readonly KeyedReport[]
}

interface TicketOfError {
  readonly ticket_created: boolean
  readonly ticket_number: string | null
  readonly ticket_id: number | null
}

/** What changes tickets here, as their history names it. */
const actor = { kind: 'error_report', id: null } as const

const noTicket: TicketOfError = { ticket_created: false, ticket_number: null, ticket_id: null }

/**
 * Counts every report of a body on its ticket, or opens one. The answer is about the first that opened a ticket, else the
 * first that was counted on one.
 */
export function recordErrors(app: App, reported: Reported): Promise<ErrorReceipt> {
  const { reports } = reported
  return inTransaction(app, async (app) => {
    const tickets: TicketOfError[] = []
    // In one order for everybody, so that two batches never wait for each other.
    for (const { read, json, key, isDocumented } of reports.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      tickets.push(await recordOne(app, { ...reported, record: read(), sample: json, key, isDocumented }))
      if (reports.length > 1) await nextSlice('first')
    }
    const summary = reports.length === 1 ? 'error report' : `${reports.length} error reports`
    await noteDelivery(app, reported, { integration: 'errors', status: 200, summary })
    const opened = tickets.find(({ ticket_created }) => ticket_created)
    const counted = tickets.find(({ ticket_id }) => ticket_id !== null)
    return { received: true, ...(opened ?? counted ?? noTicket) }
  })
}

/** Error groups of a workspace, newest first. */
export async function listErrors(app: App, workspaceId: number, query: Page & queries.ErrorFilter) {
  const rows = await queries.listGroups(app.db, workspaceId, query)
  return rows.map(toErrorGroup)
}

interface OneReport extends TicketPolicy {
  readonly workspaceId: number
  readonly record: ErrorRecord
  /** The record as JSON. */
  readonly sample: string
  readonly key: string
  /** Whether it came in the flat shape that the platform documents. */
  readonly isDocumented: boolean
}

async function recordOne(app: TxApp, report: OneReport): Promise<TicketOfError> {
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
  await keepReport(app, { workspaceId, group, sample })
  if (!opensTicket(report, report.minLevel)) return noTicket
  const ticket = await ticketOf(app, workspaceId, group)
  const counted = await countOn(app, ticket, { workspaceId, record, groupId: group.id })
  const facts = { exception, message, framework, environment, severity, app: record.app, count: group.count }
  if (counted.ticket_id !== null) await app.hooks.errorReported(app, { workspaceId, id: counted.ticket_id }, facts)
  return counted
}

/** Counts a note that an error is over; without a ticket there is nothing to count it on. */
async function recordRecovery(app: TxApp, { workspaceId, key, resolvesTickets }: OneReport): Promise<TicketOfError> {
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

async function countOn(app: TxApp, ticket: TicketState | undefined, error: NewTicketOfError): Promise<TicketOfError> {
  if (ticket === undefined || isHistory(app, ticket)) return openTicket(app, error)
  if (ticket.resolvedAt !== null)
    await reopenTicket({ ...app, actor }, { workspaceId: error.workspaceId, id: ticket.id })
  return { ticket_created: false, ticket_number: ticket.ticket_number, ticket_id: ticket.id }
}

const isHistory = (app: TxApp, { resolvedAt }: TicketState) =>
  resolvedAt !== null && app.clock.now() - resolvedAt >= reopensWithin

interface NewTicketOfError {
  readonly workspaceId: number
  readonly record: ErrorRecord
  readonly groupId: number
}

async function openTicket(app: TxApp, { workspaceId, record, groupId }: NewTicketOfError): Promise<TicketOfError> {
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

/** How many reports of how many errors each application has sent on this day (UTC) and later. */
export async function countErrorsByApp({ db }: App, workspaceId: number, day: string) {
  const rows = await queries.countByApp(db, workspaceId, day)
  return rows.map(({ app, reports, kinds }) => ({ app, reports: Number(reports), kinds: Number(kinds) }))
}

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
async function keepReport(app: TxApp, { workspaceId, group, sample }: Report): Promise<void> {
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
const toErrorGroup = ({ workspace_id: _, first_seen_at, last_seen_at, sample, ...row }: queries.GroupRow) => ({
  ...row,
  first_seen_at: formatInstant(first_seen_at),
  last_seen_at: formatInstant(last_seen_at),
  sample: JSON.parse(sample) as ErrorRecord, // written by recordOne only
})
