import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type DedupeStore, dedupe, memoryStore } from '../src/dedupe.ts'
import { createWebhookHandler } from '../src/index.ts'
import { testSecret as secret, signedRequest } from '../src/testing.ts'
import { gate } from './gate.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Options = Parameters<typeof createWebhookHandler>[0]

const start = (more: Partial<Options>) =>
  createWebhookHandler({ secret, on: { 'task.created': () => undefined }, ...more })

/** A store of which one method answers only when the test opens the gate. */
function stalled(method: keyof DedupeStore) {
  const { run, open } = gate()
  const store = memoryStore()
  const slow = async (...given: [never]) => {
    await run()
    return store[method](...given)
  }
  return { open, dedupe: dedupe({ store: { ...store, [method]: slow } }) }
}

async function resultAfter(ms: number, response: Promise<Response>) {
  const result = response.then(
    ({ status }) => status,
    (error: Error) => error.message,
  )
  return Promise.race([result, vi.advanceTimersByTimeAsync(ms).then(() => 'pending')])
}

const limitMs = 10_000

it.each<[string, Partial<Options>, string]>([
  ['the secret', { secret: () => new Promise<string>(() => undefined) }, 'secret'],
  ['the claim', stalled('claim'), 'dedupe: claim'],
  [
    'the claim of a handler with respondWithin',
    { ...stalled('claim'), respondWithin: '1s', onError: () => undefined },
    'dedupe: claim',
  ],
  ['the commit', stalled('commit'), 'dedupe: commit'],
])(
  'rejects if %s does not arrive within 10 seconds, and names it',
  async (_name, { open: _open, ...more }: Partial<Options> & { open?: unknown }, name) => {
    const response = start(more)(await signedRequest('task.created'))
    expect(await resultAfter(limitMs - 1, response)).toBe('pending')
    expect(await resultAfter(1, response)).toBe(`${name} did not answer within 10 s`)
    expect(vi.getTimerCount()).toBe(0)
  },
)

it('propagates the error of the function if the store does not release the event within 10 seconds', async () => {
  const on = { 'task.created': () => Promise.reject(new Error('no disk')) }
  const response = start({ on, dedupe: stalled('release').dedupe })(await signedRequest('task.created'))
  expect(await resultAfter(limitMs, response)).toBe('no disk')
})

it('releases a claim that succeeds after the time limit, so that the retry runs', async () => {
  const { open, dedupe } = stalled('claim')
  const handle = start({ dedupe })
  const response = handle(await signedRequest('task.created'))
  expect(await resultAfter(limitMs, response)).toBe('dedupe: claim did not answer within 10 s')
  open()
  await vi.runAllTimersAsync()
  expect((await handle(await signedRequest('task.created'))).status).toBe(204)
})
