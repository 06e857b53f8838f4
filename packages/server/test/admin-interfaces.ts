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
import { freshDirectory } from './fresh-directory.ts'
import { manualClock } from './manual-clock.ts'
import { createStorage } from './on-every-store.ts'

/** One way to call administration, and the server behind it. */
export interface AdminInterface {
  readonly admin: Admin
  /** Administration with the token of a session. The command line has no sessions. */
  asPerson(token: string): Admin
  /** A request to the server, as an integration sends it. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export const interfaceNames = [
  'in process',
  'over HTTP',
  'from the command line',
  'from the command line without a server',
] as const
export type InterfaceName = (typeof interfaceNames)[number]

const adminToken = 'admin_token_of_enough_characters'

export async function openAdminInterface(adminInterface: InterfaceName): Promise<AdminInterface> {
  const storage = await createStorage('sqlite')
  onTestFinished(storage.remove)
  const directory = await freshDirectory()
  const files = { encryptionKeyFile: join(directory, 'encryption.key'), backupDirectory: join(directory, 'backups') }
  const settings = { ...storage.options, ...files, adminToken }
  if (adminInterface === 'from the command line without a server') return withoutServer(settings)
  // With a stopped clock no delivery is attempted.
  const server = await createServer({ ...settings, clock: manualClock() })
  onTestFinished(() => server.close())
  if (adminInterface === 'in process') return inProcess(server)
  const { url } = await server.listen({ port: 0 })
  const asPerson = (token: string) => createAdminClient({ baseUrl: `${url}/admin/v1`, token, maxRetries: 0 })
  const admin =
    adminInterface === 'over HTTP'
      ? asPerson(adminToken)
      : adminByCommands({ SERVICE_URL: url, SERVICE_ADMIN_TOKEN: adminToken })
  return { admin, asPerson, fetch: (path, init) => fetch(url + path, init) }
}

const inProcess = ({ admin, fetch }: Server): AdminInterface => ({
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

/** Starts a server only for requests that commands cannot make. */
async function withoutServer(settings: ServerOptions): Promise<AdminInterface> {
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

/** Operations with their own command. */
const ownCommands: Readonly<Record<string, readonly string[]>> = {
  'events.trigger': ['trigger'],
  'system.tables': ['db', 'stats'],
}

/** Whether the operation has its own command, whose flags differ from its fields. */
export const hasOwnCommand = ({ operation }: AdminRoute): boolean => operation in ownCommands

/** Whether the command line has the operation. */
export const hasCommand = (route: AdminRoute): boolean =>
  hasOwnCommand(route) || nouns.has(route.operation.split('.')[0] ?? '')

/** The command line with the interface of the client: each method runs a command and throws its error. */
function adminByCommands(environment: Readonly<Record<string, string>>): Admin {
  const admin: Record<string, Record<string, unknown>> = {}
  for (const route of adminRoutes as readonly AdminRoute[]) {
    const [resource = '', verb = ''] = route.operation.split('.')
    admin[resource] ??= {}
    admin[resource][verb] = async (...given: unknown[]) =>
      resultOf(await runHere(argumentsOf(route, given), environment))
  }
  return admin as never // one method for each route, as the client has them
}

function resultOf({ code, stdout, stderr }: Ended): unknown {
  if (code === 0) return JSON.parse(stdout)
  const { error } = JSON.parse(stderr)
  throw Object.assign(new Error(error.message), { ...error, exitCode: code })
}

/** Converts the arguments of a client method to those of a command. */
function argumentsOf(route: AdminRoute, given: unknown[]): string[] {
  const [resource = '', verb = ''] = route.operation.split('.')
  const noun = nouns.get(resource) ?? resource
  const params = route.path.includes('{') ? Object(given.shift()) : {}
  const input = route.body === undefined && route.query === undefined ? {} : Object(given.shift())
  const workspace = noun === 'workspace' || params.workspace === undefined ? [] : ['--workspace', `${params.workspace}`]
  const own = ownCommands[route.operation]
  if (own !== undefined) return [...own, ...Object.values(input).map(String), ...workspace, '--json']
  const names = paramNamesIn(route.path).filter((name) => name !== 'workspace' || noun === 'workspace')
  const kebab = verb.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const needsConfirmation = /delete|revoke/.test(kebab) || (kebab === 'rotate-secret' && route.body === undefined)
  return [
    ...[noun, kebab, ...names.map((name) => String(params[name])), ...workspace],
    ...Object.entries(input).flatMap(([field, value]) => [flagFor(route, noun, field), toFlagValue(value)]),
    ...['--json', ...(needsConfirmation ? ['--yes'] : [])],
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
