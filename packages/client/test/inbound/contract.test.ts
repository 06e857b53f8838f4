import * as contract from '@service/contract'
import { inboundRoutes, responseSchema } from '@service/contract'
import { apiDocs } from '@service/contract/docs'
import type { RouteDocs } from '@service/contract/route-docs'
import { expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod/mini'
import type * as client from '../../src/inbound.ts'
import { json, network } from '../support/client.ts'
import { inboundWith } from './inbound-client.ts'

// The inbound client has its own shapes instead of the contract's schemas, to avoid zod. These tests compare both
// with every documented response, and with each field of it missing, null or of another type.

const docs: Readonly<Record<string, RouteDocs>> = apiDocs

const calls: Readonly<Record<string, (inbound: client.InboundClient) => client.Call<unknown>>> = {
  'git.ping': ({ git }) => git.ping('github'),
  'git.send': ({ git }) => git.send('github', 'issues', {}),
  'errors.ping': ({ errors }) => errors.ping(),
  'errors.report': ({ errors }) => errors.report({}),
  'attendance.ping': ({ attendance }) => attendance.ping(),
  'attendance.punch': ({ attendance }) => attendance.punch({}),
  'leads.ping': ({ leads }) => leads.ping('website'),
  'leads.capture': ({ leads }) => leads.capture('website', {}),
}

const answered = async (route: contract.Route, status: number, answer: unknown) => {
  const call = calls[route.operation]
  if (call === undefined) throw new Error(`The inbound client has no ${route.operation}.`)
  const { fetch, requests } = network(json(answer, status))
  const result = await call(inboundWith({ fetch, maxRetries: 0 }).inbound).safe()
  return { result, request: requests[0] }
}

/** The response itself, and variants with each field missing, null, or of another type. */
const spoiled = (answer: object): object[] => [
  answer,
  ...Object.keys(answer).flatMap((field) =>
    [undefined, null, 7.5, 'text', true, false, {}, []].map((wrong) => ({ ...answer, [field]: wrong })),
  ),
]

it('has a method for every inbound route, with its HTTP method and path', async () => {
  for (const route of inboundRoutes) {
    const { request } = await answered(route, 200, {})
    const path = route.path.replace('{workspace}', '42').replace('{provider}', 'github').replace('{source}', 'website')
    expect([request?.method, request?.url]).toEqual([route.method, `http://localhost:9/api${path}`])
  }
})

it('accepts the same responses as the contract', async () => {
  let judged = 0
  for (const route of inboundRoutes) {
    const { responses = {} } = docs[route.operation] ?? {}
    for (const answer of Object.values(responses).flatMap((example) => spoiled(Object(example)))) {
      const expected = z.safeParse(responseSchema<contract.Route>(route), answer)
      const { result } = await answered(route, 200, answer)
      expect([route.operation, answer, result.ok]).toEqual([route.operation, answer, expected.success])
      if (result.ok) expect(result.data).toEqual(expected.data)
      judged += 1
    }
  }
  expect(judged).toBeGreaterThan(400)
})

it('accepts the same documented 422 results as the contract', async () => {
  const { errors = {} } = docs['attendance.punch'] ?? {}
  const refused = Object.values(errors[422] ?? {})
  expect(refused).not.toEqual([])
  for (const refusal of refused.flatMap((example) => spoiled(Object(example)))) {
    const expected = z.safeParse(contract.receivePunch.responses[422], refusal).success
    const { result } = await answered(contract.receivePunch, 422, refusal)
    expect([refusal, result.ok]).toEqual([refusal, expected])
  }
})

/** Without the index signatures of lenient schemas, at every depth. */
type Known<Value> = Value extends string
  ? Value
  : Value extends readonly (infer Item)[]
    ? Known<Item>[]
    : Value extends object
      ? { [Key in keyof Value as string extends Key ? never : Key]: Known<Value[Key]> }
      : Value

it('has the types of the contract', () => {
  expectTypeOf<Known<client.GitPing>>().toEqualTypeOf<Known<contract.GitPing>>()
  expectTypeOf<Known<client.Ping>>().toEqualTypeOf<Known<contract.ErrorsPing>>()
  expectTypeOf<Known<client.AttendancePing>>().toEqualTypeOf<Known<contract.AttendancePing>>()
  expectTypeOf<Known<client.LeadsPing>>().toEqualTypeOf<Known<contract.LeadsPing>>()
  expectTypeOf<Known<client.GitReceipt>>().toEqualTypeOf<Known<contract.GitReceipt>>()
  expectTypeOf<Known<client.ErrorReceipt>>().toEqualTypeOf<Known<contract.ErrorReceipt>>()
  expectTypeOf<Known<client.PunchReceipt>>().toEqualTypeOf<Known<contract.ReceivedPunch>>()
  expectTypeOf<Known<client.LeadReceipt>>().toEqualTypeOf<Known<contract.LeadReceipt>>()
  expectTypeOf<Known<client.ErrorReport>>().toEqualTypeOf<Known<contract.ErrorReport>>()
  expectTypeOf<Known<client.CapturedLead>>().toEqualTypeOf<Known<contract.CapturedLead>>()
  expectTypeOf<Known<client.NewPunch>>().toEqualTypeOf<Known<contract.NewPunch>>()
})
