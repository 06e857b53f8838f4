import * as z from 'zod/mini'
import { instant, integerId, maxTitleLength, requiredText } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { gitProviders } from '../values.ts'
import { pageOf, pageQuery } from './pages.ts'
import { list, workspace } from './route-kinds.ts'

const said = z.nullable(z.string())

/** What happened in a repository, in one sentence. The text is plain and must be escaped where it is shown. */
export const Activity = z.object({
  id: integerId,
  provider: z.string(),
  event: z.string(),
  kind: z.string(),
  title: z.string(),
  ref: said,
  url: said,
  commit_sha: said,
  actor: said,
  actor_url: said,
  repository: said,
  repository_url: said,
  occurred_at: z.nullable(instant),
  created_at: instant,
})

export type Activity = z.output<typeof Activity>

/** Filters a list of activities. An activity must match all of them. */
export const ActivityQuery = z.object({
  ...pageQuery,
  provider: z.optional(z.enum(gitProviders)),
  /** Its name, such as `northwind/shop`. */
  repository: z.optional(requiredText(maxTitleLength)),
})
export type ActivityQuery = z.output<typeof ActivityQuery>

export const gitAdminRoutes = [
  {
    ...list,
    operation: 'activities.list',
    path: `${workspace}/activities`,
    query: ActivityQuery,
    responses: { 200: pageOf(Activity) },
  },
] as const satisfies readonly AdminRoute[]
