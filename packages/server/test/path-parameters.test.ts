import { apiBasePath, apiRoutes, inboundBasePath, inboundRoutes, testBasePath } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { integrationNames } from '@service/contract/integration-names'
import { controlRoutes } from '@service/contract/test-controls'
import { gitProviders, leadSources } from '@service/contract/values'
import { expect, test } from 'vitest'
import type { Server } from '../src/index.ts'
import { collectedLog } from './collected-log.ts'
import { onEveryTestStore } from './on-every-store.ts'
import { signedIn } from './people.ts'
import { call, seedWorkspace } from './workspace.ts'

const adminToken = 'an-admin-token-of-enough-characters'
// 2^53, 2^63, 2^64 and a very long number; then values that are not numbers; then text that PostgreSQL cannot store.
const tooLarge = ['9007199254740992', '9223372036854775808', '18446744073709551616', '9'.repeat(400)]
const notNumbers = ['-1', '1e3', '1.5', '0x10', '%20', '%EF%BC%91', '%F0', '1%2F2']
const hostile = ['%00', 'a%00b', '%0A']

interface RouteAddress {
  readonly method: string
  readonly path: string
}

interface Probe extends RouteAddress {
  readonly isNumber: boolean
}

/** Every path with parameters, once for each parameter with the value, while the other parameters exist. */
function probes(
  routes: readonly RouteAddress[],
  base: string,
  { value, existing }: { value: string; existing: string },
) {
  return routes.flatMap(({ method, path }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    return names.map((probed) => ({
      method,
      path: base + path.replace(/\{(\w+)\}/g, (_, name) => (name === probed ? value : existing)),
      isNumber: probed === 'workspace' || probed === 'id',
    }))
  })
}

/** The statuses with and without the credential. */
async function statusesOf(server: Server, { method, path }: RouteAddress, token: string) {
  const body = method === 'GET' ? {} : { body: {} }
  const known = await call(server, { method, path, token, ...body })
  const unknown = await call(server, { method, path, ...body })
  return { known: known.status, unknown: unknown.status }
}

/** An unknown number is 404. A name may be rejected in another way, but never with a 5xx. */
async function requireNotFound(server: Server, probe: Probe & { inTests: boolean }, credential: string) {
  const { known, unknown } = await statusesOf(server, probe, credential)
  const statuses = `${probe.method} ${probe.path}: ${known} ${unknown}`
  if (!probe.isNumber) return expect(Math.max(known, unknown), statuses).toBeLessThan(500)
  expect([known, probe.inTests ? 404 : unknown], statuses).toEqual([404, 404])
}

onEveryTestStore('a path parameter', (start, store) => {
  test('that no column can hold is 404 on every surface, with and without credentials, and logs no error', async () => {
    const log = collectedLog()
    const testControls = store === 'memory'
    const server = await start({ adminToken, log, rateLimit: 'off', testControls })
    const { workspace, token } = await seedWorkspace(server)
    // Some routes require a person.
    const administrator = await signedIn(server, 'Ada', { isInstanceAdmin: true })
    const surfaces: [readonly RouteAddress[], string, string][] = [
      [apiRoutes, apiBasePath, token],
      [inboundRoutes, inboundBasePath, token],
      [adminRoutes, '/admin/v1', administrator.token],
      ...(testControls
        ? [[controlRoutes, testBasePath, adminToken] satisfies [readonly RouteAddress[], string, string]]
        : []),
    ]
    for (const [routes, base, credential] of surfaces) {
      for (const value of [...tooLarge, ...notNumbers, ...hostile]) {
        for (const probe of probes(routes, base, { value, existing: String(workspace.id) })) {
          await requireNotFound(server, { ...probe, inTests: base === testBasePath }, credential)
        }
      }
    }
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('that has a few names is refused with all of them', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const { token } = await signedIn(server, 'Ada', { isInstanceAdmin: true })
    const messageOf = async (path: string) => (await call(server, { path, token })).body
    expect(await messageOf(`/admin/v1/workspaces/${workspace.id}/integrations/erors`)).toEqual({
      message: `The integration erors was not found. There are ${integrationNames.join(', ')}.`,
    })
    for (const name of ['gitbub', 'leads']) {
      expect(await messageOf(`${inboundBasePath}/webhooks/${workspace.id}/${name}`)).toEqual({
        message: `The webhook ${name} was not found. There are errors, attendance, leads/{source}, ${gitProviders.join(', ')}.`,
      })
    }
    const lead = { method: 'POST', path: `${inboundBasePath}/webhooks/${workspace.id}/leads/webiste`, body: {} }
    expect((await call(server, lead)).body).toEqual({
      message: `The lead source webiste was not found. There are ${leadSources.join(', ')}.`,
    })
  })

  test('of the documentation never reads other files', async () => {
    const server = await start()
    for (const value of [...tooLarge, ...notNumbers, ...hostile]) {
      for (const path of [`/docs/${value}`, `/${value}`]) expect((await call(server, { path })).status).toBe(404)
    }
  })
})
