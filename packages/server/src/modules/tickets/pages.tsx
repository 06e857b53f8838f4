import type { WorkspacePages } from '../../ui/page-types.ts'
import { resourcePages } from '../../ui/resource/pages.ts'
import { addTask, comment, editableTickets, setStatus, ticketDetail } from './detail-pages.tsx'
import { noteEditing } from './editing-pages.tsx'
import { setTaskStatus } from './task-pages.tsx'

export const ticketPages: WorkspacePages = [
  ...resourcePages(editableTickets),
  { method: 'GET', path: '/tickets/{id}', handle: (page) => ticketDetail(page) },
  { method: 'POST', path: '/tickets/{id}/status', role: 'member', handle: setStatus },
  { method: 'POST', path: '/tickets/{id}/editing', role: 'member', handle: noteEditing },
  { method: 'POST', path: '/tickets/{id}/tasks', role: 'member', handle: addTask },
  { method: 'POST', path: '/tickets/{id}/messages', role: 'member', handle: comment },
  { method: 'POST', path: '/tickets/{id}/task-status', role: 'member', handle: setTaskStatus },
]
