import type { ErrorRecord } from '@service/intake/errors/record'
import type { TxApp } from '../../context.ts'
import { conflict } from '../../core/errors.ts'
import type { Changed, CountedReport } from '../inbound-deliveries/service.ts'
import { repointEntries } from '../inbound-deliveries/service.ts'
import { postMessage } from '../messages/service.ts'
import { correctTicket } from '../tickets/correct-service.ts'
import { reopenTicket, type TicketState, updateTicket } from '../tickets/update-service.ts'
import * as queries from './queries.ts'
import {
  actor,
  countedOn,
  countOnTicket,
  findTicket,
  isTooOldToReopen,
  maxSamples,
  noTicket,
  type RecordedReport,
  type ReportToRecord,
  recordReport,
  storeSample,
  toTicketText,
} from './record-report.ts'

interface RereadReport extends ReportToRecord {
  readonly format: string
  /** What the delivery was counted as before. */
  readonly earlier: CountedReport
  /** The day on which the delivery was counted. */
  readonly receivedDay: string
  /** Lists what the replay corrects. */
  readonly changed: Changed[]
}

interface RereadResult extends RecordedReport {
  /** The error that was joined with `group`, and exists no more. */
  readonly joined?: number
}

/**
 * Corrects an error that was misread. The error with its ticket becomes what the report is read as now, or is joined with
 * the error that has this key already. Afterwards, the report is not counted a second time.
 */
export async function rereadReport(app: TxApp, report: RereadReport): Promise<RereadResult> {
  const { workspaceId, key, earlier, record } = report
  const group = await queries.lockGroup(app.db, { workspaceId, id: earlier.group })
  const isStillThere = group?.fingerprint === earlier.key && (earlier.opened || (await isFromSameReader(app, report)))
  if (group !== undefined && group.fingerprint === key && !isStillThere) return keepCount(app, report, group)
  if (group === undefined) return recordReport(app, report)
  if (!isStillThere) return countElsewhere(app, report, group)
  const target = await queries.findGroupByKey(app.db, workspaceId, key)
  if (target !== undefined && target.id !== group.id) return joinGroups(app, report, { from: group, to: target })
  return record.recovered ? keepCount(app, report, group) : moveGroup(app, report, group)
}

type Group = queries.GroupRow

/** Another sender's reports may have the same key. Theirs stay, and only this report is counted elsewhere. */
async function isFromSameReader(app: TxApp, { workspaceId, format, earlier }: RereadReport): Promise<boolean> {
  const samples = await queries.listSamples(app.db, { workspaceId, id: earlier.group })
  return samples.every(({ sample }) => JSON.parse(sample).format === format)
}

async function keepCount(app: TxApp, { workspaceId }: RereadReport, group: Group): Promise<RecordedReport> {
  const ticket = await findTicket(app, workspaceId, group)
  return { ticket: ticket === undefined ? noTicket : countedOn(ticket), group: group.id }
}

/** The error is another one than the report. It loses the report, which is counted as its own error from now on. */
async function countElsewhere(app: TxApp, report: RereadReport, group: Group): Promise<RecordedReport> {
  const { id, count } = group
  if (count > 1) {
    await queries.uncountOccurrence(app.db, { group, day: report.receivedDay, samplesKept: maxSamples })
    report.changed.push({ resource: 'error_report', id, field: 'count', from: count, to: count - 1 })
  }
  return recordReport(app, report)
}

async function moveGroup(app: TxApp, report: RereadReport, group: Group): Promise<RecordedReport> {
  const { workspaceId, sample, changed } = report
  const columns = toColumns(report)
  const differing = Object.entries(columns).filter(([field, value]) => group[field as keyof typeof columns] !== value)
  if (!(await queries.moveGroup(app.db, { workspaceId, id: group.id }, { ...columns, sample })))
    throw conflict('The error was reported at the same time. Replay the delivery again.')
  await storeSample(app, { workspaceId, group, sample })
  for (const [field, to] of differing)
    changed.push({ resource: 'error_report', id: group.id, field, from: group[field as keyof typeof columns], to })
  const ticket = await findTicket(app, workspaceId, group)
  if (ticket === undefined) return { ticket: await countOnTicket(app, report, group), group: group.id }
  // The title of an unchanged error is that of its first report.
  if (report.earlier.opened || report.key !== report.earlier.key) await retitle(app, report, { ticket, was: group })
  return { ticket: countedOn(ticket), group: group.id }
}

