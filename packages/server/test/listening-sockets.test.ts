import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listeningSockets } from '../src/runtime/port/listening-sockets.ts'

const backlog = 64
const host = '127.0.0.1'

async function listenWith(count: number) {
  const server = createServer((_, response) => response.end('ok'))
  const sockets = listeningSockets(server, count)
  const port = await sockets.listen({ port: 0, host, backlog })
  onTestFinished(async () => {
    server.closeAllConnections()
    await sockets.close()
  })
  return { server, sockets, port }
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

test.runIf(process.platform === 'linux')(
  'a port with several sockets accepts several connections per turn of the event loop',
  async () => {
    const { server, port } = await listenWith(8)
    const perTurn: number[] = []
    let accepted = 0
    server.on('connection', () => {
      accepted += 1
    })
    const clients = Array.from({ length: 32 }, () => connect(port, host))
    for (let before = 0; accepted < clients.length; before = accepted) {
      await nextTurn()
      perTurn.push(accepted - before)
    }
    for (const client of clients) client.destroy()
    expect(Math.max(...perTurn)).toBeGreaterThan(1)
  },
)

test('a port that another server has is taken, however many sockets that one has', async () => {
  const { port } = await listenWith(8)
  const second = listeningSockets(createServer(), 8)
  await expect(second.listen({ port, host, backlog })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('a port with several sockets answers on all of them, and on none once it is closed', async () => {
  const { sockets, port } = await listenWith(8)
  const ask = () =>
    fetch(`http://${host}:${port}`, { headers: { connection: 'close' } }).then((answer) => answer.text())
  const answers = await Promise.all(Array.from({ length: 32 }, ask))
  expect(new Set(answers)).toEqual(new Set(['ok']))
  await sockets.close()
  await expect(ask()).rejects.toThrow()
  expect(await sockets.listen({ port, host, backlog })).toBe(port)
})
