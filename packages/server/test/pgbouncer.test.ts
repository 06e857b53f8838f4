import { execFileSync, spawn } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { backUp } from '../src/store/backup/backup.ts'
import { openPostgres } from '../src/store/postgres.ts'
import { runCli, runCliToEnd } from './cli-process.ts'
import { collectedLog } from './collected-log.ts'
import { freePort } from './free-port.ts'
import { freshDirectory } from './fresh-directory.ts'
import { installedProgram } from './installed-program.ts'
import { createDatabase, createEmptyDatabase } from './postgres-databases.ts'

// The platform behind a real PgBouncer in transaction mode.

/** Starts a PgBouncer in front of the database and returns the URL through it. */
async function startPgBouncer(direct: string, settings = '') {
  const binary = await installedProgram({ paths: ['/usr/sbin/pgbouncer'], debianPackage: 'pgbouncer' })
  // Later versions can keep named statements, which is off here.
  const isTracking = !/ 1\.(?:1\d|20)\./.test(execFileSync(binary, ['--version'], { encoding: 'utf8' }))
  const { hostname, port, username, password, pathname } = new URL(direct)
  const directory = await freshDirectory()
  await chmod(directory, 0o755)
  const listenPort = await freePort()
  const path = join(directory, 'pgbouncer.ini')
  await writeFile(
    path,
    `[databases]
platform = host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
${isTracking ? 'max_prepared_statements = 0' : ''}
${settings}
`,
  )
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['--user=nobody'] : []
  const pgbouncer = spawn(binary, [...user, path], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void pgbouncer.kill('SIGKILL'))
  for await (const line of pgbouncer.stderr) if (/process up/.test(String(line))) break
  const stop = () => void pgbouncer.kill('SIGKILL')
  return { pooled: `postgres://platform@127.0.0.1:${listenPort}/platform`, stop }
}

async function createPooledDatabase(create: typeof createDatabase, settings?: string) {
  const { url: direct, drop } = await create(inject('postgresUrl'))
  onTestFinished(drop)
  return { direct, ...(await startPgBouncer(direct, settings)) }
}

test('a server migrates, works, and backs up with a pooled and a direct URL', async () => {
  const { direct, pooled } = await createPooledDatabase(createEmptyDatabase)
  const options = { databaseUrl: pooled, databaseDirectUrl: direct, namedStatements: false }
  await using server = await createServer({ ...options, rateLimit: 'off' })
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const titles = Array.from({ length: 20 }, (_, index) => `Ticket ${index}`)
  await Promise.all(titles.map((title) => server.admin.tickets.create({ workspace }, { title })))
  expect((await server.admin.tickets.list({ workspace })).data).toHaveLength(20)
  const path = join(await freshDirectory(), 'pooled.backup')
  const backup = { path, reason: 'manual', version: '0.0.0', createdAt: '2026-11-20T00:00:00.000000Z' } as const
  expect((await backUp(options, backup)).rows).toMatchObject({ tickets: 20 })
})

test('notifications arrive over the direct URL', async () => {
  const { direct, pooled } = await createPooledDatabase(createDatabase)
  const options = { url: pooled, directUrl: direct, poolSize: 2, namedStatements: false }
  const [sender, receiver] = [await openPostgres(options), await openPostgres(options)]
  onTestFinished(async () => void (await Promise.all([sender.close(), receiver.close()])))
  const { promise, resolve } = Promise.withResolvers<string>()
  const stop = await receiver.changeSignals?.receive(resolve)
  await sender.changeSignals?.send('tickets 1')
  expect(await promise).toBe('tickets 1')
  await stop?.()
})

test('a server is not ready while its pooler does not answer', async () => {
  const { direct, pooled, stop } = await createPooledDatabase(createDatabase)
  await using server = await createServer({ databaseUrl: pooled, databaseDirectUrl: direct, namedStatements: false })
  const status = async () => (await server.fetch('http://platform.example/readyz')).status
  expect(await status()).toBe(200)
  stop()
  await expect.poll(status).toBe(503)
})

test('a data directory names a pooler with the settings that it needs', async () => {
  const { direct, pooled } = await createPooledDatabase(createDatabase)
  const data = await freshDirectory()
  const server = runCli(['start', '--port', '0', '--json', '--data', data], {
    SERVICE_DATABASE_URL: pooled,
    SERVICE_DATABASE_DIRECT_URL: direct,
    SERVICE_NAMED_STATEMENTS: 'false',
  })
  await server.firstLine
  const run = (...words: string[]) => runCliToEnd([...words, '--data', data], { PGPASSWORD: new URL(direct).password })
  expect(await run('doctor')).toMatchObject({ code: 0 })
  server.child.kill('SIGINT')
  await server.ended
  expect(await run('user', 'list')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('upgrade', '--check')).toMatchObject({ code: 0, stderr: '' })
})

test('without the settings for a pooler, the refused startup parameter is explained', async () => {
  const { pooled } = await createPooledDatabase(createDatabase)
  await expect(createServer({ databaseUrl: pooled })).rejects.toThrow(
    /startup parameter.*Set SERVICE_NAMED_STATEMENTS=false .*, and SERVICE_DATABASE_DIRECT_URL/,
  )
})

test('a pooler that ignores startup parameters but loses named statements is explained in the log', async () => {
  const { pooled } = await createPooledDatabase(
    createDatabase,
    'ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout',
  )
  const log = collectedLog()
  await using server = await createServer({ databaseUrl: pooled, log, rateLimit: 'off' })
  const faults = async () => {
    await Promise.allSettled(Array.from({ length: 20 }, () => server.admin.workspaces.create({ name: 'Acme' })))
    return log.lines.map(({ fields }) => fields['fault'])
  }
  await expect
    .poll(faults)
    .toContainEqual(expect.stringMatching(/does not keep named statements .*Set SERVICE_NAMED_STATEMENTS=false/))
})
