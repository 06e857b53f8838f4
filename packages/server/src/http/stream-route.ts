import { type AdminRoute, fullPath } from '@service/contract'
import type { Context } from 'hono'
import type { App } from '../context.ts'
import type { AdminCaller } from '../core/admin-caller.ts'
import type { Authorize } from './admin-access.ts'
import { callerKey, workspaceIdOf } from './admin-handler.ts'
import { exportStream } from './export-stream.ts'
import type { MountedRoute } from './mount-routes.ts'
import type { RequestPipeline } from './request-pipeline.ts'

export interface Streaming {
  readonly app: App
  readonly pipeline: RequestPipeline
  readonly authorize: Authorize
}

interface StreamRequest {
  readonly caller: AdminCaller
  readonly requestId: string
  readonly workspaceId: number | undefined
}

interface OpenStream {
  /** Called with the first part; not for HEAD. */
  parts(): AsyncIterable<string | Uint8Array>
  readonly headers: Readonly<Record<string, string>>
  /** Not called for HEAD. */
  beforeResponse?(): Promise<void>
}

/** A route of the admin API that streams, so the client has no method for it. */
export const streamRoute = (
  { app, pipeline, authorize }: Streaming,
  route: AdminRoute,
  open: (c: Context, request: StreamRequest) => OpenStream | Promise<OpenStream>,
): MountedRoute => ({
  route,
  handler: pipeline.wrapHandler(fullPath(route), async (c, { address, requestId }) => {
    const request = c.req.raw
    const workspaceId = route.path.includes('{workspace}') ? workspaceIdOf(c) : undefined
    const requireAccess = () => authorize({ request, address, route, workspaceId })
    const caller = await requireAccess()
    const { headers, beforeResponse, ...opened } = await open(c, { caller, requestId, workspaceId })
    const parts = withAccess(opened.parts, requireAccess)
    const stream = await exportStream(app, { parts, request, caller: callerKey(caller), workspaceId })
    if (stream !== null) await beforeResponse?.()
    return { kind: 'stream', status: 200, stream, headers }
  }),
})

/** A stream may take minutes, so each part needs the access that the first one needed. */
async function* withAccess(parts: OpenStream['parts'], requireAccess: () => Promise<unknown>) {
  for await (const part of parts()) {
    await requireAccess()
    yield part
  }
}
