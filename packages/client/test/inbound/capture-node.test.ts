import { type SpawnOptions, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../server/test/free-port.ts'
import { answers, faultServer } from '../support/fault-server.ts'
import { receipts } from './inbound-client.ts'

// These tests run real processes, because they check the output and exit codes of Node.

const source = new URL('../../src/inbound.ts', import.meta.url).pathname
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-capture-'))
  await build({ entryPoints: [source], bundle: true, format: 'esm', outfile: join(directory, 'inbound.mjs') })
})
afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))

interface Program {
  readonly code: string
  readonly webhookBaseUrl?: string
  readonly timeLimitMs?: number
  readonly flags?: readonly string[]
  readonly capture?: boolean
}

/** Runs a program that captures errors, unless `capture` is false. */
function run({ code, webhookBaseUrl = '', timeLimitMs = 5_000, flags = [], capture = true }: Program) {
  const prelude = `
    import { captureErrors, createInboundClient } from ${JSON.stringify(join(directory, 'inbound.mjs'))}
    const client = createInboundClient({ webhookBaseUrl: ${JSON.stringify(webhookBaseUrl)}, workspace: 1, secrets: { errors: 'whs_1' } })
    const stop = captureErrors({ client, timeLimitMs: ${timeLimitMs}, context: { app_name: 'shop' } })`
  const options: SpawnOptions = { env: {}, stdio: ['ignore', 'pipe', 'pipe'] }
  const script = capture ? `${prelude}\n${code}` : code
  const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', script], options)
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk
    })
  }
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, ...text }))
  })
}

async function platform(answer = answers.json(receipts.error)) {
  const { port, seen } = await faultServer(answer)
  const reports = () => seen.map(({ body }) => JSON.parse(body) as Record<string, unknown>) // the client writes objects
  return { webhookBaseUrl: `http://127.0.0.1:${port}/api`, reports, seen }
}

/** Node's output for an error without the source line above it, which is where it was rethrown. */
const printed = (stderr: string) => stderr.slice(stderr.indexOf('Error: '))

it.each([
  ['an exception', "function pay() { throw new RangeError('too far') }\npay()"],
  ['an exception in a timer', "setTimeout(() => { throw new RangeError('too far') }, 1); setInterval(() => {}, 1000)"],
  ['a rejection', "Promise.reject(new RangeError('too far')); setInterval(() => {}, 1000)"],
])('reports %s that ends the process, without changing its output and exit code', async (_, code) => {
  const { webhookBaseUrl, reports, seen } = await platform()
  const [captured, bare] = await Promise.all([run({ code, webhookBaseUrl }), run({ code, capture: false })])
  expect(captured.code).toBe(bare.code)
  expect(captured.code).toBe(1)
  expect(captured.stderr).toContain('RangeError: too far\n    at ')
  expect(printed(captured.stderr).split('\n').at(-2)).toBe(printed(bare.stderr).split('\n').at(-2)) // "Node.js v…"
  expect(reports()).toMatchObject([
    { exception: 'RangeError', message: 'too far', app_name: 'shop', framework: 'node', severity: 'critical' },
  ])
  expect(seen[0]?.headers['x-service-webhook-secret']).toBe('whs_1')
})

it('rethrows values that are not errors', async () => {
  const { webhookBaseUrl, reports } = await platform()
  const [captured, bare] = await Promise.all([
    run({ code: "Promise.reject('gone')", webhookBaseUrl }),
    run({ code: "Promise.reject('gone')", capture: false }),
  ])
  expect([captured.code, captured.stderr.includes('"gone"')]).toEqual([bare.code, bare.stderr.includes('"gone"')])
  expect(reports()).toHaveLength(1)
})

it('runs the exit handlers, which may set the exit code', async () => {
  const { webhookBaseUrl } = await platform()
  const code = "process.on('exit', (code) => { console.log('exit', code); process.exitCode = 7 }); throw new Error('x')"
  expect(await run({ code, webhookBaseUrl })).toMatchObject({ code: 7, stdout: 'exit 1\n' })
})

it('reports exceptions that the process handles itself, and keeps it running', async () => {
  const { webhookBaseUrl, reports } = await platform()
  const code = `process.on('uncaughtException', (error) => console.log('handled', error.message))
    setTimeout(() => console.log('alive'), 50)
    throw new Error('x')`
  const { code: status, stdout, stderr } = await run({ code, webhookBaseUrl })
  expect([status, stdout, stderr]).toEqual([0, 'handled x\nalive\n', ''])
  expect(reports()).toMatchObject([{ message: 'x', severity: 'error' }])
})

