import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, ConfigError, configProblems, environmentName, readConfig, settings } from '../core/config.ts'
import { defaultHost } from '../core/host-name.ts'
import { readOrCreateSecret, type SecretFile } from '../store/secret-file.ts'
import { defaultData, defaultPort } from './defaults.ts'
import { type DatabaseSettings, type GivenDatabase, knownDatabasePath, readKnownDatabase } from './known-database.ts'

/** The source of a value, highest precedence first. */
export type SettingSource = 'flag' | 'file' | 'environment' | 'data directory' | 'default'

/** The combined flags and environment variables. Flags take precedence. */
export interface Environment {
  /** Input for `readConfig`, not validated yet. */
  readonly options: Readonly<Record<string, unknown>>
  /** How messages name a setting: by its flag, its variable, or also the file that it is read from. */
  readonly nameOf: (option: string) => string
  readonly sourceOf: (option: string) => SettingSource
  readonly port: number
  readonly host: string
  readonly demo: boolean
  /** A scenario or file. The demo has its own flag. */
  readonly seed: string | undefined
  readonly json: boolean
  /** Enables the test API. The state is in memory unless a location is configured. */
  readonly testControls: boolean
  readonly logLevel: LogLevel | undefined
  readonly logFormat: LogFormat | undefined
  /** Where the demo credentials are stored; undefined if the state is in memory. */
  readonly demoDirectory: string | undefined
  /** The database of the flags and variables; undefined with SQLite, or if only the data directory names it. */
  readonly givenDatabase: GivenDatabase | undefined
  /** Variables with the settings prefix that are not settings. */
  readonly unknown: readonly string[]
}

type Variables = Readonly<Record<string, string | undefined>>
type Flags = Readonly<Record<string, string | boolean | undefined>>

const logLevels = ['info', 'warn', 'off'] as const
type LogLevel = (typeof logLevels)[number]

const logFormats = ['text', 'json'] as const
type LogFormat = (typeof logFormats)[number]

/** Settings of the process, which `createServer` does not have. */
export const processSettings = {
  SERVICE_PORT: { description: 'the port to listen on; 0 picks a free one', fallback: String(defaultPort) },
  SERVICE_HOST: { description: 'the address to listen on', fallback: defaultHost },
  SERVICE_LOG: {
    description:
      '"info" (a line per request), "warn", or "off" (only failures of the server); warn by default in a demo, otherwise info',
    fallback: '',
  },
  SERVICE_LOG_FORMAT: { description: '"text" or "json"; by default text on a terminal, otherwise JSON', fallback: '' },
  SERVICE_JSON: { description: '1 to print one line of JSON when the server is ready', fallback: '' },
  SERVICE_DEMO: { description: '1 to create a demo workspace', fallback: '' },
  SERVICE_SEED: { description: 'the scenario or file that fills an empty platform', fallback: '' },
  SERVICE_TEST_CONTROLS: { description: '1 to run as a test double', fallback: '' },
} as const satisfies Record<string, { readonly description: string; readonly fallback: string }>

export function readEnvironment(variables: Variables, flags: object): Environment {
  const problems: string[] = []
  const value = (name: string) => readVariable(variables, name, problems)
  const given: Flags = withOwnDirectUrl({ ...flags })
  const found = Object.fromEntries(
    Object.keys(settings).map((option) => [option, given[option] ?? value(environmentName(option))]),
  )
  const testControls = given['testControls'] === true || isOn(value('SERVICE_TEST_CONTROLS'))
  const inMemory = testControls && found['data'] === undefined && found['databaseUrl'] === undefined
  const data = typeof found['data'] === 'string' ? found['data'] : defaultData
  const known = inMemory ? {} : knownDatabase(found, data, problems)
  const options = { ...found, ...known }
  const own = inMemory ? {} : ownFiles(options, data)
  const sourceOf = toSourceOf(given, variables, { ...own, ...known, data: undefined })
  const nameOf = (option: string) => toName(option, sourceOf(option), option in known && knownDatabasePath(data))
  const demo = given['demo'] === true || isOn(value('SERVICE_DEMO'))
  const seed = typeof given['seed'] === 'string' ? given['seed'] : value('SERVICE_SEED')
  if (demo && seed !== undefined)
    problems.push('SERVICE_SEED (--seed) and SERVICE_DEMO (--demo) both fill the platform: choose one.')
  const environment: Environment = {
    options: {
      ...options,
      ...own,
      ...localEgress(options, demo || testControls),
    },
    nameOf,
    sourceOf,
    port: readPort(given['port'] ?? value('SERVICE_PORT'), nameOf('port'), problems),
    host: String(given['host'] ?? value('SERVICE_HOST') ?? defaultHost),
    demo,
    seed,
    json: given['json'] === true || isOn(value('SERVICE_JSON')),
    testControls,
    logLevel: readChoice('SERVICE_LOG', value('SERVICE_LOG'), { name: nameOf('log'), choices: logLevels, problems }),
    logFormat: readChoice('SERVICE_LOG_FORMAT', value('SERVICE_LOG_FORMAT'), {
      name: nameOf('logFormat'),
      choices: logFormats,
      problems,
    }),
    demoDirectory: inMemory ? undefined : data,
    givenDatabase: found['databaseUrl'] === undefined ? undefined : givenDatabase(found, given, variables),
    unknown: unknownVariables(variables),
  }
  collectProblems(environment, problems)
  return environment
}

