import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ConnectionFault, createTestServer, type Fault } from '../../src/testing/entries/testing.ts'
import { collectedLog } from '../collected-log.ts'
import { failureOf, nodeFailure, startOver, startServer, transports } from './faulty-server.ts'

const failed = (code: string, name = 'Error') => ({ message: 'fetch failed', name, code })

describe.each(transports)('%s', (transport) => {
  test.each<[ConnectionFault, ReturnType<typeof failed>]>([
    ['reset', failed('ECONNRESET')],
    ['close', failed('UND_ERR_SOCKET', 'SocketError')],
  ])('%s rejects fetch with the code of undici', async (connection, expected) => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ connection, times: 1 })
    expect(await failureOf(send(setup.path))).toEqual(expected)
    expect((await send(setup.path)).status).toBe(401)
    expect(setup.server.journal.entries()[0]).toMatchObject({ fault: connection, error: expected.code })
  })

  test('reset-mid-body does the work and breaks the connection within the response', async () => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ connection: 'reset-mid-body' })
    const response = await send(setup.path, setup.creating())
    expect(response.status).toBe(201)
    expect(await failureOf(response.text())).toEqual({ message: 'terminated', name: 'Error', code: 'ECONNRESET' })
    expect(await setup.titles()).toEqual(['A'])
  })

  test('truncated closes the connection before the announced length', async () => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ damage: 'truncated', respond: { status: 200, body: { data: [1, 2, 3] } } })
    const response = await send(setup.path)
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '16'])
    expect(await failureOf(response.text())).toMatchObject({ message: 'terminated', code: 'UND_ERR_SOCKET' })
  })

  test.each<[string, Fault, RequestInit]>([
    ['204', { respond: { status: 204 }, damage: 'truncated' }, {}],
    ['304', { respond: { status: 304 }, damage: 'truncated' }, {}],
    ['204 and a reset', { respond: { status: 204 }, connection: 'reset-mid-body' }, {}],
    ['200', { respond: 200, damage: 'truncated' }, { method: 'HEAD' }],
  ])('a response without a body arrives whole, because it has no middle: %s', async (name, fault, init) => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ ...fault, times: 1 })
    const response = await send(setup.path, init)
    expect([response.status, await response.text()]).toEqual([Number.parseInt(name, 10), ''])
  })

  test('responds as fetch receives it: with the text of the status, a decoded body, and none for HEAD', async () => {
    const { send, ...setup } = await startOver(transport)
    const encoded = (body: BodyInit, coding: string) => () =>
      new Response(body, { status: 201, headers: { 'content-encoding': coding } })
    const read = async (respond: Fault['respond'], init: RequestInit = {}) => {
      setup.server.faults.add({ respond, times: 1 })
      const response = await send(setup.path, init)
      return [response.status, response.statusText, await response.text()]
    }
    const [zipped, twice] = [gzipSync('[1]'), brotliCompressSync(gzipSync('[1]'))]
    expect(await read(encoded(zipped, 'gzip'))).toEqual([201, 'Created', '[1]'])
    expect(await read(encoded(deflateSync('[1]'), 'deflate'))).toEqual([201, 'Created', '[1]'])
    expect(await read(encoded(twice, 'gzip, BR'))).toEqual([201, 'Created', '[1]'])
    expect(await read(encoded('[1]', 'other'))).toEqual([201, 'Created', '[1]'])
    expect(await read(503, { method: 'HEAD' })).toEqual([503, 'Service Unavailable', ''])
    const failure = await failureOf(read(encoded('[1]', 'gzip')))
    expect(failure).toMatchObject({ message: 'terminated', code: 'Z_DATA_ERROR' })
  })

  test('Response.error() of a function in `respond` resets the connection', async () => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ respond: () => Response.error() })
    expect(await failureOf(send(setup.path))).toEqual(failed('ECONNRESET'))
  })

  test('hang ends when the caller aborts, before any work is done', async () => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ connection: 'hang' })
    const caller = new AbortController()
    const sending = send(setup.path, { ...setup.creating(), signal: caller.signal })
    await hitOnce(setup.server)
    caller.abort()
    await expect(sending).rejects.toMatchObject({ name: 'AbortError' })
    await setup.server.waitFor({ operation: 'tickets.create' })
    expect(await setup.titles()).toEqual([])
  })

  test('hang ends on reset, and settled() does not wait for it', async () => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ connection: 'hang' })
    const sending = failureOf(send(setup.path))
    await hitOnce(setup.server)
    await setup.server.settled()
    await setup.server.reset()
    expect(await sending).toEqual(failed('UND_ERR_SOCKET', 'SocketError'))
  })

  test('hang ends when the server closes', async () => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ connection: 'hang' })
    const sending = failureOf(send(setup.path))
    await hitOnce(setup.server)
    await setup.server.close()
    expect(await sending).toMatchObject({ code: 'UND_ERR_SOCKET' })
  })
})

