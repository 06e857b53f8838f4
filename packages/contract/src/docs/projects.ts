import type { projectRoutes } from '../projects.ts'
import type { DocsOf } from '../route-docs.ts'
import { openValues, paging } from './decisions.ts'
import { project } from './example-values.ts'

/** Documentation of the project routes. */
export const projectDocs: DocsOf<typeof projectRoutes> = {
  'projects.list': {
    summary: 'List projects',
    description: 'The newest 50 projects of the workspace, newest first.',
    responses: { projects: { data: [project] } },
    notes: {
      does: 'Reads the newest 50 projects, newest first.',
      createdWith: ['create.project'],
      decisions: [paging, openValues('status', 'planning, active, on_hold, completed, archived')],
    },
  },
}
