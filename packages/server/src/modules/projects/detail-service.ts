import type { ProjectDetail } from '@service/contract/admin/work'
import type { App } from '../../context.ts'
import { countOpenTasks } from '../tasks/service.ts'
import { countOpenTickets } from '../tickets/service.ts'
import { getProject } from './service.ts'

/** A project with its numbers of open tickets and tasks. */
export async function getProjectDetail(
  app: App,
  at: { readonly workspaceId: number; readonly id: number },
): Promise<ProjectDetail> {
  return {
    ...(await getProject(app, at)),
    open_tickets: await countOpenTickets(app, at),
    open_tasks: await countOpenTasks(app, at),
  }
}
