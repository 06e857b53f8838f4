import { request } from 'node:http'
import { expect, test } from 'vitest'
import { onEveryStore } from '../on-every-store.ts'
import { enableAll, type InboundSite, inboundOf, siteIn, startOpenSite } from './inbound-site.ts'

const mebibyte = 1024 * 1024
const largest = 25 * mebibyte
const tooLarge = { status: 413, message: `The request body must not be larger than ${largest} bytes.` }

interface Posting {
  readonly url: string
  readonly headers?: Record<string, string>
  /** Written one after the other until the response arrives. */
  readonly chunks: Iterable<Uint8Array>
}

/** Posts over a real connection, on which the server may respond before the body is sent. */
function post({ url, headers = {}, chunks }: Posting): Promise<{ status: number; message: string }> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', headers: { 'x-github-event': 'push', ...headers } })
    sending.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, message: JSON.parse(text).message })
        sending.destroy()
      })
    })
    // The server may close the connection while the rest of a refused body is being written.
    sending.on('error', (fault) => (sending.destroyed ? undefined : reject(fault)))
    sending.flushHeaders()
    for (const chunk of chunks) sending.write(chunk)
    if (headers['content-length'] === undefined) sending.end()
  })
}

/** A push of the given size. */
const push = (padding: number) => ({
  ref: 'refs/heads/main',
  repository: { id: 7, full_name: 'acme/shop' },
  pusher: { name: 'ada' },
  commits: ['a', 'b'].map((id) => ({ id: id.repeat(40), message: `Fix ${id}`, author: { name: 'Ada' } })),
  padding: 'x'.repeat(padding),
})

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A text as a stream that reports when its last chunk was read. */
function telling(text: string, onTaken: () => void): ReadableStream<Uint8Array> {
  const chunks = [new TextEncoder().encode(text)]
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = chunks.pop()
        if (chunk !== undefined) return controller.enqueue(chunk)
        onTaken()
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

onEveryStore(
  'a large Git delivery over a port',
  (start) => {
    test('is refused by its Content-Length before it is sent', async () => {
      const { server, workspaceId } = await startOpenSite(start)
      const { url } = await server.listen()
      const answer = await post({
        url: `${url}/api/webhooks/${workspaceId}/github`,
        headers: { 'content-length': String(largest + 1) },
        chunks: [],
      })
      expect(answer).toEqual(tooLarge)
    })

    test('is refused when it exceeds the limit without a Content-Length, and nothing is stored', async () => {
      const { server, workspaceId } = await startOpenSite(start)
      const { url } = await server.listen()
      const chunks = Array.from({ length: 26 }, () => new Uint8Array(mebibyte).fill(0x20))
      expect(await post({ url: `${url}/api/webhooks/${workspaceId}/github`, chunks })).toEqual(tooLarge)
      expect((await server.admin.activities.list({ workspace: workspaceId })).data).toEqual([])
    })

    test('of exactly the limit is accepted', async () => {
      const { server, workspaceId } = await startOpenSite(start)
      const { url } = await server.listen()
      const bare = JSON.stringify(push(0)).length
      const inbound = inboundOf(
        { server, workspaceId, clock: { now: () => 0, advance: () => undefined } },
        {
          webhookBaseUrl: `${url}/api`,
          fetch: (url, init) => fetch(url, init),
          timeoutMs: 30_000,
        },
      )
      expect(await inbound.git.send('github', 'push', push(largest - bare))).toMatchObject({ stored: 2 })
      expect(await inbound.git.send('github', 'push', push(largest - bare + 1)).safe()).toMatchObject({
        ok: false,
        error: { name: 'PayloadTooLargeError' },
      })
    })
  },
  ['memory'],
)

onEveryStore(
  'a large Git delivery',
  (start) => {
    test('is read in a worker thread with the same result as a small one', async () => {
      const { server, workspaceId, inbound } = await startOpenSite(start)
      expect(await inbound.git.send('github', 'push', push(0))).toEqual(
        await inbound.git.send('github', 'push', push(mebibyte)),
      )
      const activities = (await server.admin.activities.list({ workspace: workspaceId })).data
      const bare = activities.map(({ id: _, created_at: __, ...activity }) => activity)
      expect(bare.slice(0, 2)).toEqual(bare.slice(2))
      expect(bare).toHaveLength(4)
    })

    test('that is not JSON is refused like a small one', async () => {
      const { inbound } = await startOpenSite(start)
      const results = [
        await inbound.git.send('github', 'push', '{"a":').safe(),
        await inbound.git.send('github', 'push', `{"a":"${'x'.repeat(mebibyte)}`).safe(),
      ]
      const [small, large] = results.map((result) => !result.ok && result.error.status)
      expect([small, large]).toEqual([422, 422])
    })

    test('with too many values is refused, even within the size limit', async () => {
      const { inbound } = await startOpenSite(start)
      const body = `{"commits":[${'{},'.repeat(1_000_000)}{}]}`
      const refused = await inbound.git.send('github', 'push', body).safe()
      expect(refused).toMatchObject({
        ok: false,
        error: { status: 422, errors: { body: ['The body holds more than 1000000 values.'] } },
      })
    })

    test('is refused with 503 when too many are being read, and accepted when it is sent again', async () => {
      const site = await startOpenSite(start)
      const other = await siteIn(site.server, site.clock, 'Other')
      await enableAll(other)
      const body = JSON.stringify(push(mebibyte))
      const send = (delivery: number, { server, workspaceId }: InboundSite = site) =>
        server.fetch(`http://platform.example/api/webhooks/${workspaceId}/github`, {
          method: 'POST',
          headers: { 'x-github-event': 'push', 'x-github-delivery': `delivery-${delivery}` },
          body,
        })
      const sending = Array.from({ length: 40 }, (_, delivery) => send(delivery))
      await Promise.any(sending.map(async (answer) => expect((await answer).status).toBe(503)))
      // Those that wait give a place to another workspace.
      expect((await send(0, other)).status).toBe(200)
      const answers = await Promise.all(sending)
      const statuses = answers.map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([200, 503]))
      expect(answers.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('10')
      expect((await send(statuses.indexOf(503))).status).toBe(200)
    })

    test('does not block other requests while it is read', async () => {
      const { server, workspaceId, inbound } = await startOpenSite(start)
      const values = Array.from({ length: 300_000 }, (_, index) => [index, 'value'])
      const progress = { sent: false, read: false, pings: 0 }
      const url = `http://platform.example/api/webhooks/${workspaceId}/github`
      const headers = { 'x-github-event': 'push', 'transfer-encoding': 'chunked' }
      const body = telling(JSON.stringify({ ...push(0), values }), () => {
        progress.sent = true
      })
      const init = { method: 'POST', headers, body, duplex: 'half' }
      const reading = server.fetch(new Request(url, init)).finally(() => {
        progress.read = true
      })
      while (!progress.read) {
        await inbound.git.ping('github')
        await nextTurn()
        if (progress.sent && !progress.read) progress.pings += 1
      }
      expect(await (await reading).json()).toMatchObject({ stored: 2 })
      // If it were read on the main thread, only one or two requests would be answered meanwhile.
      expect(progress.pings).toBeGreaterThan(8)
    })
  },
  ['memory'],
)
