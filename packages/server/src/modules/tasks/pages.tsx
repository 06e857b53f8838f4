import type { WorkspacePages } from '../../ui/page-types.ts'
import { deleteTask, moveTask, taskDetail } from './detail-pages.tsx'
import { createTask, editTask, newTask, updateTask } from './edit-pages.tsx'
import { taskList } from './list-pages.tsx'

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
