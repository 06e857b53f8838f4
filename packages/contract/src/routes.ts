import { createLead, listDeals } from './crm.ts'
import { listEmployees, recordPunch } from './hrms.ts'
import {
  pingAttendance,
  pingErrors,
  pingGit,
  pingLeads,
  receiveError,
  receiveGit,
  receiveLead,
  receivePunch,
} from './inbound.ts'
import { listProjects } from './projects.ts'
import type { Route } from './route.ts'
import { createTask } from './tasks.ts'
import { createTicket, listTickets } from './tickets.ts'

/** The eight authenticated routes, in the order of the platform's document (§4). */
export const apiRoutes = [
  listTickets,
  createTicket,
  createTask,
  listProjects,
  listEmployees,
  recordPunch,
  listDeals,
  createLead,
] as const satisfies readonly Route[]

/** The eight inbound routes. The fixed names stand before `{provider}`, which would match them too. */
export const inboundRoutes = [
  pingErrors,
  receiveError,
  pingAttendance,
  receivePunch,
  pingLeads,
  receiveLead,
  pingGit,
  receiveGit,
] as const satisfies readonly Route[]

export const apiBasePath = '/api/v1'
export const inboundBasePath = '/api'
/** Version of the authenticated API in its machine-readable description (§9). */
export const apiVersion = '1.0.0'
