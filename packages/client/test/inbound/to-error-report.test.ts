import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readFrames } from '../../src/capture/stack-frames.ts'
import { toErrorReport } from '../../src/inbound.ts'
import { json, network } from '../support/client.ts'
import { inboundWith, receipts } from './inbound-client.ts'

class QueueFull extends Error {
  readonly status = 503
}

it('reports class, message, status, location and stack of an error', () => {
  function pushToQueue() {
    return new QueueFull('no room for job 7')
  }
  const report = toErrorReport(pushToQueue(), { app_name: 'shop', environment: 'test' })
  expect(report).toMatchObject({
    message: 'no room for job 7',
    exception: 'QueueFull',
    file: expect.stringMatching(/^\/.*to-error-report\.test\.ts$/),
    line: expect.any(Number),
    status_code: 503,
    severity: 'error',
    app_name: 'shop',
    environment: 'test',
  })
  expect(report).toHaveProperty('trace.0', { function: 'pushToQueue', file: report.file, line: report.line })
})

it('reports the chain of causes, nearest first, and stops at cycles', () => {
  const root = new RangeError('too far')
  const middle = new TypeError('no port', { cause: root })
  root.cause = middle
  expect(toErrorReport(new Error('not sent', { cause: middle }))).toMatchObject({
    exception: 'Error',
    cause: { exception: 'TypeError', message: 'no port', cause: { exception: 'RangeError', message: 'too far' } },
  })
  expect(toErrorReport(root)).toMatchObject({ cause: { message: 'no port' } })
  expect(toErrorReport(root)['cause']).not.toHaveProperty('cause')
})

it('reports the errors of an AggregateError', () => {
  const both = new AggregateError([new TypeError('first'), 'second'], 'both failed')
  expect(toErrorReport(both)).toMatchObject({
    exception: 'AggregateError',
    message: 'both failed',
    cause: { exception: 'TypeError', message: 'first', cause: { message: 'second' } },
  })
})

it.each([
  ['a text', 'a text'],
  ['', 'No message.'],
  [undefined, 'undefined'],
  [null, 'null'],
  [42n, '42'],
  [Symbol('s'), 'Symbol(s)'],
  [{ code: 'E1', when: new Date(Number.NaN) }, '{"code":"E1","when":"Invalid Date"}'],
  [[1, 'two'], '[1,"two"]'],
])('uses %o, which is not an error, as the message', (thrown, message) => {
  expect(toErrorReport(thrown)).toEqual({ message, severity: 'error' })
})

it('treats DOMExceptions, errors of other realms and similar objects as errors', () => {
  expect(toErrorReport(new DOMException('gone', 'AbortError'))).toMatchObject({ exception: 'AbortError' })
  expect(toErrorReport(runInNewContext('new RangeError("far")'))).toMatchObject({ exception: 'RangeError' })
  expect(toErrorReport({ name: 'PostgresError', message: 'down', stack: 'at q (/srv/db.js:9:1)' })).toMatchObject({
    exception: 'PostgresError',
    message: 'down',
    file: '/srv/db.js',
    line: 9,
  })
})

it("reports the first frame of the application's own code", () => {
  const error = new Error('x')
  error.stack = [
    'Error: x',
    '    at parse (node:internal/url:12:3)',
    '    at /srv/node_modules/lib/index.js:5:6',
    '    at async Shop.pay (file:///srv/app/pay.js?v=2:31:9)',
  ].join('\n')
  expect(toErrorReport(error)).toMatchObject({ file: '/srv/app/pay.js', line: 31 })
})

it('reads the stacks of V8, Firefox and Safari', () => {
  expect(readFrames('Error: a\n    at pay (https://shop.test/app.js:10:5)\n    at https://shop.test/b.js:3:1')).toEqual(
    [
      { file: 'https://shop.test/app.js', line: 10, function: 'pay' },
      { file: 'https://shop.test/b.js', line: 3 },
    ],
  )
  expect(readFrames('pay@https://shop.test/app.js:10:5\n@https://shop.test/b.js:3:1\n')).toEqual([
    { file: 'https://shop.test/app.js', line: 10, function: 'pay' },
    { file: 'https://shop.test/b.js', line: 3 },
  ])
})

it('cuts long texts between characters', () => {
  const { message } = toErrorReport(new Error('😀'.repeat(20_000)))
  expect(message).toMatch(/^(?:😀)+…$/u)
  expect(message?.length).toBeLessThanOrEqual(10_000)
})

it('tolerates getters, proxies and methods that throw', () => {
  const spiteful = new Proxy(new Error('x'), {
    get: () => {
      throw new Error('no')
    },
    getPrototypeOf: () => {
      throw new Error('no')
    },
  })
  expect(toErrorReport(spiteful)).toMatchObject({ severity: 'error' })
  const getters = Object.defineProperty(new Error('kept'), 'stack', {
    get: () => {
      throw new Error('no')
    },
  })
  expect(toErrorReport(getters)).toEqual({ exception: 'Error', message: 'kept', severity: 'error' })
})

it('turns any value into a flat report that can be written as JSON', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
  })
  fc.assert(
    fc.property(anything, fc.dictionary(fc.string(), anything), (thrown, context) => {
      const report = toErrorReport(thrown, context)
      expect(typeof report.severity === 'string' || 'severity' in context).toBe(true)
      expect(JSON.parse(JSON.stringify(report))).toBeTypeOf('object')
    }),
  )
})

it('sends a given report, which overrides its context, and converts any other value', async () => {
  const { fetch, requests } = network(json(receipts.error))
  const { errors } = inboundWith({ fetch }).inbound
  const circular: Record<string, unknown> = { code: 'E1' }
  circular['self'] = circular
  await errors.report({ message: 'Full', severity: 'warning', job: 7 }, { severity: 'error', app_name: 'shop' })
  await errors.report({})
  await errors.report(circular, { app_name: 'shop' })
  await errors.report([])
  expect(await Promise.all(requests.map((request) => request.json()))).toEqual([
    { message: 'Full', severity: 'warning', job: 7, app_name: 'shop' },
    {},
    { message: '{"code":"E1","self":"[circular]"}', severity: 'error', app_name: 'shop' },
    { message: '[]', severity: 'error' },
  ])
})
