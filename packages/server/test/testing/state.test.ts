import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { freshDirectory } from '../fresh-directory.ts'
import { dump } from './dump.ts'
import { mixedRequests } from './mixed-requests.ts'

const open: TestServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

function keep(server: TestServer): TestServer {
  open.push(server)
  return server
}

const start = async (options: TestServerOptions = {}) =>
  keep(await createTestServer({ clock: '2026-03-01T09:00:00Z', seed: 'demo', ...options }))

const titles = async (server: TestServer) =>
  (await server.admin.tickets.list({ workspace: 1 })).data.map(({ title }) => title)

/** Actions that each change another part of the state. */
const actions: readonly ((server: TestServer) => Promise<unknown>)[] = [
  (server) => mixedRequests(server, 13),
  (server) => server.create.ticket({ priority: 'urgent' }),
  (server) => server.createMany.task(3),
  (server) => server.create.workspace(),
  (server) => server.tokens.issue({ expiresIn: '10m' }),
  async (server) => server.tokens.revoke(await server.tokens.issue()),
  (server) => server.create.subscription({ url: 'https://a.test/in' }),
  (server) => server.create.rule(),
  (server) => server.create.slaPolicy({ priority: 'urgent', first_response_minutes: 5 }),
  (server) => server.clock.advance('7m'),
  (server) => server.clock.advance('1d'),
  async (server) => server.clock.unfreeze(),
  (server) => server.clock.freeze(),
  (server) => server.clock.set('2026-02-20T00:00:00Z'),
  (server) => server.admin.integrations.rotateSecret({ workspace: 1, integration: 'errors' }),
  (server) => server.admin.members.update({ workspace: 1, id: 1 }, { name: 'Renamed' }),
  (server) => server.create.errorReport(),
  (server) => server.create.punch({ workspace: 1 }),
  (server) => server.create.message(),
  async (server) => server.states.save('somewhere'),
  (server) => server.fetch('/nowhere'),
  async (server) => server.faults.add({ match: { path: '/nowhere' }, respond: { status: 503 } }),
  async (server) => server.webhooks.capture(),
  async (server) => server.webhooks.deliveryFaults.add({ duplicate: 1 }),
]

/** No host has an address, so every delivery fails at once and is retried. */
const lookup: TestServerOptions['lookup'] = (_, answer) => answer(new Error('not found'), [])

it('restores the initial state on reset after any actions', async () => {
  const fresh = await start({ lookup })
  const initialState = { ...(await dump(fresh)), seeded: fresh.seeded }
  const first = await mixedRequests(fresh, 20)
  const server = await start({ lookup })
  const sequence = fc.array(fc.integer({ min: 0, max: actions.length - 1 }), { minLength: 100, maxLength: 100 })
  await fc.assert(
    fc.asyncProperty(sequence, async (indexes) => {
      for (const index of indexes) await actions[index]?.(server).catch(requireApiError)
      await server.reset()
      expect({ ...(await dump(server)), seeded: server.seeded }).toEqual(initialState)
      expect([server.clock.isFrozen, server.clock.now(), server.journal.entries(), server.faults.list()]).toEqual([
        true,
        new Date('2026-03-01T09:00:00Z'),
        [],
        [],
      ])
      // Rate windows, idempotency keys, and ids are reset too.
      expect(await mixedRequests(server, 20)).toEqual(first)
    }),
    { numRuns: 3 },
  )
})

/** Some actions cannot be repeated. */
function requireApiError(thrown: unknown): void {
  if (!(thrown instanceof Error && thrown.name === 'ApiError')) throw thrown
}

it('resets only the named parts', async () => {
  const server = await start()
  await server.create.ticket({ title: 'Stays' })
  await server.fetch('/nowhere')
  server.faults.add({ respond: { status: 503 } })
  await server.reset({ only: ['journal'] })
  expect([server.journal.entries(), server.faults.list()]).toMatchObject([[], { length: 1 }])
  await server.reset({ only: ['faults'] })
  expect(server.faults.list()).toEqual([])
  expect(await titles(server)).toContain('Stays')
})

it('restores a snapshot in another server, with its ids, clock, and secrets', async () => {
  const first = await start()
  await first.create.ticket({ title: 'Carried over' })
  await first.clock.advance('2d')
  const second = await start({ seed: 'empty' })
  await second.restore(await first.snapshot())
  expect(await dump(second)).toEqual(await dump(first))
  expect(second.seeded).toEqual(first.seeded)
  expect(await mixedRequests(second, 26)).toEqual(await mixedRequests(first, 26))
})

