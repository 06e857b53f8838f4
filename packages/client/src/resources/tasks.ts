import { createTask } from '@service/contract/tasks'
import type { Priority, TaskStatus } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CreateOptions } from '../call-options.ts'
import type { Sender } from '../send-call.ts'
import type { Named } from './named.ts'

/** A newly created task. */
export interface Task {
  id: number
  title: string
  status: TaskStatus
  priority: Priority
  project_id: number | null
  ticket_id: number | null
  /** A user's id. */
  assigned_to: number | null
  created_by: number | null
  /** The requested day at midnight UTC. */
  due_at: string | null
  /** UTC with microseconds, e.g. `2026-11-20T18:51:53.123456Z`. */
  created_at: string
  assignee: Named | null
  project: Named | null
  ticket: { id: number; ticket_number: string; title: string } | null
}

/** The fields of a new task. Null is the same as omitting a field. */
export interface NewTask {
  title: string
  description?: string | null | undefined
  status?: TaskStatus | null | undefined
  priority?: Priority | null | undefined
  project_id?: number | null | undefined
  ticket_id?: number | null | undefined
  /** The task that this one is a part of. */
  parent_id?: number | null | undefined
  /** A user's id. */
  assigned_to?: number | null | undefined
  /** A day, `YYYY-MM-DD`. */
  due_at?: string | null | undefined
  /** At most 50, each of 1 to 64 characters. */
  tags?: string[] | null | undefined
}

/** The workspace's tasks. */
export interface Tasks {
  /**
   * Creates a task. Requires `tasks:write`.
   *
   * @throws ServiceError, especially InvalidRequestError (before sending), ValidationError, PermissionError.
   */
  create(task: NewTask, options?: CreateOptions): Call<Task>
}

export const tasks = (send: Sender): Tasks => ({ create: send.data(createTask) })
