import type { ListedTicket } from '@service/client/admin'
import { dayOf } from '../../ui/format.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'

/** Whether the day on which a ticket was to be done is over where the reader is. What is done is never late. */
export const isOverdue = (
  { due_at, status }: Pick<ListedTicket, 'due_at' | 'status'>,
  { now, zone }: Pick<WorkspacePage, 'now' | 'zone'>,
): boolean => due_at !== null && due_at < dayOf(now, zone) && status !== 'resolved' && status !== 'closed'