it('reports rejections that the process handles itself, until its handler is removed', async () => {
  const { webhookBaseUrl, reports } = await platform()
  const code = `const handle = (reason) => console.log('handled', reason.message)
    process.on('unhandledRejection', handle)
    Promise.reject(new Error('first'))
    setTimeout(() => {
      process.off('unhandledRejection', handle)
      console.log(process.listenerCount('unhandledRejection'))
      Promise.reject(new Error('second'))
    }, 20)`
  const { code: status, stdout } = await run({ code, webhookBaseUrl })
  expect([status, stdout]).toEqual([1, 'handled first\n0\n'])
  expect(reports()).toMatchObject([
    { message: 'first', severity: 'error' },
    { message: 'second', severity: 'critical' },
  ])
})

it.each(['warn', 'none'])(
  'reports rejections of the mode %s if there is a listener, which changes nothing else',
  async (mode) => {
    const { webhookBaseUrl, reports } = await platform()
    const flags = [`--unhandled-rejections=${mode}`]
    const code = "Promise.reject('x')"
    const listener = "process.on('unhandledRejection', () => {})"
    const [captured, bare] = await Promise.all([
      run({ code: `${listener}\n${code}`, webhookBaseUrl, flags }),
      run({ code, capture: false, flags }),
    ])
    const withoutId = ({ stderr, ...rest }: typeof bare) => ({ ...rest, stderr: stderr.replace(/node:\d+/g, 'node:1') })
    expect(withoutId(captured)).toEqual(withoutId(bare))
    expect(captured.code).toBe(0)
    expect(reports()).toMatchObject([{ message: 'x', severity: 'error' }])
  },
)

it('delays the end by at most its time limit if the platform does not respond', async () => {
  const { webhookBaseUrl, seen } = await platform(answers.stallBeforeHeaders)
  const { code: status } = await run({ code: "throw new Error('x')", webhookBaseUrl, timeLimitMs: 2000 })
  expect(status).toBe(1)
  expect(seen).toHaveLength(1)
})

it('lets an idle process end while a report gets no response', async () => {
  const { webhookBaseUrl } = await platform(answers.stallBeforeHeaders)
  const code = "process.on('uncaughtException', () => {}); setTimeout(() => { throw new Error('x') }, 1)"
  const { code: status } = await run({ code, webhookBaseUrl, timeLimitMs: 300 })
  expect(status).toBe(0)
})

it('ends immediately if the connection is refused', async () => {
  const webhookBaseUrl = `http://127.0.0.1:${await freePort()}/api`
  const { code, stderr } = await run({ code: "throw new Error('x')", webhookBaseUrl })
  expect([code, stderr.includes('Error: x')]).toEqual([1, true])
})

it('sends a burst of the same exception once', async () => {
  const { webhookBaseUrl, reports } = await platform()
  const code = `process.on('uncaughtException', () => {})
    const boom = () => { throw new Error('x') }
    for (let count = 0; count < 100; count += 1) setTimeout(boom, count % 5)`
  expect((await run({ code, webhookBaseUrl })).code).toBe(0)
  expect(reports()).toHaveLength(1)
})

it('removes its listeners when it is stopped', async () => {
  const { webhookBaseUrl, reports } = await platform()
  const code = `const events = ['uncaughtException', 'unhandledRejection', 'newListener', 'removeListener']
    console.log(events.map((event) => process.listenerCount(event)).join())
    throw new Error('x')`
  const [stopped, bare] = await Promise.all([
    run({ code: `stop()\n${code}`, webhookBaseUrl }),
    run({ code, capture: false }),
  ])
  expect([stopped.code, stopped.stdout]).toEqual([bare.code, bare.stdout])
  expect(reports()).toEqual([])
})

it('still ends the process if errors are captured twice', async () => {
  const { webhookBaseUrl, reports } = await platform()
  const code = `captureErrors({ client, context: { app_name: 'second' } })
    const handle = () => {}
    process.on('unhandledRejection', handle)
    process.off('unhandledRejection', handle)
    setInterval(() => {}, 1000)
    Promise.reject(new Error('x'))`
  const { code: status, stderr } = await run({ code, webhookBaseUrl })
  expect([status, stderr.includes('Error: x')]).toEqual([1, true])
  expect(reports().map(({ app_name }) => app_name)).toEqual(['shop', 'second'])
})
