import { connect, createServer as createTcpServer } from 'node:net'
import { join, resolve } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { writeKnownDatabase } from '../src/cli/known-database.ts'
import { systemClock } from '../src/core/system-clock.ts'
import { createServer, type Server, type ServerOptions } from '../src/index.ts'
import { runHere } from './cli-in-process.ts'
import { runCli } from './cli-process.ts'
import { collectedLog } from './collected-log.ts'
import { signedInVisitor } from './dashboard-person.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { startReceiver } from './delivery/receiver.ts'
import { sendingOptions, subscribeReceiver } from './delivery/subscribed.ts'
import { freePort } from './free-port.ts'
import { freshDirectory } from './fresh-directory.ts'
import { listenInTest } from './listen-in-test.ts'
import { createDatabase } from './postgres-databases.ts'
import { openTables, type Tables } from './tables.ts'
import { call, seedWorkspace } from './workspace.ts'

// Each kind of outage, with short limits, on a real PostgreSQL. `proof/outages.test.ts` does the same to a separate server
// with the default limits.

/** Short, but longer than a busy machine pauses. */
const quick = { databaseConnectTimeoutMs: 1500, databaseLockTimeoutMs: 1000, databaseStatementTimeoutMs: 1500 }

async function start(options: ServerOptions = {}) {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  const proxy = await startDatabaseProxy(url)
  const log = collectedLog()
  const server = await createServer({ databaseUrl: proxy.url, log, rateLimit: 'off', ...quick, ...options })
  const tables = await openTables({ databaseUrl: url })
  onTestFinished(async () => {
    proxy.resume()
    await server.close()
    await tables.close()
    await drop()
  })
  return { server, proxy, tables, log, ...(await seedWorkspace(server)) }
}

type Started = Awaited<ReturnType<typeof start>>

const at = ({ workspace }: Pick<Started, 'workspace'>, path: string) => `/api/v1/workspaces/${workspace.id}/${path}`

type Seeded = Pick<Started, 'server' | 'workspace' | 'token'>

const createTicket = (started: Seeded, headers: Record<string, string> = {}) =>
  call(started.server, {
    method: 'POST',
    path: at(started, 'tickets'),
    token: started.token,
    body: { title: 'Broken' },
    headers,
  })

const listTasks = (started: Seeded) => call(started.server, { path: at(started, 'projects'), token: started.token })

const terminateAll = (tables: Tables) =>
  tables.rows(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)

const readiness = async (server: Server) => {
  const { status, body } = await call(server, { path: '/readyz' })
  return [status, body.database?.read, body.database?.write]
}

/** Waits until the server reads, writes, and reports that it is ready. */
async function expectRecovery(started: Started): Promise<void> {
  await expect.poll(() => readiness(started.server)).toEqual([200, 'ok', 'ok'])
  await expect.poll(async () => (await createTicket(started)).status).toBe(201)
}

const errorsOf = ({ log }: Started) =>
  log.lines.filter(({ level }) => level === 'error').map(({ sentence }) => sentence)

test('terminated connections under load cause at most 503 with Retry-After, and none is leaked', async () => {
  const started = await start()
  for (let round = 0; round < 3; round += 1) {
    const writing = Array.from({ length: 30 }, () => createTicket(started))
    await terminateAll(started.tables)
    for (const { status, headers, body } of await Promise.all(writing)) {
      expect([201, 503]).toContain(status)
      if (status === 503) expect([headers.get('retry-after'), body.message]).toEqual(['1', expect.any(String)])
    }
    await expectRecovery(started)
  }
  const [row] = await started.tables.rows(
    'select count(*) as open from pg_stat_activity where datname = current_database()',
  )
  // Ten in the pool, one for the watch, one for LISTEN, one of this test.
  expect(Number(row?.['open'])).toBeLessThanOrEqual(13)
  expect(errorsOf(started).filter((sentence) => sentence !== 'The database does not answer.')).toEqual([])
})

