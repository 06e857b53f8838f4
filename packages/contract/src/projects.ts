import * as z from 'zod/mini'
import { openValues, paging } from './docs/decisions.ts'
import { relaunch } from './docs/example-values.ts'
import { day, instant, integerId, listOf, open, orNull } from './fields.ts'
import { type ApiRoute, apiReadRefusals } from './route.ts'
import type { DocsOf } from './route-docs.ts'
import type { projectStatuses } from './values.ts'

/** A project (§2). `color` is `#rrggbb`, `starts_at` and `due_at` are days. */
export const Project = z.looseObject({
  id: integerId,
  name: z.string(),
  status: open<(typeof projectStatuses)[number]>(),
  color: orNull(z.string()),
  starts_at: orNull(day),
  due_at: orNull(day),
  created_at: instant,
})
export type Project = z.infer<typeof Project>

export const listProjects = {
  operation: 'projects.list',
  method: 'GET',
  surface: 'api',
  path: '/workspaces/{workspace}/projects',
  scope: 'projects:read',
  answers: { 200: listOf(Project) },
  refusals: apiReadRefusals,
} as const satisfies ApiRoute

export const projectRoutes = [listProjects] as const satisfies readonly ApiRoute[]

/** Documentation of the project routes. */
export const projectDocs = (): DocsOf<typeof projectRoutes> => ({
  'projects.list': {
    tag: 'Projects',
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
})
