import type { ListedTask } from '@service/contract/admin/work'
import { taskStatuses } from '@service/contract/values'
import { PriorityMark, StatusMark } from '../../ui/components/badge.tsx'
import { Board, type BoardCard } from '../../ui/components/board.tsx'
import { LinkButton } from '../../ui/components/button.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { namedOptions, namesOf, wordOptions } from '../../ui/components/form.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Avatar, Person } from '../../ui/components/person.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Segments } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { counted, words } from '../../ui/format.ts'
import { addressWith, numberOrUndefined, textOrUndefined, valuesOf } from '../../ui/forms.ts'
import { type PageResult, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { createTask, deleteTask, editTask, moveTask, newTask, taskDetail, updateTask } from './detail-pages.tsx'

/** What a board shows of a column at once. */
const mostInColumn = 100

type Names = ReadonlyMap<number | null, string>

interface Listing {
  readonly page: WorkspacePage
  readonly people: Names
  readonly projects: Names
}

async function taskList(page: WorkspacePage): Promise<PageResult> {
  const at = { workspace: page.workspace.id }
  const [members, projects] = await Promise.all([
    page.admin.members.list(at, { limit: 200 }),
    page.admin.projects.list(at, { limit: 200 }),
  ])
  const isList = page.query.text('view') === 'list'
  const listing: Listing = { page, people: namesOf(members.data), projects: namesOf(projects.data) }
  return show({
    title: 'Tasks',
    live: true,
    action: page.can('member') ? <Create page={page} primary /> : undefined,
    body: (
      <>
        <h1 class="sr">Tasks</h1>
        <FilterBar
          path={page.link('/tasks')}
          query={page.query}
          kept={['view']}
          filters={[
            ...(isList ? [{ name: 'status', label: 'Status', options: wordOptions(taskStatuses) }] : []),
            { name: 'assigned_to', label: 'Assignee', options: namedOptions(members.data) },
            { name: 'project_id', label: 'Project', options: namedOptions(projects.data) },
          ]}
        >
          <Segments
            label="View"
            tabs={[
              { label: 'Board', href: viewLink(page, ''), isCurrent: !isList },
              { label: 'List', href: viewLink(page, 'list'), isCurrent: isList },
            ]}
          />
        </FilterBar>
        {isList ? await taskTable(listing) : await taskBoard(listing)}
      </>
    ),
  })
}

const filterNames = ['assigned_to', 'project_id'] as const

const viewLink = (page: WorkspacePage, view: string) =>
  addressWith(page.link('/tasks'), { view, ...valuesOf(page.query, filterNames) })

const filtersOf = ({ query }: WorkspacePage) => ({
  assigned_to: numberOrUndefined(query, 'assigned_to'),
  project_id: numberOrUndefined(query, 'project_id'),
})

const Create = ({ page, primary = false }: { readonly page: WorkspacePage; readonly primary?: boolean }) => (
  <LinkButton
    href={page.link('/tasks/new')}
    look={primary ? 'primary' : undefined}
    icon="plus"
    {...(primary ? { shortcut: 'c' } : {})}
  >
    New task
  </LinkButton>
)

async function taskBoard({ page, people, projects }: Listing) {
  const at = { workspace: page.workspace.id }
  const columns = await Promise.all(
    taskStatuses.map(async (status) => {
      const query = { ...filtersOf(page), status, limit: mostInColumn }
      return { status, ...(await page.admin.tasks.list(at, query)) }
    }),
  )
  if (columns.every(({ data }) => data.length === 0)) return <NoTasks page={page} />
  const cardOf = (task: ListedTask): BoardCard => ({
    id: task.id,
    title: task.title,
    href: page.link(`/tasks/${task.id}`),
    moveTo: page.link(`/tasks/${task.id}/status?board`),
    children: (
      <>
        <PriorityMark priority={task.priority} />
        <bdi>{projects.get(task.project_id)}</bdi>
        {task.assigned_to !== null && (
          <span class="push" title={people.get(task.assigned_to)}>
            <Avatar name={people.get(task.assigned_to) ?? '?'} />
            <bdi class="sr">{people.get(task.assigned_to)}</bdi>
          </span>
        )}
      </>
    ),
  })
  return (
    <Board
      id="task-board"
      live="tasks"
      label="Tasks by status"
      field="status"
      canMove={page.can('member')}
      groups={columns.map(({ status, data, next_before }) => [
        {
          key: status,
          title: words(status),
          mark: <StatusMark status={status} />,
          cards: data.map(cardOf),
          ...(next_before === null
            ? {}
            : {
                more: addressWith(page.link('/tasks'), {
                  view: 'list',
                  status,
                  ...valuesOf(page.query, filterNames),
                }),
              }),
        },
      ])}
    />
  )
}

async function taskTable({ page, people, projects }: Listing) {
  const { data, next_before } = await page.admin.tasks.list(
    { workspace: page.workspace.id },
    {
      ...filtersOf(page),
      status: textOrUndefined(page.query, 'status'),
      before: numberOrUndefined(page.query, 'before'),
    },
  )
  const now = { view: 'list', ...valuesOf(page.query, ['status', ...filterNames]) }
  if (data.length === 0) return <NoTasks page={page} />
  return (
    <div id="task-list" data-live="tasks">
      <Table
        bleed
        caption="Tasks"
        columns={[
          { name: 'Priority', isHidden: true },
          { name: 'Title', look: 'wide' },
          { name: 'Project', look: 'wide-only' },
          { name: 'Assignee', look: 'wide-only' },
          { name: 'Created', look: 'right' },
        ]}
      >
        {data.map((task) => (
          <tr id={`task-${task.id}`}>
            <td class="tight">
              <PriorityMark priority={task.priority} />
            </td>
            <td class="wide">
              <div class="with-icon">
                <StatusMark status={task.status} />
                <RowLink id={`open-task-${task.id}`} href={page.link(`/tasks/${task.id}`)} drawer>
                  {task.title}
                </RowLink>
              </div>
              <div class="second clip">
                {[projects.get(task.project_id), people.get(task.assigned_to) ?? 'Unassigned']
                  .filter(Boolean)
                  .join(' · ')}
              </div>
            </td>
            <td class="wide-only tight quiet">{projects.get(task.project_id) ?? '–'}</td>
            <td class="wide-only tight">
              <Person name={people.get(task.assigned_to)} empty="–" />
            </td>
            <td class="right meta tight">
              <Time at={task.created_at} />
            </td>
          </tr>
        ))}
      </Table>
      <Pager
        shown={counted(data.length, 'task')}
        older={
          next_before === null ? undefined : addressWith(page.link('/tasks'), { ...now, before: `${next_before}` })
        }
        newest={page.query.has('before') ? addressWith(page.link('/tasks'), now) : undefined}
      />
    </div>
  )
}

function NoTasks({ page }: { readonly page: WorkspacePage }) {
  if (['status', ...filterNames].some((name) => page.query.text(name) !== ''))
    return (
      <Empty
        icon="search"
        title="No task is like that"
        actions={<LinkButton href={page.link('/tasks')}>All tasks</LinkButton>}
      />
    )
  return (
    <Empty icon="square-check" title="No tasks yet" actions={page.can('member') && <Create page={page} />}>
      A task is a piece of work of somebody: part of a project, or what a ticket needs.
    </Empty>
  )
}

export const taskPages: WorkspacePages = [
  { method: 'GET', path: '/tasks', handle: taskList },
  { method: 'GET', path: '/tasks/new', role: 'member', handle: newTask },
  { method: 'POST', path: '/tasks', role: 'member', handle: createTask },
  { method: 'GET', path: '/tasks/{id}', handle: taskDetail },
  { method: 'GET', path: '/tasks/{id}/edit', role: 'member', handle: editTask },
  { method: 'POST', path: '/tasks/{id}', role: 'member', handle: updateTask },
  { method: 'POST', path: '/tasks/{id}/status', role: 'member', handle: moveTask },
  { method: 'POST', path: '/tasks/{id}/delete', role: 'member', handle: deleteTask },
]
