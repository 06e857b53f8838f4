import { Command } from 'commander'
import { ConfigError, environmentName, readConfig } from '../config.ts'
import { jsonLog, type Log, quietLog } from '../log.ts'
import { type PlatformServer, type ServerOptions, startServer } from '../server.ts'
import { SeedError } from '../testing/seeds/seed.ts'
import { readAdminToken } from './admin-token.ts'
import { credentialsOf, type DemoCredentials, openDemo } from './demo.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { type Running, readyLine, welcome } from './ready.ts'

const examples = `
Examples:
  service-server start --demo                      a demo workspace on SQLite in ./.data
  service-server start --port 8080 --data /var/lib/service
  service-server start --demo --test-controls --port 0 --json      a test double for any language, in memory
  service-server start --seed seed.yaml --test-controls            the workspaces of a file, see "service-server seed --help"
  service-server start --database-url postgres://user:password@db/service
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
}

export function startCommand(): Command {
  return new Command('start')
    .description('Start the platform and serve until Ctrl-C or SIGTERM.')
    .option('--demo', 'create a demo workspace and show its credentials')
    .option('--seed <what>', 'fill an empty platform: demo, large, edge, or a YAML or JSON file')
    .option('--json', 'print one line of JSON when ready, for tools')
    .option('--test-controls', 'in memory, with clock, faults, journal and reset under /admin/v1/test')
    .option(
      '--clock <instant>',
      'with --test-controls: the instant at which time stands still, e.g. 2026-01-01T00:00:00Z',
    )
    .option('--random <seed>', 'with --test-controls: the seed of identifiers, tokens and secrets')
    .option('--port <number>', 'the port to listen on (default 8080; 0 takes a free one)')
    .option('--host <address>', 'the address to listen on (default 127.0.0.1)')
    .option('--data <directory>', 'the directory of the SQLite database (default ./.data)')
    .option('--database-url <url>', 'a postgres:// URL, in place of SQLite')
    .addHelpText('after', examples)
    .showHelpAfterError('(see service-server start --help)')
    .action(run)
}

async function run(flags: StartFlags): Promise<void> {
  const stop = await start(flags).catch((fault: unknown) => {
    process.stderr.write(`${explain(fault)}\n`)
    process.exitCode = fault instanceof ConfigError || fault instanceof SeedError ? 2 : 1
    return undefined
  })
  if (stop !== undefined) stopOnSignal(stop)
}

/** Starts everything and says so; resolves to what stops it. */
async function start(flags: StartFlags): Promise<() => Promise<void>> {
  const environment = readEnvironment(process.env, flags)
  for (const name of environment.unknown)
    process.stderr.write(`Warning: the setting ${name} is not known and has no effect.\n`)
  readConfig(environment.options, environmentName)
  const log = logOf(environment)
  const adminToken = readAdminToken(environment)
  const { server, credentials } = await launch(environment, flags, { adminToken, log })
  try {
    const running = { ...(await open(server, environment)), credentials, seeded: server.seeded, adminToken }
    process.stdout.write(environment.json ? `${readyLine(running)}\n` : welcome(running))
    log.info(`The platform listens on ${running.url}.`, { url: running.url, pid: process.pid })
    return () => server.close()
  } catch (fault) {
    await server.close()
    throw fault
  }
}

interface Launched {
  readonly server: PlatformServer
  readonly credentials: DemoCredentials | undefined
}

type Given = Required<Pick<ServerOptions, 'adminToken' | 'log'>>

/** A test double has its demo as its seed, to which it can be reset; a platform keeps it in its database. */
async function launch(environment: Environment, { clock, random }: StartFlags, given: Given): Promise<Launched> {
  const { options, demo, demoDirectory, testControls } = environment
  const planted = environment.seed === undefined ? {} : { seed: environment.seed }
  if (!testControls) {
    if (clock !== undefined || random !== undefined)
      throw new ConfigError(['--clock and --random are for tests: add --test-controls.'])
    const server = await startServer({ ...options, ...given, ...planted }, { fast: true })
    try {
      return { server, credentials: demo ? await openDemo(server, demoDirectory) : undefined }
    } catch (fault) {
      await server.close()
      throw fault
    }
  }
  const moved = { ...(clock === undefined ? {} : { clock }), ...(random === undefined ? {} : { random }) }
  const server = await startServer(
    { ...options, ...given, ...moved, testControls, ...(demo ? { seed: 'demo' } : planted) },
    { fast: false },
  )
  return { server, credentials: demo ? credentialsOf(server.seeded) : undefined }
}

async function open(
  server: PlatformServer,
  { port, host, demoDirectory, testControls, options }: Environment,
): Promise<Omit<Running, 'adminToken' | 'credentials' | 'seeded'>> {
  const { url } = await server.listen({ port, host })
  return {
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

/** SIGTERM and Ctrl-C finish the requests in flight and exit 0; a second Ctrl-C does not wait. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const onSignal = () => {
    if (stopping) process.exit(130)
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
  process.on('SIGINT', onSignal)
}

function explain(fault: unknown): string {
  if (fault instanceof ConfigError)
    return `The configuration has ${fault.problems.length === 1 ? 'a problem' : `${fault.problems.length} problems`}:\n${fault.problems.map((problem) => `  - ${problem}`).join('\n')}`
  if (!(fault instanceof Error)) return String(fault)
  if ('code' in fault && fault.code === 'EADDRINUSE')
    return 'The port is in use. Choose another with --port, or --port 0 for a free one.'
  return fault.message || String(fault)
}
