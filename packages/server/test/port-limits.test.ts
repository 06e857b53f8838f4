import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerOptions } from '../src/index.ts'
import { listen } from '../src/runtime/listen.ts'
import { collectedLog } from './collected-log.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore, type Start } from './on-every-store.ts'
import { seedWorkspace } from './workspace.ts'

const kilobyte = 1000
const noRoom = 'The server holds too many request bodies. Send this one again soon.'
const tooBusy = 'The server is busy. Retry the request after the time in the Retry-After header.'

/** The server runs at most this many handlers at once, and lets this many requests wait. */
const slots = 64
const longestQueue = 1024

/** A manual clock with timers. */
function clockWithTimers() {
  const clock = manualClock()
  const elapsedMs = () => clock.elapsedMs?.() ?? 0
  const timers = new Set<{ readonly dueMs: number; readonly act: () => void }>()
  return {
    now: clock.now,
    elapsedMs,
    after(delayMs: number, act: () => void) {
      const timer = { dueMs: elapsedMs() + delayMs, act }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    /** The number of timers due after this long. */
    waitsOf: (ms: number) => [...timers].filter(({ dueMs }) => dueMs - elapsedMs() === ms).length,
    advance(micros: number) {
      clock.advance(micros)
      for (const timer of [...timers]) if (timer.dueMs <= elapsedMs() && timers.delete(timer)) timer.act()
    },
  }
}

async function startPort(start: Start, options: ServerOptions = {}) {
  const clock = clockWithTimers()
  const server = await start({ rateLimit: 'off', clock, ...options })
  const { workspace, token } = await seedWorkspace(server)
  const { url, port } = await server.listen()
  const path = `/api/v1/workspaces/${workspace.id}/tickets`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = () => fetch(url + path, { method: 'POST', headers, body: JSON.stringify({ title: 'Printer on fire' }) })
  const list = () => fetch(url + path, { headers })
  return { server, clock, url, port, path, headers, post, list }
}

type Port = Awaited<ReturnType<typeof startPort>>

/** Sends the head of a POST and leaves the body to the test. Without a length the body is chunked. */
function beginPost({ port, path, headers }: Pick<Port, 'port' | 'path' | 'headers'>, length?: number) {
  const request = httpRequest({
    ...{ port, path, method: 'POST', agent: new Agent({ keepAlive: true }) },
    headers: { ...headers, ...(length === undefined ? {} : { 'content-length': length }) },
  })
  const answer = new Promise<{ status: number; headers: IncomingMessage['headers']; message: string }>(
    (resolve, reject) => {
      request.on('error', reject)
      request.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, message: JSON.parse(text).message })
          request.destroy()
        })
      })
    },
  )
  // A request that the test aborts has no response.
  answer.catch(() => undefined)
  request.flushHeaders()
  return { request, answer }
}

const statusesOf = async (answers: readonly Promise<Response>[]) =>
  (await Promise.all(answers)).map(({ status }) => status)
const repeat = <Item>(count: number, item: () => Item): Item[] => Array.from({ length: count }, item)

