import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { verifySync } from '@service/webhooks'
import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { runCli } from '../cli-process.ts'
import { startReceiver, status } from '../delivery/receiver.ts'
import { freshDirectory } from '../fresh-directory.ts'
import { listenInTest } from '../listen-in-test.ts'
import type { Program } from '../start-program.ts'
import { seedWorkspace } from '../workspace.ts'

const adminToken = 'admin_token_of_enough_characters'

async function start(options: TestServerOptions = {}) {
  const server = await createTestServer({ adminToken, ...options })
  onTestFinished(() => server.close())
  const { url } = await server.listen({ port: 0 })
  const { workspace } = await seedWorkspace(server)
  const flags = ['--url', url, '--admin-token', adminToken, '--workspace', String(workspace.id)]
  const data = await freshDirectory()
  return { server, workspace_id: workspace.id, flags: [...flags, '--data', data], data }
}

interface Line {
  readonly event: string
  readonly secret: string
  readonly direct: boolean
  readonly name: string
  readonly status: number | null
  readonly fault?: string
  readonly attempt: number
}

/** The JSON lines that the command printed, once there are `count` of them. */
async function lines({ child, said }: Program, count: number): Promise<Line[]> {
  const all = () => said.stdout.split('\n').slice(0, -1)
  while (all().length < count && child.stdout !== null) await once(child.stdout, 'data')
  return all().map((line) => JSON.parse(line))
}

async function stop({ child, ended }: Program): Promise<number | null> {
  child.kill('SIGINT')
  return ended
}

const loopback = { egressAllow: ['127.0.0.1'] }

test.each([
  ['directly if loopback is allowed', loopback, true],
  ['by polling otherwise', {}, false],
] as const)('listen delivers signed events to a local URL, %s', async (_, options, direct) => {
  const { server, workspace_id, flags } = await start(options)
  const receiver = await startReceiver()
  const cli = runCli(['listen', '--forward-to', `${receiver.url}/webhooks`, '--events', 'ticket.*', '--json', ...flags])
  const [ready] = await lines(cli, 1)
  expect(ready).toMatchObject({ event: 'ready', direct, events: 'ticket.*' })
  const secret = ready?.secret ?? ''
  receiver.expects({ url: `${receiver.url}/webhooks`, secret, encoding: 'hex', standard_webhooks: true })
  await server.admin.tasks.create({ workspace: workspace_id }, { title: 'Not subscribed' })
  const created = await server.trigger('ticket.created', { ticket: { title: 'Ä€🎫' } })
  await server.trigger('ticket.updated', { ticket: { id: created.ticket.id } })
  const said = await lines(cli, 3)
  // Deliveries sent directly may arrive in either order.
  expect(
    said
      .slice(1)
      .map(({ name, status }) => `${name} ${status}`)
      .toSorted(),
  ).toEqual(['ticket.created 204', 'ticket.updated 204'])
  const first = receiver.received.find(({ headers }) => headers['x-service-event'] === 'ticket.created')
  const headers = { get: (name: string) => String(first?.headers[name.toLowerCase()] ?? '') || null }
  expect(verifySync({ body: first?.body ?? '', headers, secret, requireTimestamp: true }).payload).toEqual(created)
  expect(await stop(cli)).toBe(0)
  expect((await server.admin.webhooks.list({ workspace: workspace_id })).data).toEqual([])
})

test('listen accepts an address without a scheme and answers only the platform', async () => {
  const { server, workspace_id, flags } = await start(loopback)
  const receiver = await startReceiver()
  const cli = runCli(['listen', '--forward-to', `${new URL(receiver.url).host}/webhooks`, '--json', ...flags])
  const [ready] = await lines(cli, 1)
  expect(ready).toMatchObject({ forward_to: `${receiver.url}/webhooks` })
  receiver.expects({
    url: `${receiver.url}/webhooks`,
    secret: ready?.secret ?? '',
    encoding: 'hex',
    standard_webhooks: true,
  })
  const [subscription] = (await server.admin.webhooks.list({ workspace: workspace_id })).data
  const local = new URL(subscription?.url ?? '').origin
  for (const path of ['/', '/webhooks', '/guessed']) {
    const answer = await fetch(local + path, { method: 'POST', body: '{}' })
    expect([path, answer.status]).toEqual([path, 404])
  }
  await server.trigger('task.created')
  expect((await lines(cli, 2))[1]).toMatchObject({ name: 'task.created', status: 204 })
  expect(receiver.received.map(({ path }) => path)).toEqual(['/webhooks'])
  expect(await stop(cli)).toBe(0)
  expect((await server.admin.webhooks.list({ workspace: workspace_id })).data).toEqual([])
})

