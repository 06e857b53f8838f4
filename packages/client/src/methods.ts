import type { Page } from '@service/contract/admin/pages'
import type { PathParam, PathParamName } from '@service/contract/path-params'
import type { ParamsOf, ResponseOf, Route } from '@service/contract/route'
import type * as z from 'zod/mini'
import type { ListCall } from './admin/list-call.ts'
import type { Call } from './call.ts'
import type { CallOptions, CreateOptions } from './call-options.ts'

// Both clients are derived from the contract's routes. The published types are the same, spelled out with the
// documentation of each route (`build/published-types.ts`), so that editors show documentation and do not load zod.

/** One argument for each path parameter, except for the workspace, which is an option of the client. */
type PathArguments<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [
      ...(Name extends 'workspace' ? [] : Name extends PathParamName ? [PathParam<Name>] : never),
      ...PathArguments<Rest>,
    ]
  : []

type AdminPathArguments<R extends Route> = R['path'] extends `${string}{${string}` ? [at: ParamsOf<R>] : []

type Filters<Query extends z.ZodMiniObject> = { [Name in keyof z.output<Query>]?: z.output<Query>[Name] | undefined }

/** PATCH requires a body. Elsewhere the body is optional if all its fields are. */
type AdminBody<Schema extends z.ZodMiniType, Method> = Method extends 'PATCH'
  ? [patch: z.input<Schema>]
  : object extends z.input<Schema>
    ? [input?: z.input<Schema>]
    : [input: z.input<Schema>]

type Input<R extends Route> = R extends { readonly query: infer Query extends z.ZodMiniObject }
  ? [query?: Filters<Query>]
  : R extends { readonly body: infer Schema extends z.ZodMiniType }
    ? R['surface'] extends 'admin'
      ? AdminBody<Schema, R['method']>
      : [input: z.input<Schema>]
    : []

type Options<R extends Route> = [options?: R['method'] extends 'POST' ? CreateOptions : CallOptions]

type DataOf<Body> = Body extends { data: infer Data } ? Data : Body

/** Lists of administration have pages and can be iterated. */
type AdminCall<Body> = [Body] extends [Page<unknown>] ? ListCall<Body> : Call<Body>

/** The first argument of administration holds the path parameters, and its result is the whole body. */
type MethodOf<R extends Route> = R['surface'] extends 'admin'
  ? (...args: [...AdminPathArguments<R>, ...Input<R>, ...Options<R>]) => AdminCall<ResponseOf<R>>
  : (...args: [...PathArguments<R['path']>, ...Input<R>, ...Options<R>]) => Call<DataOf<ResponseOf<R>>>

type Below<R extends Route, Prefix extends string> = R extends { operation: `${Prefix}${string}` } ? R : never
type Next<Operation, Prefix extends string> = Operation extends `${Prefix}${infer Rest}`
  ? Rest extends `${infer Head}.${string}`
    ? Head
    : Rest
  : never

/** A method for each operation: `tickets.create`, `hrms.attendance.punch`. */
export type Methods<R extends Route, Prefix extends string = ''> = {
  readonly [Key in Next<R['operation'], Prefix>]: [Extract<R, { operation: `${Prefix}${Key}` }>] extends [never]
    ? Methods<Below<R, `${Prefix}${Key}.`>, `${Prefix}${Key}.`>
    : MethodOf<Extract<R, { operation: `${Prefix}${Key}` }>>
}

type Method = (...args: unknown[]) => Call<unknown>

interface Tree {
  [name: string]: Tree | Method
}

export function createMethods<R extends Route>(routes: readonly R[], createMethod: (route: R) => Method): Methods<R> {
  const methods: Tree = {}
  for (const route of routes) {
    const names = route.operation.split('.')
    const verb = names.pop() ?? ''
    let parent = methods
    for (const name of names) {
      parent[name] ??= {}
      parent = parent[name] as Tree // an operation is never the prefix of another
    }
    parent[verb] = createMethod(route)
  }
  return methods as never // `Methods` follows from the same routes
}