onEveryStore(
  'work on a port',
  (start) => {
    /** A port on which every creation waits in its handler until `release()`. */
    async function startHeld() {
      const held = Promise.withResolvers<void>()
      const log = collectedLog()
      const hooks = {
        ticketCreated: () => held.promise,
      }
      const port = await startPort(start, { hooks, log })
      return { ...port, log, release: held.resolve }
    }

    /** Fills every slot and lets one more request wait. */
    async function fillSlots({ post, clock }: Port) {
      const posts = repeat(slots + 1, post)
      await expect.poll(() => clock.waitsOf(10_000)).toBe(1)
      return posts
    }

    test('answers 300 concurrent creates and 300 concurrent lists on a fresh server', async () => {
      const { post, list } = await startPort(start)
      const statuses = await statusesOf([...repeat(300, post), ...repeat(300, list)])
      expect(statuses).toEqual([...repeat(300, () => 201), ...repeat(300, () => 200)])
    })

    test('queues 1,024 requests while 64 are handled, and refuses more with 503 and Retry-After', async () => {
      const port = await startHeld()
      const { post, list, release, log } = port
      const refused: { status: number; retryAfter: string | null; body: unknown }[] = []
      const statuses = repeat(slots + longestQueue + 3, async () => {
        const answer = await post()
        if (answer.status === 503)
          refused.push({ status: 503, retryAfter: answer.headers.get('retry-after'), body: await answer.json() })
        return answer.status
      })
      await expect.poll(() => refused.length).toBe(3)
      release()
      expect((await Promise.all(statuses)).filter((status) => status === 201)).toHaveLength(slots + longestQueue)
      expect(refused).toEqual(repeat(3, () => ({ status: 503, retryAfter: '1', body: { message: tooBusy } })))
      expect(log.lines.filter(({ level }) => level === 'warn').map(({ sentence }) => sentence)).toEqual([
        `Requests are refused with 503. ${tooBusy}`,
      ])
      expect((await list()).status).toBe(200)
    })

    test('answers health checks while every slot is taken', async () => {
      const port = await startHeld()
      const posts = await fillSlots(port)
      expect(await statusesOf(['/livez', '/readyz'].map((path) => fetch(port.url + path)))).toEqual([200, 200])
      port.release()
      expect(new Set(await statusesOf(posts))).toEqual(new Set([201]))
    })

    test('refuses with 503 a request that has waited for ten seconds', async () => {
      const port = await startHeld()
      const posts = await fillSlots(port)
      port.clock.advance(10_000_000)
      expect((await Promise.any(posts)).status).toBe(503)
      port.release()
      const statuses = await statusesOf(posts)
      expect(statuses.filter((status) => status === 201)).toHaveLength(slots)
      expect((await port.list()).status).toBe(200)
    })

    test('does not count a request whose client disconnected while it waited', async () => {
      const port = await startHeld()
      const posts = await fillSlots(port)
      const gone = repeat(2 * slots, () => beginPost(port, 2))
      for (const { request } of gone) request.end('{}')
      await expect.poll(() => port.clock.waitsOf(10_000)).toBe(1 + 2 * slots)
      const closed = gone.map(({ request }) => new Promise((resolve) => request.once('close', resolve).destroy()))
      await Promise.all(closed)
      expect((await fetch(`${port.url}/livez`)).status).toBe(200)
      port.release()
      expect(new Set(await statusesOf(posts))).toEqual(new Set([201]))
      expect(new Set(await statusesOf(repeat(2 * slots, port.post)))).toEqual(new Set([201]))
    })

    test('does not count a request whose body has not arrived', async () => {
      const port = await startPort(start)
      const halfSent = repeat(2 * slots, () => beginPost(port, 100))
      for (const { request } of halfSent) request.write('{"title"')
      await Promise.all(halfSent.map(({ request }) => once(request, 'socket')))
      expect(await statusesOf(repeat(2 * slots, port.post))).toEqual(repeat(2 * slots, () => 201))
      for (const { request } of halfSent) request.end(`: "Printer on fire"}`.padEnd(100 - '{"title"'.length))
      const answers = await Promise.all(halfSent.map(({ answer }) => answer))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    })

    test('does not count responses that are not read', async () => {
      const port = await startPort(start)
      await Promise.all(repeat(50, port.post))
      const head = `GET ${port.path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${port.headers.authorization}\r\n\r\n`
      const silent = repeat(4, () => connect(port.port, '127.0.0.1'))
      for (const socket of silent) {
        socket.pause().write(head.repeat(100))
        await once(socket, 'connect')
      }
      expect(await statusesOf(repeat(2 * slots, port.list))).toEqual(repeat(2 * slots, () => 200))
      for (const socket of silent) socket.destroy()
    })
  },
  ['memory'],
)