test('on a port, the log has the error of a function in `respond`, which an in-process caller gets', async () => {
  const log = collectedLog()
  await using server = await createTestServer({ log })
  server.faults.add({
    respond: () => {
      throw new RangeError('My stub is wrong')
    },
  })
  await expect(server.fetch('/livez')).rejects.toThrow('My stub is wrong')
  expect(log.lines).toEqual([])
  const { url } = await server.listen()
  expect((await fetch(`${url}/livez`)).status).toBe(500)
  const sentence = 'The function in `respond` of a fault threw, so the response is 500: RangeError: My stub is wrong'
  expect(log.lines).toEqual([{ level: 'error', sentence: expect.stringContaining(sentence), fields: {} }])
})

test('on a port, a broken connection prints nothing if a server in this process has replaced the global Response', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  vi.stubGlobal('Request', Request)
  vi.stubGlobal('Response', Response)
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
  getRequestListener(() => new Response(), { overrideGlobalObjects: true })
  const { send, ...setup } = await startOver('on a port')
  setup.server.faults.add({ connection: 'reset-mid-body' })
  await failureOf((await send(setup.path, setup.creating())).text())
  await setup.server.settled()
  expect(printed).not.toHaveBeenCalled()
})

/** Resolves when the first fault has applied. */
async function hitOnce({ faults }: Awaited<ReturnType<typeof startServer>>['server']) {
  while (faults.list()[0]?.hits === 0) await new Promise((resolve) => setImmediate(resolve))
}

test.each<[ConnectionFault, object]>([
  ['refused', { code: 'ECONNREFUSED', syscall: 'connect', address: 'service.test', port: 443 }],
  ['dns', { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'service.test' }],
  ['tls', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
])('in process, %s fails like a connection that was not established', async (connection, cause) => {
  const { server, create, titles } = await startServer()
  server.faults.add({ connection })
  await expect(create()).rejects.toMatchObject({ name: 'TypeError', message: 'fetch failed', cause })
  expect(await titles()).toEqual([])
})

test.each<[ConnectionFault, string]>([
  ['reset', 'ECONNRESET'],
  ['close', 'ECONNRESET'],
  ['reset-mid-body', 'ECONNRESET'],
  ['dns', 'ECONNRESET'],
])('on a port, %s gives node:http the code %s', async (connection, code) => {
  const { server, path } = await startServer()
  const { url } = await server.listen()
  server.faults.add({ connection })
  expect(await nodeFailure(url + path)).toBe(code)
})

test('refused for every request closes the port until the fault is removed', async () => {
  const { send, ...setup } = await startOver('on a port')
  expect((await send(setup.path)).status).toBe(401)
  const fault = setup.server.faults.add({ connection: 'refused' })
  expect(await failureOf(send(setup.path))).toEqual(failed('ECONNREFUSED'))
  fault.remove()
  expect((await send(setup.path)).status).toBe(401)
})

test('refused for some requests resets the connection on a port', async () => {
  const { send, ...setup } = await startOver('on a port')
  setup.server.faults.add({ connection: 'refused', times: 1 })
  expect(await failureOf(send(setup.path))).toEqual(failed('ECONNRESET'))
  expect((await send(setup.path)).status).toBe(401)
})

test('removing a fault after close does not reopen the port', async () => {
  const { server, path } = await startServer()
  const { url } = await server.listen()
  const fault = server.faults.add({ connection: 'refused' })
  await server.close()
  fault.remove()
  expect(await nodeFailure(url + path)).toBe('ECONNREFUSED')
})

test('a preflight of a browser does not use up a fault', async () => {
  await using server = await createTestServer({ seed: 'demo', corsOrigins: ['https://app.example.com'] })
  const fault = server.faults.add({ respond: 503, times: 1 })
  const path = '/api/v1/workspaces/1/tickets'
  const origin = 'https://app.example.com'
  const preflight = {
    origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  }
  expect((await server.fetch(path, { method: 'OPTIONS', headers: preflight })).status).toBe(204)
  const headers = { origin, authorization: `Bearer ${server.seeded.token}` }
  const answer = await server.fetch(path, { headers })
  expect([answer.status, answer.headers.get('access-control-allow-origin'), fault.hits]).toEqual([503, origin, 1])
})