test('a hanging database is waited for within the limits, then requests fail immediately, and the log has one error', async () => {
  const started = await start()
  await createTicket(started)
  started.proxy.stall()
  const inFlight = [createTicket(started), listTasks(started)]
  await expect.poll(() => readiness(started.server)).toEqual([503, 'unavailable', 'unavailable'])
  for (const { status } of await Promise.all(inFlight)) expect(status).toBe(503)
  expect((await call(started.server, { path: '/livez' })).status).toBe(200)
  await expect.poll(() => errorsOf(started)).toEqual(['The database does not answer.'])
  const refused = await createTicket(started)
  expect([refused.status, refused.body.message]).toEqual([
    503,
    'The database cannot be reached at the moment. Try again shortly.',
  ])
  started.proxy.resume()
  await expectRecovery(started)
  expect(errorsOf(started)).toEqual(['The database does not answer.'])
  expect(started.log.lines.map(({ sentence }) => sentence)).toContain('The database answers and accepts writes again.')
})

test('during an outage, pages say what the API says, and a live stream is refused with 503 and Retry-After', async () => {
  const started = await start()
  const { id: workspace } = started.workspace
  const viewer = await signedInVisitor(started.server, { workspace, role: 'viewer' })
  started.proxy.stall()
  await expect.poll(() => readiness(started.server)).toEqual([503, 'unavailable', 'unavailable'])
  for (const path of ['/live?since=0', '/session', '/tickets', '/tickets/new', '/settings/members']) {
    const answer = await viewer.get(`/dashboard/w/${workspace}${path}`)
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '1'])
    expect(await answer.text()).toMatch(
      /The database (?:cannot be reached at the moment|took too long to answer)\. Try again shortly\./,
    )
  }
  started.proxy.resume()
  await expectRecovery(started)
  expect((await viewer.get(`/dashboard/w/${workspace}/live?since=0`)).status).toBe(200)
})

test.each([
  ['28P01', 'password authentication failed'],
  ['55000', 'database "x" is not currently accepting connections'],
])('a refused sign-in (%s) is an outage from the first request on', async (code, message) => {
  const started = await start()
  started.proxy.refuse('client_encoding', { code, message })
  await terminateAll(started.tables)
  for (const answer of await Promise.all(Array.from({ length: 8 }, () => createTicket(started))))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  started.proxy.refuse('')
  await expectRecovery(started)
  expect(errorsOf(started).filter((sentence) => sentence !== 'The database does not answer.')).toEqual([])
})

