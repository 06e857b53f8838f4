import type { Named, NewTask, Task } from '@service/contract'
import type { TaskDetail } from '@service/contract/admin/work'
import type { TaskPatch, TaskQuery } from '@service/contract/admin/work-input'
import type { App, TxApp } from '../../context.ts'
import { toNamedActor, toOrigin } from '../../core/admin-caller.ts'
import { formatInstant, formatInstantOrNull, fromDay } from '../../core/clock.ts'
import { diff } from '../../core/diff.ts'
import { notFound } from '../../core/errors.ts'
import { toSortablePage } from '../../core/pagination.ts'
import { requireReferences } from '../../core/references.ts'
import { enqueue } from '../../delivery/outbox/outbox.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { findAuthor, findMember, findName } from '../members/service.ts'
import { findProjectName } from '../projects/service.ts'
import { findTicketReference } from '../tickets/service.ts'
import * as queries from './queries.ts'

type CreateTask = { readonly workspaceId: number; readonly author: Named | null; readonly task: NewTask }

/** Creates a task and emits its event in the same transaction. */
export function createTask(app: App, { workspaceId, author, task }: CreateTask): Promise<Task> {
  return inTransaction(app, async (app) => {
    const references = await requireTaskReferences(app, workspaceId, task)
    const row = toRow(app, { workspaceId, author, task })
    const id = await queries.insertTask(app.db, row)
    const created = toTask({ ...row, id }, references)
    await enqueueCreated(app, workspaceId, created)
    return created
  })
}

/** Creates a task on behalf of a member or the caller, or without an author. */
export async function createTaskBy(
  app: App,
  { workspaceId, created_by: id, task }: { workspaceId: number; created_by: number | null | undefined; task: NewTask },
): Promise<Task> {
  const { created_by: author } = await requireReferences({
    created_by: { id, find: (id) => findAuthor(app, workspaceId, id) },
  })
  return createTask(app, { workspaceId, author, task })
}

/** Changes fields of a task. Emits `task.updated` with the changed fields, or nothing if none changed. */
export function updateTask(app: App, { workspaceId, id }: RowRef, patch: TaskPatch): Promise<Task> {
  return inTransaction(app, async (app) => {
    const before = await queries.findTask(app.db, workspaceId, id)
    if (before === undefined) throw notFound('task', id)
    const changes = diff(before, toColumns(patch))
    if (changes === undefined) return withNames(app, workspaceId, before)
    await requireTaskReferences(app, workspaceId, changes.patch)
    const row = await queries.updateTask(app.db, { workspaceId, id }, { ...changes.patch, updated_at: app.clock.now() })
    const task = await withNames(app, workspaceId, row)
    // As answers show it.
    const due_at = { from: formatInstantOrNull(before.due_at), to: task.due_at }
    const fields = 'due_at' in changes.fields ? { ...changes.fields, due_at } : changes.fields
    await enqueue(app, workspaceId, { event: 'task.updated', task: inEvent(task), changes: fields })
    return task
  })
}

function toColumns({ status, priority, due_at, ...others }: TaskPatch) {
  return {
    ...others,
    ...(status ? { status } : {}),
    ...(priority ? { priority } : {}),
    ...(due_at === undefined ? {} : { due_at: due_at === null ? null : fromDay(due_at) }),
  }
}

/** Adds the names of referenced records. People who left the workspace are included. */
async function withNames(app: App, workspaceId: number, row: queries.NewTaskRow & { id: number }): Promise<Task> {
  const { project_id, ticket_id, assigned_to } = row
  const project = project_id === null ? undefined : await findProjectName(app, workspaceId, project_id)
  const ticket = ticket_id === null ? undefined : await findTicketReference(app, workspaceId, ticket_id)
  const assignee = assigned_to === null ? undefined : await findName(app, workspaceId, assigned_to)
  return toTask(row, {
    project_id: project ?? null,
    ticket_id: ticket ?? null,
    assigned_to: assignee ?? null,
  })
}

