import { apiRoutes, type Method, type Route } from '@service/contract'
import { apiDocs } from '@service/contract/docs'
import type { RouteDocs } from '@service/contract/route-docs'
import type { Server } from '../src/index.ts'
import { pathOf, recordParam, seedWorkspace } from './workspace.ts'

/** Bodies for a workspace from `seedForEveryRoute`, where the first documented example does not fit. */
const bodies: Readonly<Record<string, object>> = {
  'hrms.attendance.punch': { employee_code: 'E-1', external_device_id: 'DOOR-1', direction: 'in' },
  'crm.leads.create': { name: 'Ben', source: 'website', email: 'ben@lead.example' },
}

const docs: Readonly<Record<string, RouteDocs>> = apiDocs

export interface SampleRequest {
  readonly route: (typeof apiRoutes)[number]
  readonly method: Method
  readonly path: string
  readonly body?: object
}

function firstExample(operation: string): object | undefined {
  const [body] = Object.values(docs[operation]?.bodies ?? {})
  return typeof body === 'object' && body !== null ? body : undefined
}

/** One valid request for each route. Those that name a record come last, after the requests that create some. */
export const sampleRequests = (workspaceId: number | string): SampleRequest[] =>
  apiRoutes
    .toSorted((a, b) => Number(recordParam.test(a.path)) - Number(recordParam.test(b.path)))
    .map((route) => {
      const body = bodies[route.operation] ?? firstExample(route.operation)
      return { route, method: route.method, path: pathOf(route, workspaceId), ...(body === undefined ? {} : { body }) }
    })

export const writingRequests = (workspaceId: number | string): SampleRequest[] =>
  sampleRequests(workspaceId).filter(({ route }) => 'body' in route)

/** The events that these requests emit, once each. */
export const eventsOf = (requests: readonly SampleRequest[]): string[] =>
  requests.flatMap(({ route }: { readonly route: Route }) => route.emits ?? [])

/** A workspace in which every sample request succeeds. */
export async function seedForEveryRoute(server: Server, options: Parameters<typeof seedWorkspace>[1] = {}) {
  const seeded = await seedWorkspace(server, options)
  const workspace_id = seeded.workspace.id
  await server.admin.employees.create({ workspace: workspace_id }, { user_id: seeded.member.id, employee_code: 'E-1' })
  await server.admin.devices.create(
    { workspace: workspace_id },
    { source_type: 'zkteco', device_name: 'Front door', external_device_id: 'DOOR-1' },
  )
  await server.admin.projects.create({ workspace: workspace_id }, { name: 'Relaunch' })
  await server.admin.deals.create({ workspace: workspace_id }, { title: 'Yearly support' })
  await server.admin.leadSources.update({ workspace: workspace_id, source: 'website' }, { enabled: true })
  return seeded
}
