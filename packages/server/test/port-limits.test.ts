import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import type { ServerOptions } from '../src/index.ts'
import { collectedLog } from './collected-log.ts'
import { gate } from './gate.ts'
import { type ManualClock, manualClock } from './manual-clock.ts'
import { onEveryStore, type Start } from './on-every-store.ts'
import { seedWorkspace } from './workspace.ts'

const kilobyte = 1000
const noRoom = 'The server holds too many request bodies at the moment. Try again soon.'
const tooBusy = 'The server has too much to do at the moment. Try again soon.'

async function startPort(start: Start, options: ServerOptions = {}) {
  const server = await start({ rateLimit: 'off', ...options })
  const { workspace, token } = await seedWorkspace(server)
  const { url, port } = await server.listen()
  const path = `/api/v1/workspaces/${workspace.id}/tickets`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return { server, workspace, url, port, path, headers }
}

type Port = Awaited<ReturnType<typeof startPort>>

interface Sending {
  readonly length?: number
  readonly address?: string
  readonly expect?: string
}

/** Sends the head of a POST and leaves the body to the test. */
function beginPost({ port, path, headers }: Port, { length, address, expect: wanted }: Sending = {}) {
  const request = httpRequest({
    ...{ port, path, method: 'POST', agent: false },
    headers: {
      ...headers,
      ...(length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
      ...(wanted === undefined ? {} : { expect: wanted }),
    },
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
  // A request that the test ends itself has no answer.
  answer.catch(() => undefined)
  request.flushHeaders()
  return { request, answer }
}

const refusedFor = (message: string) => ({ status: 503, headers: { 'retry-after': '1' }, message })

/** A POST whose body the server has made room for and waits for. */
async function hold(port: Port, sending: Sending) {
  const { request } = beginPost(port, { ...sending, expect: '100-continue' })
  await once(request, 'continue')
  return request
}

onEveryStore(
  'the budget of request bodies on a port',
  (start) => {
    const limits = { maxBodyBytesInFlight: 1000 * kilobyte, maxBodyBytesPerAddress: 600 * kilobyte }
    const isRefused = async (port: Port, sending: Sending) => {
      const { request, answer } = beginPost(port, { ...sending, expect: '100-continue' })
      const asked = new Promise<boolean>((resolve) => request.once('continue', () => resolve(false)))
      const refused = await Promise.race([asked, answer.then(({ status }) => status === 503)])
      request.destroy()
      return refused
    }

    test('refuses with 503 what an address sends beyond its share, reads nothing of it, and lets others in', async () => {
      const port = await startPort(start, { ...limits, trustedProxies: ['127.0.0.1'] })
      const held = await hold(port, { length: 500 * kilobyte, address: '192.0.2.1' })
      const second = beginPost(port, { length: 500 * kilobyte, address: '192.0.2.1' })
      expect(await second.answer).toMatchObject(refusedFor(noRoom))
      expect(await isRefused(port, { length: 450 * kilobyte, address: '192.0.2.2' })).toBe(false)
      held.destroy()
    })

    test('refuses with 503 what all addresses together send beyond the whole', async () => {
      const port = await startPort(start, { ...limits, trustedProxies: ['127.0.0.1'] })
      const held = await hold(port, { length: 550 * kilobyte, address: '192.0.2.1' })
      const second = beginPost(port, { length: 500 * kilobyte, address: '192.0.2.2' })
      expect(await second.answer).toMatchObject(refusedFor(noRoom))
      held.destroy()
    })

    test('has room again when the sender has gone', async () => {
      const port = await startPort(start, limits)
      const held = await hold(port, { length: 500 * kilobyte })
      expect(await isRefused(port, { length: 500 * kilobyte })).toBe(true)
      held.destroy()
      await expect.poll(() => isRefused(port, { length: 500 * kilobyte })).toBe(false)
      const body = JSON.stringify({ title: 'Printer on fire', description: 'x'.repeat(50 * kilobyte) })
      const answer = await fetch(`${port.url}${port.path}`, { method: 'POST', headers: port.headers, body })
      expect(answer.status).toBe(201)
    })

    test('counts a body without a length as it grows', async () => {
      const port = await startPort(start, limits)
      const { request, answer } = beginPost(port)
      request.write(Buffer.alloc(700 * kilobyte, 0x20))
      expect(await answer).toMatchObject(refusedFor(noRoom))
    })

    test('lets who is still sending read the refusal', async () => {
      const port = await startPort(start, { ...limits, maxBodyBytesPerAddress: 100 * kilobyte })
      const body = Buffer.alloc(900 * kilobyte, 0x20)
      const posts = Array.from({ length: 10 }, () =>
        fetch(`${port.url}${port.path}`, { method: 'POST', headers: port.headers, body }),
      )
      const statuses = (await Promise.all(posts)).map(({ status }) => status)
      expect(statuses).toEqual(statuses.map(() => 503))
    })

    test('counts no small body: a thousand at once are answered by an embedded server', async () => {
      const port = await startPort(start, limits)
      const post = (title: string) =>
        fetch(`${port.url}${port.path}`, { method: 'POST', headers: port.headers, body: JSON.stringify({ title }) })
      const answers = await Promise.all(Array.from({ length: 1000 }, (_, index) => post(`Ticket ${index}`)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    })
  },
  ['memory'],
)

const postTicket = ({ url, path, headers }: Port) =>
  fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify({ title: 'Printer on fire' }) })

/** Keeps this thread busy, as long work does, so that others arrive meanwhile; measured is what the clock says. */
function busyFor(ms: number, clock: ManualClock): void {
  for (const until = performance.now() + ms; performance.now() < until; );
  clock.advance(ms * 1000)
}

/** Time that is moved by hand, with timers that fall due by it. */
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
    advance(micros: number) {
      clock.advance(micros)
      for (const timer of [...timers]) if (timer.dueMs <= elapsedMs() && timers.delete(timer)) timer.act()
    },
  }
}

onEveryStore(
  'uploads',
  (start) => {
    test('are ended with 408 when they hardly move, and go on when they come at a fair rate', async () => {
      const clock = clockWithTimers()
      const port = await startPort(start, { clock, maxBodyBytesPerAddress: 40_000 * kilobyte })
      const begin = async () => {
        const upload = beginPost(port, { length: 900 * kilobyte, expect: '100-continue' })
        await new Promise((resolve) => upload.request.once('continue', resolve))
        return upload
      }
      const slow = await begin()
      const fair = await begin()
      await new Promise((resolve) => fair.request.write(Buffer.alloc(600 * kilobyte, 0x20), resolve))
      for (let second = 0; second < 4; second += 1) clock.advance(1_000_000)
      expect((await fetch(`${port.url}/livez`)).status).toBe(200)
      clock.advance(1_000_000)
      expect(await slow.answer).toMatchObject({ status: 408, message: 'The request body came too slowly.' })
      fair.request.end(Buffer.alloc(300 * kilobyte, 0x20))
      expect((await fair.answer).status).toBe(422)
    })

    test('that were held up by the server are not blamed', async () => {
      const clock = clockWithTimers()
      const port = await startPort(start, { clock })
      const upload = beginPost(port, { length: 100, expect: '100-continue' })
      await new Promise((resolve) => upload.request.once('continue', resolve))
      for (let look = 0; look < 10; look += 1) clock.advance(20_000_000)
      upload.request.end(Buffer.alloc(100, 0x20))
      expect((await upload.answer).status).toBe(422)
    })

    test('that are answered before they have been read can be sent on without a reset', async () => {
      const port = await startPort(start)
      const socket = connect({ port: port.port, host: '127.0.0.1', allowHalfOpen: true })
      const closed = new Promise<string>((resolve, reject) => {
        let said = ''
        socket.setEncoding('utf8').on('data', (text: string) => {
          said += text
        })
        socket.once('error', reject)
        socket.once('close', () => resolve(said))
        const send = (left: number) => {
          if (left === 0) socket.end()
          else socket.write(Buffer.alloc(10 * kilobyte, 0x20), () => void setImmediate(send, left - 1))
        }
        // The server has closed its side, which is when a reset would follow what we still send.
        socket.once('end', () => send(85))
      })
      socket.write(
        `POST ${port.path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer none\r\ncontent-type: application/json\r\ncontent-length: ${900 * kilobyte}\r\n\r\n`,
      )
      socket.write(Buffer.alloc(50 * kilobyte, 0x20))
      expect(await closed).toMatch(/^HTTP\/1\.1 401 /)
    })
  },
  ['memory'],
)

onEveryStore(
  'a port that sheds load',
  (start) => {
    async function startFull() {
      const entered = gate()
      const held = gate()
      const log = collectedLog()
      const hooks = {
        async ticketCreated() {
          entered.open()
          await held.passed
        },
      }
      const port = await startPort(start, { hooks, log, loadShedding: true, maxRequestsInFlight: 1 })
      const post = () =>
        fetch(`${port.url}${port.path}`, {
          method: 'POST',
          headers: port.headers,
          body: JSON.stringify({ title: 'Held' }),
        })
      const first = post()
      await entered.passed
      return { ...port, post, first, log, letGo: held.open }
    }

    test('refuses what is too much with 503 and Retry-After, and finishes what it has begun', async () => {
      const { post, first, letGo } = await startFull()
      const refused = await post()
      expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
        503,
        '1',
        { message: tooBusy },
      ])
      letGo()
      expect((await first).status).toBe(201)
      expect((await post()).status).toBe(201)
    })

    test('goes on saying that it lives and is ready', async () => {
      const { url, first, letGo } = await startFull()
      const health = await Promise.all(['/livez', '/readyz'].map((path) => fetch(`${url}${path}`)))
      expect(health.map(({ status }) => status)).toEqual([200, 200])
      letGo()
      await first
    })

    test('refuses a write whose turn would come late, however few wait', async () => {
      const clock = manualClock()
      const hooks = { ticketCreated: async () => busyFor(15, clock) }
      const port = await startPort(start, { hooks, clock, loadShedding: true })
      const crowd = async () => {
        const answers = await Promise.all(Array.from({ length: 25 }, () => postTicket(port)))
        return answers.map(({ status }) => status)
      }
      await crowd()
      await crowd()
      const statuses = await crowd()
      expect(new Set(statuses)).toEqual(new Set([201, 503]))
      expect(statuses.filter((status) => status === 201).length).toBeLessThan(12)
      expect((await fetch(`${port.url}${port.path}`, { headers: port.headers })).status).toBe(200)
    })

    /** Clients whose requests all come in one turn of the event loop, in which each is worked on for so long. */
    async function statusesOfOneTurn({ clients, busyMs }: { clients: number; busyMs: number }): Promise<string[]> {
      let isSlow = false
      const clock = manualClock()
      const ids = {
        uuid() {
          if (isSlow) busyFor(busyMs, clock)
          return randomUUID()
        },
        bytes: (length: number) => randomBytes(length),
      }
      const port = await startPort(start, { ids, clock, loadShedding: true })
      const text = `GET ${port.path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${port.headers.authorization}\r\n\r\n`
      const sockets = await Promise.all(
        Array.from({ length: clients }, async () => {
          const socket = connect(port.port, '127.0.0.1')
          await once(socket, 'connect')
          return socket
        }),
      )
      await fetch(`${port.url}/livez`)
      isSlow = true
      const heads = sockets.map(async (socket) => {
        socket.write(text)
        const [head] = await once(socket, 'data')
        socket.destroy()
        return String(head).slice(9, 12)
      })
      return Promise.all(heads)
    }

    test('refuses what has waited in its socket while a turn of the event loop lasted', async () => {
      const statuses = await statusesOfOneTurn({ clients: 12, busyMs: 25 })
      expect([statuses[0], new Set(statuses)]).toEqual(['200', new Set(['200', '503'])])
    })

    test('refuses none of seven that come in one turn, however long that lasts', async () => {
      const statuses = await statusesOfOneTurn({ clients: 7, busyMs: 150 })
      expect(statuses).toEqual(Array.from({ length: 7 }, () => '200'))
    })

    test('does not count a request whose body is still on its way', async () => {
      const port = await startPort(start, { loadShedding: true, maxRequestsInFlight: 1 })
      const halfSent = Array.from({ length: 5 }, () => beginPost(port, { length: 100 }))
      const sockets = halfSent.map(({ request }) => new Promise((resolve) => request.once('socket', resolve)))
      await Promise.all(sockets)
      const answer = await fetch(`${port.url}${port.path}`, { headers: port.headers })
      expect(answer.status).toBe(200)
      for (const { request } of halfSent) request.destroy()
    })

    test('warns once, and counts each refusal for /metrics', async () => {
      const { post, first, log, letGo } = await startFull()
      for (const answer of await Promise.all([post(), post(), post()])) expect(answer.status).toBe(503)
      expect(log.lines.filter(({ level }) => level === 'warn').map(({ sentence }) => sentence)).toEqual([
        `Requests are refused with 503. ${tooBusy}`,
      ])
      letGo()
      await first
    })
  },
  ['memory'],
)

