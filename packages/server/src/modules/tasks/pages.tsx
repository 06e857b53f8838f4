import { ListedTask, type TaskDetail } from '@service/contract/admin/work'
import { TaskInput, TaskPatch } from '@service/contract/admin/work-input'
import { priorities, taskStatuses } from '@service/contract/values'
import { PriorityMark, StatusMark, Tag } from '../../ui/components/badge.tsx'
import { ActionButton } from '../../ui/components/button.tsx'
import { Avatar, actorName, Person } from '../../ui/components/person.tsx'
import { Day, Time } from '../../ui/components/time.tsx'
import { isPast, words } from '../../ui/format.ts'
import { recordRef, type WorkspacePage } from '../../ui/page-types.ts'
import { choice, day, linked, moment, nameOf, person, reference, text } from '../../ui/resource/fields.tsx'
import { resourcePages } from '../../ui/resource/pages.ts'
import { defineResource } from '../../ui/resource/resource.ts'

export const tasks = defineResource<ListedTask, TaskDetail>()({
  noun: 'task',
  icon: 'square-check',
  emptyText: 'A task is a piece of work, as part of a project or for a ticket.',
  role: 'member',
  api: (admin) => admin.tasks,
  title: (task) => task.title,
  fields: {
    title: text('Title'),
    description: text('Description', { control: 'prose' }),
    status: choice('Status', taskStatuses, { show: (status) => <StatusMark status={status} withLabel /> }),
    priority: choice('Priority', priorities, {
      isHidden: true,
      show: (priority) => <PriorityMark priority={priority} />,
      fact: (priority) => <PriorityMark priority={priority} withLabel />,
    }),
    assigned_to: reference('Assignee', 'members', {
      none: 'Unassigned',
      filterOptions: [{ value: 'none', label: 'Unassigned' }],
      classes: '',
      show: (id, context) => <Person name={nameOf(context, 'members', id)} empty="–" />,
    }),
    project_id: reference('Project', 'projects', { none: 'None' }),
    due_at: day('Due', {
      show: (due_at, { row, page }) => (
        <Day on={due_at?.slice(0, 10) ?? null} isLate={row.status !== 'done' && isPast(due_at, page)} />
      ),
    }),
    assignee: person('Assignee', 'assigned_to'),
    creator: person('Created by', 'created_by'),
    origin: {
      label: 'Created by',
      show: (origin) => <bdi>{actorName(origin)}</bdi>,
    },
    project: linked('Project', { path: '/projects', idField: 'project_id' }),
    ticket: {
      label: 'Ticket',
      show: (ticket, { page }) => (
        <a dir="auto" href={page.link(`/tickets/${ticket?.id}`)}>
          {ticket?.ticket_number} {ticket?.title}
        </a>
      ),
    },
    tags: { label: 'Tags', show: (tags) => tags.map((tag) => <Tag>{tag}</Tag>) },
    created_at: moment('Created'),
  },
  list: {
    row: ListedTask,
    link: 'title',
    columns: ['priority', 'title', 'project_id', 'assigned_to', 'due_at', 'created_at'],
    onPhones: ['priority', 'created_at'],
    filters: ['assigned_to', 'priority', 'project_id'],
    search: 'Search tasks',
    searchHint: 'Searches the beginnings of words in titles.',
    sorts: { priority: ['priority', 'ascending'], due_at: ['due', 'ascending'] },
    bulk: ['assigned_to', 'status', 'priority'],
    mark: ({ status }) => <StatusMark status={status} />,
    secondLine: ({ project_id, assigned_to }, context) =>
      [nameOf(context, 'projects', project_id), nameOf(context, 'members', assigned_to) ?? 'Unassigned']
        .filter(Boolean)
        .join(' · '),
  },
  board: {
    by: 'status',
    values: taskStatuses,
    stacked: 1,
    verb: 'is',
    mark: (status) => <StatusMark status={status} />,
    card: ({ priority, project_id, assigned_to }, context) => {
      const name = nameOf(context, 'members', assigned_to)
      return (
        <>
          <PriorityMark priority={priority} />
          <bdi class="clip">{nameOf(context, 'projects', project_id)}</bdi>
          {assigned_to !== null && (
            <span class="push" title={name}>
              <Avatar name={name ?? '?'} />
              <bdi class="sr">{name}</bdi>
            </span>
          )}
        </>
      )
    },
  },
  detail: async (page, task) => {
    const { parent, subtasks } = await loadRelatives(page, task)
    return {
      facts: [
        'status',
        'priority',
        'assignee',
        '?project',
        '?ticket',
        parent !== undefined && [
          'Part of',
          <a dir="auto" href={page.link(`/tasks/${parent.id}`)}>
            {parent.title}
          </a>,
        ],
        '?due_at',
        '?tags',
        '?creator',
        '?origin',
        'created_at',
        task.updated_at !== task.created_at && ['Updated', <Time at={task.updated_at} exact />],
      ],
      actions: <Advance page={page} task={task} />,
      prose: 'description',
      below: subtasks.length > 0 && <Subtasks page={page} subtasks={subtasks} />,
    }
  },
  form: {
    create: TaskInput,
    change: TaskPatch,
    initial: ({ query }) => ({ status: 'todo', priority: 'medium', project_id: query.text('project_id') }),
  },
  deletes: {},
})

export const taskPages = resourcePages(tasks)

async function loadRelatives(page: WorkspacePage, { parent_id, subtask_ids }: TaskDetail) {
  const related = [...(parent_id === null ? [] : [parent_id]), ...subtask_ids.slice(0, 50)]
  const found = await Promise.all(related.map((id) => page.admin.tasks.get({ ...recordRef(page), id })))
  return {
    parent: found.find(({ id }) => id === parent_id),
    subtasks: found.filter(({ id }) => id !== parent_id),
  }
}

/** The board's columns. A task's status may be missing here. */
const statuses: readonly string[] = taskStatuses

function Advance({ page, task: { id, status } }: { readonly page: WorkspacePage; readonly task: TaskDetail }) {
  const next = statuses[statuses.indexOf(status) + 1]
  if (next === undefined) return null
  return (
    <ActionButton
      id="advance-task"
      action={page.link(`/tasks/${id}/status`)}
      fields={{ status: next }}
      variant="primary"
      icon={next === 'done' ? 'check' : 'arrow-right'}
    >
      {next === 'done' ? 'Done' : words(next)}
    </ActionButton>
  )
}

function Subtasks({ page, subtasks }: { readonly page: WorkspacePage; readonly subtasks: readonly TaskDetail[] }) {
  return (
    <section class="section">
      <h2>Subtasks</h2>
      <ul class="links">
        {subtasks.map(({ id, title, status }) => (
          <li class="with-icon">
            <StatusMark status={status} />
            <a dir="auto" href={page.link(`/tasks/${id}`)}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
