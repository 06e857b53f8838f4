import type { Member } from '@service/contract/admin/people'
import type { SlaClock, TicketDetail } from '@service/contract/admin/work'
import { priorities, ticketStatuses } from '@service/contract/values'
import type { Child } from 'hono/jsx'
import { Badge, PriorityMark, StatusMark, Tag } from '../../ui/components/badge.tsx'
import { Facts } from '../../ui/components/card.tsx'
import { composerForm } from '../../ui/components/composer.tsx'
import { namedOptions, wordOptions } from '../../ui/components/form.tsx'
import { InlineDay, InlineSelect, InlineText } from '../../ui/components/inline-field.tsx'
import { Person } from '../../ui/components/person.tsx'
import { Day, Time, timeLeft } from '../../ui/components/time.tsx'
import { duration, pluralize } from '../../ui/format.ts'
import type { FormState } from '../../ui/forms.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'
import { formerName } from '../../ui/resource/fields.tsx'
import { recordPath } from '../../ui/resource/list-query.ts'
import { isOverdue, type listUsed, tickets } from './list-pages.tsx'
import { joinTags } from './tag-text.ts'

type Fact = readonly [name: Child, value: Child]

interface FactsProps {
  readonly page: WorkspacePage
  readonly ticket: TicketDetail
}

/** The data for inline editing. */
interface Edited {
  readonly members: readonly Pick<Member, 'id' | 'name'>[]
  readonly used: Awaited<ReturnType<typeof listUsed>>
  readonly version: string | undefined
  /** What was typed in properties, but sent for something else. */
  readonly typed: ReadonlyMap<string, string>
  /** The state of the refused change, if there is one. */
  readonly refused: FormState | undefined
}

/** Ticket properties. For readers who may edit, the first six are controls. */
export function TicketFacts({ edited, ...props }: FactsProps & { readonly edited: Edited | undefined }) {
  const { page, ticket } = props
  const { sla, error_report: report, git_issue: issue } = ticket
  return (
    <>
      {edited !== undefined && !page.isFragment && (
        // The first button is the one that Enter in a text field presses, also before the scripts have loaded.
        <button type="submit" form={composerForm} formaction={recordPath(tickets, page, ticket.id)} hidden />
      )}
      <Facts
        facts={[
          ...(edited === undefined ? readOnlyFacts(props) : editableFacts({ ...props, ...edited })),
          ticket.project !== null && [
            'Project',
            <a dir="auto" href={page.link(`/projects/${ticket.project.id}`)}>
              {ticket.project.name}
            </a>,
          ],
          sla.first_response !== null && ['First response', <SlaBadge clock={sla.first_response} page={page} />],
          sla.resolution !== null && ['Resolution', <SlaBadge clock={sla.resolution} page={page} />],
          report !== null && [
            'Error',
            <a href={page.link(`/errors/${report.id}`)}>Reported {pluralize(report.count, 'time')}</a>,
          ],
          issue !== null && ['Git issue', linkToIssue(issue)],
          ['Created', <Time at={ticket.created_at} exact />],
          ticket.resolved_at !== null && ['Resolved', <Time at={ticket.resolved_at} exact />],
        ]}
      />
    </>
  )
}

const readOnlyFacts = ({ page, ticket }: FactsProps): readonly (Fact | false)[] => [
  ['Status', <StatusMark status={ticket.status} withLabel />],
  ['Priority', <PriorityMark priority={ticket.priority} withLabel />],
  ['Assignee', <Person name={ticket.assignee?.name} />],
  ['Due', <Day on={ticket.due_at} isLate={isOverdue(ticket, page)} />],
  ticket.category !== null && ['Category', <bdi>{ticket.category}</bdi>],
  ticket.tags.length > 0 && ['Tags', ticket.tags.map((tag) => <Tag>{tag}</Tag>)],
]

function editableFacts({ page, ticket, members, used, version, typed, refused }: FactsProps & Edited): readonly Fact[] {
  const label = (name: string, text: Child): Child => <label for={idOf(name)}>{text}</label>
  const idOf = (name: string) => `ticket-${ticket.id}-${name}`
  const field = (name: string, value: string | number | null) => {
    const stored = String(value ?? '')
    // Without JavaScript, all are sent together, and the unchanged ones are not refused.
    const isRefused = refused !== undefined && (refused.text(name) !== stored || refused.error(name) !== undefined)
    return {
      id: idOf(name),
      name,
      value: typed.get(name) ?? stored,
      action: recordPath(tickets, page, ticket.id),
      version,
      // A script fetches fragments, and sends each property in its own form.
      form: page.isFragment ? undefined : composerForm,
      refused: isRefused ? refused : undefined,
    }
  }
  const { status, priority, assigned_to, due_at, category, tags } = ticket
  const otherTags = used.tags.filter((tag) => !tags.includes(tag))
  return [
    [
      label('status', 'Status'),
      <InlineSelect
        {...field('status', status)}
        options={wordOptions(ticketStatuses)}
        mark={<StatusMark status={status} isDecoration />}
      />,
    ],
    [
      label('priority', 'Priority'),
      <InlineSelect
        {...field('priority', priority)}
        options={wordOptions(priorities)}
        mark={<PriorityMark priority={priority} isDecoration />}
      />,
    ],
    [
      label('assigned_to', 'Assignee'),
      <InlineSelect {...field('assigned_to', assigned_to)} options={assigneeOptions(ticket, members)} />,
    ],
    [
      label('due_at', isOverdue(ticket, page) ? <span class="late">Due (overdue)</span> : 'Due'),
      <InlineDay {...field('due_at', due_at)} />,
    ],
    [
      label('category', 'Category'),
      <InlineText {...field('category', category)} placeholder="None" suggestions={used.categories} />,
    ],
    [
      label('tags', 'Tags'),
      // A suggestion replaces the whole text.
      <InlineText
        {...field('tags', joinTags(tags))}
        placeholder="Separated by commas"
        suggestions={otherTags.map((tag) => joinTags([...tags, tag]))}
      />,
    ],
  ]
}

/** The members, and an assignee who has left the workspace. */
function assigneeOptions({ assigned_to: id, assignee }: TicketDetail, members: Edited['members']) {
  const hasLeft = id !== null && members.every((member) => member.id !== id)
  return namedOptions(hasLeft ? [...members, { id, name: formerName(assignee?.name) }] : members, 'Unassigned')
}

function linkToIssue({ repository, provider, issue, url }: NonNullable<TicketDetail['git_issue']>): Child {
  const name = `${repository ?? provider} #${issue}`
  return url === null ? (
    name
  ) : (
    <a href={url} rel="noreferrer">
      {name}
    </a>
  )
}

const soonMs = 3_600_000

/** The SLA target: met, breached, or the remaining time. */
function SlaBadge({ clock, page }: { readonly clock: SlaClock; readonly page: WorkspacePage }) {
  if (clock.met_at !== null) return <Badge tone="ok">Met</Badge>
  const { isOver, text } = timeLeft(clock.due_at, page.now)
  if (isOver || clock.breached_at !== null) return <Badge tone="bad">{text} over</Badge>
  const isSoon = Date.parse(clock.due_at) - page.now < soonMs
  return <Badge tone={isSoon ? 'warn' : 'mute'}>{duration(Date.parse(clock.due_at) - page.now)} left</Badge>
}
