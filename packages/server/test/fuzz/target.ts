import { apiRoutes, fullPath, inboundRoutes, type Route, type Surface } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { apiDocs } from '@service/contract/docs'
import { adminDocs } from '@service/contract/docs/admin'
import { controlDocs } from '@service/contract/docs/test-controls'
import type { RouteDocs } from '@service/contract/route-docs'
import { controlRoutes } from '@service/contract/test-controls'
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { collectedLog } from '../collected-log.ts'
import { signedIn } from '../people.ts'
import type { Examples } from './valid-values.ts'

export const surfaces: Readonly<Record<Surface, readonly Route[]>> = {
  api: apiRoutes,
  inbound: inboundRoutes,
  admin: adminRoutes,
  test: controlRoutes,
}

const adminToken = 'an-admin-token-of-enough-characters'

/** A server with records of every kind, and its credentials. */
export interface Target {
  readonly server: TestServer
  readonly workspace: number
  readonly token: string
  readonly adminToken: string
  /** The session of an instance administrator. */
  readonly sessionToken: string
  readonly secrets: Readonly<Record<string, string>>
  /** The errors that the server logged. */
  faults(): readonly string[]
}

/** No host has an address, so nothing is sent anywhere. */
const lookup: NonNullable<TestServerOptions['lookup']> = (hostname, answer) =>
  answer(new Error(`${hostname} has no address.`), [])

export async function openTarget(options: TestServerOptions): Promise<Target> {
  const log = collectedLog()
  const server = await createTestServer({
    seed: 'demo',
    clock: '2026-11-20T18:51:53Z',
    rateLimit: 'off',
    testControls: true,
    adminToken,
    log,
    lookup,
    ...options,
  })
  const [seeded] = server.seeded.workspaces
  if (seeded === undefined || server.seeded.token === undefined)
    throw new Error('The demo has a workspace and a token.')
  for (const integration of ['github', 'gitlab'] as const) {
    await server.admin.integrations.update({ workspace: seeded.id, integration }, { enabled: true, open_tickets: true })
  }
  const { token: sessionToken } = await signedIn(server, 'Ada', { isInstanceAdmin: true })
  return {
    server,
    workspace: seeded.id,
    token: server.seeded.token,
    adminToken,
    sessionToken,
    secrets: seeded.secrets,
    faults: () =>
      log.lines
        .filter(({ level }) => level === 'error')
        .map(({ sentence, fields }) => `${sentence} ${JSON.stringify(fields)}`),
  }
}

const docs: Readonly<Record<string, RouteDocs>> = { ...apiDocs, ...adminDocs, ...controlDocs }

/** The documented bodies of a route. */
export const examplesOf = ({ operation }: Route): readonly unknown[] => Object.values(docs[operation]?.bodies ?? {})

/** Every value in the documented bodies by field name. */
export function collectExamples(): Examples {
  const found = new Map<string, unknown[]>()
  const collect = (value: unknown, name: string): void => {
    if (typeof value !== 'object' || value === null) found.set(name, [...(found.get(name) ?? []), value])
    else for (const [key, each] of Object.entries(value)) collect(each, Array.isArray(value) ? name : key)
  }
  for (const routes of Object.values(surfaces))
    for (const route of routes) for (const body of examplesOf(route)) collect(body, '')
  return found
}

export const pathOf = (route: Route, params: Readonly<Record<string, string>>): string =>
  fullPath(route).replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
