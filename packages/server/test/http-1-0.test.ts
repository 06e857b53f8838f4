import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createTestServer } from '../src/testing/entries/testing.ts'
import { onEveryStore } from './on-every-store.ts'
import { seedWorkspace } from './workspace.ts'

/** Sends a request line and headers as HTTP/1.0 and returns the status and the text of the response. */
async function ask(port: number, [request = '', ...headers]: readonly string[], body = '') {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${[`${request} HTTP/1.0`, ...headers].join('\r\n')}\r\n\r\n${body}`)
  const said = await text(socket)
  return { status: Number(said.split(' ')[1]), said }
}

onEveryStore(
  'HTTP/1.0 without a Host header',
  (start) => {
    test('is answered on every kind of route', async () => {
      const server = await start()
      const { workspace, token } = await seedWorkspace(server)
      const { port } = await server.listen()
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      const authorization = `authorization: Bearer ${token}`
      const json = JSON.stringify({ title: 'Printer on fire' })
      const statusOf = async (head: readonly string[], body?: string) => (await ask(port, head, body)).status
      expect(await statusOf(['GET /livez'])).toBe(200)
      expect(await statusOf(['GET /readyz'])).toBe(200)
      expect(await statusOf(['HEAD /readyz'])).toBe(200)
      expect(await statusOf([`GET ${path}`, authorization])).toBe(200)
      expect(await statusOf([`GET ${path}`])).toBe(401)
      const post = [`POST ${path}`, authorization, 'content-type: application/json', `content-length: ${json.length}`]
      expect(await statusOf(post, json)).toBe(201)
      expect(await statusOf(['GET /openapi.json'])).toBe(200)
      expect(await statusOf(['GET /dashboard'])).toBe(303)
      expect(await statusOf(['GET /admin/v1/workspaces'])).toBe(401)
      expect(await statusOf(['GET /nowhere'])).toBe(404)
    })

    test("answers OPTIONS /, HAProxy's default check, with the readiness", async () => {
      const server = await start()
      const { port } = await server.listen()
      const { status, said } = await ask(port, ['OPTIONS /'])
      expect([status, said]).toEqual([200, expect.stringContaining('"write":"ok"')])
    })
  },
  ['memory'],
)

test('HTTP/1.0 without a Host header reaches the test controls, which check the header against rebinding', async () => {
  await using server = await createTestServer({ testControls: true, adminToken: 'admin-token-for-tests' })
  const { port } = await server.listen()
  const clock = ['GET /admin/v1/test/clock', 'authorization: Bearer admin-token-for-tests']
  expect((await ask(port, clock)).status).toBe(200)
  expect((await ask(port, [...clock, 'host: evil.example'])).status).toBe(403)
})
