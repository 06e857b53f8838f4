import type { Command } from 'commander'
import { ConfigError, readConfig } from '../core/config.ts'
import { parseDatabaseUrl } from '../core/database-url.ts'
import { type Log, quietLog, stderrLog } from '../core/log.ts'
import { toShellWord } from '../core/shell-word.ts'
import type { Server } from '../server.ts'
import { type DirectoryLock, lockDirectory, type ServerAddress } from '../store/directory-lock.ts'
import { createPrivateDirectory } from '../store/private-directory.ts'
import { type Definitions, isSeedError } from './command.ts'
import { type Environment, exposedSecretFiles, readAdminToken, readEnvironment } from './environment.ts'
import { writeFirstDatabase, writeKnownDatabase } from './known-database.ts'
import { type Launched, launch } from './launch.ts'
import { logFormat } from './log-format.ts'
import { print } from './output.ts'
import { findParentPipe, onParentEnd, type ParentFlags, withParent } from './parent-process.ts'
import { type Running, readyLine, welcome } from './ready.ts'
import { describeStartFault } from './start-fault.ts'
import { drainDelayMs, stopOnSignal } from './stop-on-signal.ts'

const examples = `
Examples:
  service-server start --demo                      a demo workspace on SQLite in ./.data
  service-server start --port 8080 --data /var/lib/service
  service-server start --demo --test-controls --port 0 --json      a test double for any language, in memory
  service-server start --test-controls --exit-with-parent          … that stops with the test run that started it
  service-server start --seed seed.yaml --test-controls            the workspaces of a file, see "service-server seed --help"
  service-server start --database-url postgres://user@db/service
  SERVICE_DATABASE_URL_FILE=/run/secrets/db service-server start --json

Every option has an environment variable: SERVICE_PORT, SERVICE_DATA, SERVICE_RATE_LIMIT ("off" or requests a minute),
SERVICE_SYNCHRONOUS ("full" or "normal"), … Secrets can be read from files: SERVICE_DATABASE_URL_FILE, SERVICE_ADMIN_TOKEN_FILE.`

interface StartFlags extends ParentFlags {
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
  command
    .option('--demo', 'create a demo workspace and print its credentials')
    .option('--seed <what>', 'fill an empty platform: demo, company, large, edge, or a YAML or JSON file')
    .option('--json', 'print one line of JSON when ready')
    .option(
      '--test-controls',
      'run in memory, with clock, fault, journal, reset, and fork controls under /admin/v1/test',
    )
    .option('--clock <instant>', 'with --test-controls: freeze time at this instant, e.g. 2026-01-01T00:00:00Z')
    .option('--random <seed>', 'with --test-controls: generate the same ids, tokens, and secrets in every run')
    .option('--port <number>', 'the port to listen on (default 8080; 0 picks a free one)')
    .option('--host <address>', 'the address to listen on (default 127.0.0.1)')
    .option('--data <directory>', 'the directory of the SQLite database (default ./.data)')
    .option('--database-url <url>', 'PostgreSQL URL to use instead of SQLite')
    .option('--accept-lost-key', 'start with a new key and disable everything that the lost key encrypted')
  return withParent(command).addHelpText('after', examples).action(run)
}

async function run(flags: StartFlags): Promise<void> {
  await start(flags).catch((fault: unknown) => {
    process.stderr.write(`${describeStartFault(fault)}\n`)
    process.exitCode = fault instanceof ConfigError || isSeedError(fault) ? 2 : 1
  })
}

async function start(flags: StartFlags): Promise<void> {
  const parentPipe = findParentPipe(flags)
  const environment = readEnvironment(process.env, flags)
  const log = createLog(environment)
  for (const name of environment.unknown) log.warn(`The setting ${name} is unknown and has no effect.`)
  for (const file of exposedSecretFiles(process.env))
    log.warn(`Other users may read the secret in ${file}. Run "chmod 600 ${toShellWord(file)}".`)
  readConfig(environment.options, environment.nameOf)
  if (passwordOf(flags.databaseUrl) !== '')
    log.warn(
      'Every user of this machine can read the password in --database-url with ps. Use SERVICE_DATABASE_URL or SERVICE_DATABASE_URL_FILE.',
    )
  const { adminToken, tokenFile } = readAdminToken(environment)
  const launched = await launch(followingTokenFile(environment, tokenFile), flags, { adminToken, tokenFile, log })
  const { server, credentials, seeded, existing } = launched
  let addressLock: DirectoryLock | undefined
  const stop = async (delayMs = 0) => {
    await server.close(delayMs)
    addressLock?.release()
  }
  try {
    if (environment.seed !== undefined && seeded.workspaces.length === 0 && existing.length > 0)
      log.warn(`--seed ${environment.seed} was ignored, because the platform already has workspaces.`)
    const opened = await open(server, environment)
    if (opened.databaseUrl) addressLock = publishAddress(environment, { ...opened.address, tokenFile })
    warnAboutInsecureCookies(environment, log)
    const setupLink = await launched.setupLink?.()
    const setupUrl = setupLink === undefined ? undefined : opened.url + setupLink
    const dashboardUrl = await getDashboardUrl(launched, environment, opened.url)
    const testDashboardUrl = await launched.testDashboardUrl?.()
    const urls = { setupUrl, dashboardUrl, testDashboardUrl }
    const adminTokenFile = tokenFile ?? configuredTokenFile(environment)
    const running = { ...opened, ...urls, credentials, seeded, existing, adminToken, tokenFile: adminTokenFile }
    // A reader of the ready line may send a signal immediately.
    const begin = stopOnSignal(stop, environment.demo || environment.testControls ? 0 : drainDelayMs)
    onParentEnd(parentPipe, () => begin(0))
    print(
      environment.json
        ? `${readyLine(running)}
`
        : welcome(running),
    )
    log.info(`The platform listens on ${running.listensOn}.`, { url: running.listensOn, pid: process.pid })
  } catch (fault) {
    await stop()
    throw fault
  }
}

