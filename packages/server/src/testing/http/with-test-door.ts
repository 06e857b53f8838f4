import type { App } from '../../context.ts'
import type { PlatformServer } from '../../server.ts'
import type { Answer } from '../../ways-in.ts'
import { testBasePath } from './verb.ts'

export interface TestDoorBeside {
  readonly answer: Answer
  /** Closes what tests have opened through it. */
  close(): Promise<void>
}

/** Puts the test controls beside the platform's own doors. What they are asked is no request of the platform's. */
export async function withTestDoor(
  server: () => PlatformServer,
  { config, log }: Pick<App, 'config' | 'log'>,
  answer: Answer,
): Promise<TestDoorBeside> {
  const { adminToken } = config
  if (adminToken === undefined) {
    throw new TypeError('`testControls` needs `adminToken`: whoever may move the server must show it.')
  }
  const { openTestDoor } = await import('./test-door.ts')
  const door = openTestDoor(server, { adminToken, log })
  const isForTests = (request: Request) => new URL(request.url).pathname.startsWith(`${testBasePath}/`)
  return {
    answer: (request, env) => (isForTests(request) ? door.fetch(request) : answer(request, env)),
    close: door.close,
  }
}
