import type * as contract from '@service/contract'
import { expect, expectTypeOf, it } from 'vitest'
import type * as client from '../src/index.ts'

// The public types are written by hand: inferred ones would load zod in every editor that opens an application, and
// hovers would show them without documentation. These tests keep them equal to the contract.

/** Without the index signatures of lenient schemas, at every depth. */
type Known<Value> = Value extends string
  ? Value
  : Value extends readonly (infer Item)[]
    ? Known<Item>[]
    : Value extends object
      ? { [Key in keyof Value as string extends Key ? never : Key]: Known<Value[Key]> }
      : Value

it('has the response types of the contract', () => {
  expectTypeOf<Known<client.Ticket>>().toEqualTypeOf<Known<contract.Ticket>>()
  expectTypeOf<Known<client.CreatedTicket>>().toEqualTypeOf<Known<contract.CreatedTicket>>()
  expectTypeOf<Known<client.Task>>().toEqualTypeOf<Known<contract.Task>>()
  expectTypeOf<Known<client.Project>>().toEqualTypeOf<Known<contract.Project>>()
  expectTypeOf<Known<client.Employee>>().toEqualTypeOf<Known<contract.Employee>>()
  expectTypeOf<Known<client.Device>>().toEqualTypeOf<Known<contract.Device>>()
  expectTypeOf<Known<client.RecordedPunch>>().toEqualTypeOf<Known<contract.RecordedPunch>>()
  expectTypeOf<Known<client.UnmatchedPunch>>().toEqualTypeOf<Known<contract.UnmatchedPunch>>()
  expectTypeOf<Known<client.Deal>>().toEqualTypeOf<Known<contract.Deal>>()
  expectTypeOf<Known<client.Lead>>().toEqualTypeOf<Known<contract.Lead>>()
})

it('has the body types of the contract', () => {
  // An open list without known values is a plain string here.
  expectTypeOf<Known<Omit<client.NewTicket, 'category'>>>().toEqualTypeOf<Known<Omit<contract.NewTicket, 'category'>>>()
  expectTypeOf<client.NewTicket>().toExtend<contract.NewTicket>()
  expectTypeOf<Known<client.NewTask>>().toEqualTypeOf<Known<contract.NewTask>>()
  expectTypeOf<Known<client.NewPunch>>().toEqualTypeOf<Known<contract.NewPunch>>()
  expectTypeOf<Known<client.NewLead>>().toEqualTypeOf<Known<contract.NewLead>>()
})

type DataOf<R extends contract.ApiRoute> =
  contract.ResponseOf<R> extends { data: infer Data } ? Data : contract.ResponseOf<R>

/** The method of a client for an operation such as `a.b`. */
type MethodAt<Part, Operation extends string> = Operation extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Part
    ? MethodAt<Part[Head], Rest>
    : never
  : Operation extends keyof Part
    ? Part[Operation]
    : never

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false

/** Names each operation that the client lacks, or whose type differs from the contract. */
type Drift<R extends contract.ApiRoute> = R extends contract.ApiRoute
  ? [MethodAt<client.Client, R['operation']>] extends [never]
    ? `the client lacks ${R['operation']}`
    : MethodAt<client.Client, R['operation']> extends (...input: never) => client.Call<infer Data>
      ? Same<Known<Data>, Known<DataOf<R>>> extends true
        ? never
        : `the client's ${R['operation']} returns another type`
      : `the client's ${R['operation']} returns no call`
  : never

type ApiRoutes = (typeof contract.apiRoutes)[number]

it('has a method for each operation of the API, with the response type of the contract', () => {
  // Inline, because TypeScript prints an alias by its name alone.
  const drift: [Drift<ApiRoutes>] extends [never] ? 'none' : Drift<ApiRoutes> = 'none'
  expect(drift).toBe('none')
})
