import { bootstrap } from './bootstrap.ts'
import type { App } from './context.ts'
import { deadline, stopwatchMs } from './core/clock.ts'
import { defaultOrigin } from './core/config.ts'
import { requireNode } from './core/node-version.ts'
import { onlyOwnNames } from './http/own-names.ts'
import type { Platform } from './platform.ts'
import { createAdmission, type RequestHandler } from './runtime/admission.ts'
import { createEntrypoints, type Entrypoints } from './runtime/entrypoints.ts'
import type { ServerOptions } from './server-options.ts'

/** Where and for whom a platform answers. */
export interface ServeOptions {
  /** What answers a server's requests. The test double puts its own around the platform's. */
  readonly handle: RequestHandler
  /** In a process of its own a server may replace globals, and waits for idle connections when it stops. */
  readonly ownProcess?: boolean | undefined
  /** A test double holds requests for as long as a fault says: no limit on work, no end of silent connections. */
  readonly isDouble?: boolean | undefined
  /** Where the admin token is stored, for tools on this machine. */
  readonly tokenFile?: string | null | undefined
  /** Whether ports answer only to the server's own names: needed where anybody could know a valid token. */
  readonly ownNamesOnly?: boolean | undefined
  /** False lets the process end although a port is open. */
  readonly keepsAlive?: boolean | undefined
  /** Runs at the end, when no request is in flight, and before deliveries and database are stopped. */
  readonly beforeStop?: (() => Promise<void>) | undefined
}

export interface Serving extends Omit<Entrypoints, 'close'> {
  readonly origin: string
  /** Finishes requests in flight, then closes ports and the database. */
  close(): Promise<void>
  /** Whether `close` was called. */
  isClosing(): boolean
}

/** What only the command line and tests set. */
export interface ProcessOptions extends Pick<ServeOptions, 'ownProcess' | 'tokenFile'> {
  /** How long a worker that dies delays its deliveries. */
  readonly leaseMs?: number
  /** A demo opens to everybody who can read this project, so a port answers only to its own names. */
  readonly isDemo?: boolean
}

/** A running platform and the ways to it. Not `admin`: the client of all its routes would make each start slower. */
export interface OpenedPlatform {
  readonly platform: Platform
  readonly serving: Serving
}

/** Starts a platform on the database that the options name. */
export async function openPlatform(
  options: ServerOptions,
  { leaseMs, ownProcess, tokenFile, isDemo }: ProcessOptions = {},
): Promise<OpenedPlatform> {
  requireNode()
  const platform = await bootstrap(options, { leaseMs, isEmbedded: ownProcess !== true || options.hooks !== undefined })
  const serving = serve(platform, {
    // Over a port, all that a process of its own is asked is finished by the drain of the port.
    handle:
      ownProcess === true
        ? platform.handle
        : (request, env) => platform.app.lifecycle.during(platform.handle(request, env)),
    ownProcess,
    tokenFile,
    ownNamesOnly: isDemo,
  })
  return { platform, serving }
}

/** Requests finish first, then webhooks under way: both together within this, so that the database has time to close. */
const longestStopMs = 11_000
const leastDeliveryDrainMs = 1_000

/** Opens the ways to a platform and knows the order in which all of it ends. */
export function serve(platform: Platform, { handle, beforeStop, tokenFile, ...options }: ServeOptions): Serving {
  const { app } = platform
  const origin = new URL(app.config.publicUrl ?? defaultOrigin).origin
  const { close: closePorts, ...entrypoints } = createEntrypoints(handle, portOptions(app, origin, options))
  const { act: close, hasBegun } = once(async () => {
    app.store.stopWaiting?.()
    await beginDraining(app)
    const beganAt = stopwatchMs()
    await closePorts()
    await app.lifecycle.whenIdle()
    await beforeStop?.()
    await platform.stop(Math.max(leastDeliveryDrainMs, longestStopMs - (stopwatchMs() - beganAt)))
  })
  return {
    ...entrypoints,
    origin,
    listen: publishing(entrypoints.listen, app, tokenFile),
    close,
    isClosing: hasBegun,
  }
}

/** Tells other processes on the data directory where this one listens. */
function publishing(listen: Serving['listen'], { store }: App, tokenFile: string | null = null): typeof listen {
  return async (options) => {
    const listening = await listen(options)
    store.publish?.({ url: listening.url, tokenFile })
    return listening
  }
}

/** Node keeps an idle connection for five seconds, and says so to its client; some more for the way. */
const clientsHearWithinMs = 6_500

/** Statements are limited to 15 s, and live streams send a heartbeat that often. */
const silenceMs = 30_000

const portOptions = (
  app: App,
  origin: string,
  { ownProcess = false, isDouble = false, ownNamesOnly = false, keepsAlive = true }: PortRules,
) => ({
  origin,
  overPort: ownNamesOnly ? (answer: RequestHandler, host: string) => onlyOwnNames(app, answer, host) : undefined,
  admit: createAdmission(app, { limitsWork: !isDouble }),
  replacesGlobals: ownProcess,
  idleMs: app.config.drainIdleMs ?? (ownProcess ? clientsHearWithinMs : 0),
  silenceMs: isDouble ? 0 : silenceMs,
  keepsAlive,
})

type PortRules = Pick<ServeOptions, 'ownProcess' | 'isDouble' | 'ownNamesOnly' | 'keepsAlive'>

/** Tells who asks for readiness, and gives them time to send their requests elsewhere. */
async function beginDraining({ lifecycle, config }: App): Promise<void> {
  lifecycle.drain()
  if (config.drainDelayMs > 0) await new Promise<void>((resolve) => void deadline(config.drainDelayMs, resolve))
}

/** However often it is called, `work` runs once, and every caller waits for it. */
export function once(work: () => Promise<void>): { act(): Promise<void>; hasBegun(): boolean } {
  let acting: Promise<void> | undefined
  return {
    act() {
      acting ??= work()
      return acting
    },
    hasBegun: () => acting !== undefined,
  }
}
