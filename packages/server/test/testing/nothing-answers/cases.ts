import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type Fault, type TestServer } from '../../../src/testing/entries/testing.ts'

/** How the code under test reaches a server. */
interface Connection {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  readonly origin: string
}

/** What the library of a transport does differently from a network. */
export interface Differences {
  /** The headers arrive with the first bytes of the body. */
  readonly headersWaitForBody?: boolean
  /** A stream whose connection breaks ends like a complete one. */
  readonly endsBrokenStreams?: boolean
  /** Canceling the body does not end the response. */
  readonly ignoresCancel?: boolean
}

export type Connect = (server: TestServer) => Connection | Promise<Connection>

async function openServer(connect: Connect, fault: Fault) {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z' })
  onTestFinished(() => server.close())
  const { fetch, origin } = await connect(server)
  const active = server.faults.add({ ...fault, times: 1 })
  return {
    server,
    call: (init: RequestInit = {}) => fetch(`${origin}/openapi.json`, init),
    whenHeld: () => expect.poll(() => active.hits).toBe(1),
    /** Nothing is left of the request: the server is idle, answers the next one, and closes. */
    async recovers() {
      active.remove()
      await server.settled()
      expect((await fetch(`${origin}/livez`)).status).toBe(200)
      await server.close()
    },
  }
}

type Pull = (controller: ReadableStreamDefaultController<Uint8Array>) => Promise<void> | void

/** A request is on its way with its first bytes; the rest never comes. */
const stalls: Pull = (controller) => {
  controller.enqueue(new TextEncoder().encode('{'))
  return new Promise(() => undefined)
}

const noAnswer = () => new Promise<never>(() => undefined)
const stalledResponse = () => new Response(new ReadableStream({ pull: stalls }))

/** A caller that sends a stream to a route that reads it. */
async function openSender(connect: Connect, pull: Pull) {
  const server = await createTestServer({ seed: 'demo' })
  onTestFinished(() => server.close())
  const { fetch, origin } = await connect(server)
  const { token, workspace } = server.seeded
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = (signal: AbortSignal | null = null) => {
    const body = new ReadableStream({ pull })
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, signal, body, duplex: 'half' }
    return fetch(`${origin}/api/v1/workspaces/${workspace}/tickets`, init)
  }
  return { server, send }
}

const noHeaders: readonly [string, Fault][] = [
  ['hang', { connection: 'hang' }],
  ['latency', { latency: '1h' }],
  ['latency by the clock of the server', { latency: '1h', clock: 'virtual' }],
  ['a function without an answer', { respond: noAnswer }],
  ['a function whose stream stalls and is damaged', { respond: stalledResponse, damage: 'malformed' }],
]
/** The faults of requests that fail when they are released. */
const endless: readonly [string, Fault][] = [
  ['hang', { connection: 'hang' }],
  ['hang after latency', { connection: 'hang', latency: '1h' }],
  ['a function without an answer', { respond: noAnswer }],
  ['a function without an answer after latency', { respond: noAnswer, latency: '1h' }],
  ['a function whose stream stalls and is slow', { respond: stalledResponse, bytesPerSecond: 0 }],
]
const slowBodies: readonly [string, Fault][] = [
  ['0 bytes per second', { bytesPerSecond: 0 }],
  ['5 bytes per second', { bytesPerSecond: 5 }],
]
const streams: readonly [string, Fault][] = [...slowBodies, ['a stream that stalls', { respond: stalledResponse }]]