test('a forgotten row lock blocks only its own writers, with 503', async () => {
  const started = await start({ databasePool: 4, databaseWaitTimeoutMs: 4000 })
  await createTicket(started)
  await started.tables.rows('begin')
  await started.tables.rows('select * from ticket_counters for update')
  const writing = Array.from({ length: 100 }, () => createTicket(started))
  const readings = await Promise.all(Array.from({ length: 20 }, () => listTasks(started)))
  expect(readings.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(await readiness(started.server)).toEqual([200, 'ok', 'ok'])
  const answers = await Promise.all(writing)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
  expect(new Set(answers.map(({ body }) => body.message))).toContain(
    'Another change holds a lock that this request needs. Try again shortly.',
  )
  // A log line for each would add load.
  const warnings = started.log.lines.filter(({ level }) => level === 'warn').map(({ sentence }) => sentence)
  expect(warnings.length).toBe(new Set(warnings).size)
  expect(warnings).toContain(
    'Requests are refused with 503. Another change holds a lock that this request needs. Try again shortly. PostgreSQL says: canceling statement due to lock timeout (55P03).',
  )
  await started.tables.rows('rollback')
  expect((await createTicket(started)).status).toBe(201)
})

test('more callers than the pool can serve get either their response or 503', async () => {
  const started = await start({ databasePool: 1 })
  const answers = await Promise.all(Array.from({ length: 600 }, () => listTasks(started)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
  const refused = answers.find(({ status }) => status === 503)
  expect([refused?.headers.get('retry-after'), refused?.body.message]).toEqual([
    '1',
    'All database connections are in use at the moment. Try again shortly.',
  ])
  expect((await listTasks(started)).status).toBe(200)
})

test('a connection lost during a commit reports an unknown outcome, and the idempotency key resolves it', async () => {
  const started = await start()
  const key = { 'idempotency-key': 'key-1' }
  started.proxy.loseCommitAfter('ticket_counters')
  const lost = await createTicket(started, key)
  expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '1'])
  expect(lost.body.message).toBe(
    'The connection to the database was lost while the change was being saved, so it may or may not have been made. ' +
      'Repeat the request with the same Idempotency-Key. Without one, check first whether the change was made.',
  )
  const repeated = await createTicket(started, key)
  expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  expect((await started.server.admin.tickets.list({ workspace: started.workspace.id })).data).toHaveLength(1)
})

test('deliveries wait while the database is unreachable and continue when it is back, with one log entry', async () => {
  const started = await start({ ...sendingOptions(), clock: systemClock() })
  const receiver = await startReceiver()
  await subscribeReceiver(started.server, receiver, { workspace: started.workspace.id })
  await createTicket(started)
  await expect.poll(() => receiver.received.length).toBe(1)
  started.proxy.stall()
  await expect.poll(() => readiness(started.server)).toEqual([503, 'unavailable', 'unavailable'])
  const waits = () => started.log.lines.filter(({ sentence }) => sentence.startsWith('The delivery worker is waiting'))
  await expect.poll(() => waits().length).toBe(1)
  // Two checks must fail before the database counts as unreachable.
  await expect.poll(() => errorsOf(started)).toEqual(['The database does not answer.'])
  started.proxy.resume()
  await expectRecovery(started)
  // A creation that was answered with 503 may still commit after the outage.
  const missing = async () => {
    const arrived = receiver.received.map(({ body }) => JSON.parse(body.toString()).ticket.id)
    const { data } = await started.server.admin.tickets.list({ workspace: started.workspace.id })
    return data.filter(({ id }) => !arrived.includes(id))
  }
  await expect.poll(missing).toEqual([])
  expect(waits()).toHaveLength(1)
  expect(errorsOf(started)).toEqual(['The database does not answer.'])
})

test('a worker whose statements are refused now and then says so at most once in ten seconds', async () => {
  // Without names, every statement has its text.
  const { server, proxy, log, workspace } = await start({ ...sendingOptions(), namedStatements: false })
  await subscribeReceiver(server, await startReceiver(), { workspace: workspace.id })
  for (let round = 0; round < 3; round += 1) {
    proxy.refuse('unrouted_events', { code: '57P03', message: 'the database system is starting up' })
    await expect(server.deliveries.runDue()).rejects.toThrow('The database cannot be reached at the moment.')
    proxy.refuse('')
    await server.deliveries.runDue()
  }
  const sentences = log.lines.map(({ sentence }) => sentence)
  expect(sentences.filter((sentence) => /worker (?:is waiting|continues)/.test(sentence))).toEqual([
    'The delivery worker is waiting for the database.',
    'The delivery worker continues.',
  ])
})

test('after a read-only period, changes are accepted again although old connections stay read-only', async () => {
  const started = await start()
  const { tables, server } = started
  const [row] = await tables.rows('select current_database() as name')
  await tables.rows(`alter database ${row?.['name']} set default_transaction_read_only = on`)
  await terminateAll(tables)
  await expect.poll(() => readiness(server)).toEqual([503, 'ok', 'unavailable'])
  const refused = await createTicket(started)
  expect([refused.status, refused.body.message]).toEqual([
    503,
    'The database is read-only at the moment. Try again shortly.',
  ])
  expect((await listTasks(started)).status).toBe(200)
  // As after a failover: existing connections keep their setting, and new ones get the changed one.
  await tables.rows(`alter database ${row?.['name']} reset default_transaction_read_only`)
  await expectRecovery(started)
  const created = await Promise.all(Array.from({ length: 20 }, () => createTicket(started)))
  // On a busy machine some may time out.
  expect(created.some(({ status }) => status === 201)).toBe(true)
  expect(created.map(({ body }) => body.message)).not.toContain(refused.body.message)
})

test('a PostgreSQL that accepts no more connections is reported with a remedy, at the start and in the log', async () => {
  // More than are open after the start, so that requests need new connections. Equal lists share one query.
  const started = await start({ databasePool: 40 })
  const crowded = { code: '53300', message: 'sorry, too many clients already' }
  started.proxy.refuse('client_encoding', crowded)
  await expect(createServer({ databaseUrl: started.proxy.url, ...quick })).rejects.toThrow(
    /accepts no more connections \(53300\)\. Raise the limit in PostgreSQL \(max_connections, or the connection limit of the role or the database\), or lower SERVICE_DATABASE_POOL/,
  )
  const lists = Array.from({ length: 40 }, (_, most) => `${at(started, 'projects')}?limit=${most + 1}`)
  const answers = await Promise.all(lists.map((path) => call(started.server, { path, token: started.token })))
  expect(answers.map(({ body }) => body.message)).toContain(
    'The database accepts no more connections at the moment. Try again shortly.',
  )
  const warnings = started.log.lines.filter(({ level }) => level === 'warn').map(({ sentence }) => sentence)
  expect(warnings).toContainEqual(expect.stringContaining('lower SERVICE_DATABASE_POOL'))
  // Only the connections of the pool, which name it at their start.
  started.proxy.refuse('statement_timeout\u0000', { ...crowded, message: 'too many connections for role "service"' })
  expect((await runHere(['doctor', '--database-url', started.proxy.url])).stdout).toMatch(
    /^database +problem .* PostgreSQL says: too many connections for role "service" \(53300\)\.$/m,
  )
  started.proxy.refuse('')
  await expectRecovery(started)
})

test('a pooler that refuses startup parameters is reported with the setting to change', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const proxy = await startDatabaseProxy(url)
  proxy.refuse('statement_timeout\u0000', {
    code: '08P01',
    message: 'unsupported startup parameter: statement_timeout',
  })
  await expect(createServer({ databaseUrl: proxy.url, ...quick })).rejects.toThrow(
    'The database URL points to a pooler that refuses a startup parameter (unsupported startup parameter: ' +
      'statement_timeout). Set SERVICE_NAMED_STATEMENTS=false (namedStatements), as poolers such as PgBouncer need, and ' +
      'SERVICE_DATABASE_DIRECT_URL (databaseDirectUrl) to the URL of PostgreSQL itself.',
  )
  await using server = await createServer({ databaseUrl: proxy.url, namedStatements: false })
  expect((await server.admin.workspaces.list()).data).toEqual([])
})

