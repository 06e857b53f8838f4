import type { SlaClock, TicketDetail } from '@service/client/admin'
import { Badge, Tag } from '../../ui/components/badge.tsx'
import { ActionButton, LinkButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { Person } from '../../ui/components/person.tsx'
import { PriorityMark, StatusMark } from '../../ui/components/state-marks.tsx'
import { Time, timeLeft } from '../../ui/components/time.tsx'
import { counted, duration, shortDay, words } from '../../ui/format.ts'
import { type PageResult, placeOf, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { Timeline, type TimelineNames } from './timeline-pages.tsx'

export async function ticketDetail(page: WorkspacePage): Promise<PageResult> {
  const ticket = await page.admin.tickets.get(placeOf(page))
  return show({
    title: ticket.ticket_number,
    live: true,
    crumbs: [{ label: 'Tickets', href: page.link('/tickets') }],
    body: (
      <div class="stack" id={`ticket-detail-${ticket.id}`} data-live="tickets">
        <PageHead title={ticket.title} actions={page.can('member') && <Actions page={page} ticket={ticket} />}>
          {ticket.ticket_number}
        </PageHead>
        <TicketFacts page={page} ticket={ticket} />
        {ticket.description !== null && ticket.description !== '' && (
          <section class="section">
            <h2>Description</h2>
            <p class="prose">{ticket.description}</p>
          </section>
        )}
        <section class="section">
          <h2>Activity</h2>
          <Timeline entries={ticket.timeline} names={await namesFor(page, ticket)} />
        </section>
      </div>
    ),
  })
}

/** Who and what the changes name by id. Looked up only where something changed them. */
async function namesFor(page: WorkspacePage, { timeline }: TicketDetail): Promise<TimelineNames> {
  const changed = new Set(timeline.flatMap(({ changes }) => Object.keys(changes ?? {})))
  const at = { workspace: page.workspace.id }
  const [members, projects] = await Promise.all([
    changed.has('assigned_to') ? page.admin.members.list(at, { limit: 200 }) : undefined,
    changed.has('project_id') ? page.admin.projects.list(at, { limit: 200 }) : undefined,
  ])
  const byId = (rows: readonly { readonly id: number; readonly name: string }[] = []) =>
    new Map(rows.map(({ id, name }) => [id, name]))
  return { assigned_to: byId(members?.data), project_id: byId(projects?.data) }
}

const isDone = ({ status }: TicketDetail) => status === 'resolved' || status === 'closed'

function Actions({ page, ticket }: { readonly page: WorkspacePage; readonly ticket: TicketDetail }) {
  const action = page.link(`/tickets/${ticket.id}/status`)
  return (
    <>
      <LinkButton id="edit-ticket" href={page.link(`/tickets/${ticket.id}/edit`)} icon="pencil" shortcut="e">
        Edit
      </LinkButton>
      {isDone(ticket) ? (
        <ActionButton id="reopen-ticket" action={action} fields={{ status: 'open' }} shortcut="r">
          Reopen
        </ActionButton>
      ) : (
        <ActionButton
          id="resolve-ticket"
          action={action}
          fields={{ status: 'resolved' }}
          look="primary"
          icon="check"
          shortcut="r"
        >
          Resolve
        </ActionButton>
      )}
    </>
  )
}

function TicketFacts({ page, ticket }: { readonly page: WorkspacePage; readonly ticket: TicketDetail }) {
  const { sla, error_report: report, git_issue: issue } = ticket
  return (
    <Facts
      facts={[
        ['Status', <StatusMark status={ticket.status} withWord />],
        ['Priority', <PriorityMark priority={ticket.priority} withWord />],
        ['Assignee', <Person name={ticket.assignee?.name} />],
        ticket.project !== null && [
          'Project',
          <a href={page.link(`/projects/${ticket.project.id}`)}>{ticket.project.name}</a>,
        ],
        ticket.due_at !== null && ['Due', shortDay(Date.parse(ticket.due_at), { now: page.now, zone: 'UTC' })],
        sla.first_response !== null && ['First response', <PromiseBadge clock={sla.first_response} page={page} />],
        sla.resolution !== null && ['Resolution', <PromiseBadge clock={sla.resolution} page={page} />],
        ticket.tags.length > 0 && ['Tags', ticket.tags.map((tag) => <Tag>{tag}</Tag>)],
        report !== null && [
          'Error',
          <a href={page.link(`/errors/${report.id}`)}>Reported {counted(report.count, 'time')}</a>,
        ],
        issue !== null && [
          'Git issue',
          issue.url === null ? (
            `${issue.repository ?? issue.provider} #${issue.issue}`
          ) : (
            <a href={issue.url} rel="noreferrer">
              {issue.repository ?? issue.provider} #{issue.issue}
            </a>
          ),
        ],
        ['Created', <Time at={ticket.created_at} exact />],
        ticket.resolved_at !== null && ['Resolved', <Time at={ticket.resolved_at} exact />],
      ]}
    />
  )
}

const soonMs = 3_600_000

/** What was promised: kept, broken, or how long is left. */
function PromiseBadge({ clock, page }: { readonly clock: SlaClock; readonly page: WorkspacePage }) {
  if (clock.met_at !== null) return <Badge tone="ok">Met</Badge>
  const { isOver, text } = timeLeft(clock.due_at, page.now)
  if (isOver || clock.breached_at !== null) return <Badge tone="bad">{text} over</Badge>
  const isSoon = Date.parse(clock.due_at) - page.now < soonMs
  return <Badge tone={isSoon ? 'warn' : 'mute'}>{duration(Date.parse(clock.due_at) - page.now)} left</Badge>
}

export async function resolveTicket(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const status = page.form.text('status')
  const ticket = await page.admin.tickets.update(place, { status })
  return redirect(page.link(`/tickets/${place.id}`), `${ticket.ticket_number} is ${words(ticket.status).toLowerCase()}`)
}
