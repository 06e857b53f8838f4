import { apiBasePath, apiRoutes, inboundBasePath, inboundRoutes, testBasePath } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { controlRoutes } from '@service/contract/test-controls'
import { expect, test } from 'vitest'
import { onEveryTestStore } from './on-every-store.ts'
import { seedWorkspace } from './workspace.ts'

const adminToken = 'an-admin-token-of-enough-characters'

interface Requested {
  readonly method: string
  readonly path: string
}

const numbered = (routes: readonly Requested[], base: string, workspaceId: number): Requested[] =>
  routes.map(({ method, path }) => ({ method, path: base + path.replace(/\{\w+\}/g, String(workspaceId)) }))

/** Public routes, such as signing in, require no credential. */
const guarded = adminRoutes.filter(({ role }) => role !== 'public')

onEveryTestStore(
  'every surface',
  (start) => {
    async function startSurfaces() {
      const server = await start({ adminToken, rateLimit: 'off', testControls: true })
      const { workspace, token } = await seedWorkspace(server)
      const ask = ({ method, path }: Requested, credential?: string) =>
        server.fetch(`http://platform.example${path}`, {
          method,
          headers: {
            'content-type': 'application/json',
            ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
          },
          ...(method === 'GET' ? {} : { body: '{"timeout_ms":1}' }),
        })
      const controls = numbered(controlRoutes, testBasePath, workspace.id)
      return {
        ask,
        token,
        api: numbered(apiRoutes, apiBasePath, workspace.id),
        admin: [...numbered(guarded, '/admin/v1', workspace.id), ...controls],
        inbound: numbered(inboundRoutes, inboundBasePath, workspace.id),
      }
    }

    test('sends WWW-Authenticate with a 401, with invalid_token for a wrong token', async () => {
      const { ask, api, admin } = await startSurfaces()
      // After ten failures from one address, administration responds with 429.
      for (const request of [...api, ...admin.slice(0, 2), ...admin.slice(-2)]) {
        const where = `${request.method} ${request.path}`
        const anonymous = await ask(request)
        expect([anonymous.status, anonymous.headers.get('www-authenticate')], where).toEqual([401, 'Bearer'])
        const invalid = await ask(request, 'service_unknown_token')
        expect([invalid.status, invalid.headers.get('www-authenticate')], where).toEqual([
          401,
          'Bearer error="invalid_token"',
        ])
      }
    })

    test('sends nosniff with every JSON response', async () => {
      const { ask, token, api, admin, inbound } = await startSurfaces()
      const elsewhere = [
        '/livez',
        '/readyz',
        '/openapi.json',
        '/nowhere',
        `${apiBasePath}/nowhere`,
        '/admin/v1/nowhere',
      ]
      const requests = [...api, ...inbound, ...admin, ...elsewhere.map((path) => ({ method: 'GET', path }))]
      for (const request of requests) {
        for (const credential of [undefined, token, adminToken]) {
          const { status, headers } = await ask(request, credential)
          if (headers.get('content-type')?.includes('json') !== true) continue
          const where = `${request.method} ${request.path}: ${status}`
          expect(headers.get('x-content-type-options'), where).toBe('nosniff')
        }
      }
    })
  },
  ['memory'],
)