test.each([
  ['42P05', 'prepared statement "s0" already exists'],
  ['26000', 'prepared statement "s0" does not exist'],
])('a pooler that loses named statements (%s) is reported with the setting to change', async (code, message) => {
  const started = await start()
  started.proxy.refuse('insert into "tickets"', { code, message })
  expect((await createTicket(started)).status).toBe(500)
  expect(started.log.lines.map(({ fields }) => fields['fault'])).toContain(
    `The database URL points to a pooler that does not keep named statements (${message}). Set SERVICE_NAMED_STATEMENTS=false (namedStatements), as poolers such as PgBouncer need, and SERVICE_DATABASE_DIRECT_URL (databaseDirectUrl) to the URL of PostgreSQL itself.`,
  )
})

test('concurrent statements inside a transaction reach pg one at a time', async () => {
  const warnings: Error[] = []
  const hear = (warning: Error) => void warnings.push(warning)
  process.on('warning', hear)
  onTestFinished(() => void process.off('warning', hear))
  let read = 0
  const started = await start({
    hooks: {
      async ticketCreated(_ticket, admin) {
        const lists = await Promise.all(Array.from({ length: 5 }, () => admin.tasks.list({ workspace: 1 }, {})))
        read = lists.length
      },
    },
  })
  expect((await createTicket(started)).status).toBe(201)
  expect(read).toBe(5)
  // Node emits warnings in a later turn.
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings.map(({ message }) => message)).toEqual([])
})

test('a hook that hides a failed statement does not acknowledge a change that PostgreSQL rolled back', async () => {
  const started = await start({
    hooks: {
      async ticketCreated(_ticket, admin) {
        await admin.tasks.create({ workspace: 1 }, { title: 'Call', tags: ['a'] }).catch(() => undefined)
      },
    },
  })
  await started.tables.rows('alter table tasks rename column tags to labels')
  expect((await createTicket(started)).status).toBe(500)
  expect((await started.server.admin.tickets.list({ workspace: started.workspace.id })).data).toEqual([])
})

