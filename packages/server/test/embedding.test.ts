import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { ConfigError, createServer, type Server, type ServerOptions } from '../src/index.ts'
import { collectedLog } from './collected-log.ts'
import { onEveryStore } from './on-every-store.ts'
import { createDatabase } from './postgres-databases.ts'
import { call, clientOf, seedWorkspace } from './workspace.ts'

const body = JSON.stringify({ title: 'Broken' })

/** A server whose ticket creations wait in a hook until `release`. */
async function startHeld(start: (options: object) => Promise<Server>) {
  const entered = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const server = await start({
    hooks: {
      async ticketCreated() {
        entered.resolve()
        await held.promise
      },
    },
  })
  const seeded = await seedWorkspace(server)
  const post = (url: string) =>
    new Request(`${url}/api/v1/workspaces/${seeded.workspace.id}/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seeded.token}`, 'content-type': 'application/json' },
      body,
    })
  return { server, post, entered: entered.promise, release: held.resolve }
}

onEveryStore('closing', (start) => {
  test('finishes a request on a port, accepts no new ones, and is idempotent', async () => {
    const { server, post, entered, release } = await startHeld(start)
    const { url } = await server.listen()
    const response = fetch(post(url))
    await entered
    const closing = [server.close(), server.close()]
    await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed')
    release()
    const answer = await response
    expect([answer.status, await answer.json()]).toMatchObject([201, { data: { ticket_number: 'TKT-00001' } }])
    await Promise.all(closing)
  })

  test('finishes a request in process', async () => {
    const { server, post, entered, release } = await startHeld(start)
    const response = server.fetch(post('http://platform.example'))
    await entered
    const closing = server.close()
    release()
    expect((await response).status).toBe(201)
    await closing
  })

  test('finishes requests that have just started', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const answers = Promise.all(
      [1, 2, 3].map(() => call(server, { method: 'POST', path, token, body: { title: 'x' } })),
    )
    await server.close()
    expect((await answers).map(({ status }) => status)).toEqual([201, 201, 201])
  })
})