test('listen signs with the same secret on every start, and keeps it private', async () => {
  const { server, flags, data } = await start(loopback)
  const secrets: (string | undefined)[] = []
  for (const _ of [1, 2]) {
    const receiver = await startReceiver()
    const cli = runCli(['listen', '--forward-to', receiver.url, '--json', ...flags])
    const [ready] = await lines(cli, 1)
    secrets.push(ready?.secret)
    receiver.expects({ url: `${receiver.url}/`, secret: secrets[0] ?? '', encoding: 'hex', standard_webhooks: true })
    await server.trigger('task.created')
    expect((await lines(cli, 2))[1]).toMatchObject({ name: 'task.created', status: 204 })
    expect(await stop(cli)).toBe(0)
  }
  expect(secrets[0]).toMatch(/^whsec_/)
  expect(secrets[1]).toBe(secrets[0])
  expect(((await stat(join(data, 'listen-secret'))).mode & 0o777).toString(8)).toBe('600')
  const platform = runCli(['start', '--demo', '--json', '--port', '0', '--data', data])
  await platform.firstLine
  expect(await stop(platform)).toBe(0)
})

/** Its example has a fixed secret, which `listen` must accept. */
const seedsPage = new URL('../../../../docs/testing/seeds.md', import.meta.url)

test.each([
  ['directly', loopback],
  ['by polling', {}],
] as const)('listen signs with the given secret, %s', async (_, options) => {
  const { server, workspace_id, flags } = await start(options)
  const receiver = await startReceiver()
  const [secret = ''] = /whsec_[\w+/]+=*/.exec(await readFile(seedsPage, 'utf8')) ?? []
  const cli = runCli(['listen', '--forward-to', receiver.url, '--secret', secret, '--json', ...flags])
  expect((await lines(cli, 1))[0]).toMatchObject({ secret })
  receiver.expects({ url: `${receiver.url}/`, secret, encoding: 'hex', standard_webhooks: true })
  await server.trigger('task.created')
  expect((await lines(cli, 2))[1]).toMatchObject({ name: 'task.created', status: 204 })
  const [received] = receiver.received
  const signed = { get: (name: string) => String(received?.headers[name.toLowerCase()] ?? '') || null }
  const verified = verifySync({ body: received?.body ?? '', headers: signed, secret, requireTimestamp: true })
  expect(verified.payload).toMatchObject({ workspace_id })
})

test('listen without a directory for its secret names the flag that needs none', async () => {
  const { flags } = await start(loopback)
  const file = join(await freshDirectory(), 'file')
  await writeFile(file, '')
  const cli = runCli(['listen', '--forward-to', 'http://127.0.0.1:9/', ...flags, '--data', join(file, 'data')])
  expect(await cli.ended).toBe(1)
  expect(cli.said.stderr).toContain('Or pass a secret with --secret, which needs no file.')
})

test('listen does not sign what the platform did not sign', async () => {
  const { server, workspace_id, flags } = await start(loopback)
  const signatures: unknown[] = []
  const application = createServer(({ headers }, response) => {
    signatures.push([headers['x-service-signature'], headers['webhook-signature']])
    response.writeHead(204).end()
  })
  const port = await listenInTest(application)
  const cli = runCli(['listen', '--forward-to', `http://127.0.0.1:${port}`, '--json', ...flags])
  await lines(cli, 1)
  const [subscription] = (await server.admin.webhooks.list({ workspace: workspace_id })).data
  const standard = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,forged' }
  const headers = { 'x-service-event': 'task.created', 'x-service-signature': 'forged', ...standard }
  await fetch(subscription?.url ?? '', { method: 'POST', body: '{}', headers })
  expect(signatures).toEqual([['forged', 'v1,forged']])
})

test('the tools find the platform of a data directory and its token', async () => {
  const data = await freshDirectory()
  const platform = runCli(['start', '--demo', '--json', '--port', '0', '--data', data])
  await platform.firstLine
  const found = runCli(['trigger', 'task.created', '--data', data])
  expect(await found.ended).toBe(0)
  expect(JSON.parse(found.said.stdout)).toMatchObject({ event: 'task.created' })
  expect(await stop(platform)).toBe(0)
})

