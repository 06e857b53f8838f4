import type { Admin } from '@service/client/admin'
import type { Deliveries } from './delivery/deliveries.ts'
import { createAdmin } from './http/in-process-admin.ts'
import type { Platform } from './platform.ts'
import type { ListeningAddress, ListenOptions } from './runtime/listen.ts'
import { type GuardedNames, refuseAfterClose } from './runtime/refuse-after-close.ts'
import { openPlatform, type ProcessOptions, type Serving } from './serve.ts'
import { checkServerOptions, type ServerOptions } from './server-options.ts'

/** A running platform. */
export interface Server {
  /** Answers a request without a port. Use it wherever a `fetch` is expected. Paths are relative to `origin`. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Opens a port, by default on loopback. */
  listen(options?: ListenOptions): Promise<ListeningAddress>
  /** The origin for paths passed to `fetch`, e.g. `https://service.test`. */
  readonly origin: string
  /** The admin API as typed functions. */
  readonly admin: Admin
  /** Sends the webhooks that are due now, for programs and tests that do not wait for the worker. */
  readonly deliveries: Deliveries
  /** Finishes requests in flight, then closes ports and the database. Later calls throw a TypeError. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a platform for production: on SQLite in a directory, on PostgreSQL, or in memory. */
export async function createServer(options: ServerOptions = {}): Promise<Server> {
  checkServerOptions(options)
  const { server } = await startServer(options)
  return server
}

/** A server and its platform. */
export interface StartedServer {
  readonly server: Server
  readonly platform: Platform
}

export async function startServer(options: ServerOptions, process?: ProcessOptions): Promise<StartedServer> {
  const { platform, serving } = await openPlatform(options, process)
  return { platform, server: refuseAfterClose(toServer(platform, serving), serving.isClosing, serverNames) }
}

/** The members of every server. */
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
