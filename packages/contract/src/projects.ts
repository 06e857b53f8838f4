import * as z from 'zod/mini'
import { day, instant, integerId, listOf, open, orNull } from './fields.ts'
import { type ApiRoute, apiRead } from './route.ts'
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
  ...apiRead,
  operation: 'projects.list',
  path: '/workspaces/{workspace}/projects',
  scope: 'projects:read',
  responses: { 200: listOf(Project) },
} as const satisfies ApiRoute

export const projectRoutes = [listProjects] as const satisfies readonly ApiRoute[]
