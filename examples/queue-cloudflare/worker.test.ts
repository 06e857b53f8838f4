import { fixtures, signedRequest } from '@service/webhooks/testing'
import { expect, test, vi } from 'vitest'
import worker, { type Env } from './worker.ts'

const execution = { waitUntil: () => undefined }
const { title } = fixtures['ticket.created'].ticket

function start({ send = async (_message: string): Promise<unknown> => undefined } = {}) {
  const sent: string[] = []
  const EVENTS = {
    async send(message: string) {
      await send(message)
      sent.push(message)
    },
  }
  const env: Env = { WEBHOOK_SECRET: 'a secret', EVENTS, NOTIFY_URL: 'https://api.test/notify' }
  const deliver = async () =>
    worker.fetch(await signedRequest('ticket.created', { secret: 'a secret' }), env, execution)
  return { env, sent, deliver }
}

test('responds with 204 after the event is stored in the queue', async () => {
  const { sent, deliver } = start()
  expect((await deliver()).status).toBe(204)
  expect(sent.map((message) => JSON.parse(message).ticket.title)).toEqual([title])
})

test('fails if the queue is unavailable, so that the platform retries', async () => {
  const { deliver } = start({ send: () => Promise.reject(new Error('queue unavailable')) })
  await expect(deliver()).rejects.toThrow('queue unavailable')
})

test('acknowledges handled messages, and logs and retries failed ones', async () => {
  const { env, sent, deliver } = start()
  const log = vi.spyOn(console, 'error').mockReturnValue()
  await deliver()
  const statuses = [503, 200]
  vi.stubGlobal('fetch', async () => new Response(null, { status: statuses.shift() ?? 200 }))
  const message = { body: sent[0], ack: vi.fn(), retry: vi.fn() }
  await worker.queue({ messages: [message] }, env)
  expect([message.ack, message.retry].map((called) => called.mock.calls.length)).toEqual([0, 1])
  await worker.queue({ messages: [message] }, env)
  expect([message.ack, message.retry].map((called) => called.mock.calls.length)).toEqual([1, 1])
  expect(log.mock.calls).toEqual([[expect.any(String), new Error('The API responded with 503.')]])
  log.mockRestore()
  vi.unstubAllGlobals()
})
