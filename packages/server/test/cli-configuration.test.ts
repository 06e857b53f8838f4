import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { environmentName, settings } from '../src/core/config.ts'
import { runHere } from './cli-in-process.ts'
import { runCli } from './cli-process.ts'
import { freshDirectory } from './fresh-directory.ts'
import { listenInTest } from './listen-in-test.ts'
import { createDatabase } from './postgres-databases.ts'
import { startWithTables } from './tables.ts'

test('all configuration problems are reported at once, with exit code 2 and without secrets', async () => {
  const data = await freshDirectory()
  const cli = runCli(['start', '--data', data], {
    SERVICE_PORT: '99999',
    SERVICE_RATE_LIMIT: 'lots',
    SERVICE_SYNCHRONOUS: 'sometimes',
    SERVICE_VALIDATION: 'loose',
    SERVICE_CREATED_STATUS: '204',
    SERVICE_DATABASE_URL: 'mysql://root:hunter2hunter2@db/service',
    SERVICE_ADMIN_TOKEN: 'a secret with spaces in it',
    SERVICE_LOG: 'loud',
  })
  expect(await cli.ended).toBe(2)
  const { stderr, stdout } = cli.said
  expect(stdout).toBe('')
  expect(stderr.split('\n')[0]).toBe('The configuration has 8 problems:')
  for (const name of [
    'PORT',
    'RATE_LIMIT',
    'SYNCHRONOUS',
    'VALIDATION',
    'CREATED_STATUS',
    'DATABASE_URL',
    'ADMIN_TOKEN',
  ]) {
    expect(stderr.split('\n').filter((line) => line.startsWith(`  - SERVICE_${name} must be `))).toHaveLength(1)
  }
  expect(stderr).toContain('SERVICE_LOG must be "info" (a line per request), "warn", or "off"')
  expect(stderr).toContain('SERVICE_RATE_LIMIT must be "off" or a whole number of requests per minute; it is "lots".')
  expect(stderr).not.toContain('hunter2')
  expect(stderr).not.toContain('a secret')
})

test('a number beyond what timers and databases count is refused by every setting, with its limit', async () => {
  const numbers = Object.entries(settings).flatMap(([name, { description }]) =>
    description.startsWith('a whole number of') && !description.includes('bytes') ? [environmentName(name)] : [],
  )
  const largest = Object.fromEntries(numbers.map((name) => [name, '100000000']))
  expect((await runHere(['config', 'print'], largest)).code).toBe(0)
  const { code, stderr } = await runHere(['config', 'print'], { ...largest, SERVICE_AUDIT_RETENTION_DAYS: '100000001' })
  expect(code).toBe(2)
  expect(stderr).toContain('indefinitely by default, at most 100000000; it is "100000001".')
  const tooLarge = Object.fromEntries(numbers.map((name) => [name, '3000000000']))
  expect((await runHere(['config', 'print'], tooLarge)).stderr.match(/at most 100000000/g)).toHaveLength(numbers.length)
})

test('the largest retention of every log, on PostgreSQL, deletes nothing', async () => {
  const days = Object.keys(settings).filter((name) => /Days$|Hours$/.test(name))
  const { server } = await startWithTables('postgres', Object.fromEntries(days.map((name) => [name, 100_000_000])))
  expect(days.length).toBeGreaterThan(5)
  expect(await server.admin.system.prune()).toEqual({ removed: 0, done: true })
})

test.each([
  'ftp://desk.example',
  'https://desk.example/?q=1',
  'https://desk.example/#top',
  'https://user@desk.example',
  'https://[desk',
  'https://desk.example:0',
])('the public URL %s is refused', async (url) => {
  const { code, stderr } = await runHere(['config', 'print'], { SERVICE_PUBLIC_URL: url })
  expect(code).toBe(2)
  expect(stderr).toContain('SERVICE_PUBLIC_URL must be the public http(s) URL of the server, without')
})

test.each(['postgres://u:p@one,two/service', 'postgres:///service?host=one,two'])(
  'the database URL %s with several hosts is refused with one sentence, as a variable and as a flag',
  async (url) => {
    const variable = runCli(['start', '--port', '0'], { SERVICE_DATABASE_URL: url })
    const flag = runCli(['doctor', '--database-url', url, '--data', await freshDirectory()])
    for (const cli of [variable, flag]) {
      expect(await cli.ended).toBe(2)
      expect(
        cli.said.stderr.match(
          /(?:SERVICE_DATABASE_URL|--database-url) must name one host. For failover, use an address/g,
        ),
      ).toHaveLength(1)
    }
  },
)

