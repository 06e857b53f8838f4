import { apiRoutes, inboundRoutes } from '@service/contract'
import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { call, seedWorkspace } from './workspace.ts'

const origin = 'https://app.acme.example'

onEveryStore(
  'a browser on another origin',
  (start) => {
    const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'))
    const preflight = { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } }

    test('gets no CORS headers by default', async () => {
      const server = await start()
      const { workspace, token } = await seedWorkspace(server)
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      const answers = [
        await call(server, { path, token, headers: { origin } }),
        await call(server, { path, ...preflight }),
      ]
      expect(answers.map(({ status, headers }) => [status, corsHeaders(headers)])).toEqual([
        [200, []],
        [405, []],
      ])
    })

    test('can call, read the limits, and send a key if its origin is configured', async () => {
      const ofApp = 'capacitor://localhost'
      const server = await start({ corsOrigins: [origin, ofApp] })
      const { workspace, token } = await seedWorkspace(server)
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      const fromApp = await call(server, { path, token, headers: { origin: ofApp } })
      expect(fromApp.headers.get('access-control-allow-origin')).toBe(ofApp)
      const asked = await call(server, { path, ...preflight })
      expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, origin])
      expect(asked.headers.get('access-control-allow-headers')).toContain('idempotency-key')
      expect(asked.headers.get('access-control-allow-credentials')).toBeNull()
      const allowed = asked.headers.get('access-control-allow-methods')?.split(',')
      expect(allowed).toEqual([...new Set([...apiRoutes, ...inboundRoutes].map(({ method }) => method))])
      for (const [credentials, status] of [[{ token }, 200] as const, [{}, 401] as const]) {
        const answer = await call(server, { path, ...credentials, headers: { origin } })
        expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, origin])
        expect(answer.headers.get('access-control-expose-headers')).toContain('x-ratelimit-remaining')
        expect(answer.headers.get('x-ratelimit-limit')).toBe('120')
      }
    })

    test('is refused with a similar origin', async () => {
      const server = await start({ corsOrigins: [origin] })
      const { workspace, token } = await seedWorkspace(server)
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      for (const stranger of ['https://evil.example', `${origin}.evil.example`, 'http://app.acme.example', 'null']) {
        const { headers } = await call(server, { path, token, headers: { origin: stranger } })
        expect(headers.get('access-control-allow-origin')).toBeNull()
      }
    })
  },
  ['memory'],
)