test('a read-only database is not ready, answers reads, and refuses writes', async () => {
  const started = await start()
  const [row] = await started.tables.rows('select current_database() as name')
  const setReadOnly = async (value: 'on' | 'off') => {
    await started.tables.rows('set default_transaction_read_only = off')
    await started.tables.rows(`alter database ${row?.['name']} set default_transaction_read_only = ${value}`)
    await terminateAll(started.tables)
  }
  await setReadOnly('on')
  await expect.poll(() => readiness(started.server)).toEqual([503, 'ok', 'unavailable'])
  expect((await listTasks(started)).status).toBe(200)
  const refused = await createTicket(started)
  expect([refused.status, refused.body.message]).toEqual([
    503,
    'The database is read-only at the moment. Try again shortly.',
  ])
  const url = new URL(`/${row?.['name']}`, inject('postgresUrl')).href
  const doctor = async () =>
    runHere(['doctor'], { SERVICE_DATABASE_URL: url, SERVICE_DATA: await freshDirectory() }).then(
      ({ stdout }) => stdout,
    )
  expect(await doctor()).toMatch(/writes +problem +default_transaction_read_only is on/)
  // The outage has its own line, and requests add none about the last use of their tokens.
  expect(started.log.lines.filter(({ sentence }) => sentence.includes('last use'))).toEqual([])
  await setReadOnly('off')
  await expectRecovery(started)
  expect(await doctor()).toMatch(/writes +ok/)
})

test('a server closes while its database hangs, and answers waiting requests', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const proxy = await startDatabaseProxy(url)
  const server = await createServer({ databaseUrl: proxy.url, log: collectedLog(), ...quick })
  const seeded = await seedWorkspace(server)
  proxy.stall()
  const path = `/api/v1/workspaces/${seeded.workspace.id}/tickets`
  const waiting = call(server, { path, token: seeded.token })
  await server.close()
  expect((await waiting).status).toBe(503)
})

test('a start on a hanging, refusing, or missing database reports the address but not the password', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const proxy = await startDatabaseProxy(url)
  proxy.stall()
  const { host } = new URL(proxy.url)
  const begin = (databaseUrl: string) => createServer({ databaseUrl, databaseConnectTimeoutMs: 300 })
  await expect(begin(proxy.url)).rejects.toThrow(
    `PostgreSQL at ${host} does not answer within 0.3 s. Check that it runs and that the database URL is right, then start again.`,
  )
  const closing = createTcpServer((near) => void near.on('data', () => near.end()))
  const closingPort = await listenInTest(closing)
  await expect(begin(`postgres://u:secret-word@127.0.0.1:${closingPort}/x`)).rejects.toThrow(
    `PostgreSQL at 127.0.0.1:${closingPort} closes the connection. Check that it runs`,
  )
  const encrypted = await startDatabaseProxy(url)
  const message = 'no pg_hba.conf entry for host "192.0.2.1", user "u", database "x", no encryption'
  encrypted.refuse('user\u0000', { code: '28000', message })
  await expect(begin(encrypted.url)).rejects.toThrow(
    `PostgreSQL at ${new URL(encrypted.url).host} refuses a connection without TLS. Add sslmode=verify-full to the database URL, or allow the connection in pg_hba.conf. PostgreSQL says: ${message} (28000).`,
  )
  const other = new URL(url)
  other.pathname = '/not_there'
  await expect(begin(other.href)).rejects.toThrow(`PostgreSQL at ${other.host} has no such database.`)
  await expect(begin('postgres://postgres:secret-word@127.0.0.1:1/x')).rejects.toThrow(
    /^PostgreSQL at 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)\.(?!.*secret-word)/,
  )
})

test.each(['require', 'verify-full'])('sslmode=%s with a server without TLS ends in one sentence', async (mode) => {
  const server = createTcpServer((socket) =>
    socket.on('error', () => undefined).once('data', () => void socket.write('N')),
  )
  const port = await listenInTest(server)
  const url = `postgres://service:secret-word@127.0.0.1:${port}/x?sslmode=${mode}`
  const cli = runCli(['workspace', 'list'], { SERVICE_DATABASE_URL: url, NODE_NO_WARNINGS: '' })
  expect(await cli.ended).toBe(1)
  expect(cli.said.stderr).toBe(
    `PostgreSQL at 127.0.0.1:${port} does not support TLS, which the sslmode of the database URL (or PGSSLMODE) requires. Set ssl = on in PostgreSQL, or sslmode=disable in a network that you trust.\n`,
  )
})

