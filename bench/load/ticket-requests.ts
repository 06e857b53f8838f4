import type { SeededWorkspace } from '../data/seed.ts'
import type { PlannedRequest } from './plan.ts'

const pathOf = ({ id }: SeededWorkspace) => `/api/v1/workspaces/${id}/tickets`

/** The newest fifty; with an entity tag, only if they have changed. */
export const readTickets = (workspace: SeededWorkspace, etag?: string): PlannedRequest => ({
  method: 'GET',
  path: pathOf(workspace),
  headers: {
    authorization: `Bearer ${workspace.token}`,
    accept: 'application/json',
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
  },
  expectedStatus: etag === undefined ? 200 : 304,
})

export const createTicket = (workspace: SeededWorkspace): PlannedRequest => ({
  method: 'POST',
  path: pathOf(workspace),
  headers: {
    authorization: `Bearer ${workspace.token}`,
    accept: 'application/json',
    'content-type': 'application/json',
  },
  body: JSON.stringify({ title: 'The invoice export prints the total without tax', priority: 'high' }),
  expectedStatus: 201,
})
