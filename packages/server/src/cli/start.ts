import { mkdirSync } from 'node:fs'
import type { Admin } from '@service/client/admin'
import type { Command } from 'commander'
import type { App } from '../context.ts'
import { stopwatchMs } from '../core/clock.ts'
import { ConfigError, environmentName, readConfig } from '../core/config.ts'
import { jsonLog, type Log, quietLog } from '../core/log.ts'
import { withoutSecrets } from '../http/audit.ts'
import { recordChange } from '../modules/audit-log/service.ts'
import { createSetupLink, isSetUp } from '../modules/users/link-service.ts'
import { listWorkspacesPage, type Workspace } from '../modules/workspaces/service.ts'
import { openPlatform } from '../serve.ts'
import type { Server } from '../server.ts'
import type { ServerOptions } from '../server-options.ts'
import { type DirectoryLock, lockDirectory, type ServerAddress } from '../store/directory-lock.ts'
import { inTransaction } from '../store/transaction.ts'
import type { Seeded } from '../testing/seeds/seed-state.ts'
import type { Definitions } from './command.ts'
import { credentialsOf, type DemoCredentials, openDemo } from './demo.ts'
import { type Environment, readAdminToken, readEnvironment } from './environment.ts'
import { type Running, readyLine, welcome } from './ready.ts'
import { isSeedError } from './seed.ts'

const examples = `
Examples:
  service-server start --demo                      a demo workspace on SQLite in ./.data
  service-server start --port 8080 --data /var/lib/service
  service-server start --demo --test-controls --port 0 --json      a test double for any language, in memory
  service-server start --seed seed.yaml --test-controls            the workspaces of a file, see "service-server seed --help"
  service-server start --database-url postgres://user@db/service
  SERVICE_DATABASE_URL_FILE=/run/secrets/db service-server start --json

Every option can stand in the environment: SERVICE_PORT, SERVICE_DATA, SERVICE_RATE_LIMIT ("off" or requests a minute),
SERVICE_SYNCHRONOUS ("full" or "normal"), … A secret may stand in a file: SERVICE_DATABASE_URL_FILE, SERVICE_ADMIN_TOKEN_FILE.`

interface StartFlags {
  readonly demo?: boolean
  readonly json?: boolean
  readonly testControls?: boolean
  readonly clock?: string
  readonly random?: string
  readonly seed?: string
  readonly port?: string
  readonly host?: string
  readonly data?: string
  readonly databaseUrl?: string
  readonly acceptLostKey?: boolean
}

function defineStart(command: Command): Command {
  return command
    .option('--demo', 'create a demo workspace and show its credentials')
    .option('--seed <what>', 'fill an empty platform: demo, company, large, edge, or a YAML or JSON file')
    .option('--json', 'print one line of JSON when ready, for tools')
    .option('--test-controls', 'in memory, with clock, faults, journal and reset under /admin/v1/test')
    .option(
      '--clock <instant>',
      'with --test-controls: the instant at which time stands still, e.g. 2026-01-01T00:00:00Z',
    )
    .option('--random <seed>', 'with --test-controls: draw the same identifiers, tokens and secrets in every run')
    .option('--port <number>', 'the port to listen on (default 8080; 0 takes a free one)')
    .option('--host <address>', 'the address to listen on (default 127.0.0.1)')
    .option('--data <directory>', 'the directory of the SQLite database (default ./.data)')
    .option('--database-url <url>', 'a postgres:// URL, in place of SQLite')
    .option('--accept-lost-key', 'once, when the encryption key is lost: disable what it encrypted and start')
    .addHelpText('after', examples)
    .action(run)
}

async function run(flags: StartFlags): Promise<void> {
  await start(flags).catch((fault: unknown) => {
    process.stderr.write(`${explain(fault)}\n`)
    process.exitCode = fault instanceof ConfigError || isSeedError(fault) ? 2 : 1
  })
}

