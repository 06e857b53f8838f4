import { apiRoutes } from './api-routes.ts'
import { attendanceRoutes } from './inbound/attendance.ts'
import { errorRoutes } from './inbound/errors.ts'
import { gitRoutes } from './inbound/git.ts'
import { leadRoutes } from './inbound/leads.ts'
import type { InboundRoute, Route, Surface, UnknownParams } from './route.ts'

/** The routes that third parties push to. */
export const inboundRoutes = [
  ...errorRoutes,
  ...attendanceRoutes,
  ...leadRoutes,
  ...gitRoutes,
] as const satisfies readonly InboundRoute[]

/** The operations of the platform, as the client calls them. */
export type OperationName = (typeof apiRoutes | typeof inboundRoutes)[number]['operation']

export const operationNames: readonly OperationName[] = [...apiRoutes, ...inboundRoutes].map(
  ({ operation }) => operation,
)

export const apiBasePath = '/api/v1'
export const inboundBasePath = '/api'
export const adminBasePath = '/admin/v1'
export const testBasePath = '/admin/v1/test'
const basePaths: Readonly<Record<Surface, string>> = {
  api: apiBasePath,
  inbound: inboundBasePath,
  admin: adminBasePath,
  test: testBasePath,
}

/** The whole path of a route, from the server's root. */
export const fullPath = ({ surface, path }: Pick<Route, 'surface' | 'path'>): string => basePaths[surface] + path

/** Version of the authenticated API in its machine-readable description (§9). */
export const apiVersion = '1.0.0'

// The message of the error names the route: inline, because TypeScript prints an alias by its name alone.
type All = typeof apiRoutes | typeof inboundRoutes
true satisfies [UnknownParams<All[number]>] extends [never]
  ? true
  : `path-params.ts lacks ${UnknownParams<All[number]>}`
