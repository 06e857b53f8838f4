import type { AnswerOf, BodyOf, Route } from '@service/contract'
import type { adminRoutes } from '@service/contract/admin'
import type { ParamNamesIn } from '@service/contract/path-params'
import { expect, it } from 'vitest'
import type * as z from 'zod/mini'
import type { Admin, Call } from '../src/admin.ts'

// The interfaces that are published are spelled out. test/tooling/admin-types.test.ts compiles this with them.

/** Without the "and any other key" of lenient schemas, at every depth. */
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

/** What a method takes besides where: its second argument, or the first where the path names nothing. */
type Taken<R extends Route, Given extends readonly unknown[]> = [ParamNamesIn<R['path']>] extends [never]
  ? Given[0]
  : Given[1]

/** Names of fields, in every member of a union. */
type Fields<Value> = Value extends unknown ? keyof Value & string : never

type WrongInput<R extends Route, Given extends readonly unknown[]> = [InputOf<R>] extends [never]
  ? false
  : Same<Fields<NonNullable<Taken<R, Given>>>, Fields<InputOf<R>>> extends true
    ? false
    : true

type WrongPlace<R extends Route, Given extends readonly unknown[]> = [ParamNamesIn<R['path']>] extends [never]
  ? false
  : Same<keyof Given[0] & string, ParamNamesIn<R['path']>> extends true
    ? false
    : true

/** Answers that TypeScript cannot hold against each other field by field, and why. */
type Loose = 'events.trigger' // one interface for a union of seven bodies

type Drift<R extends Route> = R extends Route
  ? MethodOf<R['operation']> extends (...given: infer Given) => Call<infer Data>
    ? WrongPlace<R, Required<Given>> extends true
      ? `${R['operation']} takes another place`
      : WrongInput<R, Required<Given>> extends true
        ? `${R['operation']} takes another input`
        : R['operation'] extends Loose
          ? never
          : Same<Known<Data>, Known<AnswerOf<R>>> extends true
            ? never
            : `${R['operation']} answers something else`
    : `there is no method ${R['operation']}`
  : never

type All = (typeof adminRoutes)[number]

/** A method that no route is behind. */
type Extra = {
  [Resource in keyof Admin & string]: Exclude<`${Resource}.${keyof Admin[Resource] & string}`, All['operation']>
}[keyof Admin & string]

it('has a method for each route of administration, which takes and answers what the route does', () => {
  // Inline, because TypeScript prints an alias by its name alone.
  const drift: [Drift<All>] extends [never] ? 'none' : Drift<All> = 'none'
  const extra: [Extra] extends [never] ? 'none' : Extra = 'none'
  expect([drift, extra]).toEqual(['none', 'none'])
})
