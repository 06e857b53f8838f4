import { createGzip, gzipSync } from 'node:zlib'
import { ticket } from '@service/contract/docs/example-values'
import { expect, it } from 'vitest'
import { createClient } from '../src/create-client.ts'
import { inboundWith } from './inbound/inbound-client.ts'
import { clientWith, json, network, token } from './support/client.ts'
import { type Answer, faultServer } from './support/fault-server.ts'

const quick = { token, workspace: 42, sleep: async () => {} }

/** Lists tickets from a real server that sends this response. */
async function listFrom(answer: Answer, options = {}) {
  const { baseUrl, seen } = await faultServer(answer)
  const result = await createClient({ ...quick, baseUrl, ...options })
    .tickets.list()
    .safe()
  return { result, seen }
}

const route = 'GET /workspaces/{workspace}/tickets answered 200, but the body'

const encoded =
  (body: Uint8Array, coding: string, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': coding }).end(body)

const tickets = Buffer.from(JSON.stringify({ data: [ticket] }))
const corruptGzip = Buffer.from(gzipSync(tickets)).fill(0xff, 12, 60)

it.each([
  ['gzip', tickets],
  ['gzip', corruptGzip],
  ['deflate', Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff, 0xff])],
  ['br', tickets],
])('reports a body that is not valid %s, and retries', async (coding, body) => {
  const { result, seen } = await listFrom(encoded(body, coding))
  expect(result).toMatchObject({
    ok: false,
    error: {
      code: 'unexpected_response',
      retryable: true,
      message: `${route} is corrupt: its content-encoding (${coding}) could not be undone.`,
    },
  })
  expect(seen).toHaveLength(3)
})

it('reports an error status even if the body is corrupt', async () => {
  const { result } = await listFrom(encoded(tickets, 'gzip', 403))
  expect(result).toMatchObject({ ok: false, error: { code: 'permission' } })
})

it('reads a compressed body', async () => {
  const { result } = await listFrom(encoded(gzipSync(tickets), 'gzip'))
  expect(result).toMatchObject({ ok: true, data: [ticket] })
})

const endless = (chunk: string) => {
  const read = { chunks: 0, cancelled: false }
  const body = new ReadableStream({
    pull(controller) {
      read.chunks += 1
      controller.enqueue(new TextEncoder().encode(chunk))
    },
    cancel() {
      read.cancelled = true
    },
  })
  return { body, read }
}

it('stops reading an endless response at 32 MiB, names the limit and its option, and does not retry', async () => {
  const { body, read } = endless(' '.repeat(2 ** 20))
  const { fetch, requests } = network(() => new Response(body))
  const result = await clientWith({ fetch }).client.tickets.list().safe()
  expect(result).toMatchObject({
    ok: false,
    error: {
      code: 'unexpected_response',
      retryable: false,
      message: `${route} is longer than maxResponseBytes, 33554432 bytes.`,
    },
  })
  expect(read).toEqual({ chunks: expect.toSatisfy((chunks: number) => chunks <= 34), cancelled: true })
  expect(requests).toHaveLength(1)
})

it('counts bytes after decompression', async () => {
  const bomb = createGzip()
  bomb.end(Buffer.alloc(4 * 2 ** 20, ' '))
  const { result } = await listFrom(
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      bomb.pipe(response)
    },
    { maxResponseBytes: 2 ** 20 },
  )
  expect(result).toMatchObject({
    ok: false,
    error: { message: `${route} is longer than maxResponseBytes, 1048576 bytes.` },
  })
})

it('accepts a response of exactly the limit in bytes', async () => {
  const body = JSON.stringify({ data: [{ ...ticket, title: 'é😀' }] })
  const sizeBytes = new TextEncoder().encode(body).length
  const { fetch } = network(new Response(body))
  const list = (maxResponseBytes: number) => clientWith({ fetch, maxResponseBytes }).client.tickets.list().safe()
  expect(await list(sizeBytes)).toMatchObject({ ok: true, data: [{ title: 'é😀' }] })
  expect(await list(sizeBytes - 1)).toMatchObject({ ok: false, error: { code: 'unexpected_response' } })
})

it('joins characters that are split between two chunks', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify({ data: [{ ...ticket, title: 'é😀' }] }))
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const { client } = clientWith({ fetch: network(() => new Response(body)).fetch })
  expect(await client.tickets.list()).toMatchObject([{ title: 'é😀' }])
})

it('reports an error status even if the body is too long', async () => {
  const { body } = endless('{')
  const { client } = clientWith({ fetch: () => new Response(body, { status: 403 }), maxResponseBytes: 100 })
  expect(await client.tickets.list().safe()).toMatchObject({ ok: false, error: { code: 'permission' } })
})

it('limits responses of the inbound client too', async () => {
  const { inbound } = inboundWith({ fetch: network(json({ message: 'long' })).fetch, maxResponseBytes: 10 })
  const result = await inbound.errors.ping().safe()
  expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining('maxResponseBytes, 10 bytes') } })
})
