import type { PlatformServer, ServerOptions } from '../../server.ts'
import { type EnvironmentPatch, patchEnvironment } from './environment.ts'
import { type Facts, readFacts } from './facts.ts'
import type { Template } from './template.ts'

/** A server as `createServer` makes it, in memory, and how the code under test gets to it. */
export interface ServiceOptions extends ServerOptions {
  /**
   * How the code under test gets there: by `service.fetch` (the default), over a `'port'`, or by `'intercept'`, which
   * answers its `fetch` to `interceptOrigin`. With `env` a port is the default, as the code under test knows of no `fetch`.
   */
  readonly door?: 'fetch' | 'port' | 'intercept'
  /** Where the code under test believes the platform to be, for the door `'intercept'`. */
  readonly interceptOrigin?: string
  /** Environment variables to set while a test runs, e.g. `{ SERVICE_URL: 'origin', SERVICE_TOKEN: 'token' }`. */
  readonly env?: EnvironmentPatch
}

/** A server of a test's own, and what a client of it needs: `createClient({ ...service })`. */
export interface Service extends Facts {
  readonly server: PlatformServer
  /** Answers in process, or goes to the port, as `door` says. */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>
}

/** A service and how it ends. */
export interface OpenService {
  readonly service: Service
  /** Puts back what was patched and closes the server; rejects with what broke the contract. */
  close(): Promise<void>
}

/** Splits off what is for the runner; the rest is for `createServer`. */
export function toServerOptions({ door: _, interceptOrigin: __, env: ___, ...options }: ServiceOptions): ServerOptions {
  return options
}

/** A fork of the template with its door open. */
export async function openService(template: Template, options: ServiceOptions): Promise<OpenService> {
  const { env = {} } = options
  const server = await template.fork()
  try {
    const { origin, fetch } = await openDoor(server, options)
    const facts = await readFacts(server, origin)
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

async function openDoor(
  server: PlatformServer,
  { door, env, interceptOrigin = asSecure(server.origin) }: ServiceOptions,
) {
  const chosen = door ?? (env === undefined ? 'fetch' : 'port')
  if (chosen === 'fetch') return { origin: asSecure(server.origin), fetch: server.fetch }
  if (chosen === 'port') return { origin: (await server.listen()).url, fetch: globalThis.fetch }
  server.intercept(interceptOrigin)
  return { origin: new URL(interceptOrigin).origin, fetch: server.fetch }
}
