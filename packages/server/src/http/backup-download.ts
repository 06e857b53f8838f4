import { createReadStream } from 'node:fs'
import { fullPath } from '@service/contract'
import { backupDownloadRoutes } from '@service/contract/admin/operations'
import type { Handler } from 'hono'
import type { App } from '../context.ts'
import { addToAuditLog } from '../modules/audit-log/service.ts'
import { getBackupFile } from '../modules/backups/service.ts'
import { inTransaction } from '../store/transaction.ts'
import type { Authorize } from './admin-access.ts'
import { callerKey } from './admin-handler.ts'
import { toAuditEntry } from './audit-entry.ts'
import { exportStream } from './export-stream.ts'
import type { MountedRoute } from './mount-routes.ts'
import { paramsReader } from './read-request.ts'
import type { RequestPipeline } from './request-pipeline.ts'

interface Parts {
  readonly pipeline: RequestPipeline
  readonly authorize: Authorize
}

/** The download of a backup. It streams, so the client has no method for it. */
export const backupDownloads = (app: App, parts: Parts): MountedRoute[] =>
  backupDownloadRoutes.map((route) => ({ route, handler: downloadBy(route, app, parts) }))

const downloadBy = (
  route: (typeof backupDownloadRoutes)[number],
  app: App,
  { pipeline, authorize }: Parts,
): Handler => {
  const readParams = paramsReader(route)
  return pipeline.wrapHandler(fullPath(route), async (c, { address, requestId }) => {
    const request = c.req.raw
    const requireAccess = () => authorize({ request, address, route, workspaceId: undefined })
    const caller = await requireAccess()
    const params = readParams(c)
    const { path, backup } = await getBackupFile(app, String(params['file']))
    const parts = streamFile(path, requireAccess)
    const stream = await exportStream(app, { parts, request, caller: callerKey(caller), workspaceId: undefined })
    const entry = toAuditEntry({ route, caller, requestId, workspaceId: undefined, params, ...unchanged })
    if (stream !== null) await inTransaction(app, (app) => addToAuditLog(app, entry))
    return {
      kind: 'stream',
      status: 200,
      stream,
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(backup.size_bytes),
        'content-disposition': `attachment; filename="${backup.file}"`,
        'cache-control': 'no-store',
      },
    }
  })
}

const unchanged = { body: undefined, before: undefined, answer: undefined }

const partBytes = 2 * 1024 * 1024

/** A download may take minutes, so each part needs the access that the first one needed. */
async function* streamFile(path: string, requireAccess: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
  for await (const part of createReadStream(path, { highWaterMark: partBytes })) {
    await requireAccess()
    yield part
  }
}
