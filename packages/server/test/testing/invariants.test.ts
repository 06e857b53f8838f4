import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { matchers } from '../../src/testing/entries/matchers.ts'
import {
  checkInvariants,
  countEffects,
  createTestServer,
  findDuplicates,
  modelCommands,
} from '../../src/testing/entries/testing.ts'
import { startServer } from './faulty-server.ts'

expect.extend(matchers)

test('toHaveEffect counts requests that changed rows, not responses', async () => {
  const { server, create } = await startServer()
  server.faults.add({ match: { operation: 'tickets.create' }, times: 1, connection: 'reset', when: 'after' })
  server.faults.add({ match: { operation: 'tickets.create' }, times: 1, respond: 201 })
  await create('Printer').catch(() => undefined)
  await create('Printer')
  await create({ title: '' })
  expect(server).toHaveEffect('tickets.create', 1)
  expect(server).not.toHaveEffect('tickets.create', 2)
  expect(countEffects(server, 'tickets.list')).toBe(0)
  expect(() => expect(server).toHaveEffect('tickets.create', 2)).toThrow(
    'Expected tickets.create to take effect 2 times; it took effect once.',
  )
})

test('a retry with the same idempotency key has one effect', async () => {
  const { server, path, creating } = await startServer()
  const { headers, ...init } = creating()
  for (let sent = 0; sent < 2; sent += 1) {
    await server.fetch(path, { ...init, headers: { ...headers, 'idempotency-key': 'k-1' } })
  }
  expect(server).toHaveEffect('tickets.create', 1)
})

test('toHaveNoDuplicates compares a field within each workspace, across pages', async () => {
  const { server, workspace } = await startServer()
  const other = await server.create.workspace()
  await server.createMany.ticket(250, (index) => ({ workspace, title: `Ticket ${index}` }))
  await server.create.ticket({ workspace: other, title: 'Ticket 0' })
  await expect(server).toHaveNoDuplicates('tickets', 'title')
  const again = await server.create.ticket({ workspace, title: 'Ticket 0' })
  await expect(server).not.toHaveNoDuplicates('tickets', 'title')
  expect(await findDuplicates(server, 'tickets', 'title')).toEqual([
    { workspace: workspace.id, value: 'Ticket 0', ids: [1, again.id] },
  ])
  await expect(expect(server).toHaveNoDuplicates('tickets', 'title')).rejects.toThrow(
    `Expected every title of tickets to be unique, but found\n  "Ticket 0" in workspace ${workspace.id}: ids 1, ${again.id}`,
  )
  expect(await findDuplicates(server, 'tickets', 'assigned_to')).toEqual([])
})

test('the platform keeps its invariants under any sequence of commands', async () => {
  const server = await createTestServer({ seed: 'demo', clock: '2026-03-01T09:00:00Z' })
  onTestFinished(() => server.close())
  const arbitraries = modelCommands(server).map((toCommand) => fc.nat().map(toCommand))
  const property = fc.asyncProperty(fc.commands(arbitraries, { maxCommands: 40 }), async (list) => {
    await server.reset()
    await fc.asyncModelRun(() => ({ model: {}, real: server }), list)
  })
  await fc.assert(property, { numRuns: 15 })
})

test('every command changes the server, and a failing sequence names its commands', async () => {
  await using server = await createTestServer({ seed: 'demo', clock: '2026-03-01T09:00:00Z' })
  const changes: string[] = []
  for (const toCommand of modelCommands(server)) {
    const command = toCommand(4)
    const before = await server.snapshot()
    await command.run()
    if (!Buffer.from(before).equals(Buffer.from(await server.snapshot()))) changes.push(String(command))
  }
  expect(changes).toEqual([
    'create ticket 4',
    'create lead 4',
    'update ticket 4',
    'update lead 4',
    'punch 4',
    'deliver 4',
  ])
})

test.each([
  ['tickets', { data: [{ id: 9, ticket_number: 'TKT-00002' }] }, 'has ticket number 2 where 1 is next'],
  [
    'leads',
    {
      data: [
        { id: 1, email: 'Ada@acme.test', status: 'new' },
        { id: 2, email: 'ada@acme.test', status: 'contacted' },
      ],
    },
    'has 2 open leads with the e-mail ada@acme.test',
  ],
] as const)('checkInvariants finds contradictions in %s', async (name, page, message) => {
  await using server = await createTestServer({ seed: 'demo' })
  const list = () => ({ all: async () => page.data })
  const admin = { ...server.admin, [name]: { ...server.admin[name], list } }
  await expect(checkInvariants({ admin } as never)).rejects.toThrow(message) // a platform with other data
})
