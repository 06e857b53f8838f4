import type { WorkspacePages } from '../../ui/page-types.ts'
import { resolveTicket, ticketDetail } from './detail-pages.tsx'
import { createTicket, editTicket, newTicket, updateTicket } from './edit-pages.tsx'
import { ticketList } from './list-pages.tsx'

export const ticketPages: WorkspacePages = [
  { method: 'GET', path: '/tickets', handle: ticketList },
  { method: 'GET', path: '/tickets/new', role: 'member', handle: newTicket },
  { method: 'POST', path: '/tickets', role: 'member', handle: createTicket },
  { method: 'GET', path: '/tickets/{id}', handle: ticketDetail },
  { method: 'GET', path: '/tickets/{id}/edit', role: 'member', handle: editTicket },
  { method: 'POST', path: '/tickets/{id}', role: 'member', handle: updateTicket },
  { method: 'POST', path: '/tickets/{id}/status', role: 'member', handle: resolveTicket },
]
