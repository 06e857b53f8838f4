import type { ListedTicket, TicketCounts } from '@service/contract/admin/work'
import { priorities, ticketStatuses } from '@service/contract/values'
import { PriorityMark, StatusMark, Tag } from '../../ui/components/badge.tsx'
import { LinkButton } from '../../ui/components/button.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { namedOptions, wordOptions } from '../../ui/components/form.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Person } from '../../ui/components/person.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { Day, Time } from '../../ui/components/time.tsx'
import { counted, words } from '../../ui/format.ts'
import { addressWith, numberOrUndefined, textOrUndefined, valuesOf } from '../../ui/forms.ts'
import { type PageResult, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { resolveTicket, ticketDetail } from './detail-pages.tsx'
import { createTicket, editTicket, newTicket, updateTicket } from './edit-pages.tsx'
import { isOverdue } from './facts-pages.tsx'

/** The filters of the list, as its address has them. */
const filterNames = ['status', 'priority', 'assigned_to', 'project_id', 'tag', 'search'] as const
type Filter = (typeof filterNames)[number]

async function ticketList(page: WorkspacePage): Promise<PageResult> {
  const { query } = page
  const workspace = page.workspace.id
  const [tickets, counts, members, projects] = await Promise.all([
    page.admin.tickets.list(
      { workspace },
      {
        status: textOrUndefined(query, 'status'),
        priority: textOrUndefined(query, 'priority'),
        assigned_to: numberOrUndefined(query, 'assigned_to'),
        project_id: numberOrUndefined(query, 'project_id'),
        tag: textOrUndefined(query, 'tag'),
        search: textOrUndefined(query, 'search'),
        before: numberOrUndefined(query, 'before'),
      },
    ),
    page.admin.tickets.count({ workspace }),
    page.admin.members.list({ workspace }, { limit: 200 }),
    page.admin.projects.list({ workspace }, { limit: 200 }),
  ])
  const create = page.can('member') ? (
    <LinkButton href={page.link('/tickets/new')} look="primary" icon="plus" shortcut="c">
      New ticket
    </LinkButton>
  ) : undefined
  const { data, next_before } = tickets
  return show({
    title: 'Tickets',
    live: true,
    action: create,
    body: (
      <>
        <h1 class="sr">Tickets</h1>
        <Tabs id="ticket-views" live="tickets" label="Views of the tickets" tabs={tabsOf(page, counts)} />
        <FilterBar
          path={page.link('/tickets')}
          query={query}
          search="Search tickets"
          filters={[
            { name: 'status', label: 'Status', options: wordOptions(ticketStatuses) },
            { name: 'priority', label: 'Priority', options: wordOptions(priorities) },
            { name: 'assigned_to', label: 'Assignee', options: namedOptions(members.data) },
            { name: 'project_id', label: 'Project', options: namedOptions(projects.data) },
            { name: 'tag', label: 'Tag' },
          ]}
        />
        <div id="ticket-list" data-live="tickets">
          {data.length === 0 ? (
            <NoTickets page={page} />
          ) : (
            <>
              <TicketTable page={page} tickets={data} />
              <Pager
                shown={counted(data.length, 'ticket')}
                older={next_before === null ? undefined : listLink(page, { before: String(next_before) })}
                newest={query.has('before') ? listLink(page, {}) : undefined}
              />
            </>
          )}
        </div>
      </>
    ),
  })
}

/** The list with the filters of now, and what is named here. */
const listLink = (page: WorkspacePage, change: Readonly<Record<string, string>>) =>
  addressWith(page.link('/tickets'), { ...valuesOf(page.query, filterNames), ...change })

/** Counted on, a page would take the longer the larger the workspace is. */
const mostShown = 99

function tabsOf(page: WorkspacePage, counts: TicketCounts) {
  const { query } = page
  const views: readonly (readonly [
    label: string,
    count: number | undefined,
    filter: Partial<Record<Filter, string>>,
  ])[] = [
    ['All', counts.all, {}],
    ...ticketStatuses.map((status) => [words(status), counts.statuses[status], { status }] as const),
    ['Mine', undefined, { assigned_to: String(page.person.id) }],
  ]
  return views.map(([label, count, filter]) => ({
    label,
    href: addressWith(page.link('/tickets'), filter),
    isCurrent: filterNames.every((name) => query.text(name) === (filter[name] ?? '')),
    count: count !== undefined && count > mostShown ? `${mostShown}+` : count,
  }))
}

function TicketTable({ page, tickets }: { readonly page: WorkspacePage; readonly tickets: readonly ListedTicket[] }) {
  return (
    <Table
      bleed
      caption="Tickets"
      columns={[
        { name: 'Priority', isHidden: true },
        { name: 'Number', look: 'wide-only' },
        { name: 'Title', look: 'wide' },
        { name: 'Assignee', look: 'wide-only' },
        { name: 'Due', look: 'wide-only right' },
        { name: 'Updated', look: 'right' },
      ]}
    >
      {tickets.map((ticket) => (
        <tr id={`ticket-${ticket.id}`}>
          <td class="tight">
            <PriorityMark priority={ticket.priority} />
          </td>
          <td class="tight quiet wide-only">{ticket.ticket_number}</td>
          <td class="wide">
            <div class="with-icon">
              <StatusMark status={ticket.status} />
              <RowLink id={`open-ticket-${ticket.id}`} href={page.link(`/tickets/${ticket.id}`)} drawer>
                {ticket.title}
              </RowLink>
              <Tags tags={ticket.tags} />
            </div>
            <div class="second clip">
              {ticket.ticket_number} · <bdi>{ticket.assignee?.name ?? 'Unassigned'}</bdi>
              {ticket.due_at !== null && (
                <>
                  {' · due '}
                  <Day on={ticket.due_at} isLate={isOverdue(ticket, page)} />
                </>
              )}
            </div>
          </td>
          <td class="wide-only tight">
            <Person name={ticket.assignee?.name} empty="–" />
          </td>
          <td class="wide-only right meta tight">
            <Day on={ticket.due_at} isLate={isOverdue(ticket, page)} />
          </td>
          <td class="right meta tight">
            <Time at={ticket.updated_at} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

const mostTags = 3

/** The first few; the rest as a number, so that rows stay one line. */
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

function NoTickets({ page }: { readonly page: WorkspacePage }) {
  if (page.query.entries().some(([, value]) => value !== ''))
    return (
      <Empty
        icon="search"
        title="No ticket is like that"
        actions={<LinkButton href={page.link('/tickets')}>All tickets</LinkButton>}
      >
        Search is for whole words of the number, the title and the description.
      </Empty>
    )
  return (
    <Empty
      icon="ticket"
      title="No tickets yet"
      actions={page.can('member') && <LinkButton href={page.link('/tickets/new')}>New ticket</LinkButton>}
    >
      People create them here and programs over the API. Errors and Git issues make them by themselves.
    </Empty>
  )
}

export const ticketPages: WorkspacePages = [
  { method: 'GET', path: '/tickets', handle: ticketList },
  { method: 'GET', path: '/tickets/new', role: 'member', handle: newTicket },
  { method: 'POST', path: '/tickets', role: 'member', handle: createTicket },
  { method: 'GET', path: '/tickets/{id}', handle: ticketDetail },
  { method: 'GET', path: '/tickets/{id}/edit', role: 'member', handle: editTicket },
  { method: 'POST', path: '/tickets/{id}', role: 'member', handle: updateTicket },
  { method: 'POST', path: '/tickets/{id}/status', role: 'member', handle: resolveTicket },
]
