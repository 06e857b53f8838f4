import { expect, test } from 'vitest'
import { createTestServer } from '../../../src/testing/entries/testing.ts'
import { fetchLikeNetwork } from '../../../src/testing/fetch-like-network.ts'
import { testNothingAnswers } from './cases.ts'

testNothingAnswers(({ fetch, origin }) => ({ fetch, origin }))

test("without a signal, the request ends at undici's limit for headers", async () => {
  const silent = fetchLikeNetwork(() => new Promise(() => undefined), {
    closing: new AbortController().signal,
    headersTimeoutMs: 1,
  })
  await expect(silent(new Request('https://service.test'))).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { code: 'UND_ERR_HEADERS_TIMEOUT' },
  })
})

test('an abort cancels the stream of the sender', async () => {
  const echo = fetchLikeNetwork(async (request) => new Response(await request.text()), {
    closing: new AbortController().signal,
  })
  const { promise: canceled, resolve: cancel } = Promise.withResolvers<unknown>()
  const controller = new AbortController()
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    body: new ReadableStream({ cancel }),
    signal: controller.signal,
    duplex: 'half',
  }
  const response = echo(new Request('https://service.test', init))
  controller.abort()
  await expect(response).rejects.toMatchObject({ name: 'AbortError' })
  expect(await canceled).toMatchObject({ name: 'AbortError' })
})

test('an intercepted server that closes restores `fetch` before it waits for requests', async () => {
  const original = globalThis.fetch
  const server = await createTestServer()
  server.intercept('https://api.example.com')
  expect(globalThis.fetch).not.toBe(original)
  const closed = server.close()
  expect(globalThis.fetch).toBe(original)
  await closed
})
