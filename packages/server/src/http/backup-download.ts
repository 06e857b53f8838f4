import { createReadStream } from 'node:fs'
import { backupDownloadRoutes } from '@service/contract/admin/operations'
import { addToAuditLog } from '../modules/audit-log/service.ts'
import { getBackupFile } from '../modules/backups/service.ts'
import { inTransaction } from '../store/transaction.ts'
import { toAuditEntry } from './audit-entry.ts'
import { paramsReader } from './read-request.ts'
import { type Streaming, streamRoute } from './stream-route.ts'

const partBytes = 2 * 1024 * 1024

const unchanged = { body: undefined, before: undefined, answer: undefined }

/** The download of a backup. */
export const backupDownloads = (streaming: Streaming) =>
  backupDownloadRoutes.map((route) =>
    streamRoute(streaming, route, async (c, request) => {
      const params = paramsReader(route)(c)
      const { path, backup } = await getBackupFile(streaming.app, String(params['file']))
      const entry = toAuditEntry({ route, ...request, params, ...unchanged })
      return {
        parts: () => createReadStream(path, { highWaterMark: partBytes }),
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(backup.size_bytes),
          'content-disposition': `attachment; filename="${backup.file}"`,
          'cache-control': 'no-store',
        },
        beforeResponse: () => inTransaction(streaming.app, (app) => addToAuditLog(app, entry)),
      }
    }),
  )
