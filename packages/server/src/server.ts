import { type Admin, createAdmin } from './admin/admin.ts'
import type { ServerHooks } from './app.ts'
import type { Clock } from './clock.ts'
import type { ConfigOptions } from './config.ts'
import type { Deliveries, RunningDeliveries } from './delivery/deliveries.ts'
import type { Lookup } from './delivery/egress.ts'
import type { Ids } from './ids.ts'
import { type Listening, type ListenOptions, listen } from './listen.ts'
import type { Log } from './log.ts'
import { openPlatform } from './open-platform.ts'
import type { Beginning } from './testing/beginning.ts'
import { watchDoor } from './testing/door.ts'
import { withTestDoor } from './testing/http/with-test-door.ts'
import type { Seed } from './testing/seeds/plant.ts'
import { createTestControls, type TestControls } from './testing/test-controls.ts'

export type { ServerHooks } from './app.ts'

/** Options of an embedded platform. Without any it is in memory and empty. */
export interface ServerOptions extends ConfigOptions {
  /** A clock of your own, or the instant at which the platform's clock is to stand still. */
  readonly clock?: Clock | string | Date
  /**
   * Seeds the identifiers, tokens and secrets of a server in memory, so that they are the same in every run; `'system'`
   * draws real ones. A server with a `seed` or a `clock` that stands still is the same in every run without it.
   */
  readonly random?: number | string
  readonly ids?: Ids
  readonly log?: Log
  readonly hooks?: ServerHooks
  /** What a server in memory begins with, and what `reset()` goes back to. */
  readonly seed?: Seed
  /** Answers `/admin/v1/test`, through which a test in any language moves the server; needs `adminToken`. */
  readonly testControls?: boolean
  /** Finds the addresses of webhook receivers; the system's resolver unless told otherwise. */
  readonly lookup?: Lookup
}

/** What only we set. `fast` is for a process of our own, see `listen.ts`; a lease is how long a dead worker delays us. */
interface Internals {
  readonly fast: boolean
  readonly leaseMs?: number
  /** The state that a fork goes on from. */
  readonly beginning?: Beginning
}

/** A running platform. */
export interface PlatformServer extends TestControls {
  /** Answers a request without a port; fits wherever a `fetch` is asked for. A path alone stands for one on `origin`. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Opens a port on loopback, or where told. */
  listen(options?: ListenOptions): Promise<Pick<Listening, 'url' | 'port'>>
  /** What stands before paths that are given to `fetch`, e.g. `http://service.test`. */
  readonly origin: string
  /** Creates and changes everything, as typed functions. */
  readonly admin: Admin
  readonly deliveries: Deliveries
  /** Another server with the same state, which goes its own way from here. */
  fork(): Promise<PlatformServer>
  /** Finishes requests in flight, then closes ports and the database. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a platform. The one place where everything is wired. */
export async function createServer(options: ServerOptions = {}): Promise<PlatformServer> {
  return startServer(options, { fast: false })
}

/** A platform as we see it ourselves. */
export interface StartedServer extends PlatformServer {
  readonly deliveries: Pick<RunningDeliveries, 'runDue' | 'nextDueAt'>
}

type Answer = (request: Request, env?: object) => Response | Promise<Response>

const defaultOrigin = 'http://service.test'

export async function startServer(options: ServerOptions, internals: Internals): Promise<StartedServer> {
  const opened = await openPlatform(options, internals)
  const { platform } = opened
  const door = watchDoor(platform)
  const baseline = internals.beginning?.baseline ?? opened.seeded
  const { branch, ...controls } = createTestControls({ ...opened, door, baseline })
  const origin = new URL(platform.app.config.publicUrl ?? defaultOrigin).origin
  const open: Listening[] = []
  let closing: Promise<void> | undefined
  let answer: Answer = internals.fast ? platform.answer : door.answer
  const close = async () => {
    await Promise.all(open.map((listening) => listening.stop()))
    await door.quiet()
    await platform.stop()
  }
  const server: StartedServer = {
    ...controls,
    origin,
    fetch: async (input, init) => answer(toRequest(input, init, origin)),
    async listen(listenOptions = {}) {
      const listening = await listen(answer, listenOptions, internals.fast)
      open.push(listening)
      return { url: listening.url, port: listening.port }
    },
    admin: createAdmin(platform.app),
    deliveries: platform.deliveries,
    fork: async () => startServer(options, { ...internals, beginning: await branch() }),
    close: () => {
      closing ??= close()
      return closing
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
  if (options.testControls === true) answer = await withTestDoor(server, platform.app, answer)
  return server
}

function toRequest(input: Request | string | URL, init: RequestInit | undefined, origin: string): Request {
  if (input instanceof Request) return init === undefined ? input : new Request(input, init)
  return new Request(new URL(input, origin), init)
}
