import { testBasePath } from '@service/contract'
import type { App } from '../../context.ts'
import type { RequestHandler } from '../../runtime/admission.ts'
import type { TestServer } from '../test-server.ts'

export interface ControlApiMount {
  readonly answer: RequestHandler
  /** Closes what tests have opened through it. */
  close(): Promise<void>
}

/** Mounts the test controls beside the platform's own surfaces. Requests to them are not requests to the platform. */
export async function withControlApi(
  server: () => TestServer,
  app: App,
  answer: RequestHandler,
): Promise<ControlApiMount> {
  if (app.config.adminToken === undefined) {
    throw new TypeError('`testControls` needs `adminToken`: whoever may move the server must show it.')
  }
  const { createControlApi: openControlApi } = await import('./control-api.ts')
  const controls = openControlApi(server, app)
  const isForTests = (request: Request) => new URL(request.url).pathname.startsWith(`${testBasePath}/`)
  return {
    answer: (request, env) => (isForTests(request) ? controls.fetch(request, env) : answer(request, env)),
    close: controls.close,
  }
}
