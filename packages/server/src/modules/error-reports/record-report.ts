import type { ErrorLevel } from '@service/contract'
import { opensTicket } from '@service/intake/errors/level'
import type { ErrorRecord } from '@service/intake/errors/record'
import { priorityOf } from '@service/intake/errors/severity'
import { describeError, titleOf } from '@service/intake/errors/ticket-text'
import type { TxApp } from '../../context.ts'
import { microsPerDay, microsPerHour, toDay } from '../../core/clock.ts'
import { createTicket } from '../tickets/service.ts'
import { findTicketState, reopenTicket, resolveTicket, type TicketState } from '../tickets/update-service.ts'
import * as queries from './queries.ts'

/** If the ticket was closed longer ago than this, the error gets a new ticket. */
const reopensWithin = 14 * microsPerDay

/** The workspace's settings for error reports. */
export interface TicketPolicy {
  /** Minimum level at which a report opens a ticket; null if not set. */
  readonly minLevel: ErrorLevel | null
  readonly resolvesTickets: boolean
  /** Maximum number of tickets that one delivery may open. */
  readonly maxNewTickets: number
}

export interface ReportTicket {
  readonly ticket_created: boolean
  readonly ticket_number: string | null
  readonly ticket_id: number | null
}

/** The actor in ticket history. */
export const actor = { kind: 'error_report', id: null } as const

export const noTicket: ReportTicket = { ticket_created: false, ticket_number: null, ticket_id: null }

export interface ReportToRecord extends TicketPolicy {
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
export type TicketOrNone = ReportTicket | 'held_back'

export interface RecordedReport {
  readonly ticket: TicketOrNone
  /** The error that it was counted as; undefined for a recovery. */
  readonly group?: number
}

export async function recordReport(app: TxApp, report: ReportToRecord): Promise<RecordedReport> {
  const { workspaceId, record, sample, key } = report
  if (record.recovered) return { ticket: await recordRecovery(app, report) }
  const { message, exception, file, line, framework, environment, severity } = record
  const group = await queries.countOccurrence(app.db, {
    workspace_id: workspaceId,
    fingerprint: key,
    last_seen_at: app.clock.now(),
    ...{ message, exception, file, line, framework, environment, severity, app: record.app },
    sample,
  })
  await storeReport(app, { workspaceId, group, sample })
  const ticket = await countOnTicket(app, report, group)
  if (ticket === 'held_back' || ticket.ticket_id === null) return { ticket, group: group.id }
  const facts = { exception, message, framework, environment, severity, app: record.app, count: group.count }
  await app.hooks.errorReported(app, { workspaceId, id: ticket.ticket_id }, facts)
  return { ticket, group: group.id }
}

/** Counts a report on the ticket of its error, or opens one, if its level or the mapping wants that. */
export async function countOnTicket(
  app: TxApp,
  report: ReportToRecord,
  group: { readonly id: number; readonly ticket_id: number | null },
): Promise<TicketOrNone> {
  if (!(report.opens ?? opensTicket(report, report.minLevel))) return noTicket
  const { workspaceId, record, mayOpen } = report
  const ticket = await findTicket(app, workspaceId, group)
  return countOn(app, ticket, { workspaceId, record, groupId: group.id, mayOpen })
}

/** Counts a recovery notice on the error's ticket, if there is one. */
async function recordRecovery(
  app: TxApp,
  { workspaceId, key, resolvesTickets }: ReportToRecord,
): Promise<ReportTicket> {
  const group = await queries.countRecovery(app.db, { workspaceId, key, now: app.clock.now() })
  const ticket = await findTicket(app, workspaceId, group)
  if (ticket === undefined) return noTicket
  if (resolvesTickets && ticket.resolvedAt === null)
    await resolveTicket({ ...app, actor }, { workspaceId, id: ticket.id })
  return countedOn(ticket)
}

export const countedOn = ({ id, ticket_number }: TicketState): ReportTicket => ({
  ticket_created: false,
  ticket_number,
  ticket_id: id,
})

export async function findTicket(
  app: TxApp,
  workspaceId: number,
  group: { readonly ticket_id: number | null } | undefined,
) {
  const id = group?.ticket_id ?? null
  return id === null ? undefined : findTicketState(app, workspaceId, id)
}

async function countOn(app: TxApp, ticket: TicketState | undefined, error: TicketRequest): Promise<TicketOrNone> {
  if (ticket === undefined || isTooOldToReopen(app, ticket)) return error.mayOpen ? openTicket(app, error) : 'held_back'
  if (ticket.resolvedAt !== null)
    await reopenTicket({ ...app, actor }, { workspaceId: error.workspaceId, id: ticket.id })
  return countedOn(ticket)
}

export const isTooOldToReopen = (app: TxApp, { resolvedAt }: TicketState) =>
  resolvedAt !== null && app.clock.now() - resolvedAt >= reopensWithin

interface TicketRequest {
  readonly workspaceId: number
  readonly record: ErrorRecord
  readonly groupId: number
  readonly mayOpen: boolean
}

/** What a ticket says about its error. */
export const toTicketText = (record: ErrorRecord) => ({
  title: titleOf(record),
  description: describeError(record),
  priority: priorityOf(record),
})

/** Maximum number of tickets that the errors of a workspace open per hour. */
const hourlyTickets = 200

async function openTicket(app: TxApp, { workspaceId, record, groupId }: TicketRequest): Promise<TicketOrNone> {
  const hour = Math.floor(app.clock.now() / microsPerHour)
  const opened = await queries.countOpenedTicket(app.db, { workspaceId, hour })
  if (opened === hourlyTickets + 1) await openNotice(app, workspaceId)
  if (opened > hourlyTickets) return 'held_back'
  const ticket = await createTicket(
    { ...app, actor },
    {
      workspaceId,
      author: null,
      ticket: { ...toTicketText(record), category: 'error' },
    },
  )
  await queries.linkTicket(app.db, { workspaceId, id: groupId, ticketId: ticket.id })
  return { ticket_created: true, ticket_number: ticket.ticket_number, ticket_id: ticket.id }
}

/** A single ticket in place of those over the hourly limit. */
const openNotice = (app: TxApp, workspaceId: number) =>
  createTicket(
    { ...app, actor },
    {
      workspaceId,
      author: null,
      ticket: {
        title: `More than ${hourlyTickets} new errors in an hour: further ones are held back`,
        description:
          'Every report is stored and counted under Errors. An error without a ticket opens one when it occurs again in a later hour.',
        priority: 'high',
        category: 'error',
      },
    },
  )

/** Number of reports kept per error. */
export const maxSamples = 10
interface ReportToStore {
  readonly workspaceId: number
  readonly group: { readonly id: number; readonly count: number }
  /** JSON. */
  readonly sample: string
}

/** Stores a report among the newest of its error, and counts it for its day. */
async function storeReport(app: TxApp, report: ReportToStore): Promise<void> {
  await queries.storeReport(app.store, toSampleRow(app, report), report.group.count > maxSamples)
}

/** Stores a report that was read again in place of the newest one. */
export const storeSample = (app: TxApp, report: ReportToStore): Promise<void> =>
  queries.replaceSample(app.store, toSampleRow(app, report))

function toSampleRow(app: TxApp, { workspaceId, group, sample }: ReportToStore) {
  const now = app.clock.now()
  const slot = group.count % maxSamples
  return { workspace_id: workspaceId, group_id: group.id, slot, sample, seen_at: now, day: toDay(now) }
}