/**
 * With PostgreSQL, the directory holds the server's address and the location of its database. Several servers may share
 * it, of which the first is found through it. It may also be read-only.
 */
function publishAddress(
  { demoDirectory: directory, givenDatabase, testControls }: Environment,
  address: ServerAddress,
): DirectoryLock | undefined {
  if (directory === undefined) return undefined
  // The database of a test double does not replace a platform.
  const write = testControls ? writeFirstDatabase : writeKnownDatabase
  if (givenDatabase !== undefined) write(directory, givenDatabase)
  try {
    createPrivateDirectory(directory)
    const lock = lockDirectory(directory)
    lock?.publish(address)
    return lock
  } catch {
    return undefined
  }
}

const configuredTokenFile = ({ options: { adminTokenFile: path } }: Environment): string | null =>
  typeof path === 'string' ? path : null

/** A token file can be replaced while the platform runs. */
const followingTokenFile = (environment: Environment, tokenFile: string | null): Environment =>
  tokenFile === null ? environment : { ...environment, options: { ...environment.options, adminTokenFile: tokenFile } }

/**
 * A demo on this machine gets a sign-in link for its owner, who administers the instance, too. Elsewhere, anyone could
 * open it.
 */
async function getDashboardUrl({ admin, credentials }: Launched, { host }: Environment, url: string): Promise<string> {
  const usual = `${url}/dashboard`
  if (credentials === undefined || !isLoopback(host)) return usual
  const { members, users } = await admin()
  const { data } = await members.list({ workspace: credentials.workspace }, { limit: 200 })
  const owner = data.find(({ role }) => role === 'owner')
  if (owner === undefined) return usual
  await users.update({ id: owner.id }, { is_instance_admin: true })
  return url + (await users.signInLink({ id: owner.id })).link
}

const isLoopback = (host: string) => /^(?:127\.\d+\.\d+\.\d+|localhost|::1|\[::1\])$/.test(host)

/** On a public address, browsers send the session cookie over http unless the server knows that they use https. */
function warnAboutInsecureCookies({ host, options }: Environment, log: Log): void {
  if (isLoopback(host) || options['publicUrl'] !== undefined || options['trustedProxies'] !== undefined) return
  log.warn(
    `The server listens on ${host} and does not know whether browsers use https, so the cookies of the dashboard are sent without Secure. Set SERVICE_PUBLIC_URL, or SERVICE_TRUSTED_PROXIES if a proxy sends X-Forwarded-Proto.`,
  )
}

function passwordOf(url: string | undefined): string {
  if (url === undefined) return ''
  const { password, searchParams } = parseDatabaseUrl(url)
  return password || (searchParams.get('password') ?? '')
}

interface Opened extends Pick<Running, 'url' | 'listensOn' | 'testControls' | 'databaseUrl' | 'data'> {
  readonly address: Omit<ServerAddress, 'tokenFile'>
}

async function open(
  server: Pick<Server, 'listen'>,
  { port, host, demoDirectory, testControls, options }: Environment,
): Promise<Opened> {
  const { url } = await server.listen({ port, host })
  const publicUrl = options['publicUrl']?.toString().replace(/\/$/, '') ?? null
  return {
    listensOn: url,
    address: { url, publicUrl },
    url: publicUrl ?? url,
    testControls,
    databaseUrl: options['databaseUrl'] !== undefined,
    data: demoDirectory,
  }
}

/** A platform logs a line per request. The terminal of a demo or a double belongs to its user. */
function createLog({ json, demo, testControls, logLevel, logFormat: given }: Environment): Log {
  const isQuiet = (demo || testControls) && !json
  const level = logLevel ?? (isQuiet ? 'warn' : 'info')
  if (level === 'off') return quietLog()
  const log = stderrLog(logFormat(given))
  return level === 'info' ? log : { ...log, info: () => undefined }
}

export const commands: Definitions = { start: defineStart }
