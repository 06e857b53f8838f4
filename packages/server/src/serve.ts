import { bootstrap } from './bootstrap.ts'
import type { App } from './context.ts'
import { deadline, stopwatchMs } from './core/clock.ts'
import { defaultOrigin, readConfig } from './core/config.ts'
import { defaultHost } from './core/host-name.ts'
import { quietLog } from './core/log.ts'
import { nextTurn } from './core/next-turn.ts'
import { requireNode } from './core/node-version.ts'
import { requireAllowedHost } from './http/allowed-hosts.ts'
import type { Platform } from './platform.ts'
import { createAdmission, type RequestHandler } from './runtime/admission.ts'
import { createEntrypoints, type Entrypoints } from './runtime/entrypoints.ts'
import { type HealthPort, openHealthPort } from './runtime/health-port.ts'
import type { ServerOptions } from './server-options.ts'
import { retryStart } from './store/start-retries.ts'

/** How a platform is served. */
export interface ServeOptions {
  /** Handles a server's requests. The test double wraps the platform's handler. */
  readonly handle: RequestHandler
  /** True in a separate process, which may replace globals and waits for idle connections when it stops. */
  readonly ownProcess?: boolean | undefined
  /** True for a test double, whose faults may hold requests: no limit on work, no timeout for silent connections. */
  readonly isDouble?: boolean | undefined
  /** The file with the admin token, for tools on this machine. */
  readonly tokenFile?: string | null | undefined
  /** Whether ports answer only to the server's own names. Required if valid tokens are public. */
  readonly ownNamesOnly?: boolean | undefined
  /** False lets the process exit while a port is open. */
  readonly keepsAlive?: boolean | undefined
  /** Runs during shutdown after the last request, before deliveries and the database are stopped. */
  readonly beforeStop?: (() => Promise<void>) | undefined
}

export interface Serving extends Omit<Entrypoints, 'close'> {
  readonly origin: string
  /** Finishes requests in flight, then closes ports and the database. `delayMs` applies unless a delay is configured. */
  close(delayMs?: number): Promise<void>
  /** Whether `close` was called. */
  isClosing(): boolean
}

/** Options that only the command line and tests set. */
export interface ProcessOptions extends Pick<ServeOptions, 'ownProcess' | 'tokenFile'> {
  /** The length of a worker's lease, and so the delay of its deliveries if it dies. */
  readonly leaseMs?: number
  /** Called before the migrations of a PostgreSQL database that is new or has no workspaces. */
  readonly onEmptyDatabase?: ((isNew: boolean) => Promise<void>) | undefined
  /** The tokens of a demo are public, so its ports answer only to the server's own names. */
  readonly isDemo?: boolean
}

/** A running platform and its entry points. `admin` is missing: the client of all routes would slow down each start. */
export interface OpenedPlatform {
  readonly platform: Platform
  readonly serving: Serving
  /** Runs a later step of the start, which waits for PostgreSQL, too. The step may run several times. */
  readonly retry: <Result>(step: () => Promise<Result>) => Promise<Result>
}

/** Orchestrators start a database and its servers together. */
const startLimitMs = 30_000

/** Starts a platform on the configured database. */
export async function openPlatform(
  options: ServerOptions,
  { leaseMs, onEmptyDatabase, ownProcess, tokenFile, isDemo }: ProcessOptions = {},
): Promise<OpenedPlatform> {
  requireNode()
  const isEmbedded = ownProcess !== true || options.hooks !== undefined
  const { databaseUrl, databaseStartTimeoutMs = ownProcess === true ? startLimitMs : 0 } = readConfig({ ...options })
  const waiting = { limitMs: databaseUrl === undefined ? 0 : databaseStartTimeoutMs, log: options.log ?? quietLog() }
  const retry: OpenedPlatform['retry'] = (step) => retryStart(step, waiting)
  const platform = await retry(() => bootstrap(options, { leaseMs, isEmbedded, onEmptyDatabase }))
  const serving = serve(platform, {
    // In a separate process all requests come over ports, so draining the ports covers them.
    handle:
      ownProcess === true
        ? platform.handle
        : (request, env) => platform.app.lifecycle.during(platform.handle(request, env)),
    ownProcess,
    tokenFile,
    ownNamesOnly: isDemo,
  })
  return { platform, serving, retry }
}

/** Requests finish first, then in-flight webhooks. The limit covers both, so that the database has time to close. */
const maxStopMs = 10_000
const minDeliveryDrainMs = 1_000

