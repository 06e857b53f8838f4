import { apiBasePath, apiRoutes, inboundBasePath, inboundRoutes, testBasePath } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { controlRoutes } from '@service/contract/test-controls'
import { expect, test } from 'vitest'
import type { Server } from '../src/index.ts'
import { collectedLog } from './collected-log.ts'
import { onEveryTestStore } from './on-every-store.ts'
import { signedIn } from './people.ts'
import { call, seedWorkspace } from './workspace.ts'

const adminToken = 'an-admin-token-of-enough-characters'
/** 2^53, 2^63, 2^64 and what is only long; then what is no number; then what PostgreSQL takes in no text. */
const beyond = ['9007199254740992', '9223372036854775808', '18446744073709551616', '9'.repeat(400)]
const strange = ['-1', '1e3', '1.5', '0x10', '%20', '%EF%BC%91', '%F0', '1%2F2']
const hostile = ['%00', 'a%00b', '%0A']

interface Probed {
  readonly method: string
  readonly path: string
}

interface Probe extends Probed {
  readonly isNumber: boolean
}

/** Every path with parameters, once for each parameter, which gets the value while the others name what there is. */
function probes(routes: readonly Probed[], base: string, { value, existing }: { value: string; existing: string }) {
  return routes.flatMap(({ method, path }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    return names.map((probed) => ({
      method,
      path: base + path.replace(/\{(\w+)\}/g, (_, name) => (name === probed ? value : existing)),
      isNumber: probed === 'workspace' || probed === 'id',
    }))
  })
}

/** What a caller with the credential is answered, and a stranger. */
async function statusesOf(server: Server, { method, path }: Probed, token: string) {
  const body = method === 'GET' ? {} : { body: {} }
  const known = await call(server, { method, path, token, ...body })
  const unknown = await call(server, { method, path, ...body })
  return { known: known.status, unknown: unknown.status }
}

/** A number that names nothing is 404; a name may be refused otherwise, but is no fault of ours. */
async function requireNotFound(server: Server, probe: Probe & { inTests: boolean }, credential: string) {
  const { known, unknown } = await statusesOf(server, probe, credential)
  const statuses = `${probe.method} ${probe.path}: ${known} ${unknown}`
  if (!probe.isNumber) return expect(Math.max(known, unknown), statuses).toBeLessThan(500)
  expect([known, probe.inTests ? 404 : unknown], statuses).toEqual([404, 404])
}

onEveryTestStore('a path parameter', (start, store) => {
  test('that no column can hold is 404 on every surface, for strangers and for callers, and no fault of ours', async () => {
    const log = collectedLog()
    const testControls = store === 'memory'
    const server = await start({ adminToken, log, rateLimit: 'off', testControls })
    const { workspace, token } = await seedWorkspace(server)
    // Some routes are for people only.
    const administrator = await signedIn(server, 'Ada', { isInstanceAdmin: true })
    const surfaces: [readonly Probed[], string, string][] = [
      [apiRoutes, apiBasePath, token],
      [inboundRoutes, inboundBasePath, token],
      [adminRoutes, '/admin/v1', administrator.token],
      ...(testControls
        ? [[controlRoutes, testBasePath, adminToken] satisfies [readonly Probed[], string, string]]
        : []),
    ]
    for (const [routes, base, credential] of surfaces) {
      for (const value of [...beyond, ...strange, ...hostile]) {
        for (const probe of probes(routes, base, { value, existing: String(workspace.id) })) {
          await requireNotFound(server, { ...probe, inTests: base === testBasePath }, credential)
        }
      }
    }
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('of the documentation is a name and nothing else', async () => {
    const server = await start()
    for (const value of [...beyond, ...strange, ...hostile]) {
      for (const path of [`/docs/${value}`, `/${value}`]) expect((await call(server, { path })).status).toBe(404)
    }
  })
})
