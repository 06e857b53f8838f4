import { expect, test } from 'vitest'
import type { Quirks } from '../../src/testing/entries/testing.ts'
import { startServer } from './faulty-server.ts'

test('the status of creates changes at run time, and a reset restores it', async () => {
  const { server, create } = await startServer()
  expect((await create()).status).toBe(201)
  server.quirks.set({ createdStatus: 200 })
  expect([(await create()).status, server.quirks.current.createdStatus]).toEqual([200, 200])
  await server.reset()
  expect(server.quirks.current).toEqual({ createdStatus: 201, deviceNotFoundStatus: 422, unknownWorkspaceStatus: 403 })
})

test('a fork copies the settings, and a reset restores the options of the server', async () => {
  const { server } = await startServer({ createdStatus: 200, rateLimit: 7 })
  server.quirks.set({ createdStatus: 201 })
  server.limits.set({ requestsPerMinute: 'off' })
  await using fork = await server.fork()
  expect([fork.quirks.current.createdStatus, fork.limits.requestsPerMinute]).toEqual([201, 'off'])
  for (const each of [server, fork]) {
    await each.reset()
    expect([each.quirks.current.createdStatus, each.limits.requestsPerMinute]).toEqual([200, 7])
  }
})

/** The responses of the attendance webhook for an unknown device and an unknown employee. */
async function punchStatuses({ server, workspace }: Awaited<ReturnType<typeof startServer>>) {
  const { secret } = await server.admin.integrations.rotateSecret({
    workspace: workspace.id,
    integration: 'attendance',
  })
  await server.create.employee({ workspace, employee_code: 'E-1' })
  await server.create.device({ workspace, external_device_id: 'DOOR-1' })
  const punch = async (fields: object) => {
    const response = await server.fetch(`/api/webhooks/${workspace.id}/attendance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-webhook-secret': secret ?? '' },
      body: JSON.stringify({ direction: 'in', timestamp: '2026-11-20T09:00:00Z', ...fields }),
    })
    return [response.status, ((await response.json()) as { reason?: string }).reason] // the contract's answer
  }
  return {
    device: await punch({ employee_code: 'E-1', external_device_id: 'NOWHERE' }),
    employee: await punch({ employee_code: 'E-9', external_device_id: 'DOOR-1' }),
  }
}

test('an unknown device gets 200 with its quirk, and an unknown employee 422', async () => {
  const setup = await startServer()
  setup.server.quirks.set({ deviceNotFoundStatus: 200 })
  expect(await punchStatuses(setup)).toEqual({
    device: [200, 'device_not_found'],
    employee: [422, 'employee_not_found'],
  })
})

test('a missing workspace is 403, or 404 with its quirk, and a foreign one always 403', async () => {
  const { server, token } = await startServer()
  const other = await server.admin.workspaces.create({ name: 'Other' })
  const at = async (workspace: number, authorization = `Bearer ${token}`) =>
    (await server.fetch(`/api/v1/workspaces/${workspace}/tickets`, { headers: { authorization } })).status
  expect([await at(99), await at(other.id)]).toEqual([403, 403])
  server.quirks.set({ unknownWorkspaceStatus: 404 })
  expect([await at(99), await at(other.id), await at(99, 'Bearer service_x')]).toEqual([404, 403, 401])
})

test.each<[Record<string, unknown>, string]>([
  [{ created: 200 }, '`quirks` has no `created`; did you mean `createdStatus`?'],
  [{ createdStatus: 204 }, '`createdStatus` must be 201 or 200: the status of successful creates; it is 204.'],
])('quirks %j are rejected with the remedy and change nothing', async (quirks, remedy) => {
  const { server } = await startServer()
  expect(() => server.quirks.set(quirks as Partial<Quirks>)).toThrow(TypeError) // wrong on purpose
  expect(() => server.quirks.set(quirks as Partial<Quirks>)).toThrow(remedy)
  expect(server.quirks.current.createdStatus).toBe(201)
})

test('the rate limit changes at run time and keeps its counts', async () => {
  const { server, list } = await startServer({ rateLimit: 120 })
  const used = async () => {
    const { status, headers } = await list()
    return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
  }
  expect(await used()).toEqual([200, '120', '119'])
  server.limits.set({ requestsPerMinute: 2 })
  expect([await used(), await used()]).toEqual([
    [200, '2', '0'],
    [429, '2', '0'],
  ])
  await server.clock.advance('60s')
  expect(await used()).toEqual([200, '2', '1'])
  server.limits.set({ requestsPerMinute: 'off' })
  expect(await used()).toEqual([200, null, null])
  expect(() => server.limits.set({ requestsPerMinute: -1 })).toThrow('`requestsPerMinute` must be "off" or a whole')
  const misspelled = { requestsPerMinutes: 5 } as unknown as { requestsPerMinute: number } // wrong on purpose
  expect(() => server.limits.set(misspelled)).toThrow(
    '`limits` has no `requestsPerMinutes`; did you mean `requestsPerMinute`?',
  )
  await server.reset()
  expect(server.limits.requestsPerMinute).toBe(120)
})
