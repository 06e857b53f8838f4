import type { projectRoutes } from '../projects.ts'
import type { DocsOf } from '../route-docs.ts'
import { openValues, paging } from './decisions.ts'
import { relaunch } from './example-values.ts'

/** Documentation of the project routes. */
export const projectDocs: DocsOf<typeof projectRoutes> = {
  'projects.list': {
    summary: 'List projects',
    description: 'The newest 50 projects of the workspace, newest first.',
    answers: {
      projects: {
        data: [
          {
            ...relaunch,
            status: 'active',
            color: '#2563eb',
            starts_at: '2026-10-01',
            due_at: '2027-02-26',
            created_at: '2026-09-24T08:15:00.250000Z',
          },
        ],
      },
    },
    notes: {
      does: 'Reads the newest 50 projects, newest first.',
      madeBy: ['create.project'],
      decisions: [paging, openValues('status', 'planning, active, on_hold, completed, archived')],
    },
  },
}
