import type { CreatedTicket } from '@service/contract'
import { type Admin, createAdmin } from './admin/admin.ts'
import { createBell } from './bell.ts'
import { type Clock, systemClock } from './clock.ts'
import { type ConfigOptions, readConfig } from './config.ts'
import type { App } from './context.ts'
import { type Deliveries, startDeliveries } from './delivery/deliveries.ts'
import type { Lookup } from './delivery/egress.ts'
import type { Hooks } from './hooks.ts'
import { createHttp } from './http/app.ts'
import { type Ids, systemIds } from './ids.ts'
import { type Listening, type ListenOptions, listen } from './listen.ts'
import { type Log, quietLog } from './log.ts'
import { createMetrics } from './metrics.ts'
import { automationHooks } from './modules/automation/hooks.ts'
import { getCreated } from './modules/tickets/service.ts'
import { appSealer } from './sealing/app-sealer.ts'
import { openStore } from './store/open.ts'

/** Options of an embedded platform. Without any it is in memory. */
export interface ServerOptions extends ConfigOptions {
  readonly clock?: Clock
  readonly ids?: Ids
  readonly log?: Log
  readonly hooks?: ServerHooks
  /** Finds the addresses of webhook receivers; the system's resolver unless told otherwise. */
  readonly lookup?: Lookup
}

/** What only we set. `fast` is for a process of our own, see `listen.ts`; a lease is how long a dead worker delays us. */
interface Internals {
  readonly fast: boolean
  readonly leaseMs?: number
}

/** Code of an embedder that runs inside the transaction of a change; throwing undoes the change. */
export interface ServerHooks {
  /** `admin` works in the ticket's transaction: what it creates or changes commits with the ticket or not at all. */
  ticketCreated?(ticket: CreatedTicket, admin: Admin): void | Promise<void>
}

/** A running platform. */
export interface PlatformServer {
  /** Answers a request without a port; fits wherever a `fetch` is asked for. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Opens a port on loopback, or where told. */
  listen(options?: ListenOptions): Promise<Pick<Listening, 'url' | 'port'>>
  /** Creates and changes everything, as typed functions. */
  readonly admin: Admin
  readonly deliveries: Deliveries
  /** Finishes requests in flight, then closes ports and the database. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a platform. The one place where everything is wired. */
export async function createServer(options: ServerOptions = {}): Promise<PlatformServer> {
  return startServer(options, { fast: false })
}

export async function startServer(
  { lookup, ...options }: ServerOptions,
  { fast, leaseMs }: Internals,
): Promise<PlatformServer> {
  const app = await openApp(options)
  const deliveries = startDeliveries(app, { lookup, leaseMs })
  const http = createHttp(app)
  const open: Listening[] = []
  const inFlight = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined
  const close = async () => {
    await Promise.all(open.map((listening) => listening.stop()))
    await Promise.allSettled(inFlight)
    await deliveries.stop()
    await app.store.close()
  }
  const server: PlatformServer = {
    async fetch(input, init) {
      const answering = (async () =>
        http.fetch(input instanceof Request && init === undefined ? input : new Request(input, init)))()
      inFlight.add(answering)
      return answering.finally(() => inFlight.delete(answering))
    },
    async listen(listenOptions = {}) {
      const listening = await listen((request, env) => http.fetch(request, env), listenOptions, fast)
      open.push(listening)
      return { url: listening.url, port: listening.port }
    },
    admin: createAdmin(app),
    deliveries: { runDue: deliveries.runDue },
    close: () => {
      closing ??= close()
      return closing
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
  await deliveries.begin()
  return server
}

async function openApp({
  clock = systemClock(),
  ids = systemIds(),
  log = quietLog(),
  hooks = {},
  ...options
}: ServerOptions): Promise<App> {
  const config = readConfig({ ...options })
  const store = await openStore(config, clock)
  return {
    db: store.db,
    store,
    clock,
    ids,
    config,
    log,
    hooks: withHooks(hooks),
    bell: createBell(),
    metrics: createMetrics(),
    sealer: appSealer(config, ids),
  }
}

/** An embedder's code runs after the platform's own rules, in the same transaction. */
function withHooks({ ticketCreated }: ServerHooks): Hooks {
  if (ticketCreated === undefined) return automationHooks
  return {
    ...automationHooks,
    async ticketCreated(app, place) {
      await automationHooks.ticketCreated(app, place)
      await ticketCreated(await getCreated(app, place.workspaceId, place.id), createAdmin(app))
      return true
    },
  }
}