test('a Unix socket is named by its directory, and a missing file of a certificate by its path', async () => {
  const directory = await freshDirectory()
  const { hostname, port, username } = new URL(inject('postgresUrl'))
  let open = 0
  const socket = createTcpServer((near) => {
    open += 1
    near.once('close', () => (open -= 1))
    near.pipe(connect(Number(port), hostname)).pipe(near)
  })
  await new Promise<void>((resolve) => socket.listen(join(directory, '.s.PGSQL.5432'), resolve))
  onTestFinished(() => void socket.close())
  const begin = (databaseUrl: string) => createServer({ databaseUrl })
  for (const host of [`/x?host=${directory}`, `${encodeURIComponent(directory)}/x`])
    await expect(begin(`postgres://${username}@${host}`)).rejects.toThrow(
      `PostgreSQL at ${directory} asks for a password`,
    )
  // The server would keep the connections for a minute, and with them the process.
  await expect.poll(() => open).toBe(0)
  await expect(begin('postgres:///x?host=/none')).rejects.toThrow('PostgreSQL at /none cannot be reached (ENOENT).')
  await expect(begin('postgres://127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/none/ca.crt')).rejects.toThrow(
    '/none/ca.crt, which the database URL names, cannot be read (ENOENT).',
  )
})

test('every command names the missing certificate of a database URL, from any folder', async () => {
  const data = await freshDirectory()
  const unreadable = (file: string) => `${file}, which the database URL names, cannot be read`
  const urlWith = (file: string) => `postgres://u@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=${file}`
  writeKnownDatabase(data, { databaseUrl: urlWith('certificates/ca.crt'), files: {} })
  for (const words of [['doctor'], ['backup'], ['upgrade', '--check'], ['workspace', 'list']]) {
    const known = await runHere([...words, '--data', data])
    const given = await runHere([...words, '--data', data], { SERVICE_DATABASE_URL: urlWith(data) })
    expect(known.stdout + known.stderr, words[0]).toContain(unreadable(resolve('certificates/ca.crt')))
    expect(given.stdout + given.stderr, words[0]).toContain(unreadable('A directory'))
  }
})

test('a start waits for a database that is not up yet, and says what it waits for', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const proxy = await startDatabaseProxy(url)
  proxy.refuse('user', { code: '57P03', message: 'the database system is starting up' })
  const log = collectedLog()
  const starting = createServer({ databaseUrl: proxy.url, databaseStartTimeoutMs: 60_000, log })
  const warnings = () => log.lines.filter(({ level }) => level === 'warn').map(({ sentence }) => sentence)
  const { host } = new URL(proxy.url)
  await expect
    .poll(warnings)
    .toEqual([`PostgreSQL at ${host} cannot be reached (57P03). The start is repeated for up to 60 s.`])
  proxy.refuse('')
  await using server = await starting
  expect(await readiness(server)).toEqual([200, 'ok', 'ok'])
  // Waiting cannot help here, so the start fails at once.
  const other = new URL(url)
  other.pathname = '/not_there'
  await expect(createServer({ databaseUrl: other.href, databaseStartTimeoutMs: 60_000 })).rejects.toThrow(
    `PostgreSQL at ${other.host} has no such database.`,
  )
})

test('connections that are slow to open are waited for by a start and by every request of a burst', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const proxy = await startDatabaseProxy(url)
  proxy.delayConnections(700)
  const limits = { databasePool: 4, databaseConnectTimeoutMs: 20_000, databaseWaitTimeoutMs: 200 }
  await using server = await createServer({ databaseUrl: proxy.url, rateLimit: 'off', ...limits })
  const seeded = { server, ...(await seedWorkspace(server)) }
  const burst = await Promise.all(
    Array.from({ length: 12 }, () => [createTicket(seeded), listTasks(seeded as Started)]).flat(),
  )
  expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([200, 201]))
})

