import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Lookup } from '../../src/delivery/egress.ts'
import { listenInTest } from '../listen-in-test.ts'
import { onEveryStore } from '../on-every-store.ts'
import { newestDelivery } from './newest-delivery.ts'
import { type Reply, startReceiver, status } from './receiver.ts'
import { sendingOptions, subscribe } from './subscribed.ts'

const quick = 500

/** Sends one ticket to a receiver; returns the logged attempt and its duration. */
async function attemptAt(
  start: Parameters<Parameters<typeof onEveryStore>[1]>[0],
  where: { reply?: Reply; url?: string; lookup?: Lookup },
) {
  const { lookup, ...receiver } = where
  const server = await start({
    ...sendingOptions(),
    deliveryTimeoutMs: quick,
    egressAllow: ['127.0.0.1'],
    ...(lookup === undefined ? {} : { lookup }),
  })
  const { workspace, createTicket } = await subscribe(server, receiver)
  await createTicket('A')
  await server.deliveries.runDue()
  const [attempt] = (await newestDelivery(server, workspace)).log
  return { attempt }
}

/** A port with a custom connection handler. */
const startPort = (onConnection: Parameters<typeof createServer>[1]) => listenInTest(createServer(onConnection))

onEveryStore(
  'a receiver',
  (start) => {
    test('that never responds times out', async () => {
      const { attempt } = await attemptAt(start, { reply: () => undefined })
      expect(attempt).toMatchObject({
        outcome: 'timeout',
        status: null,
        error: 'The receiver did not respond in time (ETIMEDOUT).',
      })
    })

    test('that never finishes its response times out', async () => {
      const trickle: Reply = (response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('.'), 20)
        response.on('close', () => clearInterval(timer))
      }
      const { attempt } = await attemptAt(start, { reply: trickle })
      expect(attempt).toMatchObject({ outcome: 'timeout', status: 200 })
    })

    test('that responds endlessly is read for 16 KiB and then disconnected', async () => {
      let open = 0
      const endless: Reply = (response) => {
        open += 1
        response.writeHead(200)
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(8192)));
        }
        response.on('drain', more)
        response.on('close', () => {
          open -= 1
        })
        more()
      }
      const { attempt } = await attemptAt(start, { reply: endless })
      expect(attempt).toMatchObject({ outcome: 'ok', status: 200 })
      expect(attempt?.response).toBe('x'.repeat(16 * 1024))
      await expect.poll(() => open).toBe(0)
    })

    test('that responds with a compressed body is not decompressed', async () => {
      const bomb = gzipSync(Buffer.alloc(5_000_000))
      const { attempt } = await attemptAt(start, {
        reply: (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      })
      expect(attempt?.outcome).toBe('ok')
      expect(attempt?.response?.length).toBeLessThanOrEqual(bomb.length)
    })

    test('that closes the connection before its response counts as reset', async () => {
      const { attempt } = await attemptAt(start, { reply: (response) => void response.socket?.resetAndDestroy() })
      expect(attempt).toMatchObject({ outcome: 'reset', status: null })
    })

    test('that truncates its response counts as an incomplete body', async () => {
      const half: Reply = (response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('half')
        setImmediate(() => response.socket?.destroy())
      }
      const { attempt } = await attemptAt(start, { reply: half })
      expect(attempt).toMatchObject({ outcome: 'body', status: 200, response: 'half' })
    })

    test('that speaks another protocol counts as unreadable', async () => {
      const port = await startPort((socket) => {
        socket.on('error', () => undefined)
        socket.end('220 mail.example ESMTP\r\n')
      })
      const { attempt } = await attemptAt(start, { url: `http://127.0.0.1:${port}/` })
      expect(attempt).toMatchObject({ outcome: 'body', status: null })
    })

    test('on a closed port counts as refused', async () => {
      const { attempt } = await attemptAt(start, { url: 'http://127.0.0.1:9/' })
      expect(attempt).toMatchObject({ outcome: 'refused', status: null, ip: null })
    })

    test('with an unknown name counts as a DNS failure', async () => {
      const lookup: Lookup = (_, answer) => answer(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), [])
      const { attempt } = await attemptAt(start, { url: 'http://unknown.example/', lookup })
      expect(attempt).toMatchObject({ outcome: 'dns', status: null, ip: null })
    })

    test('without TLS behind an https URL counts as a TLS failure', async () => {
      const receiver = await startReceiver(status(204))
      const { attempt } = await attemptAt(start, { url: receiver.url.replace('http:', 'https:') })
      expect(attempt).toMatchObject({ outcome: 'tls', status: null })
    })

    test('may respond with bytes that a database cannot store', async () => {
      const { attempt } = await attemptAt(start, {
        reply: (response) => void response.writeHead(200).end(Buffer.from([65, 0, 255, 66])),
      })
      expect(attempt).toMatchObject({ outcome: 'ok', response: 'A\uFFFDB' })
    })
  },
  ['memory', 'postgres'],
)
