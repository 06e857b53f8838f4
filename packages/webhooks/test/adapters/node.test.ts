import { describe, expect, it, vi } from 'vitest'
import { createPagesHandler } from '../../src/next.ts'
import { createWebhookHandler } from '../../src/node.ts'
import { signedDelivery, testSecret } from '../../src/testing.ts'
import { gate } from '../gate.ts'
import { itReceivesDeliveries } from './adapter-suite.ts'
import { send } from './send.ts'
import { listen } from './subscriber.ts'

describe('node:http', () => {
  itReceivesDeliveries({
    start: (options) => listen(createWebhookHandler({ ...options, onError: () => undefined })),
    startParsed: (options) => {
      const handle = createWebhookHandler({ ...options, onError: () => undefined })
      return listen((request, response) => {
        request.on('end', () => void handle(request, response))
        request.resume()
      })
    },
  })
})

it('passes the error of a function to onError', async () => {
  const failure = new Error('no disk')
  const errors: unknown[] = []
  const port = await listen(
    createWebhookHandler({
      secret: testSecret,
      on: { 'task.created': () => Promise.reject(failure) },
      onError: (error) => errors.push(error),
    }),
  )
  const { headers, body } = await signedDelivery('task.created')
  expect(await send({ port, headers, write: (request) => request.end(body) })).toMatchObject({ status: 500, body: '' })
  expect(errors).toEqual([failure])
})

it('prints the error and responds with 500 without onError, also after the response', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const failure = new Error('no disk')
  const { headers, body } = await signedDelivery('task.created')
  for (const respondWithin of [undefined, '1ms'] as const) {
    const work = gate()
    const on = { 'task.created': () => work.run().then(() => Promise.reject(failure)) }
    const port = await listen(createWebhookHandler({ secret: testSecret, on, respondWithin }))
    const answer = send({ port, headers, write: (request) => request.end(body) })
    if (respondWithin) expect(await answer).toMatchObject({ status: 204 })
    work.open()
    if (!respondWithin) expect(await answer).toMatchObject({ status: 500, body: '' })
    await expect.poll(() => print.mock.lastCall).toEqual([failure])
    print.mockClear()
  }
  print.mockRestore()
})

it.each([
  [
    'throws',
    () => {
      throw new Error('sentry down')
    },
  ],
  ['rejects', () => Promise.reject(new Error('sentry down'))],
])('responds with 500 and prints both errors if onError %s', async (_name, onError) => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const on = { 'task.created': () => Promise.reject(new Error('no disk')) }
  const port = await listen(createWebhookHandler({ secret: testSecret, on, onError }))
  const { headers, body } = await signedDelivery('task.created')
  expect(await send({ port, headers, write: (request) => request.end(body) })).toMatchObject({ status: 500, body: '' })
  await expect.poll(() => print.mock.calls).toEqual([[new Error('no disk'), new Error('sentry down')]])
  print.mockRestore()
})

describe('the pages router of Next, which passes Node requests', () => {
  itReceivesDeliveries({
    // Next catches errors of a handler and responds with 500.
    start: (options) => {
      const handle = createPagesHandler(options)
      return listen((request, response) => {
        handle(request, response).catch(() => response.writeHead(500).end('Internal Server Error'))
      })
    },
    // With `bodyParser` on, Next reads the stream and sets `body` before it calls the handler.
    startParsed: (options) => {
      const handle = createPagesHandler(options)
      return listen(async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        await handle(Object.assign(request, { body: JSON.parse(Buffer.concat(chunks).toString()) }), response)
      })
    },
  })
})
