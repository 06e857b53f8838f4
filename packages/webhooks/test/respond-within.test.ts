import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createWebhookHandler as createWorker } from '../src/cloudflare.ts'
import { dedupe, memoryStore } from '../src/dedupe.ts'
import { createWebhookHandler } from '../src/index.ts'
import { testSecret as secret, signedRequest } from '../src/testing.ts'
import { gate } from './gate.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start(work: ReturnType<typeof gate>, more: Partial<Parameters<typeof createWebhookHandler>[0]> = {}) {
  const errors: unknown[] = []
  const options = { secret, on: { 'ticket.created': work.run }, onError: (error: unknown) => void errors.push(error) }
  return { errors, handler: createWebhookHandler({ ...options, respondWithin: '5s', ...more }) }
}

const synchronously = (error: Error) => () => {
  throw error
}

const request = () => signedRequest('ticket.created', { deliveryId: 'one', standard: true })

describe('respondWithin', () => {
  it('responds with 204 when the time is up, and reports a later failure to onError', async () => {
    const work = gate()
    const { handler, errors } = start(work)
    const response = handler(await request())
    await work.entered
    const early = await Promise.race([response, vi.advanceTimersByTimeAsync(4999).then(() => 'pending')])
    expect(early).toBe('pending')
    await vi.advanceTimersByTimeAsync(1)
    expect((await response).status).toBe(204)
    expect(errors).toEqual([])
    work.fail(new Error('no disk'))
    await vi.runAllTimersAsync()
    expect(errors).toEqual([new Error('no disk')])
  })

  it('propagates a failure within the time, so that the delivery is retried', async () => {
    const work = gate()
    const { handler, errors } = start(work)
    const response = handler(await request())
    work.fail(new Error('no disk'))
    await expect(response).rejects.toThrow('no disk')
    expect(errors).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('never responds before the dedupe record is stored', async () => {
    const claim = gate()
    const store = memoryStore()
    const slowStore = {
      ...store,
      async claim(request: Parameters<typeof store.claim>[0]) {
        await claim.run()
        return store.claim(request)
      },
    }
    const work = gate()
    const { handler } = start(work, { dedupe: dedupe({ store: slowStore }) })
    const response = handler(await request())
    await claim.entered
    expect(await Promise.race([response, vi.advanceTimersByTimeAsync(9_999).then(() => 'pending')])).toBe('pending')
    claim.open()
    await work.entered
    await vi.advanceTimersByTimeAsync(5000)
    expect((await response).status).toBe(204)
  })

  it('responds to copies with 409 while the function runs, and releases the event if it fails late', async () => {
    const work = gate()
    const { handler } = start(work, { dedupe: dedupe({ store: memoryStore() }) })
    const response = handler(await request())
    await work.entered
    await vi.advanceTimersByTimeAsync(5000)
    expect((await response).status).toBe(204)
    expect((await handler(await request())).status).toBe(409)
    work.fail(new Error('no disk'))
    await vi.runAllTimersAsync()
    await expect(handler(await request())).rejects.toThrow('no disk')
  })

  it('passes late work to waitUntil, also of a Cloudflare Worker', async () => {
    const [work, workerWork] = [gate(), gate()]
    const pending: Promise<unknown>[] = []
    const waitUntil = (promise: Promise<unknown>) => void pending.push(promise)
    const { handler } = start(work, { waitUntil })
    const on = { 'ticket.created': workerWork.run }
    const worker = createWorker({ secret, on, respondWithin: '0.5s', onError: () => undefined, waitUntil: undefined })
    const responses = [handler(await request()), worker(await request(), {}, { waitUntil })]
    await Promise.all([work.entered, workerWork.entered])
    await vi.advanceTimersByTimeAsync(5000)
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([204, 204])
    expect(pending).toHaveLength(2)
    work.open()
    workerWork.open()
    await Promise.all(pending)
  })

  it.each(['onError', 'waitUntil'] as const)('keeps the response and prints the error if %s fails', async (name) => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => print.mockRestore())
    const failed = new Error(`${name} failed`)
    for (const fail of [() => Promise.reject(failed), synchronously(failed)]) {
      const work = gate()
      const { handler } = start(work, { [name]: fail })
      const response = handler(await request())
      await work.entered
      await vi.advanceTimersByTimeAsync(5000)
      expect((await response).status).toBe(204)
      work.fail(new Error('no disk'))
      await vi.runAllTimersAsync()
      expect(print.mock.calls).toEqual([name === 'onError' ? [new Error('no disk'), failed] : [failed]])
      print.mockClear()
    }
  })

  it.each([
    ['an invalid time', { respondWithin: '5' as never }, "respondWithin must be text such as '5s', below 15s"],
    [
      'the time at which the platform gives up',
      { respondWithin: '15s' as const },
      "respondWithin must be text such as '5s', below 15s",
    ],
    ['a number', { respondWithin: 50 as never }, 'option respondWithin must be a string'],
    ['no onError', { onError: undefined }, /requires onError/],
  ])('is refused with %s', (_name, options, message) => {
    expect(() => start(gate(), options)).toThrow(message)
  })
})
