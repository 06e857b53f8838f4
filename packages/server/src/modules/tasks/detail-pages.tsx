import type { TaskDetail } from '@service/client/admin'
import { taskStatuses } from '@service/contract/values'
import { Tag } from '../../ui/components/badge.tsx'
import { ActionButton, LinkButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { Confirm } from '../../ui/components/dialog.tsx'
import { Person } from '../../ui/components/person.tsx'
import { PriorityMark, StatusMark } from '../../ui/components/state-marks.tsx'
import { Day, Time } from '../../ui/components/time.tsx'
import { words } from '../../ui/format.ts'
import { type PageResult, placeOf, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'

export async function taskDetail(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const task = await page.admin.tasks.get(place)
  const related = [...(task.parent_id === null ? [] : [task.parent_id]), ...task.subtask_ids.slice(0, 50)]
  const found = await Promise.all(related.map((id) => page.admin.tasks.get({ ...place, id })))
  const parent = found.find(({ id }) => id === task.parent_id)
  const subtasks = found.filter(({ id }) => id !== task.parent_id)
  return show({
    title: task.title,
    live: true,
    crumbs: [{ label: 'Tasks', href: page.link('/tasks') }],
    body: (
      <div class="stack" id={`task-detail-${task.id}`} data-live="tasks">
        <PageHead title={task.title} actions={page.can('member') && <Actions page={page} task={task} />} />
        <TaskFacts page={page} task={task} parent={parent} />
        {task.description !== null && task.description !== '' && (
          <section class="section">
            <h2>Description</h2>
            <p class="prose">{task.description}</p>
          </section>
        )}
        {subtasks.length > 0 && (
          <section class="section">
            <h2>Subtasks</h2>
            <ul class="links">
              {subtasks.map(({ id, title, status }) => (
                <li class="with-icon">
                  <StatusMark status={status} />
                  <a href={page.link(`/tasks/${id}`)}>{title}</a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    ),
  })
}

/** The board's columns in their order, among which a task's own may be missing. */
const statuses: readonly string[] = taskStatuses

function Actions({ page, task }: { readonly page: WorkspacePage; readonly task: TaskDetail }) {
  const { id, title } = task
  const next = statuses[statuses.indexOf(task.status) + 1]
  return (
    <>
      <Confirm
        id={`delete-task-${id}`}
        button={{ icon: 'trash-2', label: 'Delete', look: 'quiet' }}
        title={`Delete “${title}”?`}
        action={page.link(`/tasks/${id}/delete`)}
        does="Delete task"
      >
        This cannot be undone.
      </Confirm>
      <LinkButton id="edit-task" href={page.link(`/tasks/${id}/edit`)} icon="pencil" shortcut="e">
        Edit
      </LinkButton>
      {next !== undefined && (
        <ActionButton
          id="advance-task"
          action={page.link(`/tasks/${id}/status`)}
          fields={{ status: next }}
          look="primary"
          icon={next === 'done' ? 'check' : 'arrow-right'}
        >
          {next === 'done' ? 'Done' : words(next)}
        </ActionButton>
      )}
    </>
  )
}

function TaskFacts({
  page,
  task: { status, priority, assignee, project, ticket, due_at, tags, created_at, updated_at },
  task,
  parent,
}: {
  readonly page: WorkspacePage
  readonly task: TaskDetail
  readonly parent: TaskDetail | undefined
}) {
  const isLate = due_at !== null && Date.parse(due_at) < page.now && task.status !== 'done'
  return (
    <Facts
      facts={[
        ['Status', <StatusMark status={status} withWord />],
        ['Priority', <PriorityMark priority={priority} withWord />],
        ['Assignee', <Person name={assignee?.name} />],
        project !== null && ['Project', <a href={page.link(`/projects/${project.id}`)}>{project.name}</a>],
        ticket !== null && [
          'Ticket',
          <a href={page.link(`/tickets/${ticket.id}`)}>
            {ticket.ticket_number} {ticket.title}
          </a>,
        ],
        parent !== undefined && ['Part of', <a href={page.link(`/tasks/${parent.id}`)}>{parent.title}</a>],
        due_at !== null && ['Due', <Day on={due_at.slice(0, 10)} isLate={isLate} />],
        tags.length > 0 && ['Tags', tags.map((tag) => <Tag>{tag}</Tag>)],
        ['Created', <Time at={created_at} exact />],
        updated_at !== created_at && ['Updated', <Time at={updated_at} exact />],
      ]}
    />
  )
}

/** To another column: back to the board for who has moved it there, else to the task. */
export async function moveTask(page: WorkspacePage): Promise<PageResult> {
  const { id, title, status } = await page.admin.tasks.update(placeOf(page), { status: page.form.text('status') })
  const back = page.query.has('board') ? page.cameFrom : page.link(`/tasks/${id}`)
  return redirect(back, `${title} is ${words(status).toLowerCase()}`)
}

export async function deleteTask(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const { title } = await page.admin.tasks.get(place)
  await page.admin.tasks.delete(place)
  return redirect(page.link('/tasks'), `${title} is deleted`)
}
