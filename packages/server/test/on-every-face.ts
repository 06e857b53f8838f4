import { type Admin, createAdminClient } from '@service/client/admin'
import { describe, onTestFinished } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { runCli } from './cli-process.ts'
import { placeOf, type StoreName } from './on-every-store.ts'

/** Administration in one of the ways there are, and the server that it is about. */
export interface Face {
  readonly admin: Admin
  /** A request to the server, as an integration sends it. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

const adminToken = 'admin_token_of_enough_characters'

/** Runs the same tests in process, over HTTP, by the command line beside a server, and by it without one. */
export function onEveryFace(name: string, tests: (open: () => Promise<Face>) => void): void {
  const faces = {
    'in process': openInProcess,
    'over HTTP': openOverHttp,
    'by the command line': openBesideServer,
    'by the command line without a server': openWithoutServer,
  }
  for (const [face, open] of Object.entries(faces)) {
    for (const store of ['sqlite', 'postgres'] as const)
      describe(`${name} ${face} on ${store}`, () => tests(() => open(store)))
  }
}

type Place = Awaited<ReturnType<typeof placeOf>>

async function startOn(place: Place): Promise<Server> {
  const server = await createServer({ ...place.options, ...keyOf(place), adminToken })
  onTestFinished(() => server.close())
  return server
}

async function freshPlace(store: StoreName): Promise<Place> {
  const place = await placeOf(store)
  onTestFinished(place.remove)
  return place
}

async function openInProcess(store: StoreName): Promise<Face> {
  const server = await startOn(await freshPlace(store))
  return { admin: server.admin, fetch: server.fetch }
}

async function openOverHttp(store: StoreName): Promise<Face> {
  const server = await startOn(await freshPlace(store))
  const { url } = await server.listen({ port: 0 })
  const admin = createAdminClient({ baseUrl: `${url}/admin/v1`, token: adminToken, maxRetries: 0 })
  return { admin, fetch: (path, init) => fetch(url + path, init) }
}

async function openBesideServer(store: StoreName): Promise<Face> {
  const server = await startOn(await freshPlace(store))
  const { url } = await server.listen({ port: 0 })
  const admin = adminByCommands({ SERVICE_URL: url, SERVICE_ADMIN_TOKEN: adminToken })
  return { admin, fetch: (path, init) => fetch(url + path, init) }
}

/** A server is there only for the requests. */
async function openWithoutServer(store: StoreName): Promise<Face> {
  const place = await freshPlace(store)
  await (await createServer({ ...place.options, ...keyOf(place) })).close()
  const { data, databaseUrl } = place.options
  const environment = {
    ...(data === undefined ? {} : { SERVICE_DATA: data }),
    ...(databaseUrl === undefined ? {} : { SERVICE_DATABASE_URL: databaseUrl }),
    ...(databaseUrl === undefined ? {} : { SERVICE_ENCRYPTION_KEY: keyText }),
  }
  return {
    admin: adminByCommands(environment),
    async fetch(path, init) {
      const server = await createServer({ ...place.options, ...keyOf(place) })
      try {
        return await server.fetch(path, init)
      } finally {
        await server.close()
      }
    },
  }
}

const keyText = 'a key of more than thirty-two characters'
const keyOf = ({ options }: Place) => (options.databaseUrl === undefined ? {} : { encryptionKey: keyText })

const nouns: Readonly<Record<string, string>> = {
  workspaces: 'workspace',
  members: 'member',
  tokens: 'token',
  integrations: 'integration',
  leadSources: 'lead-source',
  employees: 'employee',
  devices: 'device',
  webhooks: 'webhook',
  deliveries: 'delivery',
}

/** The command line as if it were the client: each method is a command, each refusal its error. */
const adminByCommands = (environment: Readonly<Record<string, string>>): Admin =>
  new Proxy({} as Admin, {
    get: (_, resource: string) =>
      new Proxy(
        {},
        {
          get:
            (_, verb: string) =>
            (...given: readonly object[]) =>
              runCommand(environment, { noun: nouns[resource] ?? resource, verb, given }),
        },
      ),
  })

interface Command {
  readonly noun: string
  readonly verb: string
  readonly given: readonly object[]
}

async function runCommand(environment: Readonly<Record<string, string>>, { noun, verb, given }: Command) {
  const isPlace = (value: object) => 'workspace' in value
  const place = Object.entries(Object(given.find(isPlace))).map(([name, value]) =>
    name === 'workspace' && noun !== 'workspace' ? ['--workspace', String(value)] : [String(value)],
  )
  const input = Object.entries(Object(given.find((value) => !isPlace(value)))).map(([field, value]) => [
    `--${flagOf(field)}`,
    Array.isArray(value) ? value.join(',') : String(value),
  ])
  const kebab = verb.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const sure = /delete|revoke|rotate/.test(kebab) && noun !== 'webhook' ? ['--yes'] : []
  const cli = runCli([noun, kebab, ...place.flat(), ...input.flat(), '--json', ...sure], environment)
  const code = await cli.ended
  if (code === 0) return JSON.parse(cli.said.stdout)
  const { error } = JSON.parse(cli.said.stderr)
  throw Object.assign(new Error(error.message), { ...error, exitCode: code })
}

const flagOf = (field: string) => ({ user_id: 'user', url: 'webhook-url' })[field] ?? field.replaceAll('_', '-')
