import { keysOf, requireKnown } from '../../core/known-keys.ts'
import { createTestServer } from '../create-test-server.ts'
import { type TestServerOptions, testServerOptionNames } from '../server-options.ts'
import type { TestServer } from '../test-controls.ts'

/** The options of `createTestServer`, and how the code under test reaches the server. */
export interface ServiceOptions extends TestServerOptions {
  /**
   * How the code under test reaches the server: by `service.fetch` (the default), over a `'port'`, or by `'intercept'`,
   * which answers its `fetch` to `interceptOrigin`. With `env` a port is the default.
   */
  readonly transport?: 'fetch' | 'port' | 'intercept'
  /** The origin that the code under test calls, for the transport `'intercept'`. */
  readonly interceptOrigin?: string
  /** Environment variables to set while a test runs, e.g. `{ SERVICE_URL: 'origin', SERVICE_TOKEN: 'token' }`. */
  readonly env?: EnvironmentPatch
}

/** The server of one test, and the settings of a client: `createClient({ ...service })`. */
export interface Service extends ConnectionInfo {
  readonly server: TestServer
  /** Answers in process, or goes to the port, as `transport` says. */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>
}

/** A service and how to close it. */
export interface OpenService {
  readonly service: Service
  /** Restores the environment and closes the server; rejects with violations of the contract. */
  close(): Promise<void>
}

const transports = ['fetch', 'port', 'intercept'] as const

const optionNames = [
  ...keysOf<Omit<ServiceOptions, keyof TestServerOptions>>({ transport: true, interceptOrigin: true, env: true }),
  ...testServerOptionNames,
]

/** The options for `createTestServer`, without those for the runner. */
export function toTestServerOptions(given: ServiceOptions): TestServerOptions {
  requireKnown(given, optionNames, 'The options of a service')
  const { transport, interceptOrigin: _, env: __, ...options } = given
  if (transport === undefined || transports.includes(transport)) return options
  throw new TypeError(
    `\`transport\` is ${transports.map((each) => `'${each}'`).join(', ')}; it was ${JSON.stringify(transport)}.`,
  )
}

/** A fork of the template, reached by its transport. */
export async function openService(template: Template, options: ServiceOptions): Promise<OpenService> {
  const { env = {} } = options
  const server = await template.fork()
  try {
    const { origin, fetch } = await openTransport(server, options)
    const facts = await readConnectionInfo(server, origin)
    const restore = patchEnvironment(env, facts)
    return {
      service: { ...facts, server, fetch },
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

/** Clients refuse to send a token in plain text. In process there is no network. */
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

/** One seeded server of which every test gets a fork. */
export interface Template {
  fork(): Promise<TestServer>
  close(): Promise<void>
}

/** A violation of the contract fails the test that causes it. */
const strictest = { contract: 'throw' } as const

/** Applies the seed at the first fork. */
export function createTemplate(options: TestServerOptions): Template {
  let template: Promise<TestServer> | undefined
  return {
    async fork() {
      template ??= createTestServer({ ...strictest, ...options })
      return (await template).fork()
    },
    async close() {
      const started = await template?.catch(() => undefined)
      template = undefined
      await started?.close()
    },
  }
}

/** Environment variables by name, and the setting that they hold while a test runs. */
type EnvironmentPatch = Readonly<Record<string, keyof ConnectionInfo>>

const patched = new Set<string>()

/** Sets the variables and returns what restores them. Throws if a test that still runs has set one. */
function patchEnvironment(patch: EnvironmentPatch, facts: ConnectionInfo): () => void {
  const taken = Object.keys(patch).find((name) => patched.has(name))
  if (taken !== undefined) {
    throw new TypeError(
      `${taken} is set by another test that still runs, and a process has only one: let these tests run one after the other, or leave \`env\` out and pass \`service.origin\` on.`,
    )
  }
  const before = Object.keys(patch).map((name) => [name, process.env[name]] as const)
  for (const [name, fact] of Object.entries(patch)) {
    patched.add(name)
    process.env[name] = String(facts[fact])
  }
  return () => {
    for (const [name, value] of before) {
      patched.delete(name)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/** The settings of a client. */
interface ConnectionInfo {
  /** E.g. `https://service.test` in process, or a port's. */
  readonly origin: string
  /** Where the REST API begins: the origin and `/api/v1`. */
  readonly baseUrl: string
  /** A bearer token with every scope. */
  readonly token: string
  /** The id of the token's workspace. */
  readonly workspace: number
}

/** The seed's first workspace and its token; they are created if it has none. */
async function readConnectionInfo(server: TestServer, origin: string): Promise<ConnectionInfo> {
  const { workspace, token } = server.seeded
  const baseUrl = `${origin}/api/v1`
  if (workspace !== undefined && token !== undefined) return { origin, baseUrl, token, workspace }
  const issued = await server.tokens.issue(workspace === undefined ? {} : { workspace })
  return { origin, baseUrl, token: issued.token, workspace: issued.workspace_id }
}