onEveryStore(
  'request bodies on a port',
  (start) => {
    const limits = { maxBodyBytesInFlight: 600 * kilobyte }

    /** A POST that stops after this many bytes. */
    async function hold(port: Port, sentBytes: number) {
      const { request } = beginPost(port, 900 * kilobyte)
      await new Promise((resolve) => request.write(Buffer.alloc(sentBytes, 0x20), resolve))
      return request
    }
    const sendLarge = (port: Port) =>
      fetch(port.url + port.path, { method: 'POST', headers: port.headers, body: Buffer.alloc(300 * kilobyte, 0x20) })

    test('are refused with 503 over the budget and accepted again when it is free', async () => {
      const port = await startPort(start, limits)
      const held = await hold(port, 500 * kilobyte)
      await expect.poll(async () => (await sendLarge(port)).status).toBe(503)
      const refused = await sendLarge(port)
      expect([refused.headers.get('retry-after'), await refused.json()]).toEqual(['1', { message: noRoom }])
      held.destroy()
      await expect.poll(async () => (await sendLarge(port)).status).toBe(422)
    })

    test('that arrive for ten seconds give their room to others', async () => {
      const port = await startPort(start, limits)
      const { request, answer } = beginPost(port, 900 * kilobyte)
      request.write(Buffer.alloc(500 * kilobyte, 0x20))
      await expect.poll(async () => (await sendLarge(port)).status).toBe(503)
      port.clock.advance(10_000_000)
      expect((await sendLarge(port)).status).toBe(422)
      expect(await answer).toMatchObject({ status: 503, message: noRoom })
    })

    test('up to 64 KiB are always accepted', async () => {
      const port = await startPort(start, limits)
      const held = await hold(port, 500 * kilobyte)
      await expect.poll(async () => (await sendLarge(port)).status).toBe(503)
      const body = JSON.stringify({ title: 'Printer on fire', description: 'x'.repeat(60 * kilobyte) })
      const post = () => fetch(port.url + port.path, { method: 'POST', headers: port.headers, body })
      expect(await statusesOf(repeat(20, post))).toEqual(repeat(20, () => 201))
      held.destroy()
    })

    test('without a length are counted as they arrive', async () => {
      const port = await startPort(start, limits)
      const { request, answer } = beginPost(port)
      request.write(Buffer.alloc(700 * kilobyte, 0x20))
      expect(await answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' }, message: noRoom })
    })

    const megabytes = 20 * 1000 * kilobyte
    test.each([
      { refused: 'the token is unknown', authorization: 'Bearer none', status: 401, connection: 'keep-alive' },
      { refused: 'the token is unknown', authorization: 'Bearer none', status: 401, connection: 'close' },
      { refused: 'the body is too large', authorization: undefined, status: 413, connection: 'keep-alive' },
      { refused: 'the body is too large', authorization: undefined, status: 413, connection: 'close' },
    ])('of 20 MB can be sent completely before reading $status, with Connection: $connection', async (refusal) => {
      const port = await startPort(start)
      const authorization = refusal.authorization ?? port.headers.authorization
      const socket = connect(port.port, '127.0.0.1')
      const head = `POST ${port.path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\nconnection: ${refusal.connection}\r\ncontent-type: application/json\r\ncontent-length: ${megabytes}\r\n\r\n`
      socket.pause().write(head)
      for (let sent = 0; sent < megabytes; sent += 100 * kilobyte)
        await new Promise<void>((resolve, reject) => {
          socket.write(Buffer.alloc(100 * kilobyte, 0x20), (fault) => (fault ? reject(fault) : resolve()))
        })
      const [answer] = await once(socket.resume(), 'data')
      expect(String(answer)).toMatch(new RegExp(`^HTTP/1\\.1 ${refusal.status} `))
      socket.destroy()
    })
  },
  ['memory'],
)

onEveryStore(
  'a connection',
  (start) => {
    test('handles 12,500 POSTs and then one that closes it', async () => {
      const port = await startPort(start)
      const head = `POST ${port.path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer none\r\ncontent-length: 2\r\n`
      const socket = connect(port.port, '127.0.0.1')
      let said = ''
      let answers = 0
      socket.setEncoding('latin1').on('data', (text: string) => {
        said += text
        answers += said.split('HTTP/1.1 401').length - 1
        said = said.slice(said.lastIndexOf('HTTP/1.1 401') + 1)
      })
      const perWrite = 250
      for (let sent = perWrite; sent <= 12_500; sent += perWrite) {
        socket.write(`${head}\r\n{}`.repeat(perWrite))
        while (answers < sent) await once(socket, 'data')
      }
      socket.write(`${head}connection: close\r\n\r\n{}`)
      await once(socket, 'end')
      expect(answers).toBe(12_501)
      expect((await fetch(`${port.url}/livez`)).status).toBe(200)
    }, 120_000)
  },
  ['memory'],
)

test('a silent connection is closed, but not while its request is handled', async () => {
  const options = { replacesGlobals: false, idleMs: 0, silenceMs: 50, keepsAlive: true, onFull: () => undefined }
  const { promise: answer, resolve } = Promise.withResolvers<void>()
  const port = await listen(() => answer.then(() => new Response('after a long time')), {}, options)
  onTestFinished(() => port.stop())
  const open = (text: string) => {
    const socket = connect(port.port, '127.0.0.1')
    socket.write(text)
    return socket
  }
  const waiting = open('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  const said = text(waiting)
  for (const silent of ['GET / HTTP/1.1\r\n', 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n']) {
    const socket = open(silent)
    await once(socket.resume(), 'close')
    expect(socket.bytesRead).toBe(0)
  }
  resolve()
  expect(await said).toContain('after a long time')
})

onEveryStore(
  'a port that drains',
  (start) => {
    /** A keep-alive connection. */
    function keepConnection(port: number) {
      const socket = connect(port, '127.0.0.1')
      let said = ''
      const heard: { readonly text: string; readonly act: () => void }[] = []
      socket.setEncoding('utf8').on('data', (text: string) => {
        said += text
        for (const { text: wanted, act } of heard) if (said.includes(wanted)) act()
      })
      const ended = new Promise<string>((resolve, reject) => {
        socket.once('error', reject)
        socket.once('end', () => resolve(said))
      })
      ended.catch(() => undefined)
      return {
        ended,
        send: (text: string) => socket.write(text),
        get: (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`),
        says: (text: string) => new Promise<void>((resolve) => void heard.push({ text, act: resolve })),
      }
    }
    const statusesIn = (said: string) => [...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

    /** Waits until new connections are answered with `Connection: close`. */
    async function untilStopping(url: string): Promise<void> {
      while ((await fetch(`${url}/livez`)).headers.get('connection') !== 'close');
    }

    test('answers on idle connections with Connection: close, and is not ready', async () => {
      const server = await start({ drainIdleMs: 60_000 })
      const { url, port } = await server.listen()
      const recorded = keepConnection(port)
      const first = recorded.says('{"status":"ok"}')
      recorded.get('/livez')
      await first
      const closing = server.close()
      await untilStopping(url)
      recorded.get('/readyz')
      const said = await recorded.ended
      expect(statusesIn(said)).toEqual(['200', '503'])
      expect(said.match(/connection: close/gi)).toHaveLength(1)
      expect(said).toContain('{"status":"unavailable","reason":"draining"}')
      await closing
      await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed')
    })

    test('closes idle connections at once in a test', async () => {
      const server = await start()
      const { port } = await server.listen()
      const recorded = keepConnection(port)
      const first = recorded.says('{"status":"ok"}')
      recorded.get('/livez')
      await first
      await server.close()
      expect(statusesIn(await recorded.ended)).toEqual(['200'])
    })

    test('keeps serving while it reports that it is not ready', async () => {
      const server = await start({ drainDelayMs: 200 })
      const { url } = await server.listen()
      const closing = server.close()
      const answers = await Promise.all([fetch(`${url}/readyz`), fetch(`${url}/livez`)])
      expect(answers.map(({ status }) => status)).toEqual([503, 200])
      await closing
    })
  },
  ['memory'],
)

test('a stop closes a connection on which no request was sent while another request is answered', async () => {
  const options = { replacesGlobals: false, idleMs: 0, silenceMs: 60_000, keepsAlive: true, onFull: () => undefined }
  const { promise: answer, resolve } = Promise.withResolvers<void>()
  const { promise: asked, resolve: arrive } = Promise.withResolvers<void>()
  const handle = () => {
    arrive()
    return answer.then(() => new Response('after the stop began'))
  }
  const port = await listen(handle, {}, options)
  const unused = connect(port.port, '127.0.0.1')
  await once(unused, 'connect')
  const waiting = fetch(port.url)
  await asked
  const stopped = port.stop()
  await once(unused.resume(), 'close')
  resolve()
  expect(await (await waiting).text()).toBe('after the stop began')
  await stopped
})
