import type { App } from '../../context.ts'
import type { PlatformServer } from '../../server.ts'
import { testBasePath } from './verb.ts'

type Answer = (request: Request, env?: object) => Response | Promise<Response>

/** Puts the test controls beside the platform's own doors. What they are asked is no request of the platform's. */
export async function withTestDoor(server: PlatformServer, app: App, answer: Answer): Promise<Answer> {
  const { adminToken } = app.config
  if (adminToken === undefined) {
    throw new TypeError('`testControls` needs `adminToken`: whoever may move the server must show it.')
  }
  const { openTestDoor } = await import('./test-door.ts')
  const testDoor = openTestDoor(server, { adminToken, log: app.log })
  return (request, env) =>
    new URL(request.url).pathname.startsWith(`${testBasePath}/`) ? testDoor.fetch(request) : answer(request, env)
}
