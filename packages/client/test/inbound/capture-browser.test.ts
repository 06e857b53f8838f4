import { expect, it, vi } from 'vitest'
import { type CaptureOptions, captureErrors, type ErrorReport } from '../../src/inbound.ts'
import { json, network } from '../support/client.ts'
import { inboundWith, receipts } from './inbound-client.ts'

/** Captures errors of a fake window. */
function start(options: Partial<CaptureOptions> = {}) {
  let now = 0
  const { fetch, requests } = network(json(receipts.error))
  const window = new EventTarget()
  const stop = captureErrors({
    client: inboundWith({ fetch, secrets: undefined }).inbound,
    window,
    clock: () => now,
    ...options,
  })
  const dispatch = (type: string, fields: object) => {
    const event = Object.assign(new Event(type, { cancelable: true }), fields)
    window.dispatchEvent(event)
    return event
  }
  const reports = (): Promise<ErrorReport[]> => Promise.all(requests.map((request) => request.clone().json()))
  const advance = (ms: number) => {
    now += ms
  }
  return { dispatch, stop, advance, reports, requests }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

it('reports errors and unhandled rejections of the window, which the browser still logs', async () => {
  const { dispatch, reports } = start({ context: { app_name: 'shop' } })
  const events = [
    dispatch('error', { error: new TypeError('x is null') }),
    dispatch('unhandledrejection', { reason: 'gone' }),
    dispatch('error', { message: 'Script error.', filename: 'https://shop.test/app.js', lineno: 12 }),
  ]
  await settled()
  expect(await reports()).toMatchObject([
    { exception: 'TypeError', message: 'x is null', app_name: 'shop', severity: 'error' },
    { message: 'gone', app_name: 'shop' },
    { message: 'Script error.', file: 'https://shop.test/app.js', line: 12 },
  ])
  expect(events.map(({ defaultPrevented }) => defaultPrevented)).toEqual([false, false, false])
})

it('calls the context function for each report, and ignores it if it throws', async () => {
  let page = 1
  const { dispatch, reports } = start({
    context: () => {
      if (page > 1) throw new Error('no page')
      return { url: `https://shop.test/${page}` }
    },
  })
  dispatch('error', { error: new Error('first') })
  page = 2
  dispatch('error', { error: new Error('second') })
  await settled()
  const sent = await reports()
  expect(sent.map(({ message, url }) => [message, url])).toEqual([
    ['first', 'https://shop.test/1'],
    ['second', undefined],
  ])
})

it('suppresses a burst of one error and counts it in the next report', async () => {
  const { dispatch, advance, reports } = start({ windowMs: 1_000 })
  const burst = (message: string) => dispatch('error', { message, filename: '/app.js', lineno: 1 })
  for (let count = 0; count < 50; count += 1) burst('x is null')
  burst('y is null')
  advance(999)
  burst('x is null')
  advance(1)
  burst('x is null')
  await settled()
  const sent = await reports()
  expect(sent.map(({ message, held_back }) => [message, held_back])).toEqual([
    ['x is null', undefined],
    ['y is null', undefined],
    ['x is null', 50],
  ])
})

it('throws nothing if reports cannot be sent', async () => {
  const failing = {
    errors: {
      report: () => {
        throw new Error('no network')
      },
    },
  }
  const { dispatch } = start({ client: failing })
  expect(() => dispatch('error', { error: new Error('x') })).not.toThrow()
  const { fetch } = network(new Error('offline'))
  const offline = start({ client: inboundWith({ fetch, maxRetries: 0 }).inbound })
  offline.dispatch('error', { error: new Error('x') })
  await settled()
})

it('reports nothing after it is stopped', async () => {
  const { dispatch, stop, requests } = start()
  stop()
  dispatch('error', { error: new Error('x') })
  dispatch('unhandledrejection', { reason: new Error('y') })
  await settled()
  expect(requests).toEqual([])
})

it.each([
  [{ client: {} }, 'client must be the result of createInboundClient'],
  [{ client: undefined }, 'client must be the result of createInboundClient'],
  [{ timelimit: 5 }, 'captureErrors has no timelimit. Did you mean timeLimitMs?'],
  [{ timeLimitMs: 0 }, 'timeLimitMs must be a number of milliseconds from 1 to 2147483647.'],
  [{ timeLimitMs: Number.NaN }, 'timeLimitMs'],
  [{ timeLimitMs: 3e9 }, 'timeLimitMs'],
  [{ windowMs: -1 }, 'windowMs'],
  [{ clock: 5 }, 'clock must be a function.'],
])('rejects the options %o when it is called', (wrong, message) => {
  const capture = () => start(wrong as never) // the types reject some
  expect(capture).toThrow(TypeError)
  expect(capture).toThrow(message)
})

it('rejects a client that is not inside of an object', () => {
  expect(() => captureErrors(inboundWith().inbound as never)).toThrow('captureErrors({ client })')
})

it('prints the first report that fails, once', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue(undefined)
  const { fetch, requests } = network(json({ message: 'The secret is wrong.' }, 401))
  const { dispatch } = start({ client: inboundWith({ fetch }).inbound })
  dispatch('error', { error: new Error('first') })
  dispatch('error', { error: new Error('second') })
  await expect.poll(() => printed).toHaveBeenCalled()
  await settled()
  expect(requests).toHaveLength(2)
  expect(printed.mock.calls).toEqual([
    [
      'captureErrors: POST /webhooks/{workspace}/errors answered 401: The secret is wrong. Check webhookBaseUrl and secrets.errors of the client.',
    ],
  ])
})
