import {
  createTemplate,
  type OpenService,
  openService,
  type Service,
  type ServiceOptions,
  type Template,
  toService,
  toTestServerOptions,
} from './service.ts'

type Hook = (act: () => Promise<void>) => unknown

/** The hooks of a test runner. The `afterAll` of node:test is called `after`. */
export interface RunnerHooks {
  readonly beforeEach: Hook
  readonly afterEach: Hook
  readonly afterAll: Hook
}

/**
 * The service of the current test: forked before each test and closed before the next one. Jest and node:test call a
 * file's own `afterEach` after this one, and it may still use the server.
 */
export function currentService(options: ServiceOptions, { beforeEach, afterEach, afterAll }: RunnerHooks): Service {
  const template = createTemplate(toTestServerOptions(options))
  let open: OpenService | undefined
  const closeOpen = async () => {
    const ending = open
    open = undefined
    await ending?.close()
  }
  beforeEach(async () => {
    await closeOpen()
    open = await openService(template, options)
  })
  afterEach(async () => open?.verify())
  afterAll(async () => {
    await closeOpen()
    await template.close()
  })
  const current = (): Service => {
    if (open !== undefined) return open.service
    throw new TypeError('The service exists only while a test runs. Use it in a test or a beforeEach hook.')
  }
  return toService({
    get server() {
      return current().server
    },
    get origin() {
      return current().origin
    },
    get baseUrl() {
      return current().baseUrl
    },
    get token() {
      return current().token
    },
    get workspace() {
      return current().workspace
    },
    fetch: (input, init) => current().fetch(input, init),
  })
}

/** The parts of node:test's context that are needed. */
export interface TestContext {
  after(act: () => Promise<void>): void
  /** Fires when the test has timed out. */
  readonly signal?: AbortSignal
}

const withoutOptions: ServiceOptions = {}
/** An in-memory template holds no handles, so it can be garbage-collected with its options. */
const templates = new WeakMap<ServiceOptions, Template>()

/**
 * A platform for one test of node:test, closed at its end; concurrent tests are supported. Tests that pass the same options
 * object fork the same seeded server.
 *
 * @example
 * test('lists tickets', async (t) => {
 *   const service = await startForTests(t, options)
 * })
 */
export async function startForTests(t: TestContext, options: ServiceOptions = withoutOptions): Promise<Service> {
  if (typeof Object(t).after !== 'function') {
    throw new TypeError(
      "startForTests needs the context of a test of node:test: `test('…', async (t) => { … startForTests(t) })`.",
    )
  }
  const template = templates.get(options) ?? createTemplate(toTestServerOptions(options))
  templates.set(options, template)
  const { service, close } = await openService(template, options)
  t.after(close)
  // A hook that is added after its test has ended never runs.
  if (t.signal?.aborted === true) await close()
  return service
}

/**
 * A platform for each test of a file. The global hooks of Jest and Mocha are detected; those of node:test are passed as
 * `{ beforeEach, afterEach, afterAll: after }`. In Vitest, import `useService` from `@service/server/vitest`.
 *
 * @example
 * const service = useService({ seed: 'demo' })
 */
export function useService(options: ServiceOptions = {}, hooks: RunnerHooks = globalHooks()): Service {
  return currentService(options, hooks)
}

function globalHooks(): RunnerHooks {
  const found: Partial<RunnerHooks & { readonly after: Hook }> = globalThis as object // where runners put their hooks
  // Mocha's `afterAll` is called `after`.
  const { beforeEach, afterEach, after, afterAll = after } = found
  if (beforeEach !== undefined && afterEach !== undefined && afterAll !== undefined) {
    return { beforeEach, afterEach, afterAll }
  }
  throw new TypeError(
    "This runner has no global hooks. In Vitest, import useService from '@service/server/vitest'. In other runners, pass the hooks; in node:test as { beforeEach, afterEach, afterAll: after }.",
  )
}
