import type { RefusalStatus } from '../route.ts'
import { Changed, PageQuery } from './pages.ts'

// The kinds of route that administration has. A route spreads one of them and adds its operation, path and schemas, and its
// role where it differs.

export const listRefusals = [401, 404, 422, 429, 500, 503] as const satisfies readonly RefusalStatus[]
export const readRefusals = [401, 404, 429, 500, 503] as const satisfies readonly RefusalStatus[]
export const actionRefusals = [401, 404, 409, 429, 500, 503] as const satisfies readonly RefusalStatus[]
export const writeRefusals = [401, 404, 409, 413, 415, 422, 429, 500, 503] as const satisfies readonly RefusalStatus[]

const viewer = { surface: 'admin', role: 'viewer' } as const
const member = { surface: 'admin', role: 'member' } as const

/** A page of a list. */
export const list = { ...viewer, method: 'GET', query: PageQuery, refusals: listRefusals } as const
/** A resource, or a list that has no pages. */
export const read = { ...viewer, method: 'GET', refusals: readRefusals } as const
/** A POST with a body. */
export const create = { ...member, method: 'POST', refusals: writeRefusals } as const
export const update = { ...member, method: 'PATCH', refusals: writeRefusals } as const
export const remove = { ...member, method: 'DELETE', answers: { 200: Changed }, refusals: actionRefusals } as const
/** A POST without a body. */
export const action = { ...member, method: 'POST', refusals: actionRefusals } as const

/** The path of a workspace; almost every other path continues it. */
export const workspace = '/workspaces/{workspace}'
