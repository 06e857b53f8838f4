import { describe, expect, test } from 'vitest'
import type { ConnectionFault } from '../../src/testing/entries/testing.ts'
import { doors, failureOf, nodeFailure, startBy, startDisturbed } from './disturbed.ts'

const failed = (code: string, name = 'Error') => ({ message: 'fetch failed', name, code })

describe.each(doors)('%s', (door) => {
  test.each<[ConnectionFault, ReturnType<typeof failed>]>([
    ['reset', failed('ECONNRESET')],
    ['close', failed('UND_ERR_SOCKET', 'SocketError')],
  ])('%s fails fetch with the code of undici', async (connection, expected) => {
    const { ask, ...setup } = await startBy(door)
    setup.server.faults.add({ connection, times: 1 })
    expect(await failureOf(ask(setup.path))).toEqual(expected)
    expect((await ask(setup.path)).status).toBe(401)
    expect(setup.server.journal.entries()[0]).toMatchObject({ fault: connection, error: expected.code })
  })

  test('reset-mid-body begins an answer and breaks off, after the work is done', async () => {
    const { ask, ...setup } = await startBy(door)
    setup.server.faults.add({ connection: 'reset-mid-body' })
    const response = await ask(setup.path, setup.creating())
    expect(response.status).toBe(201)
    expect(await failureOf(response.text())).toEqual({ message: 'terminated', name: 'Error', code: 'ECONNRESET' })
    expect(await setup.titles()).toEqual(['A'])
  })

  test('truncated breaks off before the announced length', async () => {
    const { ask, ...setup } = await startBy(door)
    setup.server.faults.add({ damage: 'truncated', respond: { status: 200, body: { data: [1, 2, 3] } } })
    const response = await ask(setup.path)
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '16'])
    expect(await failureOf(response.text())).toMatchObject({ message: 'terminated', code: 'UND_ERR_SOCKET' })
  })

  test('hang ends when the caller gives up, and the platform was never asked', async () => {
    const { ask, ...setup } = await startBy(door)
    setup.server.faults.add({ connection: 'hang' })
    const gaveUp = new AbortController()
    const asking = ask(setup.path, { ...setup.creating(), signal: gaveUp.signal })
    await hitOnce(setup.server)
    gaveUp.abort()
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' })
    await setup.server.waitFor({ operation: 'tickets.create' })
    expect(await setup.titles()).toEqual([])
  })

  test('hang ends with a reset, and settled does not wait for it', async () => {
    const { ask, ...setup } = await startBy(door)
    setup.server.faults.add({ connection: 'hang' })
    const asking = failureOf(ask(setup.path))
    await hitOnce(setup.server)
    await setup.server.settled()
    await setup.server.reset()
    expect(await asking).toEqual(failed('UND_ERR_SOCKET', 'SocketError'))
  })

  test('hang ends with the server', async () => {
    const { ask, ...setup } = await startBy(door)
    setup.server.faults.add({ connection: 'hang' })
    const asking = failureOf(ask(setup.path))
    await hitOnce(setup.server)
    await setup.server.close()
    expect(await asking).toMatchObject({ code: 'UND_ERR_SOCKET' })
  })
})

/** Resolves when the first fault has struck. Turns of the event loop, no time. */
async function hitOnce({ faults }: Awaited<ReturnType<typeof startDisturbed>>['server']) {
  while (faults.list()[0]?.hits === 0) await new Promise((resolve) => setImmediate(resolve))
}

test.each<[ConnectionFault, object]>([
  ['refused', { code: 'ECONNREFUSED', syscall: 'connect', address: 'service.test', port: 443 }],
  ['dns', { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'service.test' }],
  ['tls', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
])('in process %s fails as if no connection had come about', async (connection, cause) => {
  const { server, create, titles } = await startDisturbed()
  server.faults.add({ connection })
  await expect(create()).rejects.toMatchObject({ name: 'TypeError', message: 'fetch failed', cause })
  expect(await titles()).toEqual([])
})

test.each<[ConnectionFault, string]>([
  ['reset', 'ECONNRESET'],
  ['close', 'ECONNRESET'],
  ['reset-mid-body', 'ECONNRESET'],
  ['dns', 'ECONNRESET'],
])('on a port %s gives node:http the code %s', async (connection, code) => {
  const { server, path } = await startDisturbed()
  const { url } = await server.listen()
  server.faults.add({ connection })
  expect(await nodeFailure(url + path)).toBe(code)
})

test('refused, for everybody, closes the port until the fault is gone', async () => {
  const { ask, ...setup } = await startBy('on a port')
  expect((await ask(setup.path)).status).toBe(401)
  const fault = setup.server.faults.add({ connection: 'refused' })
  expect(await failureOf(ask(setup.path))).toEqual(failed('ECONNREFUSED'))
  fault.remove()
  expect((await ask(setup.path)).status).toBe(401)
})

test('refused, for some, resets over a port, as the connection is there already', async () => {
  const { ask, ...setup } = await startBy('on a port')
  setup.server.faults.add({ connection: 'refused', times: 1 })
  expect(await failureOf(ask(setup.path))).toEqual(failed('ECONNRESET'))
  expect((await ask(setup.path)).status).toBe(401)
})

test('a fault that is removed after the end of its server opens no port again', async () => {
  const { server, path } = await startDisturbed()
  const { url } = await server.listen()
  const fault = server.faults.add({ connection: 'refused' })
  await server.close()
  fault.remove()
  expect(await nodeFailure(url + path)).toBe('ECONNREFUSED')
})
