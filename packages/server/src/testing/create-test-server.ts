import type { App } from '../context.ts'
import { maxNumber } from '../core/config.ts'
import { requireNode } from '../core/node-version.ts'
import type { RequestHandler } from '../runtime/admission.ts'
import { type GuardedNames, refuseAfterClose } from '../runtime/refuse-after-close.ts'
import { once, serve } from '../serve.ts'
import { toServer } from '../server.ts'
import { isInMemory } from '../store/open.ts'
import type { ControlApi } from './control-api/control-api.ts'
import { createForkTree, type ForkTree } from './control-api/fork-tree.ts'
import { doublePath } from './dashboard/double-page.ts'
import type { KeepAlive } from './faults/pending-waits.ts'
import type { LimitControl } from './faults/runtime-settings.ts'
import { fetchLikeNetwork } from './fetch-like-network.ts'
import { type InstrumentedFetch, instrument } from './instrumented-fetch.ts'
import { createInterceptor } from './intercept.ts'
import { compareHar } from './journal/compare-har.ts'
import { createContractViolations } from './journal/contract-violations.ts'
import type { Journal } from './journal/journal.ts'
import { createDashboardKey, createDoubleDashboard, createTestRoutes, withFirstUrl } from './mount-test-routes.ts'
import type { Seeded } from './seeds/seed-state.ts'
import { checkTestServerOptions, type TestServerOptions } from './server-options.ts'
import { endStalledSenders } from './stalled-senders.ts'
import { createStateHistory } from './state-history.ts'
import { type ControlsState, createTestControls, type Present, type TestServer } from './test-controls.ts'
import { noCoverage, type TestCoverage } from './test-coverage.ts'
import { type InitialState, startTestPlatform, type TestPlatform } from './test-platform.ts'
import type { Inbox } from './webhooks/inbox.ts'

/**
 * Starts a platform for a test, in memory and empty by default. Tests control its time, data, and faults, the
 * request journal, and webhook inboxes.
 *
 * @example
 * const server = await createTestServer({ seed: 'demo', clock: '2026-01-01T00:00:00Z' })
 */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  checkTestServerOptions(options)
  // A forgotten `close()` must not hang a test run. `node --test` sets the variable or runs the tests in process; Jest
  // and Mocha define global hooks.
  const isUnderNode = process.env['NODE_TEST_CONTEXT'] !== undefined || process.execArgv.includes('--test')
  const hasGlobalHooks = 'beforeEach' in globalThis
  const isUnderRunner = isUnderNode || hasGlobalHooks
  return startTestServer(options, {
    keepsAlive: !isUnderRunner,
    // Jest and Mocha stay alive while a test runs; node:test ends a test when nothing else keeps the process alive.
    waitsKeepAlive: { delays: !hasGlobalHooks, hangs: !isUnderRunner },
  })
}

const alwaysAlive: KeepAlive = { delays: true, hangs: true }

interface Internals {
  /** Where the admin token is stored, for tools on this machine. */
  readonly tokenFile?: string | null | undefined
  /** Whether an open port keeps the process alive. */
  readonly keepsAlive?: boolean
  /** Whether requests that a fault holds keep the process alive. */
  readonly waitsKeepAlive?: KeepAlive
  /** The state that a fork starts from. */
  readonly initialState?: InitialState
  /** The settings and faults that a fork starts with. */
  readonly controls?: ControlsState
  // Both are those of the server from which it is forked.
  readonly coverage?: TestCoverage
  readonly forkTree?: ForkTree
}

interface InstrumentedParts extends Pick<Internals, 'waitsKeepAlive'> {
  readonly initialState: InitialState | undefined
  readonly inherited: ControlsState | undefined
  readonly coverage: TestCoverage
}

