import { type Admin, createAdmin } from './admin/admin.ts'
import type { ServerHooks } from './app.ts'
import type { Clock } from './clock.ts'
import type { ConfigOptions } from './config.ts'
import { defaultOrigin } from './default-origin.ts'
import type { Deliveries, RunningDeliveries } from './delivery/deliveries.ts'
import type { Lookup } from './delivery/egress.ts'
import type { Ids } from './ids.ts'
import type { Listening, ListenOptions } from './listen.ts'
import type { Log } from './log.ts'
import { openPlatform } from './open-platform.ts'
import { isInMemory } from './store/open.ts'
import type { Beginning } from './testing/beginning.ts'
import { createFindings, type FindingsOptions } from './testing/contract/findings.ts'
import { unusedFaults } from './testing/contract/unused-faults.ts'
import { watchDoor } from './testing/door.ts'
import type { FaultOptions } from './testing/faults/faults.ts'
import { withTestDoor } from './testing/http/with-test-door.ts'
import type { Interception } from './testing/intercept/intercept.ts'
import type { JournalOptions } from './testing/journal/shelf.ts'
import type { Seed } from './testing/seeds/seed.ts'
import { createTestControls, type TestControls } from './testing/test-controls.ts'
import { openWaysIn } from './ways-in.ts'

export type { ServerHooks } from './app.ts'

/** Options of an embedded platform. Without any it is in memory and empty. */
export interface ServerOptions extends ConfigOptions, FindingsOptions, FaultOptions {
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
  /** What a server begins with, and what `reset()` goes back to. A database that has workspaces is left as it is. */
  readonly seed?: Seed
  /**
   * Whether requests are written down, and how many. A server in memory keeps the last 1000; with a database only when
   * told to.
   */
  readonly journal?: boolean | JournalOptions
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
  /**
   * Answers what `globalThis.fetch` is asked from these origins, until the interception is disposed of or the server
   * closes. The latest server that takes an origin gets it. Nothing else is patched.
   *
   * @example
   * using _ = server.intercept('https://api.example.com')
   */
  intercept(origin: string | readonly string[]): Interception
  /** What stands before paths that are given to `fetch`, e.g. `https://service.test`. */
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

export async function startServer(options: ServerOptions, { fast, ...internals }: Internals): Promise<StartedServer> {
  const { contract = options.seed === undefined ? 'off' : 'collect', strict = {} } = options
  const findings = createFindings({ contract, strict, unusedFaults: () => unusedFaults(door.faults) })
  const opened = await openPlatform(options, { ...internals, eventKept: findings.checkEvent })
  const { platform, planted, room } = opened
  const { app } = platform
  findings.begin()
  const { allowFaultHeaders = false, testControls = false } = options
  const door = watchDoor(platform, {
    journal: journalOptions(options),
    findings,
    allowFaultHeaders,
    // The test controls stand on the same port: with it closed they could never take the fault back.
    refuse: testControls ? undefined : (isRefusing) => refuse(isRefusing),
  })
  const { branch, ...controls } = createTestControls({
    ...opened,
    door,
    baseline: internals.beginning?.baseline ?? opened.seeded,
  })
  const direct = { answer: fast ? platform.answer : door.answer, close: async () => undefined }
  const inside = testControls ? await withTestDoor(() => server, app, direct.answer) : direct
  const origin = new URL(app.config.publicUrl ?? defaultOrigin).origin
  const { shut, refuse, ...ways } = openWaysIn(inside.answer, { origin, fast })
  const close = once(async () => {
    door.letGo()
    await shut()
    await inside.close()
    await door.quiet()
    await room.quiet()
    room.shut()
    door.requests.close()
    await platform.stop()
    findings.verifyAtEnd()
  })
  const server: StartedServer = {
    ...controls,
    ...ways,
    origin,
    get seeded() {
      return planted.seeded
    },
    admin: createAdmin(app),
    deliveries: platform.deliveries,
    fork: async () => startServer(options, { ...internals, fast, beginning: await branch() }),
    close,
    [Symbol.asyncDispose]: close,
  }
  return server
}

/** However often it is asked, it happens once. */
function once(act: () => Promise<void>): () => Promise<void> {
  let acting: Promise<void> | undefined
  return () => {
    acting ??= act()
    return acting
  }
}

/** What is kept on a disk is not a test's: nobody's requests are kept beside it unasked. */
function journalOptions({ journal, data, databaseUrl }: ServerOptions): JournalOptions | false {
  if (typeof journal === 'object') return journal
  return (journal ?? isInMemory({ data, databaseUrl })) ? {} : false
}
