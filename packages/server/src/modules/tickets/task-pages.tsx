import type { ListedTask } from '@service/contract/admin/work'
import { StatusMark } from '../../ui/components/badge.tsx'
import { ActionButton, Button } from '../../ui/components/button.tsx'
import { Form, TextField } from '../../ui/components/form.tsx'
import type { FormState } from '../../ui/forms.ts'
import { type PageResult, recordRef, redirect, type WorkspacePage } from '../../ui/page-types.ts'
import { recordPath } from '../../ui/resource/list-query.ts'
import { tickets } from './list-pages.tsx'

const maxTasks = 50

export const listTicketTasks = (page: WorkspacePage, ticketId: number) =>
  page.admin.tasks.list({ workspace: page.workspace.id }, { ticket_id: ticketId, limit: maxTasks })

interface TasksProps {
  readonly page: WorkspacePage
  readonly ticketId: number
  readonly tasks: readonly ListedTask[]
  /** The form for a new task. */
  readonly form: FormState
}

/** The ticket's tasks, with buttons that complete and reopen them, and a field for a new one. */
export function TicketTasks({ page, ticketId, tasks, form }: TasksProps) {
  const canEdit = page.can('member')
  if (tasks.length === 0 && !canEdit) return null
  const toAction = (path: string) => recordPath(tickets, page, `${ticketId}${path}`)
  return (
    <section class="section">
      <h2>Tasks</h2>
      <ul class="links">
        {tasks.map(({ id, title, status }) => (
          <li class="with-icon">
            <StatusMark status={status} />
            <a dir="auto" href={page.link(`/tasks/${id}`)}>
              {title}
            </a>
            {canEdit && (
              <ActionButton
                id={`toggle-task-${id}`}
                action={toAction('/task-status')}
                fields={{ task: String(id), status: status === 'done' ? 'todo' : 'done' }}
                variant="quiet"
                small
                icon={status === 'done' ? 'rotate-ccw' : 'check'}
                label={`${status === 'done' ? 'Reopen' : 'Complete'} ${title}`}
              />
            )}
          </li>
        ))}
      </ul>
      {canEdit && (
        <Form action={toAction('/tasks')} state={form}>
          <div class="composer">
            <TextField id="new-task" name="title" label="New task" state={form} />
            <Button icon="plus">Add task</Button>
          </div>
        </Form>
      )}
    </section>
  )
}

export async function setTaskStatus(page: WorkspacePage): Promise<PageResult> {
  const { workspace, id } = recordRef(page)
  const status = page.form.text('status')
  const { title } = await page.admin.tasks.update({ workspace, id: Number(page.form.text('task')) }, { status })
  return redirect(recordPath(tickets, page, id), `${title} is ${status === 'done' ? 'done' : 'reopened'}`)
}