/** A platform whose requests pass through the journal, the faults, and the contract checks. */
async function startInstrumented(
  options: TestServerOptions,
  { initialState, inherited, waitsKeepAlive: keepAlive = alwaysAlive, coverage }: InstrumentedParts,
) {
  const violations = createViolations(options)
  const opened = await startTestPlatform(options, { initialState, eventStored: violations.checkEvent, coverage })
  violations.startCheckingEvents()
  const { allowFaultHeaders = false } = options
  const recording = createRecording(options, opened)
  const parts = { ...recording, violations, allowFaultHeaders, keepAlive, coverage }
  const instrumented = instrument(opened.platform, parts)
  return { ...opened, instrumented, history: recording.history, inherited }
}

/** Wraps the production startup with the test controls. */
export async function startTestServer(options: TestServerOptions, internal: Internals = {}): Promise<TestServer> {
  requireNode()
  const { testControls = false } = options
  const { initialState, controls: inherited, ...others } = internal
  const parts = { coverage: noCoverage(), forkTree: createForkTree(), ...others }
  const { coverage, forkTree, tokenFile, keepsAlive } = parts
  const opened = await startInstrumented(options, { ...parts, initialState, inherited })
  const { platform, seedState, hub, instrumented } = opened
  const { app, deliveries } = platform
  const { present, addToSeed, forgetStates, interruptClock, verifyAtEnd, ...controls } = createTestControls(opened)
  const startFork = forkStarter(options, parts, present)
  const controlApi = testControls ? await loadControlApi(app, startFork, forkTree) : undefined
  const routes = createTestRoutes(instrumented.handle)
  const closing = new AbortController()
  const answer = endStalledSenders(routes.answer, closing.signal)
  const serving = serve(platform, {
    handle: fetchLikeNetwork(answer, { closing: closing.signal }),
    tokenFile,
    keepsAlive,
    isDouble: true,
    ownNamesOnly: testControls,
    beforeStop: () => finishWork(instrumented, hub),
  })
  // The test controls use the same port: if it were closed, they could not remove the fault.
  if (controlApi === undefined) instrumented.onRefusing(serving.setRefusingConnections)
  const interceptor = createInterceptor(serving.fetch)
  const { act: close, hasBegun } = once(async () => {
    interruptClock()
    interceptor.restoreAll()
    instrumented.releaseAll()
    closing.abort()
    await controlApi?.close() // their requests come over the same port
    await serving.close()
    forgetStates()
    verifyAtEnd()
  })
  const ports = withFirstUrl(serving.listen)
  const dashboardKey = createDashboardKey()
  const open: TestServer = {
    ...toServer(platform, { ...serving, listen: ports.listen, close }),
    ...controls,
    get seeded() {
      return seedState.seeded
    },
    dashboardUrl: async () => `${await ports.url()}${doublePath}?key=${dashboardKey}`,
    intercept: interceptor.intercept,
    journal: { ...controls.journal, compareWith: compareInCopy(options, present, controls.limits) },
    fork: withoutOptions(startFork),
  }
  const server = refuseAfterClose(open, hasBegun, testServerNames)
  for (const route of controlApi?.routesFor(server) ?? []) routes.mount(route)
  routes.mount(createDoubleDashboard({ server, app, hub, nextDueAt: deliveries.nextDueAt }, dashboardKey))
  internals.set(server, { coverage, answer, verifyAtEnd, addToSeed })
  return server
}

async function finishWork({ whenIdle, requests }: InstrumentedFetch, hub: TestPlatform['hub']): Promise<void> {
  await whenIdle()
  await hub.whenIdle()
  hub.abortAll()
  requests.close()
}

/** Starts servers with the present state. The test controls give them an address of their own. */
const forkStarter =
  (options: TestServerOptions, parts: Internals, present: () => Promise<Present>) =>
  async (others: Pick<TestServerOptions, 'publicUrl'> = {}): Promise<TestServer> =>
    startTestServer({ ...options, ...others }, { ...parts, ...(await present()) })

