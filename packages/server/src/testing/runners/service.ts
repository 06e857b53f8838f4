import { keysOf, requireKnown } from '../../core/known-keys.ts'
import { type TestServerOptions, testServerOptionNames } from '../server-options.ts'
import type { TestServer } from '../test-server.ts'
import { type ConnectionInfo, readConnectionInfo } from './connection-info.ts'
import { type EnvironmentPatch, patchEnvironment } from './environment.ts'
import type { Template } from './template.ts'

/** A server as `createTestServer` makes it, in memory, and how the code under test gets to it. */
export interface ServiceOptions extends TestServerOptions {
  /**
   * How the code under test gets there: by `service.fetch` (the default), over a `'port'`, or by `'intercept'`, which
   * answers its `fetch` to `interceptOrigin`. With `env` a port is the default, as the code under test knows of no `fetch`.
   */
  readonly transport?: 'fetch' | 'port' | 'intercept'
  /** Where the code under test believes the platform to be, for the transport `'intercept'`. */
  readonly interceptOrigin?: string
  /** Environment variables to set while a test runs, e.g. `{ SERVICE_URL: 'origin', SERVICE_TOKEN: 'token' }`. */
  readonly env?: EnvironmentPatch
}

/** A server of a test's own, and what a client of it needs: `createClient({ ...service })`. */
export interface Service extends ConnectionInfo {
  readonly server: TestServer
  /** Answers in process, or goes to the port, as `transport` says. */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>
}

/** A service and how it ends. */
export interface OpenService {
  readonly service: Service
  /** Puts back what was patched and closes the server; rejects with what broke the contract. */
  close(): Promise<void>
}

const transports = ['fetch', 'port', 'intercept'] as const

const optionNames = [
  ...keysOf<Omit<ServiceOptions, keyof TestServerOptions>>({ transport: true, interceptOrigin: true, env: true }),
  ...testServerOptionNames,
]

/** Splits off what is for the runner; the rest is for `createTestServer`. */
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

/** Clients refuse to send a token in the clear to a name. In process nothing travels. */
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
