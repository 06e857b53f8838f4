import { type GitReceipt, maxTextLength } from '@service/contract'
import type { ActivityQuery } from '@service/contract/admin/git'
import type { GitDelivery, OpenedIssue } from '@service/intake/git/activity'
import { cut } from '@service/intake/sanitize/sanitize-text'
import type { App, TxApp } from '../../context.ts'
import { formatInstant, formatInstantOrNull } from '../../core/clock.ts'
import { mapRows } from '../../core/pagination.ts'
import { inTransaction } from '../../store/transaction.ts'
import { recordDelivery } from '../inbound-deliveries/service.ts'
import { createTicket } from '../tickets/service.ts'
import * as queries from './queries.ts'

interface ParsedGitDelivery {
  readonly workspaceId: number
  readonly requestId: string
  readonly delivery: GitDelivery
  /** Whether an opened issue becomes a ticket. */
  readonly opensTickets: boolean
}

/** Records the delivery; duplicates are ignored. */
export function storeDelivery(app: App, received: ParsedGitDelivery): Promise<GitReceipt> {
  const { workspaceId, delivery } = received
  return inTransaction(app, async (app) => {
    await recordDelivery(app, received, { integration: delivery.host, status: 200, summary: delivery.event })
    const inserted = await queries.insertDelivery(app.db, {
      workspace_id: workspaceId,
      provider: delivery.host,
      delivery_id: delivery.deliveryId,
      event: delivery.event,
      received_at: app.clock.now(),
    })
    if (inserted === undefined) return { received: true, event: delivery.event, stored: 0, ticket_created: false }
    await queries.insertActivities(app.db, toRows(app, received, inserted.id))
    const ticket = received.opensTickets ? await openTicket(app, received) : undefined
    return {
      received: true,
      event: delivery.event,
      stored: delivery.activities.length,
      ticket_created: ticket !== undefined,
      ...(ticket === undefined ? {} : { ticket_number: ticket.ticket_number }),
    }
  })
}

/** Git activity of a workspace, newest first. */
export async function listActivities(app: App, workspaceId: number, query: ActivityQuery) {
  const rows = await queries.listActivities(app.store, workspaceId, query)
  return mapRows(rows, ({ workspace_id: _, delivery_id: __, occurred_at, created_at, ...row }) => ({
    ...row,
    occurred_at: formatInstantOrNull(occurred_at),
    created_at: formatInstant(created_at),
  }))
}

/** The issue that a ticket was created for. */
export const findTicketIssue = (app: App, workspaceId: number, ticketId: number) =>
  queries.findTicketIssue(app.db, workspaceId, ticketId)

async function openTicket(app: TxApp, { workspaceId, delivery }: ParsedGitDelivery) {
  const issue = delivery.issueOpened
  if (issue === null) return undefined
  const key = {
    workspace_id: workspaceId,
    provider: delivery.host,
    repository_key: issue.repositoryKey,
    issue_key: issue.issueKey,
  }
  const known = { repository: delivery.repository?.name ?? null, issue: issue.number, url: issue.url }
  if (!(await queries.claimIssue(app.db, { ...key, ...known }))) return undefined
  const ticket = await createTicket(
    { ...app, actor: { kind: 'git_issue', id: null } },
    { workspaceId, author: null, ticket: toNewTicket(issue, delivery) },
  )
  await queries.linkIssue(app.db, key, ticket.id)
  return ticket
}

function toNewTicket(issue: OpenedIssue, { host, repository }: GitDelivery) {
  const location = repository === null ? `#${issue.number}` : `${repository.name}#${issue.number}`
  const source = [`Opened as ${location} on ${host}`, issue.author === null ? '' : ` by ${issue.author}`, '.'].join('')
  const end = [source, issue.url].filter(Boolean).join('\n\n')
  return {
    title: issue.title,
    description: issue.body ? `${cut(issue.body, maxTextLength - end.length - 2)}\n\n${end}` : end,
    category: 'git_issue',
  }
}

function toRows(
  app: TxApp,
  { workspaceId, delivery }: ParsedGitDelivery,
  deliveryId: number,
): queries.NewActivityRow[] {
  const created_at = app.clock.now()
  return delivery.activities.map((activity) => ({
    workspace_id: workspaceId,
    delivery_id: deliveryId,
    provider: delivery.host,
    event: delivery.event,
    kind: activity.kind,
    title: activity.title,
    ref: activity.ref,
    url: activity.url,
    commit_sha: activity.commitSha,
    actor: activity.actor?.name ?? activity.commitAuthor,
    actor_url: activity.actor?.url ?? null,
    repository: activity.repository?.name ?? null,
    repository_url: activity.repository?.url ?? null,
    occurred_at: activity.occurredAt,
    created_at,
  }))
}