const toColumns = ({ key, record }: RereadReport) => ({
  fingerprint: key,
  message: record.message,
  exception: record.exception,
  file: record.file,
  line: record.line,
  framework: record.framework,
  environment: record.environment,
  severity: record.severity,
  app: record.app,
})

interface MisreadTicket {
  readonly ticket: TicketState
  /** The error as it was read before. */
  readonly was: Pick<Group, 'sample'>
}

/** Corrects the ticket. The priority stays if it is not the one that the misread report had. */
async function retitle(app: TxApp, report: RereadReport, { ticket, was }: MisreadTicket): Promise<void> {
  const { workspaceId, record, changed } = report
  const before: ErrorRecord = JSON.parse(was.sample)
  const fields = toTicketText(record)
  const corrected = await correctTicket(
    { ...app, actor },
    { workspaceId, id: ticket.id },
    { fields, expected: { priority: toTicketText(before).priority } },
  )
  for (const { field, from, to } of corrected) changed.push({ resource: 'ticket', id: ticket.id, field, from, to })
}

interface Joined {
  readonly from: Group
  readonly to: Group
}

async function joinGroups(app: TxApp, report: RereadReport, { from, to }: Joined): Promise<RereadResult> {
  const { workspaceId, changed } = report
  const [misread, kept] = [await findTicket(app, workspaceId, from), await findTicket(app, workspaceId, to)]
  await queries.joinGroups(app.db, { workspaceId, from, to: to.id })
  await repointEntries(app, { workspaceId, from: from.id, to: to.id })
  changed.push(
    { resource: 'error_report', id: to.id, field: 'count', from: to.count, to: to.count + from.count },
    { resource: 'error_report', id: from.id, field: 'fingerprint', from: from.fingerprint, to: to.fingerprint },
  )
  if (misread === undefined) {
    if (report.record.recovered) return { ...(await keepCount(app, report, to)), joined: from.id }
    return { ticket: await countOnTicket(app, report, to), group: to.id, joined: from.id }
  }
  if (kept === undefined || isTooOldToReopen(app, kept)) {
    await queries.linkTicket(app.db, { workspaceId, id: to.id, ticketId: misread.id })
    changed.push({ resource: 'error_report', id: to.id, field: 'ticket_id', from: to.ticket_id, to: misread.id })
    await retitle(app, report, { ticket: misread, was: from })
    return { ticket: countedOn(misread), group: to.id, joined: from.id }
  }
  await closeMisread(app, report, { misread, kept })
  return { ticket: countedOn(kept), group: to.id, joined: from.id }
}

interface TwoTickets {
  readonly misread: TicketState
  readonly kept: TicketState
}

/** Closes the ticket of the misread error with a message that links the right one, which reopens if it must. */
async function closeMisread(app: TxApp, report: RereadReport, { misread, kept }: TwoTickets): Promise<void> {
  const { workspaceId, record, changed } = report
  const byReport = { ...app, actor }
  const path = `/dashboard/w/${workspaceId}/tickets/${kept.id}`
  await postMessage(byReport, {
    workspace_id: workspaceId,
    ticket_id: misread.id,
    body: `The report of this ticket was misread. Its error is counted on ${kept.ticket_number}: ${app.config.publicUrl ?? ''}${path}`,
  })
  if (misread.resolvedAt !== null) return
  if (kept.resolvedAt !== null && !record.recovered) {
    await reopenTicket(byReport, { workspaceId, id: kept.id })
    changed.push({ resource: 'ticket', id: kept.id, field: 'status', from: kept.status, to: 'open' })
  }
  await updateTicket(byReport, { workspaceId, id: misread.id }, { status: 'closed' })
  changed.push({ resource: 'ticket', id: misread.id, field: 'status', from: misread.status, to: 'closed' })
}