const toSourceOf =
  (flags: Flags, variables: Variables, ofDirectory: Flags) =>
  (option: string): SettingSource => {
    const name = environmentName(option)
    if (flags[option] !== undefined) return 'flag'
    if (isSet(variables, `${name}_FILE`)) return 'file'
    if (isSet(variables, name)) return 'environment'
    return ofDirectory[option] === undefined ? 'default' : 'data directory'
  }

function toName(option: string, source: SettingSource, knownPath: string | false): string {
  const name = environmentName(option)
  if (source === 'flag') return toFlagName(option)
  if (source === 'file') return `${name} (read from ${name}_FILE)`
  return source === 'data directory' && knownPath !== false ? `${name} (read from ${knownPath})` : name
}

/** What the data directory names, unless a flag or a variable names a database. */
function knownDatabase(given: DatabaseSettings, data: string, problems: string[]): DatabaseSettings {
  if (given.databaseUrl !== undefined || given.databaseDirectUrl !== undefined) return {}
  const { namedStatements, ...urls } = readKnownDatabase(data, problems)
  return { ...urls, namedStatements: given.namedStatements ?? namedStatements }
}

function givenDatabase(
  { databaseUrl, databaseDirectUrl, namedStatements }: DatabaseSettings,
  flags: Flags,
  variables: Variables,
): GivenDatabase {
  const files = ['databaseUrl', 'databaseDirectUrl'].flatMap((option) => {
    const file = variables[`${environmentName(option)}_FILE`]
    return flags[option] === undefined && file ? [[option, file]] : []
  })
  return { databaseUrl, databaseDirectUrl, namedStatements, files: Object.fromEntries(files) }
}

/** The direct URL of the environment belongs to the database of the environment. */
const withOwnDirectUrl = (flags: Flags): Flags =>
  flags['databaseUrl'] === undefined ? flags : { databaseDirectUrl: flags['databaseUrl'], ...flags }

/** The server stores its persistent files in the data directory, with PostgreSQL also the encryption key. */
function ownFiles(options: Flags, data: string): Flags {
  const ownKeyFile = options['encryptionKey'] === undefined ? join(data, 'encryption.key') : undefined
  const encryptionKeyFile = options['encryptionKeyFile'] ?? ownKeyFile
  const backupDirectory = options['backupDirectory'] ?? join(data, 'backups')
  const files = { encryptionKeyFile, backupDirectory }
  return options['databaseUrl'] === undefined ? { data, ...files } : files
}

/** Demos and tests have receivers on the same machine. */
function localEgress(options: Readonly<Record<string, unknown>>, isWanted: boolean): Readonly<Record<string, unknown>> {
  return isWanted && options['egressAllow'] === undefined ? { egressAllow: ['localhost', '127.0.0.0/8', '::1'] } : {}
}

/** A variable, or the content of the file named by its `_FILE` variant (how Docker and Kubernetes mount secrets). */
function readVariable(variables: Variables, name: string, problems: string[]): string | undefined {
  const file = variables[`${name}_FILE`]
  if (file === undefined || file === '') return variables[name] === '' ? undefined : variables[name]
  if (isSet(variables, name)) problems.push(`${name} and ${name}_FILE are both set: choose one.`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    problems.push(`${name}_FILE must name a file that can be read.`)
    return undefined
  }
}

/** The files with secrets that other users may read. A mounted secret belongs to root, and its mode is managed elsewhere. */
export const exposedSecretFiles = (variables: Variables): string[] =>
  Object.entries(settings)
    .flatMap(([option, { secret }]) => (secret && variables[`${environmentName(option)}_FILE`]) || [])
    .filter((file) => {
      const { uid, mode } = statSync(file)
      return uid !== 0 && uid === process.getuid?.() && (mode & 0o077) !== 0
    })

