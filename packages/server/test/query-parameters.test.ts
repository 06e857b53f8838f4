import { apiBasePath, apiRoutes, type Route, testBasePath } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { auditExportRoutes } from '@service/contract/admin/audit'
import { paramNamesIn, pathParams } from '@service/contract/path-params'
import { controlRoutes } from '@service/contract/test-controls'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { createServer } from '../src/index.ts'
import { collectedLog } from './collected-log.ts'
import { examplesOf } from './dashboard-examples.ts'
import { onEveryStore, onEveryTestStore } from './on-every-store.ts'
import { askAdmin, signedIn } from './people.ts'
import { seedDemo } from './seed-demo.ts'
import { call, seedWorkspace } from './workspace.ts'

const adminToken = 'an-admin-token-of-enough-characters'
const administration: readonly Route[] = [...adminRoutes, ...auditExportRoutes]

const withId = (path: string, id: number) =>
  paramNamesIn(path).reduce<string>((filled, name) => {
    const value = name === 'workspace' ? id : pathParams[name].example
    return filled.replace(`{${name}}`, String(value))
  }, path)
const namesOf = ({ query }: Route) => Object.keys(query?.shape ?? {})

onEveryTestStore('a query parameter', (start, store) => {
  test('with a NUL character is rejected with a message by every route', async () => {
    const log = collectedLog()
    const testControls = store === 'memory'
    const server = await start({ adminToken, log, rateLimit: 'off', testControls })
    const { workspace, token } = await seedWorkspace(server)
    const administrator = await signedIn(server, 'Ada', { isInstanceAdmin: true })
    const surfaces: [readonly Route[], string, string][] = [
      [apiRoutes, apiBasePath, token],
      [administration, '/admin/v1', administrator.token],
      ...(testControls ? [[controlRoutes, testBasePath, adminToken] satisfies [readonly Route[], string, string]] : []),
    ]
    let sent = 0
    for (const [routes, base, credential] of surfaces)
      for (const route of routes)
        for (const name of namesOf(route)) {
          const path = `${base}${withId(route.path, workspace.id)}?${name}=a%00b`
          const { status, body } = await call(server, { method: route.method, path, token: credential })
          expect([path, status, body.errors]).toEqual([path, 422, { [name]: [expect.stringContaining(name)] }])
          sent += 1
        }
    expect(sent).toBeGreaterThan(100)
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

onEveryStore(
  'an unknown query parameter',
  (start) => {
    test('is rejected by every route of administration', async () => {
      const server = await start({ adminToken })
      const { workspace } = await seedWorkspace(server)
      const administrator = await signedIn(server, 'Ada', { isInstanceAdmin: true })
      for (const { method, path } of administration) {
        const pathWithQuery = `${withId(path, workspace.id)}?no_such=1`
        const { status, body } = await askAdmin(server, administrator.token, [method, pathWithQuery])
        const sentence = expect.stringContaining('There is no field no_such here')
        expect([method, pathWithQuery, status, body.errors]).toEqual([
          method,
          pathWithQuery,
          422,
          { no_such: [sentence] },
        ])
      }
    })

    test('is rejected with the name that was probably meant', async () => {
      const server = await start({ adminToken })
      const { workspace } = await seedWorkspace(server)
      const tickets = `/workspaces/${workspace.id}/tickets`
      await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
      const { status, body } = await askAdmin(server, adminToken, ['GET', `${tickets}?statuss=closed`])
      expect([status, body.message]).toEqual([422, expect.stringMatching(/Did you mean status\?$/)])
      expect(await askAdmin(server, adminToken, ['GET', `${tickets}?status=closed`])).toMatchObject({
        status: 200,
        body: { data: [] },
      })
    })

    test('is ignored by the documented API', async () => {
      const server = await start()
      const { workspace, token } = await seedWorkspace(server)
      for (const route of apiRoutes.filter(({ method }) => method === 'GET')) {
        const path = `${apiBasePath}${withId(route.path, workspace.id)}?no_such=a%00b`
        expect([path, (await call(server, { path, token })).status]).toEqual([path, 200])
      }
      await server.admin.integrations.rotateSecret({ workspace: workspace.id, integration: 'errors' })
      const ping = `/api/webhooks/${workspace.id}/errors?no_such=a%00b`
      expect((await call(server, { path: ping })).status).toBe(200)
    })
  },
  ['memory'],
)

/** Of a workspace, and without required parameters. */
const isList = (route: Route) =>
  route.method === 'GET' &&
  route.path.startsWith('/workspaces/{workspace}/') &&
  namesOf(route).includes('limit') &&
  route.query?.safeParse({}).success === true
/** Nothing in the demo fills them. Other tests cover their filters. */
const emptyLists = ['webhooks.jobs', 'activities.list', 'rules.runs']
/** Parameters that select a part of a list, not rows. */
const notFilters = ['limit', 'before', 'sort', 'cursor']
/** No row has the first ones. All rows are before or after the last ones. */
const rareValues = [
  'nothing',
  '987654321',
  'ada@nowhere.example',
  '00000000-0000-4000-8000-000000000000',
  '1999-01-01',
  '2999-01-01',
  '1999-01-01T00:00:00Z',
  '2999-01-01T00:00:00Z',
]

/** The values to try for a filter: those of a closed list, or of any. */
function valuesOf(schema: z.core.$ZodType | undefined): string[] {
  if (schema === undefined) return []
  const { def } = schema._zod
  if (def.type === 'optional' || def.type === 'default') return valuesOf((def as z.core.$ZodOptionalDef).innerType)
  if (def.type === 'enum') return Object.values((def as z.core.$ZodEnumDef).entries).map(String)
  return rareValues.filter((value) => z.safeParse(schema, value).success)
}

test('each filter of each list selects rows', async () => {
  const server = await createServer({ adminToken, rateLimit: 'off' })
  onTestFinished(() => server.close())
  const workspace = await seedDemo(server.admin)
  await examplesOf(server, workspace)
  const count = async (path: string) => {
    const { status, body } = await call(server, { path, token: adminToken })
    return status === 200 ? (body.data as unknown[]).length : Number.POSITIVE_INFINITY // as the schema of each list has it
  }
  const ignored: string[] = []
  const empty: string[] = []
  for (const route of adminRoutes.filter(isList)) {
    const path = `/admin/v1${withId(route.path, workspace)}`
    const all = await count(path)
    if (all === 0) empty.push(route.operation)
    for (const name of namesOf(route).filter((name) => !notFilters.includes(name))) {
      const values = valuesOf((route as Route).query?.shape[name])
      const found = await Promise.all(values.map((value) => count(`${path}?${name}=${value}`)))
      if (all > 0 && !found.some((some) => some < all)) ignored.push(`${route.operation} ${name}`)
    }
  }
  expect({ ignored, empty }).toEqual({ ignored: [], empty: emptyLists })
})
