import { fullPath, type QueryOf } from '@service/contract'
import { auditExportRoutes } from '@service/contract/admin/audit'
import type { Handler } from 'hono'
import type { App } from '../context.ts'
import { eachEntry } from '../modules/audit-log/service.ts'
import type { Authorize } from './admin-access.ts'
import { queryOf, workspaceIdOf } from './admin-handler.ts'
import type { MountedRoute } from './mount-routes.ts'
import type { RequestPipeline } from './request-pipeline.ts'

interface Parts {
  readonly pipeline: RequestPipeline
  readonly authorize: Authorize
}

/** The export of the audit log, of a workspace and of the instance (decision 061). */
export const auditExports = (app: App, parts: Parts): MountedRoute[] =>
  auditExportRoutes.map((route) => ({ route, handler: exportBy(route, app, parts) }))

type ExportRoute = (typeof auditExportRoutes)[number]

const exportBy = (route: ExportRoute, app: App, { pipeline, authorize }: Parts): Handler =>
  pipeline.wrapHandler(fullPath(route), async (c, context) => {
    const workspaceId = route.path.includes('{workspace}') ? workspaceIdOf(c) : undefined
    await authorize({ request: c.req.raw, address: context.address, route, workspaceId })
    const filters = queryOf(route, c) as QueryOf<ExportRoute> // by the route's own schema
    return {
      status: 200,
      json: '',
      stream: lines(eachEntry(app, workspaceId, filters)),
      contentType: 'application/x-ndjson',
    }
  })

function lines(pages: AsyncGenerator<readonly object[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pages.next()
      if (done === true) return controller.close()
      controller.enqueue(encoder.encode(value.map((entry) => `${JSON.stringify(entry)}\n`).join('')))
    },
    cancel: async () => void (await pages.return(undefined)),
  })
}
