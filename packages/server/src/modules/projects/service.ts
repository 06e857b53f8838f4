import { integerId, type Named, type Project } from '@service/contract'
import { ProjectInput, type ProjectPatch } from '@service/contract/admin/work-input'
import * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { formatInstant } from '../../core/clock.ts'
import { diff } from '../../core/diff.ts'
import { notFound, validation } from '../../core/errors.ts'
import { defaultPage, type FoundRows, mapRows, type SearchedPage } from '../../core/pagination.ts'
import { enqueue } from '../../delivery/outbox/outbox.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { getWorkspace } from '../workspaces/service.ts'
import * as queries from './queries.ts'

// The API inputs plus the workspace id, for callers without a path.

export const NewProject = z.extend(ProjectInput, { workspace_id: integerId })
export type NewProject = z.input<typeof NewProject>

/** Projects of a workspace, newest first. Without a page, the newest 50. */
export async function listProjects(
  app: App,
  workspaceId: number,
  page: SearchedPage = defaultPage,
): Promise<FoundRows<Project>> {
  return mapRows(await queries.listPage(app.store, workspaceId, page), toProject)
}

export async function getProject(app: App, { workspaceId, id }: RowRef): Promise<Project> {
  const row = await queries.findProject(app.db, workspaceId, id)
  if (row === undefined) throw notFound('project', id)
  return toProject(row)
}

export function createProject(app: App, { workspace_id, ...project }: NewProject): Promise<Project> {
  requireOrder(project)
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    const now = app.clock.now()
    const row = await queries.insertProject(app.db, {
      workspace_id,
      name: project.name,
      status: project.status ?? 'active',
      color: project.color ?? null,
      starts_at: project.starts_at ?? null,
      due_at: project.due_at ?? null,
      created_at: now,
      updated_at: now,
    })
    return toProject(row)
  })
}

type Period = Pick<z.output<typeof ProjectInput>, 'starts_at' | 'due_at'>

function requireOrder({ starts_at, due_at }: Period): void {
  if (starts_at && due_at && due_at < starts_at)
    throw validation({
      due_at: ['The due_at field must not be before the start: choose a later due date, or an earlier start.'],
    })
}

/** Changes fields of a project. Emits `project.updated` with the changed fields, or nothing if none changed. */
export function updateProject(
  app: App,
  { workspaceId, id }: RowRef,
  { status, ...patch }: ProjectPatch,
): Promise<Project> {
  return inTransaction(app, async (app) => {
    const before = await queries.findProject(app.db, workspaceId, id)
    if (before === undefined) throw notFound('project', id)
    const changes = diff(before, { ...patch, ...(status ? { status } : {}) })
    if (changes === undefined) return toProject(before)
    if ('starts_at' in changes.patch || 'due_at' in changes.patch) requireOrder({ ...before, ...changes.patch })
    const row = await queries.updateProject(
      app.db,
      { workspaceId, id },
      { ...changes.patch, updated_at: app.clock.now() },
    )
    await enqueue(app, workspaceId, {
      event: 'project.updated',
      project: { id, name: row.name, status: row.status },
      changes: changes.fields,
    })
    return toProject(row)
  })
}

/** The project's name; undefined if it is not in this workspace. */
export function findProjectName(app: App, workspaceId: number, id: number): Promise<Named | undefined> {
  return queries.findName(app.db, workspaceId, id)
}

function toProject(row: queries.ProjectRow): Project {
  return { ...row, created_at: formatInstant(row.created_at) }
}
