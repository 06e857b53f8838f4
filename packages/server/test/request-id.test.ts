import { expect, test } from 'vitest'
import { collectedLog } from './collected-log.ts'
import { onEveryStore } from './on-every-store.ts'
import { call, seedWorkspace } from './workspace.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

onEveryStore(
  'X-Request-Id',
  (start) => {
    test('sent by the caller is echoed and logged if it is safe', async () => {
      const log = collectedLog()
      const server = await start({ log })
      const { workspace, token } = await seedWorkspace(server)
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      for (const id of ['a', 'req-1.2:3_4', 'x'.repeat(128)]) {
        const { headers } = await call(server, { path, token, headers: { 'x-request-id': id } })
        expect(headers.get('x-request-id')).toBe(id)
        expect(log.lines.at(-1)?.fields['request_id']).toBe(id)
      }
    })

    test('is replaced if it could mislead a reader of the log', async () => {
      const log = collectedLog()
      const server = await start({ log })
      const { workspace, token } = await seedWorkspace(server)
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      for (const id of ['', 'x'.repeat(129), 'a b', 'a"b', '<script>', 'caf\u00e9', '{"level":"error"}']) {
        const { headers } = await call(server, { path, token, headers: { 'x-request-id': id } })
        expect(headers.get('x-request-id')).toMatch(uuid)
        expect(log.lines.at(-1)?.fields['request_id']).toBe(headers.get('x-request-id'))
      }
    })

    test('is unique and in every response, including refusals and unknown routes', async () => {
      const server = await start({ log: collectedLog() })
      const { workspace, token } = await seedWorkspace(server)
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      const answers = [
        await call(server, { path, token }),
        await call(server, { path }),
        await call(server, { path: '/nowhere' }),
        await call(server, { method: 'DELETE', path }),
        await call(server, { method: 'POST', path, token, body: {} }),
      ]
      const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '')
      expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 405, 422])
      for (const id of ids) expect(id).toMatch(uuid)
      expect(new Set(ids).size).toBe(5)
    })
  },
  ['memory'],
)