/** Opens the entry points of a platform and shuts everything down in order. */
export function serve(platform: Platform, { handle, beforeStop, tokenFile, ...options }: ServeOptions): Serving {
  const { app } = platform
  const origin = new URL(app.config.publicUrl ?? defaultOrigin).origin
  const { close: closePorts, ...entrypoints } = createEntrypoints(handle, portOptions(app, origin, options))
  let healthPort: Promise<HealthPort> | undefined
  const openHealth = (host: string) => {
    const { healthPort: port } = app.config
    if (port === undefined) return undefined
    const parts = {
      handle: (request: Request) => platform.handle(request),
      onDrain: app.lifecycle.onDrain,
      log: app.log,
    }
    healthPort ??= openHealthPort({ port, host }, parts)
    return healthPort
  }
  const { act: close, hasBegun } = once(async (delayMs: number | undefined) => {
    app.store.stopWaiting?.()
    await beginDraining(app, delayMs)
    const beganAt = stopwatchMs()
    await closePorts()
    // In-process calls made before `close` may need a turn until they are counted.
    await nextTurn()
    await app.lifecycle.whenIdle()
    await beforeStop?.()
    await platform.stop(Math.max(minDeliveryDrainMs, maxStopMs - (stopwatchMs() - beganAt)))
    await healthPort?.then((port) => port.close()).catch(() => undefined)
  })
  return {
    ...entrypoints,
    origin,
    listen: listenAndPublish(entrypoints.listen, app, { tokenFile, openHealth }),
    close,
    isClosing: hasBegun,
  }
}

/** Stores the address of this server for other processes on the data directory. */
function listenAndPublish(
  listen: Serving['listen'],
  { store, config }: App,
  { tokenFile = null, openHealth }: Pick<ServeOptions, 'tokenFile'> & { openHealth(host: string): unknown },
): typeof listen {
  return async (options) => {
    const listening = await listen(options)
    await openHealth(options?.host ?? defaultHost)
    store.publish?.({ url: listening.url, publicUrl: config.publicUrl ?? null, tokenFile })
    return listening
  }
}

/** Node keeps an idle connection for five seconds and announces that to the client. The rest allows for latency. */
const idleConnectionMs = 6_500

/** Statements are limited to 15 s, and live streams send a heartbeat at that interval. */
const silenceMs = 30_000

const portOptions = (
  app: App,
  origin: string,
  { ownProcess = false, isDouble = false, ownNamesOnly = false, keepsAlive = true }: PortRules,
) => ({
  origin,
  overPort: ownNamesOnly ? (answer: RequestHandler, host: string) => requireAllowedHost(app, answer, host) : undefined,
  admit: createAdmission(app, { limitsWork: !isDouble }),
  replacesGlobals: ownProcess,
  idleMs: app.config.drainIdleMs ?? (ownProcess ? idleConnectionMs : 0),
  silenceMs: isDouble ? 0 : silenceMs,
  keepsAlive,
  onFull: warnWhenFull(app),
})

const fullAgainMs = 60_000

/** At most once a minute. */
function warnWhenFull({ log, clock }: App): (connections: number) => void {
  let warnedAtMs = Number.NEGATIVE_INFINITY
  return (connections) => {
    if (clock.elapsedMs() - warnedAtMs < fullAgainMs) return
    warnedAtMs = clock.elapsedMs()
    log.warn(
      `The port has ${connections} connections, as many as the limit of open files allows, so it refuses more. Raise that limit: LimitNOFILE of systemd, or ulimit -n.`,
    )
  }
}

type PortRules = Pick<ServeOptions, 'ownProcess' | 'isDouble' | 'ownNamesOnly' | 'keepsAlive'>

/** Makes `/readyz` report the shutdown, and gives load balancers time to redirect requests. */
async function beginDraining({ lifecycle, config }: App, usualMs = 0): Promise<void> {
  lifecycle.drain()
  const { drainDelayMs = usualMs } = config
  if (drainDelayMs > 0) await new Promise<void>((resolve) => void deadline(drainDelayMs, resolve))
}

/** Runs `work` once. Every call waits for it. */
export function once<Given = unknown>(
  work: (given: Given | undefined) => Promise<void>,
): { act(given?: Given): Promise<void>; hasBegun(): boolean } {
  let running: Promise<void> | undefined
  return {
    act(given) {
      running ??= work(given)
      return running
    },
    hasBegun: () => running !== undefined,
  }
}
