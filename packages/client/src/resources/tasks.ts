import { createTask, type NewTask, type Task } from '@service/contract/tasks'
import type { Call } from '../call.ts'
import type { CreateOptions } from '../call-options.ts'
import type { Sender } from '../send-call.ts'

/** The workspace's tasks. */
export interface Tasks {
  /**
   * Creates a task. `due_at` is a day, `YYYY-MM-DD`; the answer shows it at midnight UTC. Needs `tasks:write`.
   *
   * @throws ServiceError, above all InvalidRequestError (before sending), ValidationError, PermissionError.
   */
  create(task: NewTask, options?: CreateOptions): Call<Task>
}

export function tasks(send: Sender): Tasks {
  const create = send.data(createTask)
  return { create: (task, options) => create(options, task) }
}
