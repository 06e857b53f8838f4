import { adminBasePath } from '@service/contract'
import { AuditFilters } from '@service/contract/admin/audit'
import type { Context, Handler, Hono } from 'hono'
import { checkInput } from '../core/check-input.ts'
import type { App } from '../core/context.ts'
import { eachEntry } from '../modules/audit-log/service.ts'
import type { Authorize } from './admin-access.ts'
import { workspaceIdOf } from './admin-request.ts'
import type { RequestPipeline } from './request-pipeline.ts'

// Not in the contract: a list of all entries as lines of JSON, which is read as a stream and fits no schema of an answer.

interface Parts {
  readonly pipeline: RequestPipeline
  readonly authorize: Authorize
}

/** `…/audit-log/export`, of a workspace and of the instance. */
export function mountAuditExport(hono: Hono, app: App, parts: Parts): void {
  hono.get(`${adminBasePath}/workspaces/:workspace{[0-9]+}/audit-log/export`, exportOf(app, parts, workspaceIdOf))
  hono.get(
    `${adminBasePath}/audit-log/export`,
    exportOf(app, parts, () => undefined),
  )
}

const exportOf = (app: App, { pipeline, authorize }: Parts, workspaceOf: (c: Context) => number | undefined): Handler =>
  pipeline.wrapHandler('/admin/v1/…/audit-log/export', async (c, context) => {
    const workspaceId = workspaceOf(c)
    const role = workspaceId === undefined ? 'instance' : 'admin'
    await authorize({ request: c.req.raw, address: context.address, route: { role }, workspaceId })
    const filters = checkInput(AuditFilters, c.req.query())
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
