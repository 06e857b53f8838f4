import type { ErrorReceipt } from '@service/contract'
import { microsPerDay } from '../../clock.ts'
import type { App, TxApp } from '../../context.ts'
import { toInstant } from '../../instants.ts'
import type { Page } from '../../page.ts'
import { inTransaction } from '../../store/transaction.ts'
import { noteDelivery } from '../inbound-deliveries/service.ts'
import { createTicket } from '../tickets/service.ts'
import { findTicketState, reopenTicket, type TicketState } from '../tickets/state-service.ts'
import { fingerprint } from './fingerprint.ts'
import { maskSecrets } from './mask.ts'
import * as queries from './queries.ts'
import type { ErrorRecord } from './record.ts'
import { priorityOf } from './severity.ts'
import { describeError, titleOf } from './ticket-text.ts'

/** A ticket closed longer ago than this is history; the error then gets a new one. */
const reopensWithin = 14 * microsPerDay

interface Reported {
  readonly workspaceId: number
  readonly requestId: string
  readonly records: readonly ErrorRecord[]
}

interface TicketOfError {
  readonly ticket_created: boolean
  readonly ticket_number: string | null
  readonly ticket_id: number | null
}

const noTicket: TicketOfError = { ticket_created: false, ticket_number: null, ticket_id: null }

/** Counts every report of a body on its ticket, or opens one; the answer is about the first that opened one, else the first. */
export function recordErrors(app: App, reported: Reported): Promise<ErrorReceipt> {
  // Masked first: two reports that differ only in a secret are one error.
  const masked = reported.records.map(maskSecrets).map((record) => ({ record, key: fingerprint(record) }))
  return inTransaction(app, async (app) => {
    const tickets: TicketOfError[] = []
    // In one order for everybody, so that two batches never wait for each other.
    for (const { record, key } of masked.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      tickets.push(await recordOne(app, { workspaceId: reported.workspaceId, record, key }))
    }
    const summary = masked.length === 1 ? 'error report' : `${masked.length} error reports`
    await noteDelivery(app, reported, { integration: 'errors', status: 200, summary })
    return { received: true, ...(tickets.find(({ ticket_created }) => ticket_created) ?? tickets[0] ?? noTicket) }
  })
}

/** Error groups of a workspace, newest first. */
export async function listErrors(app: App, workspaceId: number, page: Page) {
  const rows = await queries.listGroups(app.db, workspaceId, page)
  return rows.map(({ workspace_id: _, first_seen_at, last_seen_at, sample, ...row }) => ({
    ...row,
    first_seen_at: toInstant(first_seen_at),
    last_seen_at: toInstant(last_seen_at),
    sample: JSON.parse(sample) as ErrorRecord, // written by recordOne only
  }))
}

interface Masked {
  readonly workspaceId: number
  readonly record: ErrorRecord
  readonly key: string
}

async function recordOne(app: TxApp, { workspaceId, record, key }: Masked): Promise<TicketOfError> {
  const { message, exception, file, line, framework, environment, severity } = record
  const group = await queries.countOccurrence(app.db, {
    workspace_id: workspaceId,
    fingerprint: key,
    last_seen_at: app.clock.now(),
    ...{ message, exception, file, line, framework, environment, severity, app: record.app },
    sample: JSON.stringify(record),
  })
  const ticket = group.ticket_id === null ? undefined : await findTicketState(app, workspaceId, group.ticket_id)
  const counted = await countOn(app, ticket, { workspaceId, record, groupId: group.id })
  const facts = { exception, message, framework, environment, severity, app: record.app, count: group.count }
  if (counted.ticket_id !== null) await app.hooks.errorReported(app, { workspaceId, id: counted.ticket_id }, facts)
  return counted
}

async function countOn(app: TxApp, ticket: TicketState | undefined, error: NewTicketOfError): Promise<TicketOfError> {
  if (ticket === undefined || isHistory(app, ticket)) return openTicket(app, error)
  if (ticket.resolvedAt !== null) await reopenTicket(app, { workspaceId: error.workspaceId, id: ticket.id })
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
  await queries.linkTicket(app.db, groupId, ticket.id)
  return { ticket_created: true, ticket_number: ticket.ticket_number, ticket_id: ticket.id }
}