/** The table of requests that nothing answers, for one transport. */
export function testNothingAnswers(connect: Connect, differences: Differences = {}): void {
  const { headersWaitForBody = false, endsBrokenStreams = false, ignoresCancel = false } = differences

  test.each(noHeaders)('an abort before the headers rejects the request: %s', async (_, fault) => {
    const { call, whenHeld, recovers } = await openServer(connect, fault)
    const controller = new AbortController()
    const response = call({ signal: controller.signal })
    response.catch(() => undefined)
    await whenHeld()
    controller.abort()
    await expect(response).rejects.toMatchObject({ name: 'AbortError' })
    await recovers()
  })

  test.each(noHeaders)("the caller's patience ends before an answer: %s", async (_, fault) => {
    const { call, recovers } = await openServer(connect, fault)
    await expect(call({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' })
    await recovers()
  })

  test("the reason of an abort is the caller's", async () => {
    const { call, whenHeld, recovers } = await openServer(connect, { connection: 'hang' })
    const controller = new AbortController()
    const response = call({ signal: controller.signal })
    response.catch(() => undefined)
    await whenHeld()
    controller.abort(new RangeError('No longer needed'))
    await expect(response).rejects.toThrow(new RangeError('No longer needed'))
    await recovers()
  })

  test.each(streams)('an abort between the headers and the body rejects the body: %s', async (_, fault) => {
    const { call, whenHeld, recovers } = await openServer(connect, fault)
    const controller = new AbortController()
    const response = call({ signal: controller.signal })
    response.catch(() => undefined)
    await (headersWaitForBody ? whenHeld() : response)
    controller.abort()
    await expect(response.then((arrived) => arrived.text())).rejects.toMatchObject({ name: 'AbortError' })
    await recovers()
  })

  test.each(streams)('an abort while the body is read rejects the reading: %s', async (_, fault) => {
    const { call, whenHeld, recovers } = await openServer(connect, fault)
    const controller = new AbortController()
    const response = call({ signal: controller.signal })
    const text = response.then((arrived) => arrived.text())
    text.catch(() => undefined)
    await (headersWaitForBody ? whenHeld() : response)
    controller.abort()
    await expect(text).rejects.toMatchObject({ name: 'AbortError' })
    await recovers()
  })

  test('an abort after the first bytes keeps them and rejects the next reading', async () => {
    const { call, recovers } = await openServer(connect, { bytesPerSecond: 100 })
    const controller = new AbortController()
    const response = await call({ signal: controller.signal })
    const reader = response.body?.getReader()
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
    controller.abort()
    await expect(reader?.read()).rejects.toMatchObject({ name: 'AbortError' })
    await recovers()
  })

  test(`a canceled body ends the slow response${ignoresCancel ? ', which this library does not pass on' : ''}`, async () => {
    const { server, call, recovers } = await openServer(connect, { bytesPerSecond: 100 })
    const response = await call()
    let isCanceled = false
    const canceled = response.body?.cancel().then(() => {
      isCanceled = true
    })
    if (!ignoresCancel) {
      await canceled
      return recovers()
    }
    await call()
    expect(isCanceled).toBe(false)
    await server.close()
  })

  test('a request whose signal has fired is not sent', async () => {
    const { server, call } = await openServer(connect, { connection: 'hang' })
    await expect(call({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.journal.entries()).toEqual([])
  })

  test.each(endless)(
    'closing the server ends a request without an answer like a closed connection: %s',
    async (_, fault) => {
      const { server, call, whenHeld } = await openServer(connect, fault)
      const response = call()
      response.catch(() => undefined)
      await whenHeld()
      await server.close()
      await expect(response).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'UND_ERR_SOCKET' } })
    },
  )

  test.each(endless)('resetting the server ends a request without an answer: %s', async (_, fault) => {
    const { server, call, whenHeld, recovers } = await openServer(connect, fault)
    const response = call()
    response.catch(() => undefined)
    await whenHeld()
    await server.settled()
    await server.snapshot()
    await server.reset()
    await expect(response).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'UND_ERR_SOCKET' } })
    await recovers()
  })

  test('closing the server breaks the connection of a stream that a function does not end', async () => {
    const { server, call, whenHeld } = await openServer(connect, { respond: stalledResponse })
    const response = call()
    await (headersWaitForBody ? whenHeld() : response)
    const text = response.then((arrived) => arrived.text())
    text.catch(() => undefined)
    await server.close()
    if (endsBrokenStreams) expect(await text).toBe('{')
    else await expect(text).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } })
  })

  test.each<[string, Fault]>([
    ['0 bytes per second', { bytesPerSecond: 0 }],
    ['0 bytes per second after latency', { bytesPerSecond: 0, latency: '1h' }],
  ])('closing the server sends the rest of a slow body: %s', async (_, fault) => {
    const { server, call, whenHeld } = await openServer(connect, fault)
    const response = call()
    await (headersWaitForBody || fault.latency !== undefined ? whenHeld() : response)
    const text = response.then((arrived) => arrived.json())
    await server.close()
    expect(await text).toMatchObject({ openapi: expect.any(String) })
  })

  test('an abort while the request body is sent ends the request', async () => {
    const { server, send } = await openSender(connect, stalls)
    const controller = new AbortController()
    const response = send(controller.signal)
    response.catch(() => undefined)
    await expect.poll(() => server.journal.entries().length).toBe(1)
    controller.abort()
    await expect(response).rejects.toMatchObject({ name: 'AbortError' })
    await server.settled()
    await server.snapshot()
    await server.reset()
    await server.close()
  })

  test('closing the server ends a request whose body never ends', { timeout: 60_000 }, async () => {
    const { server, send } = await openSender(connect, stalls)
    const response = send()
    response.catch(() => undefined)
    await expect.poll(() => server.journal.entries().length).toBe(1)
    await server.close()
    await expect(response).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'UND_ERR_SOCKET' } })
  })

  test('a request body that fails rejects the request', async () => {
    const failure = new Error('The file is gone')
    const { server, send } = await openSender(connect, (controller) => controller.error(failure))
    await expect(send()).rejects.toMatchObject({ name: 'TypeError', message: 'fetch failed', cause: failure })
    await server.settled()
    await server.close()
  })
}
