import type { ErrorStatus } from '../route.ts'
import { Changed, PageQuery } from './pages.ts'

// The kinds of route that administration has. A route spreads one of them and adds its operation, path and schemas, and its
// role where it differs.

export const listErrorStatuses = [401, 404, 422, 429, 500, 503] as const satisfies readonly ErrorStatus[]
export const readErrorStatuses = [401, 404, 429, 500, 503] as const satisfies readonly ErrorStatus[]
export const actionErrorStatuses = [401, 404, 409, 429, 500, 503] as const satisfies readonly ErrorStatus[]
export const writeErrorStatuses = [
  401, 404, 409, 413, 415, 422, 429, 500, 503,
] as const satisfies readonly ErrorStatus[]

const viewer = { surface: 'admin', role: 'viewer' } as const
const member = { surface: 'admin', role: 'member' } as const

/** A page of a list. */
export const list = { ...viewer, method: 'GET', query: PageQuery, errorStatuses: listErrorStatuses } as const
/** A resource, or a list that has no pages. */
export const read = { ...viewer, method: 'GET', errorStatuses: readErrorStatuses } as const
/** A POST with a body. */
export const create = { ...member, method: 'POST', errorStatuses: writeErrorStatuses } as const
export const update = { ...member, method: 'PATCH', errorStatuses: writeErrorStatuses } as const
export const remove = {
  ...member,
  method: 'DELETE',
  responses: { 200: Changed },
  errorStatuses: actionErrorStatuses,
} as const
/** A POST without a body. */
export const action = { ...member, method: 'POST', errorStatuses: actionErrorStatuses } as const

/** The path of a workspace; almost every other path continues it. */
export const workspace = '/workspaces/{workspace}'
