import { requireNode } from '../core/node-version.ts'
import { type GuardedNames, refuseAfterClose } from '../runtime/refuse-after-close.ts'
import { once, serve } from '../serve.ts'
import { toServer } from '../server.ts'
import { isInMemory } from '../store/open.ts'
import { createContractViolations, unusedFaults } from './contract/contract-violations.ts'
import { instrument } from './instrumented-fetch.ts'
import { createInterceptor } from './intercept.ts'
import { withControlApi, withDoubleDashboard, withFirstUrl } from './mount-test-routes.ts'
import { checkTestServerOptions, type TestServerOptions } from './server-options.ts'
import { createStateHistory } from './state-history.ts'
import { createTestControls, type TestServer } from './test-controls.ts'
import { type InitialState, startTestPlatform, type TestPlatform } from './test-platform.ts'

/**
 * Starts a platform for a test, in memory and empty by default. Tests control its time, data, and faults, the
 * request journal, and webhook inboxes.
 *
 * @example
 * const server = await createTestServer({ seed: 'demo', clock: '2026-01-01T00:00:00Z' })
 */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  checkTestServerOptions(options)
  return startTestServer(options, { keepsAlive: !isUnderRunner() })
}

/**
 * A forgotten `close()` must not hang a test run. `node --test` sets the variable or runs the tests in process; Jest
 * and Mocha define global hooks.
 */
const isUnderRunner = () =>
  process.env['NODE_TEST_CONTEXT'] !== undefined || process.execArgv.includes('--test') || 'beforeEach' in globalThis

interface Internals {
  /** Where the admin token is stored, for tools on this machine. */
  readonly tokenFile?: string | null | undefined
  /** Whether an open port keeps the process alive. */
  readonly keepsAlive?: boolean
  /** The state that a fork starts from. */
  readonly initialState?: InitialState
}

/** Wraps the production startup with the test controls. */
export async function startTestServer(
  options: TestServerOptions,
  { initialState, ...processOptions }: Internals = {},
): Promise<TestServer> {
  requireNode()
  const { contract = options.seed === undefined ? 'off' : 'collect', strict = {} } = options
  const { allowFaultHeaders = false, testControls = false } = options
  const listUnusedFaults = () => unusedFaults(instrumented.faults)
  const violations = createContractViolations({ contract, strict, unusedFaults: listUnusedFaults })
  const opened = await startTestPlatform(options, { initialState, eventStored: violations.checkEvent })
  const { platform, seedState, hub } = opened
  violations.startCheckingEvents()
  const recording = recordingOf(options, opened)
  const instrumented = instrument(platform, {
    ...recording,
    violations,
    allowFaultHeaders,
    // The test controls use the same port: if it were closed, they could not remove the fault.
    refuse: testControls ? undefined : (isRefusing) => serving.setRefusingConnections(isRefusing),
  })
  const baseline = initialState?.baseline ?? opened.seededSnapshot
  const { branch, ...controls } = createTestControls({ ...opened, instrumented, baseline, history: recording.history })
  const direct = { answer: instrumented.handle, close: async () => undefined }
  const control = testControls ? await withControlApi(() => server, platform.app, direct.answer) : direct
  const { nextDueAt } = platform.deliveries
  const double = withDoubleDashboard({ server: () => server, app: platform.app, hub, nextDueAt }, control.answer)
  const serving = serve(platform, {
    handle: double.answer,
    ...processOptions,
    isDouble: true,
    ownNamesOnly: testControls,
    async beforeStop() {
      await instrumented.whenIdle()
      interceptor.restoreAll()
      await control.close()
      await hub.whenIdle()
      hub.abortAll()
      instrumented.requests.close()
    },
  })
  const { act: close, hasBegun } = once(async () => {
    instrumented.releaseAll()
    await serving.close()
    violations.verifyAtEnd()
  })
  const interceptor = createInterceptor(serving.fetch)
  const ports = withFirstUrl(serving.listen)
  const open: TestServer = {
    ...toServer(platform, { ...serving, listen: ports.listen, close }),
    ...controls,
    get seeded() {
      return seedState.seeded
    },
    dashboardUrl: async () => (await ports.url()) + double.path,
    intercept: interceptor.intercept,
    async fork(...args: readonly unknown[]) {
      if (args.length > 0) throw noForkOptions()
      return startTestServer(options, { ...processOptions, initialState: await branch() })
    },
  }
  const server = refuseAfterClose(open, hasBegun, testServerNames)
  return server
}

const noForkOptions = () =>
  new TypeError(
    '`fork` takes no options: a fork has the state and options of its server. To use other options, such as another seed, call createTestServer.',
  )

/** A server with a database has no journal by default. */
function recordingOf(options: TestServerOptions, opened: TestPlatform) {
  const { journal = isInMemory(options) } = options
  if (typeof journal === 'boolean') return { journal: journal && {}, history: undefined }
  return { journal, history: journal.restorable === true ? createStateHistory(opened) : undefined }
}

/** Synchronous functions: after `close()` they throw; all others reject. */
const immediate =
  /^(?:(?:journal|faults|quirks|limits|webhooks)\..*|intercept|expectRequest|verify|clock\.(?:now|unfreeze)|states\.list|inbox\.respondWith)$/

const testServerNames: GuardedNames = {
  always: ['close', 'url', 'secret', 'all', 'arrivals', 'ready', 'origin'],
  givesPromise: (path) => !immediate.test(path),
  resultOf: (path) => (path === 'webhooks.capture' ? 'inbox' : undefined),
}
