import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as vitest from 'vitest'
import {
  afterAll,
  afterEach,
  test as baseTest,
  beforeEach,
  type ExpectStatic,
  type TestAPI,
  type TestContext,
} from 'vitest'
import type { FaultCase } from '../faults/fault-cases.ts'
import { currentService } from '../runners/current-service.ts'
import { describeTest } from '../runners/describe-test.ts'
import {
  createTemplate,
  isProcessWide,
  openService,
  type Service,
  type ServiceOptions,
  type Template,
  toTestServerOptions,
} from '../runners/service.ts'
import type { TestServer } from '../test-controls.ts'

export type { Service, ServiceOptions, Template } from '../runners/service.ts'

/** Test fixtures. */
export interface ServiceTestContext {
  /** The test's own server, forked from one that was seeded once. */
  readonly server: TestServer
  /** The options of a client: `createClient({ ...service })`. */
  readonly service: Service
}

interface WorkerFixtures {
  readonly serviceTemplate: Template
}

/**
 * Vitest's `test` with a separate platform per test, including `test.concurrent`. Contract violations fail
 * the test.
 *
 * @example
 * const test = serviceTest({ seed: 'demo' })
 * test('lists tickets', async ({ server, service }) => { … })
 */
export function serviceTest(options: ServiceOptions = {}): TestAPI<ServiceTestContext & WorkerFixtures> {
  const serverOptions = toTestServerOptions(options)
  try {
    return baseTest.extend<ServiceTestContext & WorkerFixtures>({
      serviceTemplate: [
        // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from its first argument's text
        async ({}, use) => {
          const template = createTemplate(serverOptions)
          await use(template)
          await template.close()
        },
        { scope: 'worker' },
      ],
      service: [
        ({ serviceTemplate: template, task }, use) => provideService({ template, options, task, use }),
        { auto: isProcessWide(options) },
      ],
      server: async ({ service }, use) => use(service.server),
    })
  } catch (cause) {
    throw inDescribe(cause)
  }
}

/** Vitest's own message names a fixture that users have not written. */
function inDescribe(cause: unknown): unknown {
  if (!String(cause).includes('inside the describe block')) return cause
  return new TypeError(
    'Call `serviceTest` at the top level of the file, outside `describe`. You can use the test that it returns in every `describe`.',
    { cause },
  )
}

interface ServiceFixture {
  readonly template: Template
  readonly options: ServiceOptions
  readonly task: TestContext['task']
  use(service: Service): Promise<void>
}

async function provideService({ template, options, task, use }: ServiceFixture): Promise<void> {
  const { service, close } = await openService(template, options)
  await use(service)
  try {
    if (task.result?.state === 'fail') await reportFailure(task, service.server)
  } finally {
    await close()
  }
}

/** Prints the requests of a failed test, and writes them to a HAR file, which Vitest 4.1 and later attach to the test. */
async function reportFailure(task: TestContext['task'], server: TestServer): Promise<void> {
  const path = join(await mkdtemp(join(tmpdir(), 'service-test-')), 'requests.har')
  await writeFile(path, JSON.stringify(server.journal.toHAR()))
  // biome-ignore lint/suspicious/noConsole: Vitest shows a test's console beside its error.
  console.error(`${await describeTest(server)}\nHAR: ${path}`)
  if (!('recordArtifact' in vitest)) return
  await vitest.recordArtifact(task, { type: 'service:requests', attachments: [{ path }] } as never) // Vitest's types list only its own
}

/** The context of a test under a fault. */
export interface FaultTestContext extends ServiceTestContext {
  readonly fault: FaultCase
  readonly expect: ExpectStatic
}

/**
 * Runs a test once under each fault. The faults are added before the test, each for the first matching request. A case
 * whose fault never applied proves nothing: it is skipped with the reason, and with `strict: { unusedFaults: true }` it
 * fails. The second argument takes the options of `serviceTest`.
 *
 * @example
 * serviceTest.each(faultCases.documented)('syncs tickets', async ({ service, server, expect }) => { … })
 */
serviceTest.each = (cases: readonly FaultCase[], options: ServiceOptions = {}) => {
  // Not the fixture of `serviceTest`, because Vitest 5 refuses fixtures with the scope of a worker in a `describe` block.
  const template = createTemplate(toTestServerOptions(options))
  afterAll(() => template.close())
  const test = baseTest.extend<ServiceTestContext>({
    service: ({ task }, use) => provideService({ template, options, task, use }),
    server: async ({ service }, use) => use(service.server),
  })
  return (title: string, run: (context: FaultTestContext) => Promise<void> | void): void =>
    test.for(cases)(`${title}: $name`, async (fault, { server, service, expect, skip }) => {
      const applied = fault.apply(server)
      try {
        await run({ fault, server, service, expect })
        if (applied.hits === 0) await server.settled()
        if (applied.hits > 0) return
        const reason = `Not exercised: the fault never applied. It needs ${fault.needs}.`
        if (options.strict?.unusedFaults === true) throw new Error(reason)
        skip(reason)
      } finally {
        applied[Symbol.dispose]()
      }
    })
}

/**
 * A platform per test, with hooks instead of fixtures. Does not support `test.concurrent`, because only one
 * platform exists at a time.
 *
 * @example
 * const service = useService({ seed: 'demo' })
 * test('lists tickets', async () => { await service.fetch('/api/v1/…') })
 */
export function useService(options: ServiceOptions = {}): Service {
  return currentService(options, { beforeEach, afterEach, afterAll })
}