/** A task with its related records. */
export async function getTaskDetail(app: App, ref: RowRef): Promise<TaskDetail> {
  const row = await queries.findTask(app.db, ref.workspaceId, ref.id)
  if (row === undefined) throw notFound('task', ref.id)
  const { created_by, origin: kind, origin_id } = row
  const name = origin_id === null ? null : await queries.findOriginName(app.db, ref)
  return {
    ...(await withNames(app, ref.workspaceId, row)),
    creator: created_by === null ? null : ((await findName(app, ref.workspaceId, created_by)) ?? null),
    origin: toNamedActor({ kind, id: origin_id, name }),
    description: row.description,
    tags: JSON.parse(row.tags),
    parent_id: row.parent_id,
    subtask_ids: await queries.listSubtaskIds(app.db, ref),
    updated_at: formatInstant(row.updated_at),
  }
}

/** Deletes a task that has no subtasks. */
export function deleteTask(app: App, { workspaceId, id }: RowRef) {
  return inTransaction(app, async (app) => {
    if ((await queries.findTask(app.db, workspaceId, id)) === undefined) throw notFound('task', id)
    await queries.deleteTask(app.db, workspaceId, id)
    return { id }
  })
}

/** The number of tasks of a project that are not done. */
export const countOpenTasks = (app: App, project: RowRef) => queries.countOpenIn(app.db, project)

/** Tasks, newest first or sorted. Only the admin API has this list. */
export async function listTasks(app: App, workspaceId: number, query: TaskQuery) {
  const rows = await queries.listPage(app.store, workspaceId, query)
  return toSortablePage(rows, query, ({ sort_key: _, ...row }) => ({
    ...row,
    due_at: formatInstantOrNull(row.due_at),
    created_at: formatInstant(row.created_at),
  }))
}

type TaskReferences = Pick<NewTask, 'project_id' | 'ticket_id' | 'parent_id' | 'assigned_to'>

/** Of a change, only the references that differ: an assignee who left the workspace stays until another is chosen. */
function requireTaskReferences(app: App, workspaceId: number, task: TaskReferences) {
  return requireReferences({
    project_id: { id: task.project_id, find: (id) => findProjectName(app, workspaceId, id) },
    ticket_id: { id: task.ticket_id, find: (id) => findTicketReference(app, workspaceId, id) },
    parent_id: { id: task.parent_id, find: (id) => queries.findTask(app.db, workspaceId, id) },
    assigned_to: { id: task.assigned_to, find: (id) => findMember(app, workspaceId, id) },
  })
}

function toRow(app: TxApp, { workspaceId, author, task }: CreateTask): queries.NewTaskRow {
  const now = app.clock.now()
  const { kind: origin, id: origin_id } = toOrigin(author, app.actor)
  return {
    workspace_id: workspaceId,
    title: task.title,
    description: task.description ?? null,
    status: task.status ?? 'todo',
    priority: task.priority ?? 'medium',
    project_id: task.project_id ?? null,
    ticket_id: task.ticket_id ?? null,
    parent_id: task.parent_id ?? null,
    assigned_to: task.assigned_to ?? null,
    created_by: author?.id ?? null,
    origin,
    origin_id,
    due_at: task.due_at ? fromDay(task.due_at) : null,
    tags: JSON.stringify(task.tags ?? []),
    created_at: now,
    updated_at: now,
  }
}

function enqueueCreated(app: TxApp, workspaceId: number, task: Task): Promise<void> {
  return enqueue(app, workspaceId, { event: 'task.created', task: inEvent(task) })
}

function inEvent({ id, title, status, priority, project_id, ticket_id }: Task) {
  return { id, title, status, priority, project_id, ticket_id }
}

function toTask(
  row: queries.NewTaskRow & { id: number },
  references: Pick<Awaited<ReturnType<typeof requireTaskReferences>>, 'project_id' | 'ticket_id' | 'assigned_to'>,
): Task {
  return {
    id: row.id,
    title: row.title,
    status: row.status,
    priority: row.priority,
    project_id: row.project_id,
    ticket_id: row.ticket_id,
    assigned_to: row.assigned_to,
    created_by: row.created_by,
    due_at: formatInstantOrNull(row.due_at),
    created_at: formatInstant(row.created_at),
    assignee: references.assigned_to,
    project: references.project_id,
    ticket: references.ticket_id,
  }
}
