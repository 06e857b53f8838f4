import { createdTicket, ticket } from '@service/contract/docs/example-values'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isServiceError } from '../src/index.ts'
import { clientWith, refused, reset } from './support/client.ts'

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', note))
afterAll(() => void process.off('unhandledRejection', note))

const status = fc.constantFrom(
  200,
  201,
  202,
  204,
  206,
  301,
  302,
  304,
  307,
  400,
  401,
  403,
  404,
  405,
  408,
  409,
  413,
  415,
  418,
  422,
  425,
  429,
  500,
  501,
  502,
  503,
  504,
  599,
)
const goodBody = JSON.stringify({ data: [ticket] })
const body = fc.oneof(
  fc.constantFrom(
    '',
    'null',
    '[]',
    '{}',
    '<html>',
    '{"data": [',
    '\u0000',
    '{"message": 5}',
    '{"errors": "x"}',
    goodBody,
  ),
  fc.json(),
  fc.string(),
)
const header = fc.record(
  {
    'retry-after': fc.oneof(
      fc.nat(5).map(String),
      fc.constantFrom('soon', '9e9', 'Fri, 20 Nov 2026 00:00:01 GMT', '-3'),
    ),
    'content-type': fc.constantFrom('application/json', 'text/html', 'x', ''),
    'x-request-id': fc.constantFrom('abc', 'a b', '<b>'),
    'x-should-retry': fc.constantFrom('true', 'false', 'perhaps'),
    location: fc.constantFrom('/x', 'https://elsewhere.example/', '::::'),
  },
  { requiredKeys: [] },
)
type Fault =
  | { kind: 'answer'; status: number; body: string; header: Record<string, string> }
  | { kind: 'broken'; after: string }
  | { kind: 'thrown'; what: unknown }
  | { kind: 'odd'; what: unknown }
  | { kind: 'stall' }
const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('answer' as const), status, body, header }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('broken' as const), after: fc.string() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('thrown' as const),
      what: fc.oneof(fc.constant(reset()), fc.constant(refused()), fc.anything()),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('odd' as const), what: fc.anything() }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'stall' as const }) },
)

function play(turn: Fault | undefined): Response | Promise<Response> {
  switch (turn?.kind) {
    case 'answer':
      return new Response([204, 304].includes(turn.status) ? null : turn.body, {
        status: turn.status,
        headers: turn.header,
      })
    case 'broken':
      return new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(turn.after))
            controller.error(new TypeError('terminated'))
          },
        }),
      )
    case 'thrown':
      throw turn.what
    case 'odd':
      return turn.what as Response // a fake may return anything
    case 'stall':
      return new Promise(() => {})
    default:
      return Response.json({ data: createdTicket })
  }
}

it('rejects only with its own errors and leaves no rejection unhandled', async () => {
  const options = fc.record({ isPost: fc.boolean(), abortAt: fc.option(fc.nat(3), { freq: 5 }), maxRetries: fc.nat(3) })
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 4 }), options, async (faults, { isPost, abortAt, maxRetries }) => {
      const controller = new AbortController()
      let turn = 0
      const { client } = clientWith({
        maxRetries,
        timeoutMs: 3,
        fetch: () => {
          if (turn === abortAt) controller.abort()
          return play(faults[turn++])
        },
      })
      const { signal } = controller
      const call = isPost ? client.tickets.create({ title: 'A title' }, { signal }) : client.tickets.list({ signal })
      const error: unknown = await call.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error === undefined || isServiceError(error)).toBe(true)
      expect(turn).toBeLessThanOrEqual(maxRetries + 1)
      if (isServiceError(error)) {
        // The fake network may throw before it sends anything.
        const sent = error.code === 'network' && error.reason === 'fetch' ? turn - 1 : turn
        expect(error).toMatchObject({ attempts: sent, durationMs: expect.any(Number) })
      }
      expect(() => JSON.stringify(error)).not.toThrow()
    }),
    { numRuns: 1_000 },
  )
  await new Promise(setImmediate)
  expect(unhandled).toEqual([])
})
