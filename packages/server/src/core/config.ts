import { emailAddress } from '@service/contract/admin/people-input'
import * as z from 'zod/mini'
import { isAddressRange } from './addresses.ts'
import { findUrlProblem, withVerifiedTls } from './database-url.ts'
import { parseHostName } from './host-name.ts'

export type { ConfigOptions } from './config-options.ts'

// One entry per setting: its description, its default, and a schema that parses both an option (a number, a list) and
// an environment variable (text). The environment variable is SERVICE_ and the option's name in upper snake case.

/** Whether the text is a URL that a client can call. A server can listen on port 0, but never be reached on it. */
export const isCallableUrl = (text: string): boolean => URL.canParse(text) && new URL(text).port !== '0'

/** As milliseconds, timers still count it; as days before now, both databases still compare it. */
export const maxNumber = 100_000_000
const wholeNumber = z.coerce.number().check(z.int(), z.positive(), z.maximum(maxNumber))
const zeroOrMore = z.coerce.number().check(z.int(), z.nonnegative(), z.maximum(maxNumber))
const listOfText = z.union([
  z.array(z.string()),
  z.pipe(
    z.string(),
    z.transform((list: string) =>
      list
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    ),
  ),
])
const yesOrNo = z.union([
  z.boolean(),
  z.pipe(
    z.enum(['true', 'false', '1', '0', 'on', 'off']),
    z.transform((word) => ['true', '1', 'on'].includes(word)),
  ),
])
const postgresUrl = z.optional(z.pipe(z.string().check(z.regex(/^postgres(ql)?:\/\//)), z.transform(withVerifiedTls)))
const bearerToken = z.optional(z.string().check(z.regex(/^[\x21-\x7e]{20,}$/)))
const httpUrl = z.string().check(z.regex(/^https?:\/\/[^\s?#@]+$/), z.refine(isCallableUrl))
const setting = <Schema extends z.ZodMiniType>(schema: Schema, description: string, secret = false) => ({
  schema,
  description,
  secret,
})

const text = (description: string) => setting(z.optional(z.string().check(z.minLength(1))), description)
const list = (description: string) => setting(z._default(listOfText, []), description)
const whole = (fallback: number, of: string) =>
  setting(z._default(wholeNumber, fallback), `a positive whole number of ${of}`)
const optionalWhole = (of: string) => setting(z.optional(wholeNumber), `a positive whole number of ${of}`)

/** Every setting of the server, in the order of the documentation. */
export const settings = {
  data: text('a directory for the SQLite database; in memory by default'),
  databaseUrl: setting(postgresUrl, 'a postgres:// URL; SQLite by default', true),
  databaseDirectUrl: setting(
    postgresUrl,
    'the postgres:// URL of the same database without its pooler; SERVICE_DATABASE_URL by default',
    true,
  ),
  databasePool: whole(10, 'PostgreSQL connections'),
  databaseConnectTimeoutMs: whole(5000, 'milliseconds that opening a PostgreSQL connection may take'),
  databaseStartTimeoutMs: setting(
    z.optional(zeroOrMore),
    'a whole number of milliseconds that a start waits until PostgreSQL can be used; by default 30000 in a separate process, 0 embedded',
  ),
  databaseWaitTimeoutMs: whole(2000, 'milliseconds that a request waits for a free PostgreSQL connection'),
  databaseLockTimeoutMs: whole(5000, 'milliseconds that a statement waits for a lock in PostgreSQL'),
  databaseStatementTimeoutMs: whole(15_000, 'milliseconds that a statement may take in PostgreSQL'),
  namedStatements: setting(z._default(yesOrNo, true), 'true, or false behind a PostgreSQL pooler in transaction mode'),
  synchronous: setting(z._default(z.enum(['full', 'normal']), 'full'), '"full" (survives a power failure) or "normal"'),
  rateLimit: setting(
    z._default(z.union([z.literal('off'), wholeNumber]), 120),
    '"off" or a whole number of requests per minute',
  ),
  maxBodyBytesInFlight: setting(
    z.optional(z.coerce.number().check(z.int(), z.positive())),
    'a whole number of bytes of request bodies to hold at the same time; by default a quarter of the memory, at most 67108864',
  ),
  healthPort: setting(
    z.optional(z.coerce.number().check(z.int(), z.nonnegative(), z.maximum(65_535))),
    'a port from 0 to 65535 on which a separate thread answers /livez, /readyz, and /metrics, however busy the server is; none by default',
  ),
  drainDelayMs: setting(
    z.optional(zeroOrMore),
    'a whole number of milliseconds to keep serving during shutdown while /readyz answers 503; by default 1000 after SIGTERM or SIGHUP, 0 after Ctrl-C, in a demo, and embedded',
  ),
  drainIdleMs: setting(
    z.optional(zeroOrMore),
    'a whole number of milliseconds to keep idle connections open during shutdown; by default 6500 in a separate process, 0 embedded',
  ),
  validation: setting(
    z._default(z.enum(['lenient', 'strict']), 'lenient'),
    '"lenient", or "strict" to reject unknown statuses, priorities, and so on',
  ),
  createdStatus: setting(
    z._default(z.pipe(z.coerce.number(), z.literal([200, 201])), 201),
    '201 or 200: the status of successful creates',
  ),
  deviceNotFoundStatus: setting(
    z._default(z.pipe(z.coerce.number(), z.literal([200, 422])), 422),
    "422 or 200: the attendance webhook's status for an unknown device",
  ),
  unknownWorkspaceStatus: setting(
    z._default(z.pipe(z.coerce.number(), z.literal([403, 404])), 403),
    '403 or 404: the status for a workspace that does not exist',
  ),
  corsOrigins: list('comma-separated origins that browsers may call from; none by default'),
  trustedProxies: list(
    'comma-separated addresses or CIDR ranges whose X-Forwarded-For and X-Forwarded-Proto are trusted',
  ),
  allowedHosts: list(
    'comma-separated host names under which the demo and the test controls answer, in addition to localhost and the host of publicUrl',
  ),
  encryptionKey: setting(
    z.optional(z.string().check(z.minLength(32))),
    'a text of at least 32 characters that encrypts stored secrets; by default generated in the data directory',
    true,
  ),
  encryptionKeyFile: text('a file with the encryption key; if the environment names it, it must exist'),
  previousEncryptionKeys: setting(
    z._default(listOfText, []),
    'comma-separated old keys that can still decrypt stored secrets, such as during a key rotation',
    true,
  ),
  acceptLostKey: setting(
    z._default(yesOrNo, false),
    'true for one start after the encryption key was lost: disables webhooks and integrations until their URLs, headers, and secrets are set again',
  ),
  egressAllow: list('comma-separated private host names, addresses, or CIDR ranges that webhooks may be sent to'),
  deliveryTimeoutMs: whole(15_000, 'milliseconds that a webhook receiver has for its complete response'),
  deliveryRetentionDays: whole(30, 'days to keep events and their deliveries'),
  inboundRetentionDays: whole(
    90,
    "days to keep the log of inbound deliveries, and Git's delivery ids to detect duplicates",
  ),
  inboundBodyHours: setting(
    z._default(zeroOrMore, 24),
    'a whole number of hours to keep the bodies of error reports, leads, and punches, with secrets masked, to explain and replay them; 0 keeps none',
  ),
  automationRetentionDays: whole(90, 'days to keep the automation log'),
  errorSampleRetentionDays: optionalWhole(
    'days to keep the newest reports of each error, at most ten; kept indefinitely by default',
  ),
  activityRetentionDays: optionalWhole('days to keep Git activities; kept indefinitely by default'),
  enquiryRetentionDays: optionalWhole('days to keep the inquiries of leads; kept indefinitely by default'),
  unmatchedPunchRetentionDays: optionalWhole(
    'days to keep punches of unknown employees or devices; kept indefinitely by default',
  ),
  adminTokenFile: text('a file with the admin token, reloaded when it changes'),
  backupDirectory: text('a directory for backups; by default in the data directory'),
  backupEvery: setting(
    z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}[hd]$/))),
    'the interval of automatic backups, 1 to 9999 hours or days, such as "6h" or "1d"; never by default',
  ),
  backupKeep: whole(7, 'automatic backups to keep'),
  auditRetentionDays: optionalWhole('days to keep the audit log; kept indefinitely by default'),
  publicUrl: setting(
    z.optional(httpUrl),
    'the public http(s) URL of the server, without a user, port 0, a query, or a fragment',
  ),
  adminToken: setting(
    bearerToken,
    'a bearer token for the admin API: at least 20 visible ASCII characters without spaces',
    true,
  ),
  metricsToken: setting(
    bearerToken,
    'a bearer token that may read /metrics and nothing else: at least 20 visible ASCII characters without spaces',
    true,
  ),
  logSample: whole(
    1,
    'successful requests of which the log has one line; requests that fail or take longer than a second always have one',
  ),
  metricsTokenFile: text('a file with the metrics token, reloaded when it changes'),
  adminEmail: setting(
    z.optional(emailAddress),
    'the e-mail address of an instance administrator, created at startup with adminPassword',
  ),
  adminPassword: setting(
    z.optional(z.string().check(z.minLength(8), z.maxLength(1024))),
    'the password of that administrator, 8 to 1024 characters; an existing password is kept',
    true,
  ),
} as const

type SettingName = keyof typeof settings
export type Config = { readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }

/** Settings that are missing or wrong. `problems` has one sentence for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** `databaseUrl` → `SERVICE_DATABASE_URL`. */
export const environmentName = (option: string) =>
  `SERVICE_${option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

type NameOf = (option: string) => string

/** Validates the options and applies the defaults; `nameOf` formats a setting's name in messages. */
export function readConfig(options: Readonly<Record<string, unknown>>, nameOf: NameOf = (name) => name): Config {
  const { config, problems } = parse(options, nameOf)
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

export const configProblems = (options: Readonly<Record<string, unknown>>, nameOf: NameOf) =>
  parse(options, nameOf).problems

function parse(options: Readonly<Record<string, unknown>>, nameOf: NameOf): { config: Config; problems: string[] } {
  const problems: string[] = []
  // `--database-url` is the direct URL, too.
  const isRepeated = (name: string) => name === 'databaseDirectUrl' && options[name] === options['databaseUrl']
  const entries = Object.entries(settings).map(([name, { schema, description, secret }]) => {
    const parsed = z.safeParse(schema as z.ZodMiniType, options[name]) // the union of all schemas is not callable
    if (parsed.success) return [name, parsed.data]
    const isTooBig = parsed.error.issues.some((issue) => issue.code === 'too_big' && issue.maximum === maxNumber)
    const limit = isTooBig ? `, at most ${maxNumber}` : ''
    if (!isRepeated(name))
      problems.push(
        `${nameOf(name)} must be ${description}${limit}${secret ? '' : `; it is ${JSON.stringify(options[name])}`}.`,
      )
    return [name, undefined]
  })
  if ((options['adminEmail'] === undefined) !== (options['adminPassword'] === undefined))
    problems.push(`${nameOf('adminEmail')} and ${nameOf('adminPassword')} must be set together.`)
  if (options['metricsToken'] !== undefined && options['metricsToken'] === options['adminToken'])
    problems.push(`${nameOf('metricsToken')} must differ from ${nameOf('adminToken')}, which may do everything.`)
  if (options['databaseDirectUrl'] !== undefined && options['databaseUrl'] === undefined)
    problems.push(`${nameOf('databaseDirectUrl')} requires ${nameOf('databaseUrl')}.`)
  const config = Object.fromEntries(entries) as Config // each value was parsed by its schema
  for (const name of ['databaseUrl', 'databaseDirectUrl'] as const) {
    const problem = config[name] === undefined || isRepeated(name) ? undefined : findUrlProblem(config[name])
    if (problem !== undefined) problems.push(`${nameOf(name)} ${problem}`)
  }
  return { config, problems: [...problems, ...entryProblems(config, nameOf)] }
}

/** As in the `Origin` header: `https://app.example`, `capacitor://localhost`. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol, host } = new URL(text)
  return text === (origin === 'null' ? `${protocol}//${host}` : origin)
}

/** What each entry of a list must be. Any other would have no effect. */
const listEntries = {
  corsOrigins: {
    isValid: isOrigin,
    description: 'origins such as https://app.example, without a path or a slash at the end',
  },
  trustedProxies: { isValid: isAddressRange, description: 'addresses or CIDR ranges' },
  allowedHosts: {
    isValid: (entry: string) => parseHostName(entry) !== '' && !entry.includes('*'),
    description: 'host names such as desk.example or [::1], without a wildcard',
  },
  egressAllow: {
    isValid: (entry: string) => isAddressRange(entry) || (/[a-z_]/i.test(entry) && /^[\w.-]+$/.test(entry)),
    description: 'host names, addresses, or CIDR ranges',
  },
} as const

const entryProblems = (config: Config, nameOf: NameOf): string[] =>
  Object.entries(listEntries).flatMap(([name, { isValid, description }]) =>
    (config[name as keyof typeof listEntries] ?? [])
      .filter((entry) => !isValid(entry))
      .map((entry) => `${nameOf(name)} must hold ${description}; one of them is "${entry}".`),
  )

/** The origin of a server without a port or public URL. It is https, because clients do not send tokens over http. */
export const defaultOrigin = 'https://service.test'
