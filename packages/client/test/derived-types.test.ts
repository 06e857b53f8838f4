import type { ApiRoute, apiRoutes, BodyOf, ResponseOf, Route } from '@service/contract'
import type { adminRoutes } from '@service/contract/admin'
import type { ParamNamesIn, PathParam, PathParamName } from '@service/contract/path-params'
import { expect, it } from 'vitest'
import type * as z from 'zod/mini'
import type { Admin, Call } from '../src/admin.ts'
import type { Client } from '../src/index.ts'

// The published interfaces are generated. test/tooling/published-types.test.ts compiles this file against them.

/** Without the index signatures of lenient schemas, at every depth. */
type Known<Value> = Value extends string
  ? Value
  : Value extends readonly [infer One, infer Other]
    ? [Known<One>, Known<Other>]
    : Value extends readonly (infer Item)[]
      ? Known<Item>[]
      : Value extends object
        ? { [Key in keyof Value as string extends Key ? never : Key]: Known<Value[Key]> }
        : Value

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false

type MethodOf<Operation extends string> = Operation extends `${infer Resource}.${infer Verb}`
  ? Resource extends keyof Admin
    ? Verb extends keyof Admin[Resource]
      ? Admin[Resource][Verb]
      : never
    : never
  : never

type InputOf<R extends Route> = R extends { readonly body: z.ZodMiniType }
  ? BodyOf<R>
  : R extends { readonly query: infer Query extends z.ZodMiniObject }
    ? z.input<Query>
    : never

/** The input of a method: its second argument, or its first if the path has no parameters. */
type InputArgument<R extends Route, Given extends readonly unknown[]> = [ParamNamesIn<R['path']>] extends [never]
  ? Given[0]
  : Given[1]

/** The field names of every member of a union. */
type Fields<Value> = Value extends unknown ? keyof Value & string : never

type WrongInput<R extends Route, Given extends readonly unknown[]> = [InputOf<R>] extends [never]
  ? false
  : Same<Fields<NonNullable<InputArgument<R, Given>>>, Fields<InputOf<R>>> extends true
    ? false
    : true

type WrongPathArgument<R extends Route, Given extends readonly unknown[]> = [ParamNamesIn<R['path']>] extends [never]
  ? false
  : Same<keyof Given[0] & string, ParamNamesIn<R['path']>> extends true
    ? false
    : true

/** Responses that TypeScript cannot compare field by field, and why. */
type Incomparable = 'events.trigger' // one interface for a union of seven bodies

type Drift<R extends Route> = R extends Route
  ? MethodOf<R['operation']> extends (...given: infer Given) => Call<infer Data>
    ? WrongPathArgument<R, Required<Given>> extends true
      ? `${R['operation']} takes other path parameters`
      : WrongInput<R, Required<Given>> extends true
        ? `${R['operation']} takes another input type`
        : R['operation'] extends Incomparable
          ? never
          : Same<Known<Data>, Known<ResponseOf<R>>> extends true
            ? never
            : `${R['operation']} returns another type`
    : `there is no method ${R['operation']}`
  : never

type All = (typeof adminRoutes)[number]

/** Methods without a route. */
type Extra = {
  [Resource in keyof Admin & string]: Exclude<`${Resource}.${keyof Admin[Resource] & string}`, All['operation']>
}[keyof Admin & string]

it('has a method with the types of each administration route, and no others', () => {
  // Inline, because TypeScript prints an alias by its name alone.
  const drift: [Drift<All>] extends [never] ? 'none' : Drift<All> = 'none'
  const extra: [Extra] extends [never] ? 'none' : Extra = 'none'
  expect([drift, extra]).toEqual(['none', 'none'])
})

/** The method of the API's client for an operation such as `a.b.c`. */
type MethodAt<Part, Operation extends string> = Operation extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Part
    ? MethodAt<Part[Head], Rest>
    : never
  : Operation extends keyof Part
    ? Part[Operation]
    : never

type DataOf<Body> = Body extends { data: infer Data } ? Data : Body

/** The path parameters come first, except for the workspace, which is an option of the client. */
type PathArguments<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [...(Name extends Exclude<PathParamName, 'workspace'> ? [PathParam<Name>] : []), ...PathArguments<Rest>]
  : []

type ApiDrift<R extends ApiRoute> = R extends ApiRoute
  ? [MethodAt<Client, R['operation']>] extends [never]
    ? `there is no method ${R['operation']}`
    : MethodAt<Client, R['operation']> extends (...given: infer Given) => Call<infer Data>
      ? Same<Known<Data>, Known<DataOf<ResponseOf<R>>>> extends true
        ? R extends { readonly body: z.ZodMiniType }
          ? [...PathArguments<R['path']>, BodyOf<R>] extends Given
            ? never
            : `${R['operation']} takes other path parameters or another body`
          : never
        : `${R['operation']} returns another type`
      : `${R['operation']} returns no call`
  : never

it('has a method with the types of each route of the API', () => {
  const drift: [ApiDrift<(typeof apiRoutes)[number]>] extends [never] ? 'none' : ApiDrift<(typeof apiRoutes)[number]> =
    'none'
  expect(drift).toBe('none')
})
