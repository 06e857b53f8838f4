import { ListedTicket, type TicketDetail } from '@service/contract/admin/work'
import { TicketInput, TicketPatch } from '@service/contract/admin/work-input'
import { isResolved, priorities, ticketStatuses } from '@service/contract/values'
import { PriorityMark, StatusMark, Tag } from '../../ui/components/badge.tsx'
import { Day } from '../../ui/components/time.tsx'
import { isPast } from '../../ui/format.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'
import { choice, day, moment, person, reference, text } from '../../ui/resource/fields.tsx'
import { defineResource } from '../../ui/resource/resource.ts'
import { editingUrl, ticketEditors } from './editing-pages.tsx'
import { SlaMark } from './sla-mark.tsx'
import { joinTags, readTags } from './tag-text.ts'

export const tickets = defineResource<ListedTicket, TicketDetail>()({
  noun: 'ticket',
  icon: 'ticket',
  emptyText: 'Tickets come from people, the API, error reports, and Git issues.',
  role: 'member',
  api: (admin) => admin.tickets,
  title: (ticket) => ticket.ticket_number,
  fields: {
    title: text('Title'),
    description: text('Description', { control: 'prose' }),
    status: choice('Status', ticketStatuses, { filterOptions: [{ value: 'active', label: 'Active' }] }),
    priority: choice('Priority', priorities, {
      isHidden: true,
      show: (priority) => <PriorityMark priority={priority} />,
    }),
    assigned_to: reference('Assignee', 'members', {
      none: 'Unassigned',
      filterOptions: [{ value: 'none', label: 'Unassigned' }],
    }),
    project_id: reference('Project', 'projects', { none: 'None' }),
    due_at: day('Due', { show: (due_at, { row, page }) => <Day on={due_at} isLate={isOverdue(row, page)} /> }),
    tags: {
      label: 'Tags',
      control: 'text',
      hint: 'Separated by commas. A tag with a comma is in quotes.',
      show: (tags) => <Tags tags={tags} />,
      read: readTags,
      toText: joinTags,
      suggestions: async (page) => (await listUsed(page)).tags.map((tag) => joinTags([tag])),
    },
    category: text('Category', { suggestions: async (page) => (await listUsed(page)).categories }),
    sla: { label: 'SLA', show: () => null, options: () => slaOptions },
    due: choice<string>('Due', [], { options: () => dueOptions }),
    tag: text('Tag'),
    sla_due_at: { label: 'SLA', show: (due_at: string | null) => <SlaMark dueAt={due_at} /> },
    ticket_number: text('Number'),
    assignee: person('Assignee', 'assigned_to'),
    updated_at: moment('Updated'),
  },
  list: {
    row: ListedTicket,
    link: 'title',
    columns: ['priority', 'ticket_number', 'title', 'assignee', 'sla_due_at', 'due_at', 'updated_at'],
    onPhones: ['priority', 'updated_at'],
    filters: ['status', 'priority', 'assigned_to', 'project_id', 'sla', 'due', 'tag'],
    search: 'Search tickets',
    searchHint: 'Searches the beginnings of words in numbers, titles, and descriptions.',
    mark: ({ status }) => <StatusMark status={status} />,
    after: ({ tags }) => <Tags tags={tags} />,
    secondLine: (ticket, { page }) => (
      <>
        {ticket.sla_due_at !== null && (
          <>
            <SlaMark dueAt={ticket.sla_due_at} />
            {' · '}
          </>
        )}
        {ticket.ticket_number} · <bdi>{ticket.assignee?.name ?? 'Unassigned'}</bdi>
        {ticket.due_at !== null && (
          <>
            {' · due '}
            <Day on={ticket.due_at} isLate={isOverdue(ticket, page)} />
          </>
        )}
      </>
    ),
    views: (page) => [
      { label: 'Unassigned', query: { status: 'active', assigned_to: 'none' } },
      { label: 'Overdue', query: { due: 'overdue', sort: 'due' } },
      { label: 'SLA at risk', query: { sla: 'at_risk', sort: 'sla' } },
      { label: 'Mine', query: { status: 'active', assigned_to: String(page.person.id) } },
      { label: 'All', query: {} },
    ],
    sorts: {
      priority: ['priority', 'ascending'],
      sla_due_at: ['sla', 'ascending'],
      due_at: ['due', 'ascending'],
      updated_at: ['updated', 'descending'],
    },
    bulk: ['assigned_to', 'status', 'priority', 'tags'],
    keepsPosition: true,
  },
  form: {
    create: TicketInput,
    change: TicketPatch,
    initial: () => ({ status: 'open', priority: 'medium' }),
    heading: (ticket) => `Edit ${ticket.ticket_number}`,
    editors: async (page, { id }) => ({ line: await ticketEditors(page, id), reportTo: editingUrl(page, id) }),
  },
})

/** The tags and categories of recent tickets, as suggestions. */
export async function listUsed({ admin, workspace }: WorkspacePage) {
  const { data } = await admin.tickets.list({ workspace: workspace.id }, { limit: 100 })
  const sorted = (values: readonly string[]) => [...new Set(values)].toSorted((a, b) => a.localeCompare(b, 'en'))
  return {
    tags: sorted(data.flatMap(({ tags }) => tags)),
    categories: sorted(data.flatMap(({ category }) => category ?? [])),
  }
}

const slaOptions = [
  { value: 'at_risk', label: 'At risk' },
  { value: 'over', label: 'Over' },
]

const dueOptions = [
  { value: 'overdue', label: 'Overdue' },
  { value: 'today', label: 'Today' },
  { value: 'week', label: 'In 7 days' },
]

const maxTags = 3

/** Shows the first few tags and a count of the rest, so that rows stay on one line. */
function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null
  const more = tags.length - maxTags
  return (
    <span class="tags wide-only" title={tags.join(', ')}>
      {tags.slice(0, maxTags).map((tag) => (
        <Tag>{tag}</Tag>
      ))}
      {more > 0 && <span class="tag">+{more}</span>}
    </span>
  )
}

/** Whether the due date is past. Resolved tickets are never overdue. */
export const isOverdue = ({ due_at, status }: Pick<ListedTicket, 'due_at' | 'status'>, page: WorkspacePage): boolean =>
  isPast(due_at, page) && !isResolved(status)
