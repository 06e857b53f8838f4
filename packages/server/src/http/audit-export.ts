import type { QueryOf } from '@service/contract'
import { auditExportRoutes } from '@service/contract/admin/audit'
import { eachEntry } from '../modules/audit-log/service.ts'
import { parseQuery } from './admin-handler.ts'
import { type Streaming, streamRoute } from './stream-route.ts'

/** The audit log exports of a workspace and of the instance. */
export const auditExports = (streaming: Streaming) =>
  auditExportRoutes.map((route) =>
    streamRoute(streaming, route, (c, { workspaceId }) => {
      const filters = parseQuery(route, c) as QueryOf<typeof route> // parsed by the route's schema
      return {
        parts: () => lines(eachEntry(streaming.app, workspaceId, filters)),
        headers: { 'content-type': 'application/x-ndjson' },
      }
    }),
  )

async function* lines(pages: AsyncIterable<readonly object[]>) {
  for await (const page of pages) yield page.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}
