import { fullPath, type QueryOf } from '@service/contract'
import { auditExportRoutes } from '@service/contract/admin/audit'
import type { Handler } from 'hono'
import type { App } from '../context.ts'
import { eachEntry } from '../modules/audit-log/service.ts'
import type { Authorize } from './admin-access.ts'
import { queryOf, workspaceIdOf } from './admin-handler.ts'
import type { MountedRoute } from './mount-routes.ts'
import type { RequestPipeline } from './request-pipeline.ts'
import { textStream } from './text-stream.ts'

interface Parts {
  readonly pipeline: RequestPipeline
  readonly authorize: Authorize
}

/** The audit log exports of a workspace and of the instance. They stream, so the client has no method for them. */
export const auditExports = (app: App, parts: Parts): MountedRoute[] =>
  auditExportRoutes.map((route) => ({ route, handler: exportBy(route, app, parts) }))

type ExportRoute = (typeof auditExportRoutes)[number]

const exportBy = (route: ExportRoute, app: App, { pipeline, authorize }: Parts): Handler =>
  pipeline.wrapHandler(fullPath(route), async (c, context) => {
    const workspaceId = route.path.includes('{workspace}') ? workspaceIdOf(c) : undefined
    await authorize({ request: c.req.raw, address: context.address, route, workspaceId })
    const filters = queryOf(route, c) as QueryOf<ExportRoute> // parsed by the route's schema
    return {
      status: 200,
      json: '',
      stream: textStream(lines(eachEntry(app, workspaceId, filters))),
      contentType: 'application/x-ndjson',
    }
  })

async function* lines(pages: AsyncIterable<readonly object[]>) {
  for await (const page of pages) yield page.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}
