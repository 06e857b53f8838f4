import type { ProjectDetail } from '@service/contract/admin/work'
import type { App } from '../../context.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { getProject } from '../projects/service.ts'
import { countOpenTasks } from '../tasks/service.ts'
import { countOpenTickets } from '../tickets/service.ts'

/** A project with its numbers of open tickets and tasks. */
export async function getProjectDetail(app: App, ref: RowRef): Promise<ProjectDetail> {
  return {
    ...(await getProject(app, ref)),
    open_tickets: await countOpenTickets(app, ref),
    open_tasks: await countOpenTasks(app, ref),
  }
}
