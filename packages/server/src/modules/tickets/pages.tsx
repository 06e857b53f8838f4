import type { ListedTicket, TicketDetail } from '@service/contract/admin/work'
import { TicketInput, TicketPatch } from '@service/contract/admin/work-input'
import { priorities, ticketStatuses } from '@service/contract/values'
import { PriorityMark, StatusMark, Tag } from '../../ui/components/badge.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { Day } from '../../ui/components/time.tsx'
import { addressWith } from '../../ui/forms.ts'
import type { WorkspacePage, WorkspacePages } from '../../ui/page-types.ts'
import { choice, day, moment, person, reference, text } from '../../ui/resource/fields.tsx'
import { resourcePages } from '../../ui/resource/pages.ts'
import { defineResource } from '../../ui/resource/resource.ts'
import { setStatus, ticketDetail } from './detail-pages.tsx'
import { isOverdue } from './facts-pages.tsx'

const filters = ['status', 'priority', 'assigned_to', 'project_id', 'tag'] as const

const tickets = defineResource<ListedTicket, TicketDetail>()({
  noun: 'ticket',
  icon: 'ticket',
  about: 'Tickets come from people, the API, error reports, and Git issues.',
  role: 'member',
  api: (admin) => admin.tickets,
  title: (ticket) => ticket.ticket_number,
  fields: {
    title: text('Title'),
    description: text('Description', { control: 'prose' }),
    status: choice('Status', ticketStatuses),
    priority: choice('Priority', priorities, {
      isHidden: true,
      show: (priority) => <PriorityMark priority={priority} />,
    }),
    assigned_to: reference('Assignee', 'members', { none: 'Unassigned' }),
    project_id: reference('Project', 'projects', { none: 'None' }),
    due_at: day('Due', { show: (due_at, { row, page }) => <Day on={due_at} isLate={isOverdue(row, page)} /> }),
    tags: {
      label: 'Tags',
      control: 'text',
      hint: 'Separated by commas.',
      show: (tags) => <Tags tags={tags} />,
      read: (text) =>
        text
          .split(',')
          .map((tag) => tag.trim())
          .filter(Boolean),
      toText: (tags) => tags.join(', '),
    },
    tag: text('Tag'),
    ticket_number: text('Number'),
    assignee: person('Assignee'),
    updated_at: moment('Updated'),
  },
  list: {
    link: 'title',
    columns: ['priority', 'ticket_number', 'title', 'assignee', 'due_at', 'updated_at'],
    onPhones: ['priority', 'updated_at'],
    filters,
    search: 'Search tickets',
    searchHint: 'Searches whole words in numbers, titles, and descriptions.',
    mark: ({ status }) => <StatusMark status={status} />,
    after: ({ tags }) => <Tags tags={tags} />,
    secondLine: (ticket, { page }) => (
      <>
        {ticket.ticket_number} · <bdi>{ticket.assignee?.name ?? 'Unassigned'}</bdi>
        {ticket.due_at !== null && (
          <>
            {' · due '}
            <Day on={ticket.due_at} isLate={isOverdue(ticket, page)} />
          </>
        )}
      </>
    ),
    heading: async (page) => (
      <>
        <h1 class="sr">Tickets</h1>
        <Tabs id="ticket-views" live="tickets" label="Ticket views" tabs={await viewsOf(page)} />
      </>
    ),
  },
  form: {
    create: TicketInput,
    change: TicketPatch,
    initial: () => ({ status: 'open', priority: 'medium' }),
    heading: (ticket) => `Edit ${ticket.ticket_number}`,
  },
})

export const ticketPages: WorkspacePages = [
  ...resourcePages(tickets),
  { method: 'GET', path: '/tickets/{id}', handle: ticketDetail },
  { method: 'POST', path: '/tickets/{id}/status', role: 'member', handle: setStatus },
]

async function viewsOf(page: WorkspacePage) {
  const views: readonly (readonly [label: string, filter: Record<string, string>])[] = [
    ['Unassigned', { status: 'active', assigned_to: 'none' }],
    ['Overdue', { due: 'overdue', sort: 'due' }],
    ['SLA at risk', { sla: 'at_risk', sort: 'sla' }],
    ['Mine', { status: 'active', assigned_to: String(page.person.id) }],
    ['All', {}],
  ]
  const counts = views.map(async ([, { sort: _, ...filter }]) => {
    const { count } = await page.admin.tickets.count({ workspace: page.workspace.id }, filter as never)
    return count
  })
  const known = await Promise.all(counts)
  return views.map(([label, filter], index) => ({
    label,
    href: addressWith(page.link('/tickets'), filter),
    isCurrent: [...filters, 'search'].every((name) => page.query.text(name) === (filter[name] ?? '')),
    count: (known[index] ?? 0) > mostShown ? `${mostShown}+` : known[index],
  }))
}

/** Counting further would make the page slower in large workspaces. */
const mostShown = 99

const mostTags = 3

/** Shows the first few tags and a count of the rest, so that rows stay on one line. */
function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null
  const more = tags.length - mostTags
  return (
    <span class="tags wide-only" title={tags.join(', ')}>
      {tags.slice(0, mostTags).map((tag) => (
        <Tag>{tag}</Tag>
      ))}
      {more > 0 && <span class="tag">+{more}</span>}
    </span>
  )
}
