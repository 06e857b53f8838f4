import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@service/client'
import { expect, inject, onTestFinished, test } from 'vitest'
import { runCli } from './cli-process.ts'
import { freshDirectory } from './fresh-directory.ts'
import { createEmptyDatabase } from './postgres-databases.ts'
import type { Program } from './start-program.ts'

const start = (data: string, ...more: string[]) => ['start', '--port', '0', '--data', data, ...more]
const readyOf = async ({ firstLine }: Program) => JSON.parse(await firstLine)

async function stop({ child, ended }: Program): Promise<number | null> {
  child.kill('SIGTERM')
  return ended
}

const clientFor = ({ base_url, token, workspace }: { base_url: string; token: string; workspace: number }) =>
  createClient({ baseUrl: base_url, token, workspace, maxRetries: 0 })

test('start --demo --json prints one line with everything a tool needs', async () => {
  const data = await freshDirectory()
  const cli = runCli(start(data, '--demo', '--json'))
  const ready = await readyOf(cli)
  const text = expect.stringMatching(/\S{20,}/)
  const url = (path: string) => expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:\\d+${path}$`))
  expect(ready).toEqual({
    event: 'ready',
    listen_url: url(''),
    base_url: url('/api/v1'),
    webhook_base_url: url('/api'),
    admin_url: url('/admin/v1'),
    dashboard_url: url('/sign-in\\?code=[\\w-]{43}'),
    workspace: 1,
    token: expect.stringMatching(/^service_1_[0-9A-Za-z]{49}$/),
    admin_token: text,
    secrets: {
      errors: text,
      attendance: text,
      device: text,
      leads: { website: text, facebook: text, google_ads: text, linkedin: text, tiktok: text, whatsapp: text },
    },
    device: { id: 1, source_type: expect.any(String), external_device_id: expect.any(String) },
    employee: {
      user_id: expect.any(Number),
      employee_code: expect.any(String),
      attendance_uid: expect.any(String),
      email: expect.stringContaining('@'),
    },
    pid: cli.child.pid,
  })
  const { external_device_id } = ready.device
  const { employee_code } = ready.employee
  const client = clientFor(ready)
  expect(await client.hrms.attendance.punch({ employee_code, external_device_id })).toMatchObject({ recorded: true })
  expect(await stop(cli)).toBe(0)
  expect(cli.said.stdout.trimEnd().split('\n')).toHaveLength(1)
})

test('a second start --demo on a directory keeps token, secrets, and data, readable only by their owner', async () => {
  const data = await freshDirectory()
  const first = runCli(start(data, '--demo', '--json'))
  const before = await readyOf(first)
  const created = await clientFor(before).tickets.create({ title: 'Kept' })
  expect(await stop(first)).toBe(0)
  const second = runCli(start(data, '--demo', '--json'))
  const after = await readyOf(second)
  const { token, admin_token, secrets, workspace, device, employee } = before
  expect(after).toMatchObject({ token, admin_token, secrets, workspace, device, employee })
  expect((await clientFor(after).tickets.list())[0]).toMatchObject({ id: created.id, title: 'Kept' })
  for (const file of await readdir(data)) {
    expect([file, ((await stat(join(data, file))).mode & 0o077).toString(8)]).toEqual([file, '0'])
  }
  expect(((await stat(join(data, 'demo-credentials.json'))).mode & 0o777).toString(8)).toBe('600')
})

test('start --demo prints a curl command that works', async () => {
  const cli = runCli(start(await freshDirectory(), '--demo'))
  await cli.firstLine
  // The welcome text ends with this command.
  await expect.poll(() => cli.said.stdout).toContain('-d ')
  const curl = cli.said.stdout.slice(cli.said.stdout.indexOf('  curl '))
  const { stdout } = await promisify(execFile)('bash', ['-c', curl])
  expect(JSON.parse(stdout)).toMatchObject({ data: { title: 'The printer is on fire', priority: 'high' } })
})

test('start without --demo creates no workspace and prints the set-up link', async () => {
  const data = await freshDirectory()
  const cli = runCli(start(data))
  await cli.firstLine
  await expect.poll(() => cli.said.stdout).toMatch(/\/setup\?code=[\w-]{43}/)
  expect(cli.said.stdout).toContain(`service-server setup --help --data ${data}\n`)
  expect(await readdir(data)).not.toContain('demo-credentials.json')
  expect(await stop(cli)).toBe(0)
})

test('a start on existing data lists the workspaces, and a second --seed reports that it was ignored', async () => {
  const data = await freshDirectory()
  const first = runCli(start(data, '--seed', 'edge', '--json'))
  const [workspace] = (await readyOf(first)).workspaces
  expect(await stop(first)).toBe(0)
  expect(first.said.stderr).not.toContain('was ignored')
  const second = runCli(start(data, '--seed', 'edge', '--json'))
  expect((await readyOf(second)).workspaces).toContainEqual({ id: workspace.id, name: workspace.name })
  expect(await stop(second)).toBe(0)
  expect(second.said.stderr).toContain('--seed edge was ignored, because the platform already has workspaces')
  const third = runCli(start(data))
  await third.firstLine
  await expect.poll(() => third.said.stdout).toContain('curl ')
  expect(third.said.stdout).toContain(`  Workspace ${workspace.id}   ${workspace.name}`)
  const curl = third.said.stdout.slice(third.said.stdout.indexOf('  curl '))
  const { stdout } = await promisify(execFile)('bash', ['-c', curl])
  expect(JSON.parse(stdout)).toHaveProperty('data')
})

test('a demo start that was killed before its commit creates one workspace at the next start', async () => {
  const data = await freshDirectory()
  const first = runCli(start(data, '--demo', '--json'))
  const before = await readyOf(first)
  expect(await stop(first)).toBe(0)
  // Such a start leaves the credentials and a database without the workspace.
  for (const file of ['service.db', 'service.db-wal', 'service.db-shm']) await rm(join(data, file), { force: true })
  const second = runCli(start(data, '--demo', '--json'))
  const after = await readyOf(second)
  expect([after.workspace, after.token === before.token]).toEqual([1, false])
  expect(await stop(second)).toBe(0)
  const third = runCli(start(data, '--demo', '--json'))
  expect((await readyOf(third)).token).toBe(after.token)
})

test('start --database-url creates the demo on PostgreSQL and reuses it', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const data = await freshDirectory()
  const first = runCli(start(data, '--demo', '--json', '--database-url', url))
  const before = await readyOf(first)
  await clientFor(before).tickets.create({ title: 'Kept' })
  expect(await stop(first)).toBe(0)
  const second = runCli(start(data, '--demo', '--json'), { SERVICE_DATABASE_URL: url })
  const after = await readyOf(second)
  expect(after.token).toBe(before.token)
  expect((await clientFor(after).tickets.list())[0]?.title).toBe('Kept')
  expect(await readdir(data)).not.toContain('service.db')
  expect(await stop(second)).toBe(0)
})

test('of several processes that start at once on one directory one serves, and the others name it and exit', async () => {
  const data = await freshDirectory()
  const processes = [1, 2, 3].map(() => runCli(start(data, '--json')))
  const ready = await Promise.any(processes.map(readyOf))
  const owner = processes.find(({ child }) => child.pid === ready.pid)
  expect((await fetch(new URL('/readyz', ready.base_url))).status).toBe(200)
  for (const { said, ended } of processes.filter((each) => each !== owner)) {
    expect(await ended).toBe(1)
    expect(said.stderr).toContain(`The data directory ${data} is in use by process ${ready.pid}`)
  }
  const late = runCli(start(data))
  expect(await late.ended).toBe(1)
  expect(late.said.stderr).toContain(`is in use by process ${ready.pid} (${new URL(ready.base_url).origin})`)
  owner?.child.kill('SIGKILL')
  await owner?.ended
  const next = runCli(start(data, '--json'))
  expect((await readyOf(next)).pid).toBe(next.child.pid)
})

async function stopWithRequestInFlight(signal: NodeJS.Signals): Promise<void> {
  const cli = runCli(start(await freshDirectory(), '--demo', '--json'))
  const ready = await readyOf(cli)
  const { port } = new URL(ready.base_url)
  const body = JSON.stringify({ title: 'In flight' })
  const socket = connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.on('data', (text) => {
    answer += text
  })
  const head = [
    `POST /api/v1/workspaces/${ready.workspace}/tickets HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${ready.token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // The server requests the body, so it has started the request.
  await expect.poll(() => answer).toContain('100 Continue')
  cli.child.kill(signal)
  await expect
    .poll(() =>
      fetch(new URL('/livez', ready.base_url)).then(
        () => 'answered',
        () => 'refused',
      ),
    )
    .toBe('refused')
  // Orchestrators repeat the signal, which must have no effect.
  if (signal !== 'SIGINT') cli.child.kill(signal)
  socket.write(body)
  expect([signal, await cli.ended]).toEqual([signal, 0])
  expect(answer, signal).toContain('HTTP/1.1 201 Created')
  expect(answer, signal).toContain('"title":"In flight"')
}

// At once, because each waits for the clients of open connections.
test('SIGTERM, SIGINT, and SIGHUP refuse new connections, finish the request in flight, and exit with 0', async () => {
  await Promise.all((['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map(stopWithRequestInFlight))
})

test('SIGTERM keeps the port open for a moment while /readyz answers 503', async () => {
  const cli = runCli(start(await freshDirectory(), '--json'))
  const { base_url } = await readyOf(cli)
  const statusOf = (path: string) => fetch(new URL(path, base_url)).then(({ status }) => status)
  cli.child.kill('SIGTERM')
  await expect.poll(() => statusOf('/readyz')).toBe(503)
  expect(await statusOf('/livez')).toBe(200)
  expect(await cli.ended).toBe(0)
})

test('a second Ctrl-C exits immediately, whatever is in flight', async () => {
  const cli = runCli(start(await freshDirectory(), '--demo', '--json'))
  const { base_url, token, workspace } = await readyOf(cli)
  const socket = connect(Number(new URL(base_url).port), '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  const head = [
    `POST /api/v1/workspaces/${workspace}/tickets HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'content-length: 10',
    'expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  cli.child.kill('SIGINT')
  // Two signals in quick succession count as one key press, so this repeats until one counts as the second.
  const press = () => {
    if (cli.child.exitCode === null) cli.child.kill('SIGINT')
    return cli.child.exitCode
  }
  await expect.poll(press, { timeout: 8000 }).toBe(130)
})

test('the log on stderr has one JSON line per request, without tokens, secrets, e-mail addresses, or bodies', async () => {
  const data = await freshDirectory()
  const cli = runCli(start(data, '--demo', '--json'), { SERVICE_LOG: 'info' })
  const ready = await readyOf(cli)
  const client = clientFor(ready)
  await client.tickets.create({ title: 'planted-7f3a' })
  await client.crm.leads.create({ name: 'planted-7f3a', source: 'website', email: 'planted-7f3a@lead.example' })
  await client.tickets.create({ title: 'planted-7f3a', project_id: 999 }).catch(() => undefined)
  await clientFor({ ...ready, token: `${ready.token}x` })
    .tickets.list()
    .catch(() => undefined)
  expect(await stop(cli)).toBe(0)
  const lines = cli.said.stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const requests = lines.filter(({ request_id }) => request_id !== undefined)
  expect(requests.map(({ status }) => status)).toEqual([201, 201, 422, 401])
  for (const line of lines) {
    expect(Object.keys(line).slice(0, 3)).toEqual(['time', 'level', 'message'])
    expect(line.time).toBe(new Date(line.time).toISOString())
  }
  const { errors, attendance, device, leads } = ready.secrets
  const secrets = [ready.token, ready.admin_token, errors, attendance, device, ...Object.values<string>(leads)]
  for (const secret of [...secrets, ready.employee.email, 'planted-7f3a']) expect(cli.said.stderr).not.toContain(secret)
})
