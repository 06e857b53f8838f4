import { requireBaseUrl } from './base-url.ts'
import { checkSchema } from './check-schema.ts'
import type { ClientOptions } from './client-options.ts'
import { type Crm, crm } from './resources/crm.ts'
import { type Hrms, hrms } from './resources/hrms.ts'
import { type Projects, projects } from './resources/projects.ts'
import { type Tasks, tasks } from './resources/tasks.ts'
import { type Tickets, tickets } from './resources/tickets.ts'
import { createSender } from './send-call.ts'
import { readSettings, requireWorkspace } from './settings.ts'
import { tokenSource } from './token-source.ts'

/** The platform's API for one workspace. */
export interface Client {
  readonly tickets: Tickets
  readonly tasks: Tasks
  readonly projects: Projects
  readonly hrms: Hrms
  readonly crm: Crm
}

/**
 * Creates a client for one workspace. Nothing is sent until a method is called. The client keeps no connection and
 * needs no closing.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://example.com/api/v1', token: 'service_…', workspace: 1 })
 * for (const ticket of await client.tickets.list()) console.log(ticket.ticket_number, ticket.title)
 * @throws TypeError for an invalid option, with its name and how to fix it.
 */
export function createClient(options: ClientOptions): Client {
  const baseUrl = requireBaseUrl(options.baseUrl, options.allowInsecure)
  const expectedBaseUrl = { option: 'baseUrl', path: '/api/v1' }
  const tokens = tokenSource(options.token)
  const workspace = requireWorkspace(options.workspace)
  const settings = readSettings(options, { baseUrl, expectedBaseUrl, tokens, check: checkSchema })
  const send = createSender({ ...settings, workspace })
  return { tickets: tickets(send), tasks: tasks(send), projects: projects(send), hrms: hrms(send), crm: crm(send) }
}
