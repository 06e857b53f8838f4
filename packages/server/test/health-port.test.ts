import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { belowLimit, runCli } from './cli-process.ts'
import { freePort } from './free-port.ts'
import { freshDirectory } from './fresh-directory.ts'

async function startWithHealthPort(options: Parameters<typeof runCli>[2] = {}) {
  const healthPort = await freePort()
  const cli = runCli(
    ['start', '--json', '--port', '0', '--data', await freshDirectory()],
    { SERVICE_HEALTH_PORT: `${healthPort}`, SERVICE_DRAIN_DELAY_MS: '1500', SERVICE_LOG: 'warn' },
    options,
  )
  const ready = JSON.parse(await cli.firstLine)
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${healthPort}${path}`, init)
    return { status: response.status, text: await response.text(), type: response.headers.get('content-type') }
  }
  return { cli, ready, ask, healthPort }
}

test('the health port answers /livez, /readyz, and, with the admin token, /metrics', async () => {
  const { ready, ask, cli } = await startWithHealthPort()
  expect(await ask('/livez')).toMatchObject({ status: 200, text: '{"status":"ok"}' })
  expect(await ask('/readyz')).toMatchObject({ status: 200, text: expect.stringContaining('"write":"ok"') })
  expect((await ask('/', { method: 'OPTIONS' })).status).toBe(200)
  expect((await ask('/metrics')).status).toBe(401)
  const headers = { authorization: `Bearer ${readFileSync(ready.admin_token_file, 'utf8').trim()}` }
  expect(await ask('/metrics', { headers })).toMatchObject({
    status: 200,
    type: expect.stringContaining('text/plain; version=0.0.4'),
    text: expect.stringContaining('service_process_memory_bytes'),
  })
  expect((await ask('/api/v1/workspaces/1/tickets')).status).toBe(404)
  expect((await ask('/livez', { method: 'POST' })).status).toBe(405)
  cli.child.kill('SIGTERM')
  await expect.poll(() => ask('/readyz')).toMatchObject({ status: 503, text: expect.stringContaining('draining') })
  expect((await ask('/livez')).status).toBe(200)
  expect(await cli.ended).toBe(0)
})

test('healthcheck asks the health port', async () => {
  const { healthPort } = await startWithHealthPort()
  const check = runCli(['healthcheck'], { SERVICE_HEALTH_PORT: `${healthPort}` })
  expect(await check.firstLine).toBe(`http://127.0.0.1:${healthPort} is ready.`)
})

test('more connections than files may be open leave room for health checks and the database, and the log says so', async () => {
  const { ready, ask, cli } = await startWithHealthPort({ within: belowLimit('-n 200') })
  const { port } = new URL(ready.base_url)
  const sockets = Array.from({ length: 300 }, () => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n')
    return socket
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await expect.poll(() => cli.said.stderr).toContain('The port has 100 connections, as many as the limit of open files')
  expect((await ask('/livez')).status).toBe(200)
  expect(await ask('/readyz')).toMatchObject({ status: 200, text: expect.stringContaining('"write":"ok"') })
  expect(cli.said.stderr.match(/The port has 100 connections/g)).toHaveLength(1)
})

test('a health port that is in use is an error that names the setting', async () => {
  const other = await createServer()
  const { port } = await other.listen()
  onTestFinished(() => other.close())
  await using server = await createServer({ healthPort: port })
  await expect(server.listen()).rejects.toThrow(
    `Port ${port} on 127.0.0.1 for health checks is in use. Choose another SERVICE_HEALTH_PORT (healthPort).`,
  )
})

test('the health port answers while the main loop is blocked, and reports a main loop that hangs', async () => {
  const healthPort = await freePort()
  await using server = await createServer({ healthPort })
  const { url } = await server.listen()
  // Asks from a thread, because this test blocks its own event loop, which is the server's.
  const asking = new Worker(
    `const { parentPort } = require('node:worker_threads')
    const statusOf = (url) => fetch(url, { signal: AbortSignal.timeout(1000) }).then(({ status }) => status, () => 'no answer')
    parentPort.once('message', async (flag) => {
      const seen = { main: await statusOf('${url}/livez'), health: await statusOf('http://127.0.0.1:${healthPort}/livez') }
      seen.ready = await statusOf('http://127.0.0.1:${healthPort}/readyz')
      while ((await statusOf('http://127.0.0.1:${healthPort}/livez')) === 200) await new Promise((next) => setTimeout(next, 100))
      seen.hanging = await statusOf('http://127.0.0.1:${healthPort}/livez')
      Atomics.store(flag, 0, 1)
      Atomics.notify(flag, 0)
      parentPort.postMessage(seen)
    })`,
    { eval: true },
  )
  onTestFinished(() => void asking.terminate())
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const seen = once(asking, 'message')
  asking.postMessage(flag)
  Atomics.wait(flag, 0, 0, 60_000)
  expect(await seen).toEqual([{ main: 'no answer', health: 200, ready: 200, hanging: 503 }])
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${healthPort}/livez`)).status).toBe(200)
}, 90_000)