const isSet = (variables: Variables, name: string) => (variables[name] ?? '') !== ''

const toFlagName = (option: string) => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

function readPort(text: string | boolean | undefined, name: string, problems: string[]): number {
  if (text === undefined) return defaultPort
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && text !== '') return port
  problems.push(`${name} must be a port number from 0 to 65535; it is ${JSON.stringify(text)}.`)
  return defaultPort
}

interface Choices<Choice extends string> {
  /** In messages. */
  readonly name: string
  readonly choices: readonly Choice[]
  readonly problems: string[]
}

function readChoice<Choice extends string>(
  setting: keyof typeof processSettings,
  text: string | undefined,
  { name, choices, problems }: Choices<Choice>,
): Choice | undefined {
  const choice = choices.find((each) => each === text)
  if (text !== undefined && choice === undefined)
    problems.push(`${name} must be ${processSettings[setting].description}; it is ${JSON.stringify(text)}.`)
  return choice
}

const isOn = (text: string | undefined) =>
  text !== undefined && !['', '0', 'false', 'off', 'no'].includes(text.toLowerCase())

/** Variables of the commands that call a server, and of the programs in the guides. */
const variablesOfCallers = ['URL', 'ORIGIN', 'BASE_URL', 'ADMIN_URL', 'TEST_URL', 'TOKEN', 'WORKSPACE'].map(
  (name) => `SERVICE_${name}`,
)

function unknownVariables(variables: Variables): string[] {
  const own = [...Object.keys(processSettings), ...Object.keys(settings).map(environmentName)]
  const known = new Set([...own, ...variablesOfCallers])
  return Object.keys(variables).filter(
    (name) => name.startsWith('SERVICE_') && !known.has(name) && !known.has(name.replace(/_FILE$/, '')),
  )
}

/** Reports problems found here together with settings errors, so that one run shows them all. */
function collectProblems(environment: Environment, problems: readonly string[]): void {
  if (problems.length === 0) return
  throw new ConfigError([...problems, ...configProblems(environment.options, environment.nameOf)])
}

/** Flags of commands that open a database directly. */
export interface DatabaseFlags {
  readonly data?: string
  readonly databaseUrl?: string
}

export const withDatabaseFlags = (command: Command): Command =>
  command
    .option('--data <directory>', 'the data directory (or SERVICE_DATA; default ./.data)')
    .option('--database-url <url>', 'a postgres:// URL, in place of SQLite (or SERVICE_DATABASE_URL)')

interface DatabaseEnvironment extends Pick<Environment, 'givenDatabase'> {
  readonly config: Config
  readonly directory: string
}

/** The settings that a start in the same environment would use, and its data directory. */
export function readDatabaseEnvironment({ data, databaseUrl }: DatabaseFlags): DatabaseEnvironment {
  const { options, nameOf, demoDirectory, givenDatabase } = readEnvironment(process.env, {
    ...(data && { data }),
    ...(databaseUrl && { databaseUrl }),
  })
  return { config: readConfig(options, nameOf), directory: demoDirectory ?? defaultData, givenDatabase }
}

export const readDatabaseConfig = (flags: DatabaseFlags): Config => readDatabaseEnvironment(flags).config

export const adminTokenFileName = 'admin-token'

const minTokenLength = 20

export interface AdminToken {
  readonly adminToken: string
  /** The file that contains the token; null if it is configured elsewhere. */
  readonly tokenFile: string | null
}

export const adminTokenFile = (directory: string): SecretFile => ({
  path: resolve(directory, adminTokenFileName),
  name: 'admin token',
  minLength: minTokenLength,
  remedy: 'Delete the file: the next start creates a new one.',
})

/** The admin token: the configured one, or one generated on the first start and stored in the data directory. */
export function readAdminToken({ options, demoDirectory }: Environment): AdminToken {
  const configured = options['adminToken']
  if (typeof configured === 'string') return { adminToken: configured, tokenFile: null }
  if (demoDirectory === undefined) return { adminToken: createAdminToken(), tokenFile: null }
  const file = adminTokenFile(demoDirectory)
  return { adminToken: readOrCreateSecret(file, createAdminToken), tokenFile: file.path }
}

export const createAdminToken = () => `service_admin_${randomBytes(32).toString('base64url')}`