async function start(flags: StartFlags): Promise<void> {
  const environment = readEnvironment(process.env, flags)
  for (const name of environment.unknown)
    process.stderr.write(`Warning: the setting ${name} is not known and has no effect.\n`)
  if (passwordOf(flags.databaseUrl) !== '')
    process.stderr.write(
      'Warning: everybody on this machine can read the password in --database-url (ps shows it). Use SERVICE_DATABASE_URL or SERVICE_DATABASE_URL_FILE.\n',
    )
  readConfig(environment.options, environmentName)
  const log = logOf(environment)
  const { adminToken, tokenFile } = readAdminToken(environment)
  const launched = await launch(followingTokenFile(environment, tokenFile), flags, { adminToken, tokenFile, log })
  const { server, credentials, seeded, existing } = launched
  let announced: DirectoryLock | undefined
  const stop = async () => {
    await server.close()
    announced?.release()
  }
  try {
    if (environment.seed !== undefined && seeded.workspaces.length === 0 && existing.length > 0)
      process.stderr.write(
        `--seed ${environment.seed} did nothing: there are workspaces already; they are unchanged.\n`,
      )
    const reached = await open(server, environment)
    if (reached.databaseUrl) announced = announce(environment.demoDirectory, { url: reached.listensOn, tokenFile })
    const setupLink = await launched.setupLink?.()
    const setupUrl = setupLink === undefined ? undefined : reached.url + setupLink
    const dashboardUrl = await dashboardUrlOf(launched, environment, reached.url)
    const testDashboardUrl = await launched.testDashboardUrl?.()
    const urls = { setupUrl, dashboardUrl, testDashboardUrl }
    const running = { ...reached, ...urls, credentials, seeded, existing, adminToken, tokenFile }
    // Whoever has read that it is ready may stop it at once.
    stopOnSignal(stop)
    process.stdout.write(environment.json ? `${readyLine(running)}\n` : welcome(running))
    log.info(`The platform listens on ${running.url}.`, { url: running.url, pid: process.pid })
  } catch (fault) {
    await stop()
    throw fault
  }
}

/**
 * Beside PostgreSQL nothing is in the directory but what leads to the server, so several servers may have the same one, or
 * none that can be written: then the first of them is found through it.
 */
function announce(directory: string | undefined, address: ServerAddress): DirectoryLock | undefined {
  if (directory === undefined) return undefined
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const lock = lockDirectory(directory)
    lock?.publish(address)
    return lock
  } catch {
    return undefined
  }
}

/** A token in a file can be replaced while the platform runs. */
const followingTokenFile = (environment: Environment, tokenFile: string | null): Environment =>
  tokenFile === null ? environment : { ...environment, options: { ...environment.options, adminTokenFile: tokenFile } }

/**
 * Where nobody can sign in yet. Made and recorded by the services: a platform that starts needs none of the routes of
 * administration, and loading them all takes as long as the rest of the start.
 */
function setupLinkOf(app: App): Promise<string | undefined> {
  return inTransaction(app, async (app) => {
    if (await isSetUp(app)) return undefined
    const made = await createSetupLink(app)
    await recordChange(app, {
      actor: 'in_process',
      actor_name: null,
      via: null,
      address: 'in-process',
      request_id: app.ids.uuid(),
      operation: 'setupLinks.create',
      workspace_id: null,
      resource: null,
      before: null,
      after: JSON.stringify(withoutSecrets(made)),
    })
    return made.link
  })
}

/** That of a demo on this machine signs in at once, as its owner; anywhere else everybody could open it. */
async function dashboardUrlOf({ admin, credentials }: Launched, { host }: Environment, url: string): Promise<string> {
  const usual = `${url}/dashboard`
  if (credentials === undefined || !isLoopback(host)) return usual
  const { members, users } = await admin()
  const { data } = await members.list({ workspace: credentials.workspace }, { limit: 200 })
  const owner = data.find(({ role }) => role === 'owner')
  return owner === undefined ? usual : url + (await users.signInLink({ id: owner.id })).link
}

const mostListed = 50

const isLoopback = (host: string) => /^(?:127\.\d+\.\d+\.\d+|localhost|::1|\[::1\])$/.test(host)

function passwordOf(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return ''
  const { password, searchParams } = new URL(url)
  return password || (searchParams.get('password') ?? '')
}

interface Launched {
  readonly server: Pick<Server, 'listen' | 'close'>
  readonly admin: () => Promise<Admin>
  /** Workspaces that nobody has made by this start. */
  readonly existing: readonly Workspace[]
  /** A demo, a seed and a test double are not set up by anybody. */
  readonly setupLink?: (() => Promise<string | undefined>) | undefined
  readonly testDashboardUrl?: () => Promise<string>
  readonly seeded: Seeded
  readonly credentials: DemoCredentials | undefined
}

interface Given extends Required<Pick<ServerOptions, 'adminToken' | 'log'>> {
  readonly tokenFile: string | null
}

/** A test double has its demo as its seed, to which it can be reset; a platform keeps it in its database. */
function launch(environment: Environment, flags: StartFlags, given: Given): Promise<Launched> {
  if (environment.testControls) return launchDouble(environment, flags, given)
  if (flags.clock !== undefined || flags.random !== undefined)
    throw new ConfigError(['--clock and --random are for tests: add --test-controls.'])
  return launchPlatform(environment, given)
}

