import { expect, test } from 'vitest'
import { logFormat } from '../src/cli/log-format.ts'
import { lineLog, toJsonLine, toTextLine } from '../src/core/log.ts'
import { createServer } from '../src/index.ts'
import { runCli } from './cli-process.ts'
import { collectedLog } from './collected-log.ts'
import { freshDirectory } from './fresh-directory.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const adminToken = 'admin_token_of_enough_characters'
const headers = { authorization: `Bearer ${adminToken}`, traceparent: `00-${traceId}-00f067aa0ba902b7-01` }

/** Starts a platform with the given arguments, makes a request, stops it, and returns its lines on stderr. */
async function linesOf(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const settings = { SERVICE_ADMIN_TOKEN: adminToken, SERVICE_DRAIN_DELAY_MS: '0', SERVICE_DRAIN_IDLE_MS: '0' }
  const cli = runCli(['start', '--port', '0', '--data', await freshDirectory(), ...args], {
    ...settings,
    ...environment,
  })
  await expect.poll(() => /http:\/\/127\.0\.0\.1:\d+/.exec(cli.said.stdout)).not.toBeNull()
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(cli.said.stdout)?.[0] ?? ''
  await fetch(`${url}/admin/v1/workspaces`, { headers: { ...headers, 'x-request-id': 'one' } })
  cli.child.kill('SIGTERM')
  await cli.ended
  return cli.said.stderr.split('\n').filter((line) => line.includes('/admin/v1/workspaces'))
}

test('a platform logs a line of JSON per request by default', async () => {
  const [line = '', ...others] = await linesOf([])
  expect(others).toEqual([])
  expect(JSON.parse(line)).toEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    level: 'info',
    message: 'GET /admin/v1/workspaces answered 200.',
    request_id: 'one',
    method: 'GET',
    route: '/admin/v1/workspaces',
    status: 200,
    ms: expect.any(Number),
    trace_id: traceId,
  })
})

test('SERVICE_LOG_FORMAT=text prints text, and SERVICE_LOG=warn or a demo no lines of requests', async () => {
  const [line = ''] = await linesOf([], { SERVICE_LOG_FORMAT: 'text' })
  expect(line).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} info {2}GET \/admin\/v1\/workspaces answered 200\. request_id=one method=GET /,
  )
  expect(await linesOf([], { SERVICE_LOG: 'warn' })).toEqual([])
  expect(await linesOf(['--demo'])).toEqual([])
})

test('of successful requests, a sample is logged; every failed one is, with its trace also in the line of the failure', async () => {
  const log = collectedLog()
  const hooks = {
    ticketCreated() {
      throw new Error('a fault of the embedder')
    },
  }
  await using server = await createServer({ adminToken, logSample: 10, log, hooks })
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const { id: user_id } = await server.admin.members.create({ workspace }, { name: 'Ada', email: 'ada@northwind.test' })
  const { token } = await server.admin.tokens.create(
    { workspace },
    { user_id, scopes: ['tickets:read', 'tickets:write'] },
  )
  const before = log.lines.length
  const ask = (init: RequestInit = {}, path = `/api/v1/workspaces/${workspace}/tickets`) =>
    server.fetch(`https://service.test${path}`, {
      ...init,
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
  for (let at = 0; at < 30; at += 1) await ask()
  expect(log.lines.slice(before)).toHaveLength(3)
  for (let at = 0; at < 5; at += 1) await ask({}, '/api/v1/workspaces/99/tickets')
  expect(log.lines.slice(before)).toHaveLength(8)
  expect((await ask({ method: 'POST', body: '{"title":"The printer is on fire"}' })).status).toBe(500)
  const failed = log.lines.slice(before + 8)
  expect(failed.map(({ level, fields }) => [level, fields['trace_id']])).toEqual([
    ['error', traceId],
    ['info', traceId],
  ])
  expect(failed[0]?.fields['request_id']).toBe(failed[1]?.fields['request_id'])
})

test('scrapes and health checks are not logged, unless a scrape is refused', async () => {
  const log = collectedLog()
  await using server = await createServer({ adminToken, log })
  const statusOf = async (path: string, init?: RequestInit) =>
    (await server.fetch(`https://service.test${path}`, init)).status
  const before = log.lines.length
  expect(await statusOf('/metrics', { headers })).toBe(200)
  expect(await statusOf('/livez')).toBe(200)
  expect(await statusOf('/readyz')).toBe(200)
  expect(await statusOf('/metrics')).toBe(401)
  expect(log.lines.slice(before).map(({ level, sentence }) => [level, sentence])).toEqual([
    ['info', 'GET /metrics answered 401.'],
  ])
})

test('text has no control characters of data, and a stack trace on its own lines', async () => {
  const written: string[] = []
  const options = { write: (lines: string) => void written.push(lines), now: () => new Date(0) }
  const fields = { fault: 'a\u001b[31m b', none: undefined, list: [1, 'x'], stack: 'Error: a\n    at b\u0007' }
  lineLog({ ...options, format: toTextLine }).error('Failed:\u0007 a\nb.', fields)
  lineLog({ ...options, format: toJsonLine }).info('Done.', { id: 1 })
  await new Promise(setImmediate)
  expect(written.join('')).toBe(
    [
      '00:00:00.000 error Failed:  a b. fault="a [31m b" list="[1,\\"x\\"]"',
      'Error: a',
      '    at b ',
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"Done.","id":1}\n',
    ].join('\n'),
  )
})

test('config print shows the settings of the log', async () => {
  const cli = runCli(['config', 'print', '--json'], { SERVICE_LOG: 'warn' })
  await cli.ended
  const shown = JSON.parse(cli.said.stdout)
  expect(shown).toContainEqual({ setting: 'SERVICE_LOG', value: 'warn', source: 'environment' })
  expect(shown).toContainEqual({ setting: 'SERVICE_JSON', value: null, source: 'default' })
  expect(shown).toContainEqual({ setting: 'SERVICE_LOG_SAMPLE', value: 1, source: 'default' })
})

test.each([
  { given: undefined, isTTY: true, format: toTextLine },
  { given: undefined, isTTY: false, format: toJsonLine },
  { given: undefined, isTTY: undefined, format: toJsonLine },
  { given: 'json', isTTY: true, format: toJsonLine },
  { given: 'text', isTTY: false, format: toTextLine },
] as const)('the log is text on a terminal and JSON elsewhere, unless a format is set: $given, $isTTY', (log) => {
  expect(logFormat(log.given, log.isTTY === undefined ? {} : { isTTY: log.isTTY })).toBe(log.format)
})
