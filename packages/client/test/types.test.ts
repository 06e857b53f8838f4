import { expectTypeOf, it } from 'vitest'
import type {
  AnyServiceError,
  Call,
  CallOptions,
  Client,
  CreatedTicket,
  CreateOptions,
  Employee,
  Lead,
  NewTicket,
  PunchResult,
  SafeResult,
  Ticket,
} from '../src/index.ts'
import { RateLimitError } from '../src/index.ts'

it('types each method by its data', () => {
  expectTypeOf<ReturnType<Client['tickets']['list']>>().toEqualTypeOf<Call<Ticket[]>>()
  expectTypeOf<Awaited<ReturnType<Client['tickets']['create']>>>().toEqualTypeOf<CreatedTicket>()
  expectTypeOf<Awaited<ReturnType<Client['hrms']['employees']['list']>>>().toEqualTypeOf<Employee[]>()
  expectTypeOf<Awaited<ReturnType<Client['hrms']['attendance']['punch']>>>().toEqualTypeOf<PunchResult>()
  expectTypeOf<Awaited<ReturnType<Client['crm']['leads']['create']>>>().toEqualTypeOf<Lead>()
  expectTypeOf<Call<Ticket[]>>().toExtend<Promise<Ticket[]>>()
})

it('suggests the known values of an open list and accepts others', () => {
  expectTypeOf<'open'>().toExtend<Ticket['status']>()
  expectTypeOf<string>().toExtend<Ticket['status']>()
  expectTypeOf<Ticket['status']>().toExtend<string>()
})

it('rejects unknown fields, wrong types and missing fields', () => {
  expectTypeOf<{ title: string }>().toExtend<NewTicket>()
  expectTypeOf<{ title: number }>().not.toExtend<NewTicket>()
  expectTypeOf<{ description: string }>().not.toExtend<NewTicket>()
  // @ts-expect-error a field that the platform does not know
  const wrong: NewTicket = { title: 'A', color: 'red' }
  expectTypeOf(wrong).toExtend<NewTicket>()
})

it('accepts an idempotency key only for creations', () => {
  expectTypeOf<CreateOptions>().toHaveProperty('idempotencyKey')
  expectTypeOf<CallOptions>().not.toHaveProperty('idempotencyKey')
  expectTypeOf<Parameters<Client['tickets']['list']>[0]>().toEqualTypeOf<CallOptions | undefined>()
})

it('narrows a safe result by ok, a punch by recorded and an error by its class', () => {
  const check = (result: SafeResult<PunchResult>, error: unknown) => {
    if (result.ok) {
      expectTypeOf(result.data).toEqualTypeOf<PunchResult>()
      if (result.data.recorded) expectTypeOf(result.data.punch_id).toEqualTypeOf<number>()
      else expectTypeOf(result.data.hint).toEqualTypeOf<string | null>()
    } else {
      expectTypeOf(result.error).toEqualTypeOf<AnyServiceError>()
    }
    if (error instanceof RateLimitError) {
      expectTypeOf(error.code).toEqualTypeOf<'rate_limited'>()
      expectTypeOf(error.retryAfterMs).toEqualTypeOf<number | undefined>()
    }
  }
  expectTypeOf(check).parameters.toEqualTypeOf<[SafeResult<PunchResult>, unknown]>()
})
