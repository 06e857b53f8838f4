import type { AdminRoute } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import * as z from 'zod/mini'
import { markdownTable } from './markdown-table.ts'

/** What a page of a list is selected with. */
const paging = new Set(['limit', 'before', 'cursor', 'sort'])

const inCode = (names: readonly unknown[]) => names.map((name) => `\`${name}\``).join(', ')

const inWorkspace = '/workspaces/{workspace}/'

/** The filters and the orders of the lists of a workspace. */
export function filtersTable(): string {
  const routes: readonly AdminRoute[] = adminRoutes
  const rows = routes.flatMap(({ path, query }) => {
    const parameters = query?.shape ?? {}
    const filters = Object.keys(parameters).filter((name) => !paging.has(name))
    if (!path.startsWith(inWorkspace) || !('limit' in parameters) || filters.length === 0) return []
    const orders = 'sort' in parameters ? (z.toJSONSchema(parameters['sort']).enum ?? []) : []
    return [[inCode([path.slice(inWorkspace.length)]), inCode(filters), inCode(orders)]]
  })
  return markdownTable(['list', 'filters', 'orders (`sort`)'], rows)
}