test.each([
  'postgres://service:hunter@hun/t:er#1%@127.0.0.1:1/x',
  'postgres://service:hunter@hunter@127.0.0.1:1/x',
  'postgres://service:hunter#hunter@127.0.0.1:1/x',
  'postgres://service:hunter/hunter@127.0.0.1:1/x',
  'postgres://service:hunter?hunter@127.0.0.1:1/x',
  'postgres://service:1?hunter@127.0.0.1:1/x',
  'postgres://service:1?hunter=hunter@127.0.0.1:1/x',
  'postgres://service:hunter%hunter@127.0.0.1:1/x',
  'postgres://service:hunter@127.0.0.1:hunter/x',
])('the malformed database URL %s is refused wherever it is set, and no part of it is printed', async (url) => {
  const data = await freshDirectory()
  const file = join(data, 'url')
  await writeFile(file, url)
  const start = ['start', '--port', '0', '--data', data]
  const cases: [name: string, words: string[], settings: Record<string, string>][] = [
    ['SERVICE_DATABASE_URL', start, { SERVICE_DATABASE_URL: url }],
    ['SERVICE_DATABASE_URL (read from SERVICE_DATABASE_URL_FILE)', start, { SERVICE_DATABASE_URL_FILE: file }],
    [
      'SERVICE_DATABASE_DIRECT_URL',
      start,
      { SERVICE_DATABASE_URL: 'postgres://127.0.0.1:1/x', SERVICE_DATABASE_DIRECT_URL: url },
    ],
    ['--database-url', [...start, '--database-url', url], {}],
    ['--to', ['db', 'copy', '--from', data, '--to', url], {}],
  ]
  for (const [name, words, settings] of cases) {
    const { code, stdout, stderr } = await runHere(words, settings)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.match(/must be a valid URL/g)).toHaveLength(1)
    expect(stderr).toContain(`${name} must be a valid URL, such as postgres://user:password@host:5432/database.`)
    expect(stderr).toContain('Percent-encode special characters in the user and the password: % as %25, / as %2F')
    expect(stderr).not.toMatch(/hun|er#/)
  }
})

test.each([
  'postgres://127.0.0.1:1/x?user=a@b&options=-c%20search_path%3Dx',
  'postgresql://service:p%40ss%2Fw%23rd@127.0.0.1:1',
  'postgres://service:pass@/x?host=/none',
  'postgres://service@%2Fnone/x',
  'postgres:///x?host=/none',
  'postgres://127.0.0.1:1/x?application_name=a&connect_timeout=5&keepalives=1&target_session_attrs=read-write',
  'postgres://127.0.0.1:1/x?sslmode=require&channel_binding=require',
])('the database URL %s is accepted', async (url) => {
  const { code } = await runHere(['config', 'print'], { SERVICE_DATABASE_URL: url })
  expect(code).toBe(0)
})

