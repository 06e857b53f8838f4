import { apiRoutes } from '@service/contract'
import type { PlatformServer } from '../src/index.ts'
import { pathOf, seedWorkspace } from './workspace.ts'

/** A body that each writing route takes in a workspace made by `seedForEveryRoute`. */
const bodies: Readonly<Record<string, object>> = {
  'tickets.create': { title: 'Broken' },
  'tasks.create': { title: 'Call back' },
  'hrms.attendance.punch': { employee_code: 'E-1', external_device_id: 'DOOR-1', direction: 'in' },
  'crm.leads.create': { name: 'Ben', source: 'website', email: 'ben@lead.example' },
}

export interface SampleRequest {
  readonly route: (typeof apiRoutes)[number]
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

/** One good request for each of the eight routes. */
export const sampleRequests = (workspaceId: number | string): SampleRequest[] =>
  apiRoutes.map((route) => {
    const body = bodies[route.operation]
    return { route, method: route.method, path: pathOf(route, workspaceId), ...(body === undefined ? {} : { body }) }
  })

export const writingRequests = (workspaceId: number | string): SampleRequest[] =>
  sampleRequests(workspaceId).filter(({ method }) => method === 'POST')

/** A workspace in which every sample request succeeds. */
export async function seedForEveryRoute(server: PlatformServer, options: Parameters<typeof seedWorkspace>[1] = {}) {
  const seeded = await seedWorkspace(server, options)
  const workspace_id = seeded.workspace.id
  await server.admin.employees.create({ workspace_id, user_id: seeded.member.id, employee_code: 'E-1' })
  await server.admin.devices.register({
    workspace_id,
    source_type: 'zkteco',
    device_name: 'Front door',
    external_device_id: 'DOOR-1',
  })
  await server.admin.leadSources.set({ workspace_id, source: 'website', active: true })
  return seeded
}