/** In a copy, so that neither the state nor the journal of the server changes. */
const compareInCopy =
  (options: TestServerOptions, present: () => Promise<Present>, limits: LimitControl): Journal['compareWith'] =>
  async (har, compareOptions) => {
    // Recordings of 429 are skipped, so the copy must not answer 429. With `off` it would send no headers of the limit.
    const rateLimit = limits.requestsPerMinute === 'off' ? 'off' : maxNumber
    const copyOptions = { ...options, contract: 'off', rateLimit } as const
    await using copy = await startTestServer(copyOptions, { initialState: (await present()).initialState })
    return await compareHar(har, compareOptions, copy.fetch)
  }

async function loadControlApi(
  app: App,
  startFork: ReturnType<typeof forkStarter>,
  tree: ForkTree,
): Promise<ControlApi> {
  const { createControlApi } = await import('./control-api/control-api.ts')
  const open = async (publicUrl: string) => {
    const server = await startFork({ publicUrl })
    return { close: server.close, answer: innerPartsOf(server)?.answer ?? server.fetch }
  }
  return createControlApi(app, { open, tree })
}

/** What runners and the control API use of a server beyond its interface. */
interface InnerParts {
  readonly coverage: TestCoverage
  /** Answers without the differences of a network. */
  readonly answer: RequestHandler
  /** Throws what `close` would throw, while the server stays open. `close` does not throw it again. */
  verifyAtEnd(): void
  addToSeed(added: Pick<Seeded, 'workspace' | 'token'>): Promise<void>
}

const internals = new WeakMap<TestServer, InnerParts>()

export const innerPartsOf = (server: TestServer): InnerParts | undefined => internals.get(server)

const withoutOptions =
  (fork: () => Promise<TestServer>) =>
  async (...args: readonly unknown[]): Promise<TestServer> => {
    if (args.length === 0) return fork()
    throw new TypeError(
      '`fork` takes no options: a fork has the state and options of its server. To use other options, such as another seed, call createTestServer.',
    )
  }

function createViolations({ seed, contract = seed === undefined ? 'off' : 'collect', strict = {} }: TestServerOptions) {
  return createContractViolations({ contract, strict })
}

/** A server with a database has no journal by default. */
function createRecording(options: TestServerOptions, opened: TestPlatform) {
  const { journal = isInMemory(options) } = options
  if (typeof journal === 'boolean') return { journal: journal && {}, history: undefined }
  return { journal, history: journal.restorable === true ? createStateHistory(opened) : undefined }
}

/** The paths of the functions that return no promise, such as `clock.now`. */
type SynchronousIn<Group, Path extends string = ''> = {
  [Name in keyof Group & string]: Group[Name] extends (...given: never) => infer Result
    ? Result extends PromiseLike<unknown>
      ? never
      : `${Path}${Name}`
    : Group[Name] extends object
      ? SynchronousIn<Group[Name], `${Path}${Name}.`>
      : never
}[keyof Group & string]

type Synchronous = SynchronousIn<Omit<TestServer, 'admin' | 'seeded'> & { readonly inbox: Inbox }>

/** After `close()`, these throw, and all others reject. */
const synchronous: Readonly<Record<Synchronous, true>> = {
  intercept: true,
  verify: true,
  expectRequest: true,
  'faults.add': true,
  'faults.schedule': true,
  'faults.list': true,
  'faults.clear': true,
  'clock.now': true,
  'clock.unfreeze': true,
  'webhooks.capture': true,
  'webhooks.receive': true,
  'webhooks.deliveryFaults.add': true,
  'webhooks.inbound': true,
  'quirks.set': true,
  'limits.set': true,
  'states.list': true,
  'journal.clear': true,
  'journal.entries': true,
  'journal.find': true,
  'journal.toHAR': true,
  'inbox.all': true,
  'inbox.arrivals': true,
  'inbox.respondWith': true,
}

const testServerNames: GuardedNames = {
  always: ['close', 'url', 'secret', 'all', 'arrivals', 'ready', 'origin'],
  givesPromise: (path) => !Object.hasOwn(synchronous, path),
  resultOf: (path) => (path === 'webhooks.capture' ? 'inbox' : undefined),
}