onEveryStore(
  'a port that drains',
  (start) => {
    /** A connection that is kept, as an agent does. */
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

    /** Nobody is listening any more once a new connection is refused. */
    async function untilRefused(url: string): Promise<void> {
      const isTaken = () =>
        fetch(`${url}/livez`, { headers: { connection: 'close' } }).then(
          () => true,
          () => false,
        )
      while (await isTaken());
    }

    test('answers on connections that were idle, says on them that it is the last time, and is not ready', async () => {
      const server = await start({ drainIdleMs: 60_000 })
      const { url, port } = await server.listen()
      const recorded = keepConnection(port)
      const first = recorded.says('{"status":"ok"}')
      recorded.get('/livez')
      await first
      const closing = server.close()
      await untilRefused(url)
      recorded.get('/readyz')
      const said = await recorded.ended
      expect(statusesIn(said)).toEqual(['200', '503'])
      expect(said.match(/connection: close/gi)).toHaveLength(1)
      expect(said).toContain('{"status":"unavailable","reason":"draining"}')
      await closing
    })

    test('answers every request that stands in line on one connection', async () => {
      const entered = gate()
      const held = gate()
      const hooks = {
        async ticketCreated() {
          entered.open()
          await held.passed
        },
      }
      const port = await startPort(start, { hooks, drainIdleMs: 60_000 })
      const body = JSON.stringify({ title: 'Held' })
      const socket = keepConnection(port.port)
      const post = `POST ${port.path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${port.headers.authorization}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      socket.send(post.repeat(5))
      await entered.passed
      const closing = port.server.close()
      await untilRefused(port.url)
      held.open()
      const said = await socket.ended
      expect(statusesIn(said)).toEqual(['201', '201', '201', '201', '201'])
      expect(said.match(/connection: close/gi)).toHaveLength(1)
      await closing
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

    test('serves on while others hear that it is not ready', async () => {
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

/** After a turn of the event loop and before the next: to no request does the turn seem long in which it arrives. */
const betweenTurns = (act: () => void) =>
  new Promise<void>((resolve) => {
    setImmediate(() => {
      act()
      resolve()
    })
  })

// Where writers take turns the wait for one's turn is the shorter limit; here only those in flight count.
onEveryStore(
  'a port that sheds load, with a database that many write to at once,',
  (start) => {
    test('refuses none of thirty clients that each wait for their answer, however long that takes', async () => {
      const clock = manualClock()
      const hooks = { ticketCreated: () => betweenTurns(() => clock.advance(1_000_000)) }
      const port = await startPort(start, { hooks, clock, loadShedding: true })
      const statuses: number[] = []
      const run = async () => {
        for (let at = 0; at < 10; at += 1) statuses.push((await postTicket(port)).status)
      }
      await Promise.all(Array.from({ length: 30 }, run))
      expect(statuses).toEqual(Array.from({ length: 300 }, () => 201))
    })

    test('refuses what would wait too long, by how long requests take when many are in flight', async () => {
      const clock = manualClock()
      const hooks = { ticketCreated: () => betweenTurns(() => clock.advance(1_000_000)) }
      const port = await startPort(start, { hooks, clock, loadShedding: true })
      const crowd = async () => {
        const answers = await Promise.all(Array.from({ length: 200 }, () => postTicket(port)))
        return answers.map(({ status }) => status)
      }
      await crowd()
      const statuses = await crowd()
      expect(new Set(statuses)).toEqual(new Set([201, 503]))
      expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(32)
    })
  },
  ['postgres'],
)