test.each([
  ['sslMode=verify-full', 'has the parameter "sslMode", which is not supported. Did you mean sslmode?'],
  ['sslmod=verify-full', 'has the parameter "sslmod", which is not supported. Did you mean sslmode?'],
  ['hostaddr=a,b', 'has the parameter "hostaddr", which is not supported. Remove it.'],
  ['requirepeer=postgres', 'has the parameter "requirepeer", which is not supported. Remove it.'],
  [
    'sslmode=off',
    'has the sslmode "off", which is unknown. Use one of disable, prefer, require, verify-ca, verify-full,',
  ],
  ['sslmode=', 'has the sslmode "", which is unknown.'],
  ['sslmode=verifyfull', 'has the sslmode "verifyfull", which is unknown.'],
])(
  'a database URL with %s is refused, because it would connect without TLS or to another server',
  async (query, text) => {
    const url = `postgres://service:hunter2@127.0.0.1:1/x?${query}`
    const given = { SERVICE_DATABASE_URL: 'postgres://127.0.0.1:1/x', SERVICE_DATABASE_DIRECT_URL: url }
    for (const [name, words, settings] of [
      ['SERVICE_DATABASE_URL', ['doctor'], { SERVICE_DATABASE_URL: url }],
      ['SERVICE_DATABASE_DIRECT_URL', ['start'], given],
      ['--database-url', ['backup', '--database-url', url], {}],
      ['--from', ['db', 'copy', '--from', url, '--to', 'none'], {}],
    ] as const) {
      const { code, stderr } = await runHere(words, settings)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${name} ${text}`)])
      expect(stderr).not.toContain('hunter2')
    }
  },
)

test.each([
  ['DATABASE_URL', 'must be a postgres:// URL'],
  ['DATABASE_DIRECT_URL', 'must be the postgres:// URL'],
  ['METRICS_TOKEN', 'must be a bearer token'],
  ['ADMIN_TOKEN', 'must be a bearer token'],
  ['RATE_LIMIT', 'must be "off"'],
  ['PORT', 'must be a port number'],
  ['LOG_FORMAT', 'must be "text" or "json"'],
])(
  'an empty file of SERVICE_%s is named in the error, and so are a variable and a file that are both set',
  async (name, rule) => {
    const data = await freshDirectory()
    const file = join(data, 'empty')
    await writeFile(file, '')
    const empty = await runHere(['config', 'print', '--data', data], { [`SERVICE_${name}_FILE`]: file })
    expect(empty.code).toBe(2)
    expect(empty.stderr).toContain(`SERVICE_${name} (read from SERVICE_${name}_FILE) ${rule}`)
    const both = await runHere(['config', 'print'], {
      [`SERVICE_${name}_FILE`]: file,
      [`SERVICE_${name}`]: 'secret-word',
    })
    expect(both.code).toBe(2)
    expect(both.stderr).toContain(`SERVICE_${name} and SERVICE_${name}_FILE are both set: choose one.`)
  },
)

test('a client refuses an admin token that is set twice', async () => {
  const settings = {
    SERVICE_URL: 'http://127.0.0.1:1',
    SERVICE_ADMIN_TOKEN: 'one',
    SERVICE_ADMIN_TOKEN_FILE: join(await freshDirectory(), 'none'),
  }
  expect(await runHere(['workspace', 'list'], settings)).toMatchObject({
    code: 2,
    stderr: 'SERVICE_ADMIN_TOKEN and SERVICE_ADMIN_TOKEN_FILE are both set: choose one.\n',
  })
})

test('a secret can be read from a file, and an unreadable file is a separate problem', async () => {
  const directory = await freshDirectory()
  const file = join(directory, 'admin-token')
  await writeFile(file, 'an-admin-token-from-a-file-0123456789\n')
  const good = runCli(['start', '--json', '--port', '0', '--data', directory], { SERVICE_ADMIN_TOKEN_FILE: file })
  const { admin_url, admin_token_file } = JSON.parse(await good.firstLine)
  expect(admin_token_file).toBe(file)
  const headers = { authorization: 'Bearer an-admin-token-from-a-file-0123456789' }
  expect((await fetch(`${admin_url}/workspaces`, { headers })).status).toBe(200)
  const bad = runCli(['start', '--port', '0', '--data', directory], {
    SERVICE_DATABASE_URL_FILE: join(directory, 'none'),
  })
  expect(await bad.ended).toBe(2)
  expect(bad.said.stderr).toContain('SERVICE_DATABASE_URL_FILE must name a file that can be read.')
})

test('every option has an environment variable, and its flag takes precedence', async () => {
  const directory = await freshDirectory()
  const wrong = join(directory, 'wrong')
  const right = join(directory, 'right')
  const cli = runCli(['start', '--data', right], {
    SERVICE_DATA: wrong,
    SERVICE_PORT: '0',
    SERVICE_HOST: 'localhost',
    SERVICE_JSON: '1',
    SERVICE_DEMO: 'true',
    SERVICE_RATE_LIMIT: '7',
    SERVICE_CREATED_STATUS: '200',
  })
  const ready = JSON.parse(await cli.firstLine)
  expect(ready.base_url).toMatch(/^http:\/\/localhost:\d+\/api\/v1$/)
  const answer = await fetch(`${ready.base_url}/workspaces/${ready.workspace}/tickets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
    body: '{"title":"Broken"}',
  })
  expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, '7'])
  await expect(mkdir(wrong)).resolves.toBeUndefined()
  await expect(mkdir(right)).rejects.toMatchObject({ code: 'EEXIST' })
})