test('the platform receives the response of the local application and retries', async () => {
  const { server, flags } = await start(loopback)
  const receiver = await startReceiver((response, received, number) =>
    status(number === 1 ? 500 : 204)(response, received, number),
  )
  const cli = runCli(['listen', '--forward-to', receiver.url, '--json', ...flags])
  const [ready] = await lines(cli, 1)
  receiver.expects({ url: `${receiver.url}/`, secret: ready?.secret ?? '', encoding: 'hex', standard_webhooks: true })
  await server.trigger('message.created')
  await lines(cli, 2)
  await server.settled()
  await server.clock.advance('10s')
  expect((await lines(cli, 3)).slice(1).map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 500],
    [2, 204],
  ])
})

test('listen reports an application that does not run, as text too', async () => {
  const { server, flags } = await start(loopback)
  const cli = runCli(['listen', '--forward-to', 'http://127.0.0.1:1/webhooks', ...flags])
  expect(await cli.firstLine).toContain('→ http://127.0.0.1:1/webhooks')
  await server.trigger('task.created')
  while (!cli.said.stdout.includes('task.created') && cli.child.stdout !== null) await once(cli.child.stdout, 'data')
  expect(cli.said.stdout).toMatch(/The signing secret for your application:\n\nwhsec_\S+\n/)
  expect(cli.said.stdout).toMatch(/\d\d:\d\d:\d\d {2}task\.created {5}→ ECONNREFUSED {3}\d+ ms\n/)
  expect(await stop(cli)).toBe(0)
})

test('trigger creates an event on a running platform and prints it', async () => {
  const { server, workspace_id, flags } = await start()
  const cli = runCli([
    ...['trigger', 'task.created', '--override', 'task.title=Call back', '--override', 'task.tags=["a"]'],
    ...flags,
  ])
  expect(await cli.ended).toBe(0)
  const event = JSON.parse(cli.said.stdout)
  expect(event).toMatchObject({ event: 'task.created', workspace_id, task: { title: 'Call back' } })
  expect((await server.admin.tasks.list({ workspace: workspace_id })).data).toMatchObject([
    { id: event.task.id, title: 'Call back' },
  ])
})

test.each([
  [['trigger', 'invoice.paid'], 'ticket.created', 2],
  [['trigger', 'task.created', '--override', 'title'], '--override is written like task.title="Call back"', 2],
  [['trigger', 'task.created', '--override', 'task.colour=red'], 'task.colour: The colour of a task cannot be set.', 1],
  [['trigger', 'task.created', '--admin-token', 'wrong'], 'The platform rejected the admin token', 1],
  [['trigger', 'task.created', '--url', 'http://127.0.0.1:1'], 'http://127.0.0.1:1 does not respond', 1],
  [['listen', '--forward-to', 'ftp://localhost/x'], '--forward-to is a URL', 2],
  [['listen', '--forward-to', 'local host'], '--forward-to is a URL', 2],
  [['listen', '--forward-to', 'localhost:99999'], '--forward-to is a URL', 2],
  [['listen', '--forward-to', 'localhost:0'], '--forward-to is a URL', 2],
  [['listen', '--forward-to', 'http://localhost:3000', '--secret', 'whsec_short'], '--secret is whsec_ and', 2],
  [['trigger', 'task.created', '--url', 'http://localhost:0'], '--url must be the address of a platform', 2],
  [['trigger', 'task.created', '--url', 'localhost:8080'], '--url must be the address of a platform', 2],
  [['listen', '--forward-to', 'http://localhost:3000', '--events', 'invoice.*'], 'events.0', 1],
] as const)('%j is rejected with a helpful message', async (args, says, code) => {
  const { flags } = await start()
  const [command, ...others] = args
  const cli = runCli([command, ...flags, ...others])
  expect(await cli.ended).toBe(code)
  expect(cli.said.stderr).toContain(says)
})

test.each(['listen', 'trigger'])('%s --help shows examples', async (command) => {
  const cli = runCli([command, '--help'])
  expect(await cli.ended).toBe(0)
  expect(cli.said.stdout).toContain(`Examples:\n  service-server ${command} `)
})