test('a connection that cannot be opened within its limit has its own message', async () => {
  // Nothing waits for a free connection until its limit, however busy the machine is.
  const started = await start({ databasePool: 40, databaseConnectTimeoutMs: 300, databaseWaitTimeoutMs: 60_000 })
  started.proxy.delayConnections(3_600_000)
  const answers = await Promise.all(Array.from({ length: 40 }, () => createTicket(started)))
  const refused = answers.filter(({ status }) => status === 503).map(({ body }) => body.message)
  expect(new Set(refused)).toEqual(
    new Set(['Opening a connection to the database takes too long at the moment. Try again shortly.']),
  )
  expect(await readiness(started.server)).toEqual([200, 'ok', 'ok'])
  started.proxy.delayConnections(0)
  await expect.poll(async () => (await createTicket(started)).status).toBe(201)
})

test('a start whose database hangs during a migration fails', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const proxy = await startDatabaseProxy(url)
  proxy.stallAt('create table if not exists migrations')
  const log = collectedLog()
  const starting = createServer({ databaseUrl: proxy.url, log, ...quick })
  await expect(starting).rejects.toThrow('The database cannot be reached')
  expect(log.lines).toMatchObject([
    {
      sentence: 'The database does not answer.',
      fields: { fault: expect.stringMatching(/^It took longer than \d+ ms\.$/) },
    },
  ])
})

test('behind a pooler, limits are set per transaction instead of per connection', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  const proxy = await startDatabaseProxy(url)
  // As a startup parameter it ends with a zero byte.
  proxy.refuse('lock_timeout\0')
  await expect(createServer({ databaseUrl: proxy.url, log: collectedLog(), ...quick })).rejects.toThrow()
  const server = await createServer({ databaseUrl: proxy.url, log: collectedLog(), namedStatements: false, ...quick })
  const tables = await openTables({ databaseUrl: url })
  onTestFinished(async () => {
    await server.close()
    await tables.close()
    await drop()
  })
  const started = { server, ...(await seedWorkspace(server)) }
  for (let repeat = 0; repeat < 3; repeat += 1) expect((await createTicket(started)).status).toBe(201)
  await tables.rows('begin')
  await tables.rows('select * from ticket_counters for update')
  const refused = await createTicket(started)
  expect([refused.status, refused.body.message]).toEqual([
    503,
    'Another change holds a lock that this request needs. Try again shortly.',
  ])
  expect((await listTasks(started)).status).toBe(200)
  await tables.rows('rollback')
  expect((await createTicket(started)).status).toBe(201)
})

test.each([
  ['53100', 'could not extend file "base/1": No space left on device', 'has no space left'],
  ['53200', 'out of memory', 'lacks memory or another resource'],
  ['53400', 'temporary file size exceeds temp_file_limit', 'lacks memory or another resource'],
  ['58030', 'could not read block 7', 'disk of the database is failing'],
  ['58P01', 'could not access file "x"', 'disk of the database is failing'],
])('an error %s of PostgreSQL keeps its meaning, and its text is in the log', async (code, message, meaning) => {
  const started = await start()
  started.proxy.refuse('into "tickets"', { code, message })
  const { status, body } = await createTicket(started)
  expect(status).toBe(503)
  expect(body.message).toContain(meaning)
  expect(JSON.stringify(body)).not.toContain(message)
  const told = started.log.lines.filter(({ sentence }) => sentence.includes(message))
  expect(told).toMatchObject([
    { level: 'warn', sentence: expect.stringContaining(`PostgreSQL says: ${message} (${code}).`) },
  ])
})

test('a start waits for the database at its last steps too, and after its limit ends with 1 and a sentence', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const proxy = await startDatabaseProxy(url)
  // The set-up link is created when the ports are open.
  proxy.refuse('into "one_time_links"')
  const data = await freshDirectory()
  const begin = async (limitMs: string) =>
    runCli(['start', '--json', '--port', '0', '--data', data], {
      SERVICE_DATABASE_URL: proxy.url,
      SERVICE_DATABASE_START_TIMEOUT_MS: limitMs,
      SERVICE_HEALTH_PORT: String(await freePort()),
    })
  const ended = await begin('0')
  expect(await ended.ended).toBe(1)
  expect(ended.said.stderr).toContain('The database cannot be reached at the moment.')
  const waiting = await begin('60000')
  await expect.poll(() => waiting.said.stderr).toContain('The start is repeated for up to 60 s.')
  proxy.refuse('')
  expect(JSON.parse(await waiting.firstLine)).toMatchObject({ event: 'ready', setup_url: expect.any(String) })
})

