import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, startForTests } from '../../src/testing/entries/testing.ts'
import { freshDirectory } from '../fresh-directory.ts'

const run = promisify(execFile)

test('leaves no handles after close, exits by itself, and writes no files', async () => {
  const script = fileURLToPath(new URL('./transports-handles.mjs', import.meta.url))
  const { stdout } = await run(process.execPath, [script], { cwd: await freshDirectory() })
  const { statuses, before, after, files } = JSON.parse(stdout)
  expect(statuses).toEqual([200, 200, 200])
  expect(after).toEqual(before)
  expect(files).toEqual([])
})

test('a script that awaits only virtual latency keeps running', async () => {
  const script = fileURLToPath(new URL('./virtual-latency.mjs', import.meta.url))
  const { stdout } = await run(process.execPath, [script], { cwd: await freshDirectory() })
  expect(stdout).toBe('200\n')
})

test('a server closes while fake timers such as those of Jest replace `queueMicrotask`', async () => {
  const script = fileURLToPath(new URL('./faked-microtasks.mjs', import.meta.url))
  const { stdout } = await run(process.execPath, [script], { cwd: await freshDirectory(), timeout: 60_000 })
  expect(stdout).toBe('closed\n')
})

test.each(['setTimeout', 'setImmediate'])('an import after `mock.timers` replaced %s says what to do', async (api) => {
  const script = `
    import { mock } from 'node:test'
    mock.timers.enable({ apis: ['${api}'] })
    await import(${JSON.stringify(new URL('../../dist/testing.js', import.meta.url).href)})`
  await expect(run(process.execPath, ['--input-type=module', '--eval', script])).rejects.toThrow(
    'Fake timers replaced `node:timers` before @service/server was loaded.',
  )
})

test.for(['process', 'none'])(
  'a forgotten close() after listen() does not hang node:test (isolation: %s)',
  async (isolation) => {
    const file = fileURLToPath(new URL('./forgotten-close.mjs', import.meta.url))
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout } = await run(
      process.execPath,
      ['--test', `--test-isolation=${isolation}`, '--test-reporter=tap', file],
      {
        env,
        timeout: 30_000,
      },
    )
    expect(stdout).toMatch(/^# pass 1$/m)
  },
)

test('a forgotten close() after listen() does not hang a runner with global hooks such as Jest and Mocha', async () => {
  const file = fileURLToPath(new URL('./forgotten-close.mjs', import.meta.url))
  const hooks = 'data:text/javascript,globalThis.beforeEach=()=>{}'
  const { stdout } = await run(process.execPath, ['--import', hooks, '--test-reporter=tap', file], { timeout: 30_000 })
  expect(stdout).toMatch(/^# pass 1$/m)
})

test('uses no more memory after 10,000 calls', { timeout: 180_000 }, async () => {
  const script = fileURLToPath(new URL('./transports-heap.mjs', import.meta.url))
  const { stdout } = await run(process.execPath, ['--expose-gc', script], { cwd: await freshDirectory() })
  expect(JSON.parse(stdout).grownBytes).toBeLessThan(5_000_000)
})

test('a closed server keeps no memory, and little while a test holds it', { timeout: 600_000 }, async () => {
  const script = fileURLToPath(new URL('./closed-servers-heap.mjs', import.meta.url))
  const { stdout } = await run(process.execPath, ['--expose-gc', script], { cwd: await freshDirectory() })
  const { after100, after1000, bytesPerHeld, bodyBytes } = JSON.parse(stdout)
  expect(after1000 / after100).toBeLessThan(1.3)
  expect(bytesPerHeld).toBeLessThan(bodyBytes)
})

test('opens 20 servers at once on separate ports', async () => {
  const servers = await Promise.all(Array.from({ length: 20 }, () => createTestServer()))
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))))
  const opened = await Promise.all(servers.map((server) => server.listen()))
  expect(new Set(opened.map(({ port }) => port)).size).toBe(20)
  const answers = await Promise.all(opened.map(({ url }) => fetch(`${url}/livez`)))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
})

test('names a port that is in use, with the remedy', async () => {
  await using first = await createTestServer()
  await using second = await createTestServer()
  const { port } = await first.listen()
  await expect(second.listen({ port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use. Choose another one, or 0 for a free one.`,
  )
  expect((await second.listen({ port: 0 })).port).not.toBe(port)
})

test('isolates 200 concurrent tests in one process', async () => {
  const options = { seed: 'demo', clock: '2026-01-01T00:00:00Z' } as const
  const one = async (number: number) => {
    const ends: (() => Promise<void>)[] = []
    const context = { after: (act: () => Promise<void>) => void ends.push(act) }
    const { server, baseUrl, workspace, token } = await startForTests(context, options)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const tickets = `${baseUrl}/workspaces/${workspace}/tickets`
    const body = JSON.stringify({ title: `Ticket of ${number}` })
    const created = await server.fetch(tickets, { method: 'POST', headers, body })
    const listed = await server.fetch(tickets, { headers })
    const { data } = (await listed.json()) as { data: { title: string }[] }
    for (const end of ends) await end()
    return [created.status, data.filter(({ title }) => title.startsWith('Ticket of ')).map(({ title }) => title)]
  }
  const numbers = Array.from({ length: 200 }, (_, index) => index)
  expect(await Promise.all(numbers.map(one))).toEqual(numbers.map((number) => [201, [`Ticket of ${number}`]]))
})
