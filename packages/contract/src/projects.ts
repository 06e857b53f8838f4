import * as z from 'zod/mini'
import { day, instant, integerId, listOf, open, orNull } from './fields.ts'
import { type ApiRoute, apiRead } from './route.ts'
import type { projectStatuses } from './values.ts'

/** A project (§2). */
export const Project = z.looseObject({
  id: integerId,
  name: z.string(),
  status: open<(typeof projectStatuses)[number]>(),
  /** `#rrggbb`. */
  color: orNull(z.string()),
  /** A day, `YYYY-MM-DD`. */
  starts_at: orNull(day),
  /** A day, `YYYY-MM-DD`. */
  due_at: orNull(day),
  /** UTC with microseconds, e.g. `2026-11-20T18:51:53.123456Z`. */
  created_at: instant,
})

export type Project = z.infer<typeof Project>

export const listProjects = {
  ...apiRead,
  operation: 'projects.list',
  path: '/workspaces/{workspace}/projects',
  scope: 'projects:read',
  responses: { 200: listOf(Project) },
} as const satisfies ApiRoute

export const projectRoutes = [listProjects] as const satisfies readonly ApiRoute[]
