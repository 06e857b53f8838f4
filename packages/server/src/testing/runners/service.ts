import { keysOf, requireKnown } from '../../core/known-keys.ts'
import { createTestServer, innerPartsOf } from '../create-test-server.ts'
import { type TestServerOptions, testServerOptionNames } from '../server-options.ts'
import type { TestServer } from '../test-controls.ts'
import { describeGaps, noCoverage } from '../test-coverage.ts'

/** The options of `createTestServer`, and how the code under test reaches the server. */
export interface ServiceOptions extends TestServerOptions {
  /**
   * How the code under test reaches the server: `service.fetch` (the default), a `'port'`, or `'intercept'`,
   * which handles `fetch` requests to `interceptOrigin`. With `env`, the default is a port.
   */
  readonly transport?: 'fetch' | 'port' | 'intercept' | undefined
  /** The origin that the code under test calls, for the transport `'intercept'`. */
  readonly interceptOrigin?: string | undefined
  /** Environment variables to set while a test runs, e.g. `{ SERVICE_URL: 'origin', SERVICE_TOKEN: 'token' }`. */
  readonly env?: EnvironmentPatch | undefined
}

/** The server of one test, and the options of a client: `createClient({ ...service })`. */
export interface Service extends ConnectionInfo {
  readonly server: TestServer
  /** In process or over the port, depending on `transport`. */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>
}

/** Only the options of a client are enumerable, so that clients, which refuse unknown options, accept `{ ...service }`. */
export const toService = (service: Service): Service =>
  Object.defineProperties(service, { server: { enumerable: false }, origin: { enumerable: false } })

/** A service and its cleanup. */
export interface OpenService {
  readonly service: Service
  /** Throws contract violations, while the server stays open. */
  verify(): void
  /** Restores the environment and closes the server. Rejects with contract violations. */
  close(): Promise<void>
}

const transports = ['fetch', 'port', 'intercept'] as const

const optionNames = [
  ...keysOf<Omit<ServiceOptions, keyof TestServerOptions>>({ transport: true, interceptOrigin: true, env: true }),
  ...testServerOptionNames,
]

/** The options for `createTestServer`, without the runner's. */
export function toTestServerOptions(serviceOptions: ServiceOptions): TestServerOptions {
  requireKnown(serviceOptions, optionNames, 'The options of a service')
  const { transport, interceptOrigin, env: _, ...options } = serviceOptions
  if (transport !== undefined && !transports.includes(transport)) {
    throw new TypeError(
      `\`transport\` is ${transports.map((each) => `'${each}'`).join(', ')}; it was ${JSON.stringify(transport)}.`,
    )
  }
  if (interceptOrigin !== undefined && transport !== 'intercept') {
    throw new TypeError(
      "`interceptOrigin` needs `transport: 'intercept'`. Without it, requests would reach the network.",
    )
  }
  return options
}

/** Whether the code under test reaches the server through the process. Its tests need not name a fixture. */
export const isProcessWide = ({ transport, env }: ServiceOptions): boolean =>
  transport === 'intercept' || env !== undefined

/** A fork of the template, connected by its transport. */
export async function openService(template: Template, options: ServiceOptions): Promise<OpenService> {
  const { env = {} } = options
  const server = await template.fork()
  try {
    const { origin, fetch } = await openTransport(server, options)
    const connection = readConnectionInfo(server, origin)
    const restore = patchEnvironment(env, connection)
    return {
      service: toService({ ...connection, server, fetch }),
      verify: () => innerPartsOf(server)?.verifyAtEnd(),
      async close() {
        restore()
        await server.close()
      },
    }
  } catch (fault) {
    await server.close()
    throw fault
  }
}

/** Clients refuse to send a token over plain HTTP. In process, there is no network. */
const asSecure = (origin: string) => origin.replace(/^http:/, 'https:')

async function openTransport(
  server: TestServer,
  { transport, env, interceptOrigin = asSecure(server.origin) }: ServiceOptions,
) {
  const chosen = transport ?? (env === undefined ? 'fetch' : 'port')
  if (chosen === 'fetch') return { origin: asSecure(server.origin), fetch: server.fetch }
  if (chosen === 'port') return { origin: (await server.listen()).url, fetch: globalThis.fetch }
  server.intercept(interceptOrigin)
  return { origin: new URL(interceptOrigin).origin, fetch: server.fetch }
}

/** A seeded server that every test forks. */
export interface Template {
  fork(): Promise<TestServer>
  /** Prints which failures the tests did not see, if they use faults. */
  close(): Promise<void>
}

/** Applies the seed on the first fork. */
export function createTemplate(options: TestServerOptions): Template {
  let template: Promise<TestServer> | undefined
  return {
    async fork() {
      // A contract violation fails the test that caused it.
      template ??= startWithToken({ ...options, contract: options.contract ?? 'throw' })
      return (await template).fork()
    },
    async close() {
      const started = await template?.catch(() => undefined)
      template = undefined
      if (started === undefined) return
      await started.close()
      const gaps = describeGaps(innerPartsOf(started)?.coverage ?? noCoverage())
      // biome-ignore lint/suspicious/noConsole: Runners show a file's console beside its results.
      if (gaps !== undefined) console.info(gaps)
    },
  }
}

/** A server whose seed has a token, so that a reset of a fork restores it. */
async function startWithToken(options: TestServerOptions): Promise<TestServer> {
  const server = await createTestServer(options)
  const { workspace, token } = server.seeded
  if (workspace !== undefined && token !== undefined) return server
  try {
    const issued = await server.tokens.issue(workspace === undefined ? {} : { workspace })
    await innerPartsOf(server)?.addToSeed({ workspace: issued.workspace_id, token: issued.token })
    return server
  } catch (fault) {
    await server.close()
    throw fault
  }
}

/** Environment variables, and the connection setting that each one holds during a test. */
type EnvironmentPatch = Readonly<Record<string, keyof ConnectionInfo>>

const patched = new Set<string>()

/** Sets the variables and returns a function that restores them. Throws if a running test has set one. */
function patchEnvironment(patch: EnvironmentPatch, connection: ConnectionInfo): () => void {
  const taken = Object.keys(patch).find((name) => patched.has(name))
  if (taken !== undefined) {
    throw new TypeError(
      `${taken} is set by another running test, and a process has only one environment. Run these tests one after the other, or omit \`env\` and pass \`service.origin\`.`,
    )
  }
  const before = Object.keys(patch).map((name) => [name, process.env[name]] as const)
  for (const [name, setting] of Object.entries(patch)) {
    patched.add(name)
    process.env[name] = String(connection[setting])
  }
  return () => {
    for (const [name, value] of before) {
      patched.delete(name)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/** The options of a client. */
interface ConnectionInfo {
  /** For example `https://service.test` in process, or a port's origin. */
  readonly origin: string
  /** The REST API's base URL: the origin and `/api/v1`. */
  readonly baseUrl: string
  /** A bearer token with every scope. */
  readonly token: string
  /** The id of the token's workspace. */
  readonly workspace: number
}

/** The workspace and token of the template. */
function readConnectionInfo({ seeded }: TestServer, origin: string): ConnectionInfo {
  const { token = '', workspace = 0 } = seeded
  return { origin, baseUrl: `${origin}/api/v1`, token, workspace }
}