it('restores a snapshot in another process, where encrypted secrets can be read', async () => {
  // With real randomness, the other process cannot derive the key.
  const server = keep(await createTestServer({ random: 'system' }))
  const { secret } = await server.create.subscription({ url: 'https://app.test/in' })
  await server.create.ticket({ title: 'From another process' })
  const file = join(await freshDirectory(), 'state.bin')
  await writeFile(file, await server.snapshot())
  const script = new URL('state-child.mjs', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, file, secret])
  expect(JSON.parse(stdout)).toEqual({ titles: ['From another process'], verified: true })
})

it('rejects a snapshot that has changed or is of a newer version, and bytes that are not a snapshot', async () => {
  const server = await start()
  const bytes = Buffer.from(await server.snapshot())
  const end = bytes.indexOf('\n')
  for (const position of [bytes.indexOf('Amara') + 1, bytes.indexOf('"digest"') + 3, end + 500, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[position] = (changed[position] ?? 0) ^ 1
    await expect(server.restore(changed)).rejects.toThrow('The snapshot has changed since it was taken')
  }
  await expect(server.restore(bytes.subarray(0, -4096))).rejects.toThrow('The snapshot has changed since it was taken')
  const { digest: _, ...taken } = JSON.parse(bytes.subarray(0, end).toString())
  const head = { ...taken, schema: '9999-from-tomorrow' }
  const digest = createHash('sha256')
    .update(JSON.stringify(head))
    .update(bytes.subarray(end + 1))
    .digest('hex')
  const newer = Buffer.concat([Buffer.from(JSON.stringify({ ...head, digest })), bytes.subarray(end)])
  await expect(server.restore(newer)).rejects.toThrow(
    /newer version \(schema 9999-from-tomorrow;.*Update @service\/server/,
  )
  await expect(server.restore(Buffer.from('nonsense'))).rejects.toThrow('Pass the result of server.snapshot()')
  expect((await titles(server)).length).toBe(1)
})

it('waits for writes that follow the response', async () => {
  const warnings: string[] = []
  const note = (message: string) => void warnings.push(message)
  const server = await start({ log: { info: () => undefined, warn: note, error: note } })
  const use = () =>
    server.fetch('/api/v1/workspaces/1/tickets', { headers: { authorization: `Bearer ${server.seeded.token}` } })
  await use()
  const fork = keep(await server.fork())
  expect((await fork.admin.tokens.list({ workspace: 1 })).data.toReversed()).toMatchObject([
    { last_used_at: '2026-03-01T09:00:00.000000Z' },
  ])
  await server.reset()
  await use()
  await server.reset()
  expect((await server.admin.tokens.list({ workspace: 1 })).data.toReversed()).toMatchObject([{ last_used_at: null }])
  expect(warnings).toEqual([])
})

it('saves and loads states by name', async () => {
  const server = await start({ seed: 'empty' })
  await server.create.ticket({ title: 'First' })
  await server.states.save('one')
  await server.create.ticket({ title: 'Second' })
  await server.states.save('two')
  await server.states.load('one')
  expect(await titles(server)).toEqual(['First'])
  await server.states.load('two')
  expect(await titles(server)).toEqual(['Second', 'First'])
  expect(server.states.list()).toEqual(['one', 'two'])
  await expect(server.states.load('three')).rejects.toThrow("No state 'three' was saved. Saved states: 'one', 'two'.")
})

it('forks servers that are independent, including forks of forks, with the same seed result', async () => {
  const demo = await start()
  expect(keep(await demo.fork()).seeded).toEqual(demo.seeded)
  const root = await start({ seed: 'empty' })
  await root.create.ticket({ title: 'Common' })
  const fork = keep(await root.fork())
  const [left, right] = [keep(await fork.fork()), keep(await fork.fork())]
  const all = { root, fork, left, right }
  for (const [name, server] of Object.entries(all)) await server.create.ticket({ title: name })
  for (const [name, server] of Object.entries(all)) expect(await titles(server)).toEqual([name, 'Common'])
  await left.clock.advance('1h')
  expect(right.clock.now()).toEqual(root.clock.now())
  await fork.close()
  expect(await titles(right)).toEqual(['right', 'Common'])
  await right.reset()
  expect((await right.admin.workspaces.list()).data.toReversed()).toEqual([])
})

it('writes nothing to disk in memory, and reopens a data directory', async () => {
  const script = new URL('disk-child.mjs', import.meta.url).pathname
  const [cwd, temporary, data] = [await freshDirectory(), await freshDirectory(), await freshDirectory()]
  await promisify(execFile)(process.execPath, [script], { cwd, env: { ...process.env, TMPDIR: temporary } })
  expect([await readdir(cwd), await readdir(temporary)]).toEqual([[], []])
  const options = { data, seed: { workspaces: [{ tickets: [{ title: 'Kept' }] }] } }
  for (const _ of [1, 2]) {
    const server = await createTestServer(options)
    expect(await titles(server)).toEqual(['Kept'])
    await server.close()
  }
  expect(await readdir(data)).toContain('service.db')
})

it('leaves a configured key out of snapshots, and reads their secrets with that key', async () => {
  const encryptionKey = 'configured by the operator, forty characters'
  const start = async (options: TestServerOptions) => {
    const server = await createTestServer({ random: 'system', ...options })
    open.push(server)
    return server
  }
  const server = await start({ encryptionKey })
  const { id: workspace_id } = await server.create.workspace()
  const { id } = await server.create.subscription({
    workspace: workspace_id,
    url: 'https://app.test/hooks',
    events: ['*'],
  })
  const snapshot = await server.snapshot()
  expect(Buffer.from(snapshot).includes(encryptionKey)).toBe(false)
  const sendTest = async (restored: TestServer) => {
    await restored.restore(snapshot)
    using _ = restored.webhooks.receive('https://app.test/hooks', () => new Response(null, { status: 204 }))
    await restored.admin.webhooks.sendTest({ workspace: workspace_id, id }, { event: 'ticket.created' })
    await restored.settled()
    const [delivery] = (await restored.admin.deliveries.list({ workspace: workspace_id })).data
    return delivery?.state
  }
  expect(await sendTest(await start({ encryptionKey }))).toBe('succeeded')
  expect(await sendTest(server)).toBe('succeeded')
})

it('restores the state before a request, with its ids, clock, and deliveries', async () => {
  const server = await start({ journal: { restorable: true } })
  const inbox = server.webhooks.capture('ticket.created')
  const headers = { authorization: `Bearer ${server.seeded.token}`, 'content-type': 'application/json' }
  const create = async (title: string) => {
    const body = JSON.stringify({ title })
    const response = await server.fetch('/api/v1/workspaces/1/tickets', { method: 'POST', headers, body })
    return response.text()
  }
  await create('First')
  const before = await dump(server)
  const second = await create('Second')
  await server.clock.advance('1h')
  await create('Third')
  const [, entry] = server.journal.find({ operation: 'tickets.create' })
  if (entry === undefined) throw new Error('Three tickets were created.')
  await server.restore({ before: entry })
  expect(await dump(server)).toEqual(before)
  expect(await create('Second')).toEqual(second)
  await server.settled()
  expect(inbox.arrivals()).toHaveLength(4)
  await server.restore({ before: entry })
  expect(await titles(server)).toContain('First')
  expect(await titles(server)).not.toContain('Second')
})

it('stores the states before the last 100 changes, and none of requests that changed nothing', async () => {
  const server = await start({ rateLimit: 'off', journal: { restorable: true } })
  const headers = { authorization: `Bearer ${server.seeded.token}`, 'content-type': 'application/json' }
  const create = (title: string) =>
    server.fetch('/api/v1/workspaces/1/tickets', { method: 'POST', headers, body: JSON.stringify({ title }) })
  await create('')
  await Promise.all(Array.from({ length: 101 }, (_, index) => create(`Ticket ${index + 1}`)))
  const [refused, first, ...others] = server.journal.entries()
  for (const entry of [refused, first]) {
    const restoring = server.restore({ before: entry ?? { sequence: 0 } })
    await expect(restoring).rejects.toThrow('It must be one of the last 100 requests that changed rows.')
  }
  await server.restore({ before: others.at(-1) ?? { sequence: 0 } })
  expect((await titles(server)).length).toBeGreaterThan(0)
  // Refused requests do not displace stored states.
  const [oldest] = others
  for (let refusals = 0; refusals < 3; refusals += 1) await create('')
  await server.restore({ before: oldest ?? { sequence: 0 } })
  await server.reset()
  await create('After the reset')
  await expect(server.restore({ before: oldest ?? { sequence: 0 } })).rejects.toThrow('is not stored')
  await expect(server.restore({ after: first } as never)).rejects.toThrow('`restore` has no `after`') // wrong on purpose
  for (const wrong of ['a name', undefined, null, {}, new ArrayBuffer(8)]) {
    await expect(server.restore(wrong as never)).rejects.toThrow('`restore` requires the bytes of `server.snapshot()`')
  }
})

it('stores no states by default, or with a database', async () => {
  const server = await start()
  const restoring = server.restore({ before: { sequence: 1 } })
  await expect(restoring).rejects.toThrow('requires the option `journal: { restorable: true }`')
  const starting = createTestServer({ data: await freshDirectory(), journal: { restorable: true } })
  await expect(starting).rejects.toThrow('`journal.restorable` requires an in-memory server')
})
