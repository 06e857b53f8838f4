import type { Admin } from '@service/client/admin'
import { bootstrap } from './bootstrap.ts'
import { requireNode } from './core/node-version.ts'
import type { Deliveries } from './delivery/deliveries.ts'
import { createAdmin } from './http/in-process-admin.ts'
import type { Platform } from './platform.ts'
import type { ListeningAddress, ListenOptions } from './runtime/listen.ts'
import { type GuardedNames, refuseAfterClose } from './runtime/refuse-after-close.ts'
import { type Serving, serve, trackRequests } from './serve.ts'
import { checkServerOptions, type ServerOptions } from './server-options.ts'

/** A running platform. */
export interface Server {
  /** Answers a request without a port; fits wherever a `fetch` is asked for. A path alone stands for one on `origin`. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Opens a port on loopback, or where told. */
  listen(options?: ListenOptions): Promise<ListeningAddress>
  /** What stands before paths that are given to `fetch`, e.g. `https://service.test`. */
  readonly origin: string
  /** Creates and changes everything, as typed functions. */
  readonly admin: Admin
  readonly deliveries: Deliveries
  /** Finishes requests in flight, then closes ports and the database. Every later call is a TypeError. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a platform for production: on SQLite in a directory, on PostgreSQL, or in memory. */
export async function createServer(options: ServerOptions = {}): Promise<Server> {
  checkServerOptions(options)
  const { server } = await startServer(options)
  return server
}

/** What only the command line and tests set. */
export interface ProcessOptions {
  /** For a process of its own, see `serve.ts`. */
  readonly fast?: boolean
  /** How long a worker that dies delays its deliveries. */
  readonly leaseMs?: number
  /** Where the admin token is stored, for tools on this machine. */
  readonly tokenFile?: string | null
  /** A demo opens to everybody who can read this project, so a port answers only to its own names. */
  readonly isDemo?: boolean
}

/** A server and the platform inside. */
export interface StartedServer {
  readonly server: Server
  readonly platform: Platform
}

export async function startServer(
  options: ServerOptions,
  { leaseMs, fast, tokenFile, isDemo }: ProcessOptions = {},
): Promise<StartedServer> {
  requireNode()
  const platform = await bootstrap(options, { leaseMs, keepsContext: fast !== true || options.hooks !== undefined })
  const serving = serve(platform, {
    // Over a port, all that a process of its own is asked is finished by the drain of the port.
    requests:
      fast === true ? { handle: platform.handle, whenIdle: async () => undefined } : trackRequests(platform.handle),
    fast,
    tokenFile,
    ownNamesOnly: isDemo,
  })
  return {
    platform,
    server: refuseAfterClose(toServer(platform, serving), serving.isClosing, serverNames),
  }
}

/** The members that every server has. */
export const toServer = (
  { app, deliveries }: Platform,
  { fetch, listen, origin, close }: Pick<Serving, 'fetch' | 'listen' | 'origin' | 'close'>,
): Server => ({
  fetch,
  listen,
  origin,
  admin: createAdmin(app),
  deliveries,
  close,
  [Symbol.asyncDispose]: close,
})

const serverNames: GuardedNames = {
  always: ['close', 'origin'],
  givesPromise: () => true,
}