onEveryStore(
  'an embedded platform',
  (start) => {
    test('is independent of another server in the process', async () => {
      const one = await start()
      const two = await start({ rateLimit: 'off' })
      const seeded = await seedWorkspace(one)
      const other = await seedWorkspace(two)
      await clientOf(one, seeded).tickets.create({ title: 'Mine' })
      expect(seeded.workspace.id).toBe(other.workspace.id)
      expect(await clientOf(two, other).tickets.list()).toEqual([])
      await expect(clientOf(two, seeded).tickets.list()).rejects.toMatchObject({ status: 401 })
      await one.close()
      expect(await clientOf(two, other).tickets.list()).toEqual([])
    })

    test('closes at the end of a block with await using', async () => {
      let url = ''
      {
        await using server = await createServer()
        url = (await server.listen()).url
        expect((await fetch(`${url}/livez`)).status).toBe(200)
      }
      await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed')
    })

    test('accepts a Request, a URL, or text, with or without init', async () => {
      const server = await start()
      const url = 'http://platform.example/livez'
      const responses = [
        server.fetch(url),
        server.fetch(new URL(url)),
        server.fetch(new Request(url)),
        server.fetch(url, { headers: { 'x-request-id': 'a' } }),
        server.fetch(new Request(url), { headers: { 'x-request-id': 'a' } }),
      ]
      expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      const { workspace, token } = await seedWorkspace(server)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const path = `http://platform.example/api/v1/workspaces/${workspace.id}/tickets`
      expect((await server.fetch(path, { method: 'POST', headers, body })).status).toBe(201)
      expect((await server.fetch(new Request(path, { method: 'POST', headers, body }))).status).toBe(201)
      expect((await server.fetch(new Request(path, { headers }), { method: 'POST', body, headers })).status).toBe(201)
    })

    test('opens several ports to the same data, free ones by default', async () => {
      const server = await start()
      const { workspace, token } = await seedWorkspace(server)
      const ports = [
        await server.listen(),
        await server.listen({ port: 0 }),
        await server.listen({ host: 'localhost' }),
      ]
      expect(new Set(ports.map(({ port }) => port)).size).toBe(3)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      for (const { url } of ports) {
        const answer = await fetch(`${url}/api/v1/workspaces/${workspace.id}/tickets`, {
          method: 'POST',
          headers,
          body,
        })
        expect(answer.status).toBe(201)
      }
      expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toHaveLength(3)
    })

    test('rejects a port that is in use', async () => {
      const server = await start()
      const { port } = await server.listen()
      await expect(server.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    })

    test('rejects a host of another machine with a remedy', async () => {
      const server = await start()
      await expect(server.listen({ host: '192.0.2.1' })).rejects.toThrow(
        'The host 192.0.2.1 is no address of this machine. Listen on 127.0.0.1, or on 0.0.0.0 for all addresses.',
      )
    })

    test('reports all invalid options at once', async () => {
      const wrong = {
        rateLimit: -1,
        validation: 'loose',
        createdStatus: 204,
        databaseUrl: 'mysql://u:hunter2@db',
        data: '',
      }
      // A caller in JavaScript is not stopped by the types.
      const refused: unknown = await createServer(wrong as never).catch((fault: unknown) => fault)
      expect(refused).toBeInstanceOf(ConfigError)
      const { problems } = refused as ConfigError // checked in the line above
      expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(Object.keys(wrong).sort())
      expect(problems.join()).not.toContain('hunter2')
    })

    test('accepts an IPv6 address in brackets, as in a URL, wherever it accepts an address', async () => {
      const server = await start({ trustedProxies: ['[::1]'], allowedHosts: ['[::1]'], egressAllow: ['[::1]'] })
      const heard = server.listen({ host: '[::1]' }).then(
        ({ url }) => url,
        ({ message }: Error) => message,
      )
      // The machine may have no IPv6.
      expect(await heard).toMatch(/^http:\/\/\[::1\]:\d+$|^The host ::1 is no address of this machine/)
    })

    test('rejects a proxy that is not an address', async () => {
      await expect(createServer({ trustedProxies: ['proxy.example'] })).rejects.toThrow(
        'trustedProxies must hold addresses or CIDR ranges; one of them is "proxy.example".',
      )
    })
  },
  ['memory'],
)

onEveryStore(
  'a port',
  (start) => {
    const limit = 1024 * 1024

    async function startPosting(options: ServerOptions = {}) {
      const server = await start(options)
      const { workspace, token } = await seedWorkspace(server)
      const { url, port } = await server.listen()
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      return { server, workspace, url, port, path, headers }
    }

    test('rejects a body by its declared length before it is sent', async () => {
      const { port, path, headers } = await startPosting()
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const request = httpRequest(
          { port, path, method: 'POST', headers: { ...headers, 'content-length': limit + 1 } },
          (answer) => {
            resolve(answer.statusCode)
            request.destroy()
          },
        )
        request.on('error', reject)
        request.flushHeaders()
      })
      expect(status).toBe(413)
    })

    test('rejects a body without a length as soon as it is too long', async () => {
      const { server, workspace, url, path, headers } = await startPosting()
      let sent = 0
      const endless = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 65_536
          if (sent > 64 * limit) controller.close()
          else controller.enqueue(new Uint8Array(65_536).fill(0x20))
        },
      })
      // `duplex` is needed for a stream and is missing in the types of some Node versions.
      const init = { method: 'POST', headers, body: endless, duplex: 'half' } as RequestInit
      const answered = await fetch(`${url}${path}`, init).then(
        ({ status }) => status,
        () => 'closed',
      )
      // The server may close before the client reads the response. It must not read the whole body.
      expect([413, 'closed']).toContain(answered)
      expect(sent).toBeLessThan(64 * limit)
      expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toEqual([])
    })

    test('accepts a chunked body within the limit', async () => {
      const { url, path, headers } = await startPosting()
      const chunks = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const part of ['{"title":', '"Bro', 'ken"}']) controller.enqueue(new TextEncoder().encode(part))
          controller.close()
        },
      })
      const init = { method: 'POST', headers, body: chunks, duplex: 'half' } as RequestInit // as above
      const answer = await fetch(`${url}${path}`, init)
      expect(await answer.json()).toMatchObject({ data: { title: 'Broken' } })
    })

    test('continues after a caller disconnects within a body, and logs no error', async () => {
      const log = collectedLog()
      const noticed = Promise.withResolvers<void>()
      const info = (sentence: string) => {
        log.info(sentence)
        noticed.resolve()
      }
      const { server, workspace, url, port, path, headers } = await startPosting({ log: { ...log, info } })
      const socket = connect(port, '127.0.0.1', () => {
        const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
        socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n${head.join('')}\r\n{"title":`, () =>
          socket.destroy(),
        )
      })
      await noticed.promise
      expect(log.lines.map(({ level, sentence }) => [level, sentence])).toEqual([
        ['info', 'POST /workspaces/{workspace}/tickets answered 422.'],
      ])
      expect((await fetch(`${url}/livez`)).status).toBe(200)
      expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toEqual([])
    })
  },
  ['memory'],
)

onEveryStore('health', (start) => {
  test('reports ok while the database responds', async () => {
    const server = await start()
    for (const path of ['/livez', '/readyz']) {
      expect(await call(server, { path })).toMatchObject({ status: 200, body: { status: 'ok' } })
    }
  })
})

onEveryStore('health without a database', () => {
  test('reports live, not ready, and only the reason', async () => {
    const log = collectedLog()
    const { url, drop } = await createDatabase(inject('postgresUrl'))
    const server = await createServer({ databaseUrl: url, log })
    onTestFinished(() => server.close())
    await drop()
    expect((await call(server, { path: '/livez' })).status).toBe(200)
    const database = { read: 'unavailable', write: 'unavailable' }
    await expect
      .poll(async () => (await call(server, { path: '/readyz' })).body)
      .toEqual({ status: 'unavailable', reason: 'database', database })
    expect((await call(server, { path: '/readyz' })).status).toBe(503)
    const errors = log.lines.filter(({ level }) => level === 'error').map(({ sentence }) => sentence)
    expect(errors).toEqual(['The database does not answer.'])
  })
}, ['postgres'])

test('a production server has no test controls', async () => {
  await using server = await createServer()
  expect(Object.keys(server).toSorted()).toEqual(['admin', 'close', 'deliveries', 'fetch', 'listen', 'origin'])
})

test('an option of the test double is rejected with the right function', async () => {
  const options: object = { seed: 'demo' }
  await expect(createServer(options)).rejects.toEqual(
    new TypeError("`seed` is an option of the test double: use createTestServer of '@service/server/testing'."),
  )
  const misspelled: object = { rateLimt: 'off' }
  await expect(createServer(misspelled)).rejects.toThrow('did you mean `rateLimit`?')
})

test.each([
  ['log', false, '`log` is an object with info(), warn(), error(); it was false. Omit the option'],
  ['log', { info() {}, warn() {} }, 'it has no error().'],
  ['clock', { today: () => 1 }, '`clock` is an object with now(); it has no now().'],
  ['clock', { now: () => 1_795_200_713_123 }, '1795200713123 is a time in milliseconds. Multiply it by 1000.'],
  ['ids', () => 'x', '`ids` is an object with uuid(), bytes(); it has no uuid().'],
  ['lookup', {}, '`lookup` is a function, like that of node:dns.'],
  ['hooks', true, '`hooks`: expected an object, but got true.'],
])('an invalid `%s` is rejected before anything is opened: %j', async (name, value, sentence) => {
  const options: object = { [name]: value }
  await expect(createServer(options)).rejects.toThrow(sentence)
})

const closedMessage = 'This server is closed: start another one, or close it after its last use.'

test('a closed production server rejects every call, including functions taken out before', async () => {
  const server = await createServer()
  const { fetch, listen, admin, deliveries } = server
  await server.close()
  const attempts = [fetch('/livez'), listen(), admin.workspaces.list(), deliveries.runDue(), server.fetch('/livez')]
  for (const outcome of await Promise.allSettled(attempts))
    expect(outcome).toMatchObject({ status: 'rejected', reason: new TypeError(closedMessage) })
})
