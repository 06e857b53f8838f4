import type { ParamsOf, ResponseOf } from '@service/contract'
import type { adminRoutes } from '@service/contract/admin'
import type { Page } from '@service/contract/admin/pages'
import type { AdminRoute } from '@service/contract/route'
import type * as z from 'zod/mini'
import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { ListCall } from './list-call.ts'

// Derived from the routes. The published types are the same, spelled out with the documentation of each route
// (`build/admin-types.ts`), so that editors show documentation and do not load zod.

type PathArguments<R extends AdminRoute> = R['path'] extends `${string}{${string}` ? [at: ParamsOf<R>] : []

type Filters<Query extends z.ZodMiniObject> = { [Name in keyof z.output<Query>]?: z.output<Query>[Name] | undefined }

/** PATCH requires a body. Elsewhere the body is optional if all its fields are. */
type Body<Schema extends z.ZodMiniType, Method> = Method extends 'PATCH'
  ? [patch: z.input<Schema>]
  : object extends z.input<Schema>
    ? [input?: z.input<Schema>]
    : [input: z.input<Schema>]

type Input<R extends AdminRoute> = R extends { readonly query: infer Query extends z.ZodMiniObject }
  ? [query?: Filters<Query>]
  : R extends { readonly body: infer Schema extends z.ZodMiniType }
    ? Body<Schema, R['method']>
    : []

/** Lists with pages can be iterated. */
type CallOf<Body> = [Body] extends [Page<unknown>] ? ListCall<Body> : Call<Body>

type MethodOf<R extends AdminRoute> = (
  ...args: [...PathArguments<R>, ...Input<R>, options?: R['method'] extends 'POST' ? CreateOptions : CallOptions]
) => CallOf<ResponseOf<R>>

type Routes = (typeof adminRoutes)[number]
type Head<Operation> = Operation extends `${infer Resource}.${string}` ? Resource : never
type Tail<Operation, Resource extends string> = Operation extends `${Resource}.${infer Verb}` ? Verb : never

/**
 * Everything that administration can do, over HTTP, in process, or from the command line. The first argument of a
 * method holds the path parameters (`{workspace, id}`), the second the input. Invalid input is a ValidationError, an id
 * that is not in the workspace a NotFoundError.
 */
export type Admin = {
  readonly [Resource in Head<Routes['operation']>]: {
    [R in Routes as Tail<R['operation'], Resource>]: MethodOf<R>
  }
}