test('a start and a copy end with the text of PostgreSQL', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const wrong = new URL(url)
  wrong.pathname = '/missing'
  const says = 'PostgreSQL says: database "missing" does not exist (3D000).'
  await expect(createServer({ databaseUrl: wrong.href })).rejects.toThrow(says)
  const copied = await runHere(['db', 'copy', '--from', wrong.href, '--to', await freshDirectory()], {})
  expect(copied).toMatchObject({ code: 1, stderr: expect.stringContaining(says) })
  const proxy = await startDatabaseProxy(url)
  proxy.refuse('select * from migrations', { code: '58030', message: 'could not read block 7' })
  const started = await runHere(['start', '--port', '0'], {
    SERVICE_DATABASE_URL: proxy.url,
    SERVICE_DATABASE_START_TIMEOUT_MS: '0',
    SERVICE_DATA: await freshDirectory(),
    SERVICE_LOG: 'off',
  })
  expect(started).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('PostgreSQL says: could not read block 7 (58030).'),
  })
})

test('two URLs that lead to different databases are refused by start, doctor, backup, and restore, and make a server not ready', async () => {
  const [one, other] = await Promise.all([createDatabase(inject('postgresUrl')), createDatabase(inject('postgresUrl'))])
  onTestFinished(() => Promise.all([one.drop(), other.drop()]).then(() => undefined))
  const says = /^SERVICE_DATABASE_URL \(\S+\) and SERVICE_DATABASE_DIRECT_URL \(\S+\) lead to different databases\./m
  await expect(createServer({ databaseUrl: one.url, databaseDirectUrl: other.url })).rejects.toThrow(says)
  const data = await freshDirectory()
  const settings = { SERVICE_DATABASE_URL: one.url, SERVICE_DATABASE_DIRECT_URL: other.url, SERVICE_DATA: data }
  expect(await runHere(['doctor'], settings)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/database +problem +SERVICE_DATABASE_URL \(\S+\) and SERVICE_DATABASE_DIRECT_URL/),
  })
  const file = join(data, 'x.backup')
  expect(await runHere(['backup', file], settings)).toMatchObject({ code: 1, stderr: expect.stringMatching(says) })
  expect(await runHere(['backup', file], { SERVICE_DATABASE_URL: one.url })).toMatchObject({ code: 0 })
  const down = { ...settings, SERVICE_DATABASE_URL: 'postgres://127.0.0.1:1/x', SERVICE_DATABASE_DIRECT_URL: one.url }
  expect(await runHere(['backup', file], down)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)\. Check/),
  })
  expect(await runHere(['restore', file, '--yes'], settings)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(says),
  })

  const proxy = await startDatabaseProxy(one.url)
  const server = await createServer({ databaseUrl: proxy.url, databaseDirectUrl: one.url })
  onTestFinished(() => server.close())
  await expect.poll(() => readiness(server)).toEqual([200, 'ok', 'ok'])
  proxy.leadTo(other.url)
  await expect.poll(() => readiness(server)).toEqual([503, 'unavailable', 'unavailable'])
  proxy.leadTo(one.url)
  await expect.poll(() => readiness(server)).toEqual([200, 'ok', 'ok'])
})

test('a server that stands still in a transaction delays the writers of others by seconds', async () => {
  const standing = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const hooks = {
    async ticketCreated() {
      standing.resolve()
      await resumed.promise
    },
  }
  const first = await start({ hooks })
  const databaseUrl = first.proxy.url
  const other = await createServer({ databaseUrl, rateLimit: 'off', databaseLockTimeoutMs: 30_000 })
  onTestFinished(async () => other.close())
  const interrupted = createTicket(first)
  await standing.promise
  expect((await createTicket({ ...first, server: other })).body).toMatchObject({ data: { ticket_number: 'TKT-00001' } })
  resumed.resolve()
  expect((await interrupted).status).toBe(503)
})
