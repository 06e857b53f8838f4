import { join } from 'node:path'
import { type Admin, createAdminClient } from '@service/client/admin'
import type { AdminRoute } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { paramNamesIn } from '@service/contract/path-params'
import { onTestFinished } from 'vitest'
import { inputFlags } from '../src/cli/input-flags.ts'
import { cliResources } from '../src/cli/resources.ts'
import { createServer, type Server, type ServerOptions } from '../src/index.ts'
import { type Ended, runHere } from './cli-in-process.ts'
import { freshDirectory } from './cli-process.ts'
import { manualClock } from './manual-clock.ts'
import { placeOf } from './on-every-store.ts'

/** Administration in one of the ways there are, and the server that it is about. */
export interface Face {
  readonly admin: Admin
  /** Administration as the person who has the token of a session. The command line is nobody's. */
  asPerson(token: string): Admin
  /** A request to the server, as an integration sends it. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export const faceNames = [
  'in process',
  'over HTTP',
  'by the command line',
  'by the command line without a server',
] as const
export type FaceName = (typeof faceNames)[number]

const adminToken = 'admin_token_of_enough_characters'

export async function openFace(face: FaceName): Promise<Face> {
  const place = await placeOf('sqlite')
  onTestFinished(place.remove)
  const directory = await freshDirectory()
  const files = { encryptionKeyFile: join(directory, 'encryption.key'), backupDirectory: join(directory, 'backups') }
  const settings = { ...place.options, ...files, adminToken }
  if (face === 'by the command line without a server') return withoutServer(settings)
  // The clock stands still, so nothing is sent and deliveries stay as they are.
  const server = await createServer({ ...settings, clock: manualClock() })
  onTestFinished(() => server.close())
  if (face === 'in process') return inProcess(server)
  const { url } = await server.listen({ port: 0 })
  const asPerson = (token: string) => createAdminClient({ baseUrl: `${url}/admin/v1`, token, maxRetries: 0 })
  const admin =
    face === 'over HTTP' ? asPerson(adminToken) : adminByCommands({ SERVICE_URL: url, SERVICE_ADMIN_TOKEN: adminToken })
  return { admin, asPerson, fetch: (path, init) => fetch(url + path, init) }
}

const inProcess = ({ admin, fetch }: Server): Face => ({
  admin,
  asPerson: (token) =>
    createAdminClient({
      baseUrl: 'http://platform.example/admin/v1',
      allowInsecure: true,
      token,
      maxRetries: 0,
      fetch,
    }),
  fetch,
})

/** A server is there only for what commands cannot do. */
async function withoutServer(settings: ServerOptions): Promise<Face> {
  await (await createServer(settings)).close()
  const { data, databaseUrl, encryptionKeyFile = '' } = settings
  const environment = {
    SERVICE_ENCRYPTION_KEY_FILE: encryptionKeyFile,
    ...(data === undefined ? {} : { SERVICE_DATA: data }),
    ...(databaseUrl === undefined ? {} : { SERVICE_DATABASE_URL: databaseUrl }),
  }
  const fetchOnce = async (path: string | Request, init?: RequestInit) => {
    await using server = await createServer(settings)
    return await server.fetch(path, init)
  }
  return {
    admin: adminByCommands(environment),
    asPerson: (token) => inProcess({ fetch: fetchOnce } as Server).asPerson(token),
    fetch: fetchOnce,
  }
}

const nouns = new Map<string, string>(Object.entries(cliResources).map(([noun, { resource }]) => [resource, noun]))

/** What the command line has under a name of its own. */
const ownCommands: Readonly<Record<string, readonly string[]>> = {
  'events.trigger': ['trigger'],
  'system.tables': ['db', 'stats'],
}

/** Whether the command line has it under a name of its own, with other flags than its fields. */
export const hasOwnCommand = ({ operation }: AdminRoute): boolean => operation in ownCommands

/** Whether the command line can do it. */
export const hasCommand = (route: AdminRoute): boolean =>
  hasOwnCommand(route) || nouns.has(route.operation.split('.')[0] ?? '')

/** The command line as if it were the client: each method is a command, each refusal its error. */
function adminByCommands(environment: Readonly<Record<string, string>>): Admin {
  const admin: Record<string, Record<string, unknown>> = {}
  for (const route of adminRoutes as readonly AdminRoute[]) {
    const [resource = '', verb = ''] = route.operation.split('.')
    admin[resource] ??= {}
    admin[resource][verb] = async (...given: unknown[]) => answerOf(await runHere(wordsOf(route, given), environment))
  }
  return admin as never // one method for each route, as the client has them
}

function answerOf({ code, stdout, stderr }: Ended): unknown {
  if (code === 0) return JSON.parse(stdout)
  const { error } = JSON.parse(stderr)
  throw Object.assign(new Error(error.message), { ...error, exitCode: code })
}

/** Where, then what, as the client's methods take them, as words of a command line. */
function wordsOf(route: AdminRoute, given: unknown[]): string[] {
  const [resource = '', verb = ''] = route.operation.split('.')
  const noun = nouns.get(resource) ?? resource
  const place = route.path.includes('{') ? Object(given.shift()) : {}
  const input = route.body === undefined && route.query === undefined ? {} : Object(given.shift())
  const workspace = noun === 'workspace' || place.workspace === undefined ? [] : ['--workspace', `${place.workspace}`]
  const own = ownCommands[route.operation]
  if (own !== undefined) return [...own, ...Object.values(input).map(String), ...workspace, '--json']
  const names = paramNamesIn(route.path).filter((name) => name !== 'workspace' || noun === 'workspace')
  const kebab = verb.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const asks = /delete|revoke/.test(kebab) || (kebab === 'rotate-secret' && route.body === undefined)
  return [
    ...[noun, kebab, ...names.map((name) => String(place[name])), ...workspace],
    ...Object.entries(input).flatMap(([field, value]) => [flagFor(route, noun, field), toFlagValue(value)]),
    ...['--json', ...(asks ? ['--yes'] : [])],
  ]
}

function flagFor(route: AdminRoute, noun: string, field: string): string {
  const found = inputFlags(route, noun).find((flag) => flag.field === field)
  if (found === undefined) throw new TypeError(`${route.operation} has no flag for ${field}.`)
  return found.flags.split(' ')[0] ?? ''
}

function toFlagValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