test('an unknown setting causes a warning but does not prevent the start', async () => {
  const cli = runCli(['start', '--json', '--port', '0', '--data', await freshDirectory()], {
    SERVICE_RATELIMIT: 'off',
    SERVICE_URL: 'http://127.0.0.1:1',
    SERVICE_TOKEN: 'service_t',
  })
  expect(JSON.parse(await cli.firstLine).event).toBe('ready')
  const log = cli.said.stderr.trim().split('\n')
  const unknown = log.map((line) => JSON.parse(line)).filter(({ message }) => message.includes('is unknown'))
  expect(unknown).toMatchObject([
    { level: 'warn', message: 'The setting SERVICE_RATELIMIT is unknown and has no effect.' },
  ])
})

test('a start warns about a file of a secret that belongs to its user and that others may read, and about no mounted one', async () => {
  const data = await freshDirectory()
  const own = process.getuid?.() || 4242
  // Root is the owner of mounted secrets.
  const user = vi.spyOn(process, 'getuid').mockReturnValue(own)
  onTestFinished(() => void user.mockRestore())
  const file = join(data, 'database-url')
  await writeFile(file, 'postgres://u@127.0.0.1:1/x')
  const warnings = async (mode: number, owner: number) => {
    await chmod(file, mode)
    if (process.geteuid?.() === 0) await chown(file, owner, owner)
    const settings = { SERVICE_DATABASE_URL_FILE: file, SERVICE_DATABASE_START_TIMEOUT_MS: '0', SERVICE_DATA: data }
    const { code, stderr } = await runHere(['start', '--port', '0'], settings)
    expect(code).toBe(1)
    return stderr.match(/(?<="level":"warn","message":").*?(?="[,}])/g)
  }
  expect(await warnings(0o644, own)).toEqual([
    `Other users may read the secret in ${file}. Run \\"chmod 600 ${file}\\".`,
  ])
  expect(await warnings(0o600, own)).toBeNull()
  if (process.geteuid?.() === 0) expect(await warnings(0o444, 0)).toBeNull()
})

test('a port in use is reported in one sentence with a remedy', async () => {
  const port = await listenInTest(createServer())
  const cli = runCli(['start', '--port', String(port), '--data', await freshDirectory()])
  expect(await cli.ended).toBe(1)
  expect(cli.said.stderr).toBe('The port is in use. Choose another with --port, or --port 0 for a free one.\n')
})

test('the direct database URL requires a database URL and does not apply to the one of a flag', async () => {
  const direct = { SERVICE_DATABASE_DIRECT_URL: 'postgres://service@127.0.0.1:1/other' }
  const alone = runCli(['start', '--port', '0', '--data', await freshDirectory()], direct)
  expect(await alone.ended).toBe(2)
  expect(alone.said.stderr).toContain('SERVICE_DATABASE_DIRECT_URL requires SERVICE_DATABASE_URL.')
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const start = ['start', '--json', '--port', '0', '--data', await freshDirectory(), '--database-url', url]
  expect(JSON.parse(await runCli(start, direct).firstLine).event).toBe('ready')
})

test('an unreachable database ends the start with exit code 1 and one sentence without the password', async () => {
  const url = 'postgres://service:hunter2hunter2@127.0.0.1:1/service'
  const args = ['start', '--port', '0', '--data', await freshDirectory(), '--database-url', url]
  const cli = runCli(args, { SERVICE_DATABASE_START_TIMEOUT_MS: '0' })
  expect(await cli.ended).toBe(1)
  expect(cli.said.stderr).toContain('ECONNREFUSED')
  // The first line warns about the password on the command line, which every process on the machine can read.
  expect(cli.said.stderr.trimEnd().split('\n')).toHaveLength(2)
  expect(cli.said.stderr).not.toContain('hunter2')
})

test('--help shows the options with examples, and an unknown option refers to it', async () => {
  const help = runCli(['start', '--help'])
  expect(await help.ended).toBe(0)
  for (const text of ['--demo', '--json', '--port', '--host', '--data', '--database-url', 'Examples:', '_FILE']) {
    expect(help.said.stdout).toContain(text)
  }
  const wrong = runCli(['start', '--prot', '1'])
  expect(await wrong.ended).not.toBe(0)
  expect(wrong.said.stderr).toContain("unknown option '--prot'")
  expect(wrong.said.stderr).toContain('(see service-server start --help)')
})
