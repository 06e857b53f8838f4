import { Project } from '@service/contract'
import type { ListedTask, ListedTicket, ProjectDetail } from '@service/contract/admin/work'
import { ProjectInput, ProjectPatch } from '@service/contract/admin/work-input'
import { projectStatuses } from '@service/contract/values'
import { PriorityMark, StatusMark } from '../../ui/components/badge.tsx'
import { Card } from '../../ui/components/card.tsx'
import { namesOf } from '../../ui/components/form.tsx'
import { Person } from '../../ui/components/person.tsx'
import { RowLink, Table } from '../../ui/components/table.tsx'
import { Day, Time } from '../../ui/components/time.tsx'
import { isPast, pluralize } from '../../ui/format.ts'
import { recordRef, type WorkspacePage } from '../../ui/page-types.ts'
import { choice, day, listNames, moment, person, reference, text } from '../../ui/resource/fields.tsx'
import { addNames, type References } from '../../ui/resource/names.ts'
import { resourcePages } from '../../ui/resource/pages.ts'
import { defineResource } from '../../ui/resource/resource.ts'

export const projects = defineResource<Project, ProjectDetail>()({
  noun: 'project',
  icon: 'folder-kanban',
  emptyText: 'A project groups related tickets and tasks.',
  role: 'member',
  api: (admin) => admin.projects,
  title: (project) => project.name,
  fields: {
    name: text('Name'),
    status: choice('State', projectStatuses, { tones: { planning: 'info', active: 'ok', on_hold: 'warn' } }),
    color: text('Color', { hint: 'For example #3959da.', narrow: true }),
    starts_at: day('Starts'),
    due_at: day('Due', { fact: (due_at, { row, page }) => <Day on={due_at} isLate={isLate(row, page)} /> }),
    created_at: moment('Created'),
  },
  list: {
    row: Project,
    link: 'name',
    columns: ['name', 'status', 'starts_at', 'due_at'],
    onPhones: ['status', 'due_at'],
    search: 'Search projects',
    searchHint: 'Searches the beginnings of words in names.',
    mark: ({ color }) => <ColorMark value={color} />,
  },
  detail: async (page, { id, open_tickets, open_tasks }) => ({
    badge: 'status',
    facts: [
      ['Open', `${pluralize(open_tickets, 'ticket')}, ${pluralize(open_tasks, 'task')}`],
      '?starts_at',
      '?due_at',
      'created_at',
    ],
    below: await renderWork(page, id),
    live: 'projects tasks tickets',
  }),
  form: { create: ProjectInput, change: ProjectPatch, initial: () => ({ status: 'active', color: '#3959da' }) },
})

export const projectPages = resourcePages(projects)

const isLate = ({ status, due_at }: ProjectDetail, page: WorkspacePage): boolean =>
  status !== 'completed' && status !== 'archived' && isPast(due_at, page)

/** The project's color. Drawn as SVG, because the CSP forbids style attributes. */
const ColorMark = ({ value }: { readonly value: string | null }) => (
  <svg class="state" viewBox="0 0 14 14" aria-hidden="true">
    {value === null ? (
      <rect class="s-mute" x="1" y="1" width="12" height="12" rx="3" fill="none" stroke-width="1.5" />
    ) : (
      <rect width="14" height="14" rx="4" fill={value} />
    )}
  </svg>
)

/** A task in a list has only the id of its assignee, who may be a former member. */
const assignees: References = {
  fields: {
    assigned_to: reference('Assignee', 'members', { none: 'Unassigned' }),
    assignee: person('Assignee', 'assigned_to'),
  },
  api: (admin) => admin.tasks,
}

async function renderWork(page: WorkspacePage, project_id: number) {
  const { workspace } = recordRef(page)
  const [tasks, tickets, members] = await Promise.all([
    page.admin.tasks.list({ workspace }, { project_id, limit: 20 }),
    page.admin.tickets.list({ workspace }, { project_id, limit: 20 }),
    listNames(page, 'members'),
  ])
  const names = await addNames(assignees, page, { names: { members }, rows: tasks.data })
  const all = (path: string) => page.link(`${path}?project_id=${project_id}`)
  return (
    <>
      <Card title="Tasks" flush aside={tasks.data.length > 0 && <a href={all('/tasks')}>Board</a>}>
        <Tasks page={page} tasks={tasks.data} people={namesOf(names.members ?? [])} />
      </Card>
      <Card title="Tickets" flush aside={tickets.data.length > 0 && <a href={all('/tickets')}>All</a>}>
        <Tickets page={page} tickets={tickets.data} />
      </Card>
    </>
  )
}

function Tasks({
  page,
  tasks,
  people,
}: {
  readonly page: WorkspacePage
  readonly tasks: readonly ListedTask[]
  readonly people: ReadonlyMap<number | null, string>
}) {
  if (tasks.length === 0) return <p class="card-body quiet">No tasks yet.</p>
  return (
    <Table caption="Newest tasks" columns={[{ name: 'Task', classes: 'wide' }, { name: 'Assignee' }]}>
      {tasks.map(({ id, status, title, assigned_to }) => (
        <tr>
          <td class="wide">
            <div class="with-icon">
              <StatusMark status={status} />
              <RowLink href={page.link(`/tasks/${id}`)}>{title}</RowLink>
            </div>
          </td>
          <td class="tight">
            <Person name={people.get(assigned_to)} empty="–" />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function Tickets({ page, tickets }: { readonly page: WorkspacePage; readonly tickets: readonly ListedTicket[] }) {
  if (tickets.length === 0) return <p class="card-body quiet">No tickets yet.</p>
  return (
    <Table
      caption="Newest tickets"
      columns={[
        { name: 'Ticket', classes: 'wide' },
        { name: 'Updated', classes: 'right' },
      ]}
    >
      {tickets.map(({ id, priority, status, title, updated_at }) => (
        <tr>
          <td class="wide">
            <div class="with-icon">
              <PriorityMark priority={priority} />
              <StatusMark status={status} />
              <RowLink href={page.link(`/tickets/${id}`)}>{title}</RowLink>
            </div>
          </td>
          <td class="right meta tight">
            <Time at={updated_at} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
