import type { apiRoutes } from './api-routes.ts'
import type { ApiRoute, BodyOf } from './route.ts'
import { priorities, taskStatuses } from './values.ts'

// Not in the index: the client accepts every value of an open list, so its bundle does not include the known ones.

type Literal<Value> = Value extends string ? (string extends Value ? never : Value) : never

/** The known values of an open list. `never` for other fields, and for lists without known values. */
type KnownOf<Value> = string & {} extends Value ? Literal<Value> : never

/** The fields of an object that are open lists. */
export type OpenField<Fields> = keyof {
  [Field in keyof Fields as [KnownOf<Fields[Field]>] extends [never] ? never : Field]: unknown
}

type OpenFields<Body> = { readonly [Field in OpenField<Body> & keyof Body]-?: readonly KnownOf<Body[Field]>[] | null }

type WithBody<R extends ApiRoute> = R extends { readonly body: unknown } ? R : never

/**
 * The known values of the open lists of each body, by operation. `validation: 'strict'` rejects other values. Null if the
 * workspace decides which values exist.
 */
export const knownValues: {
  readonly [R in WithBody<(typeof apiRoutes)[number]> as R['operation']]: OpenFields<BodyOf<R>>
} = {
  'tickets.create': { priority: priorities },
  'tasks.create': { status: taskStatuses, priority: priorities },
  'hrms.attendance.punch': {},
  'crm.leads.create': { source: null },
}
