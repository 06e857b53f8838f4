import { fullPath, type QueryOf } from '@service/contract'
import { auditExportRoutes } from '@service/contract/admin/audit'
import type { Handler } from 'hono'
import type { App } from '../context.ts'
import { eachEntry } from '../modules/audit-log/service.ts'
import type { Authorize } from './admin-access.ts'
import { callerKey, parseQuery, workspaceIdOf } from './admin-handler.ts'
import { exportStream } from './export-stream.ts'
import type { MountedRoute } from './mount-routes.ts'
import type { RequestPipeline } from './request-pipeline.ts'

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
    const requireAccess = () => authorize({ request: c.req.raw, address: context.address, route, workspaceId })
    const caller = await requireAccess()
    const filters = parseQuery(route, c) as QueryOf<ExportRoute> // parsed by the route's schema
    return {
      kind: 'stream',
      status: 200,
      stream: await exportStream(app, {
        parts: lines(eachEntry(app, workspaceId, filters), requireAccess),
        request: c.req.raw,
        caller: callerKey(caller),
        workspaceId,
      }),
      headers: { 'content-type': 'application/x-ndjson' },
    }
  })

/** An export may take minutes, so each page needs the access that the first one needed. */
async function* lines(pages: AsyncIterable<readonly object[]>, requireAccess: () => Promise<unknown>) {
  for await (const page of pages) {
    await requireAccess()
    yield page.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  }
}