async function launchPlatform(
  { options, demo, demoDirectory, seed }: Environment,
  { tokenFile, ...given }: Given,
): Promise<Launched> {
  const { serving, platform } = await openPlatform(
    { ...options, ...given },
    { ownProcess: true, tokenFile, isDemo: demo },
  )
  const { app } = platform
  try {
    const seeded = await seedWith(app, seed)
    const credentials = demo ? await openDemo(app, demoDirectory) : undefined
    const made = new Set([credentials?.workspace, ...seeded.workspaces.map(({ id }) => id)])
    return {
      server: serving,
      admin: async () => (await import('../http/in-process-admin.ts')).createAdmin(app),
      existing: (await listWorkspacesPage(app, { limit: mostListed })).toReversed().filter(({ id }) => !made.has(id)),
      setupLink: demo || seed !== undefined ? undefined : () => setupLinkOf(app),
      seeded,
      credentials,
    }
  } catch (fault) {
    await serving.close()
    throw fault
  }
}

async function launchDouble(
  { options, demo, testControls, seed: given }: Environment,
  { clock, random }: StartFlags,
  { tokenFile, ...others }: Given,
): Promise<Launched> {
  // Tokens that anybody can compute would open the port to every web page that finds it.
  const moved = { ...(clock === undefined ? {} : { clock }), random: random ?? 'system' }
  const seed = demo ? 'demo' : given
  const { startTestServer } = await import('../testing/create-test-server.ts')
  const server = await startTestServer(
    { ...options, ...others, ...moved, testControls, ...(seed === undefined ? {} : { seed }) },
    { tokenFile },
  )
  const { seeded } = server
  return {
    server,
    admin: async () => server.admin,
    existing: [],
    seeded,
    credentials: demo ? credentialsOf(seeded) : undefined,
    testDashboardUrl: server.dashboardUrl,
  }
}

/** Fills an empty platform; one that has workspaces is left as it is. */
async function seedWith(app: App, seed: string | undefined): Promise<Seeded> {
  if (seed === undefined) return { workspaces: [] }
  const { applySeed } = await import('../testing/seeds/apply-seed.ts')
  return applySeed(app, seed)
}

async function open(
  server: Pick<Server, 'listen'>,
  { port, host, demoDirectory, testControls, options }: Environment,
): Promise<Pick<Running, 'url' | 'testControls' | 'databaseUrl' | 'data'> & { readonly listensOn: string }> {
  const { url } = await server.listen({ port, host })
  return {
    listensOn: url,
    url: options['publicUrl']?.toString().replace(/\/$/, '') ?? url,
    testControls,
    databaseUrl: options['databaseUrl'] !== undefined,
    data: demoDirectory,
  }
}

function logOf({ json, logLevel }: Environment): Log {
  if (logLevel === 'off') return quietLog()
  const log = jsonLog(
    (lines) => process.stderr.write(lines),
    () => new Date(),
  )
  // On a terminal the welcome is for people; a line per request is for whoever collects the log.
  return logLevel === 'info' || (json && logLevel === undefined) ? log : { ...log, info: () => undefined }
}

/** A package manager that passes Ctrl-C on makes two of one press. */
const onePressMs = 500

/**
 * SIGTERM and Ctrl-C finish the requests in flight and exit 0. A second Ctrl-C does not wait; a second SIGTERM changes
 * nothing, because orchestrators repeat it.
 */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  let pressedAt: number | undefined
  const onInterrupt = () => {
    const now = stopwatchMs()
    if (pressedAt !== undefined && now - pressedAt > onePressMs) process.exit(130)
    pressedAt ??= now
    onSignal()
  }
  const onSignal = () => {
    if (stopping) return
    stopping = true
    stop().then(
      () => process.exit(0),
      (fault: unknown) => {
        process.stderr.write(`${explain(fault)}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onInterrupt)
}

function explain(fault: unknown): string {
  if (fault instanceof ConfigError)
    return `The configuration has ${fault.problems.length === 1 ? 'a problem' : `${fault.problems.length} problems`}:\n${fault.problems.map((problem) => `  - ${problem}`).join('\n')}`
  if (!(fault instanceof Error)) return String(fault)
  if ('code' in fault && fault.code === 'EADDRINUSE')
    return 'The port is in use. Choose another with --port, or --port 0 for a free one.'
  return fault.message || String(fault)
}

export const commands: Definitions = { start: defineStart }
