import { emailAddress } from '@service/contract/admin/people-input'
import * as z from 'zod/mini'

export type { ConfigOptions } from './config-options.ts'

// One entry per setting: its sentence, its default, and the schema that reads both an option (a number, a list) and an
// environment variable (always text). The names in the environment are SERVICE_ and the option's name in capitals.

const wholeNumber = z.coerce.number().check(z.int(), z.positive())
const zeroOrMore = z.coerce.number().check(z.int(), z.nonnegative())
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
const httpUrl = z.string().check(z.regex(/^https?:\/\/[^\s]+$/))
const setting = <Schema extends z.ZodMiniType>(schema: Schema, says: string, secret = false) => ({
  schema,
  says,
  secret,
})

const text = (says: string) => setting(z.optional(z.string().check(z.minLength(1))), says)
const list = (says: string) => setting(z._default(listOfText, []), says)
const whole = (fallback: number, of: string) => setting(z._default(wholeNumber, fallback), `a whole number of ${of}`)
const optionalWhole = (of: string) => setting(z.optional(wholeNumber), `a whole number of ${of}`)

/** Every setting of the server, in the order of the documentation. */
export const settings = {
  data: text('a directory for the SQLite database; in memory when left out'),
  databaseUrl: setting(
    z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//))),
    'a postgres:// URL; SQLite when left out',
    true,
  ),
  databasePool: whole(10, 'PostgreSQL connections'),
  databaseConnectTimeoutMs: whole(5000, 'milliseconds that connecting to PostgreSQL may take'),
  databaseWaitTimeoutMs: whole(2000, 'milliseconds that a request waits for a free PostgreSQL connection'),
  databaseLockTimeoutMs: whole(5000, 'milliseconds that a statement waits for a lock in PostgreSQL'),
  databaseStatementTimeoutMs: whole(15_000, 'milliseconds that a statement may take in PostgreSQL'),
  namedStatements: setting(z._default(yesOrNo, true), 'true, or false behind a PostgreSQL pooler in transaction mode'),
  synchronous: setting(z._default(z.enum(['full', 'normal']), 'full'), '"full" (survives a power cut) or "normal"'),
  rateLimit: setting(
    z._default(z.union([z.literal('off'), wholeNumber]), 120),
    '"off" or a whole number of requests per minute',
  ),
  maxBodyBytesInFlight: optionalWhole(
    'bytes that request bodies over ports may take at the same time; by default a quarter of the memory, at most 67108864',
  ),
  drainDelayMs: setting(
    z._default(zeroOrMore, 0),
    'a whole number of milliseconds that a stopping server serves on while /readyz says 503',
  ),
  drainIdleMs: setting(
    z.optional(zeroOrMore),
    'a whole number of milliseconds that idle connections stay open while the server stops; 6500 in a process of its own, 0 embedded',
  ),
  validation: setting(
    z._default(z.enum(['lenient', 'strict']), 'lenient'),
    '"lenient", or "strict" to refuse statuses, priorities … that are not known',
  ),
  createdStatus: setting(
    z._default(z.pipe(z.coerce.number(), z.literal([200, 201])), 201),
    '201 or 200: what creates answer',
  ),
  deviceNotFoundStatus: setting(
    z._default(z.pipe(z.coerce.number(), z.literal([200, 422])), 422),
    '422 or 200: what the attendance webhook answers for an unknown device',
  ),
  unknownWorkspaceStatus: setting(
    z._default(z.pipe(z.coerce.number(), z.literal([403, 404])), 403),
    '403 or 404: what a token of another workspace gets where there is no such workspace',
  ),
  corsOrigins: list('origins that browsers may call from, separated by commas; none by default'),
  trustedProxies: list('addresses or CIDR ranges whose X-Forwarded-For is believed, separated by commas'),
  allowedHosts: list(
    'host names, beside localhost and that of publicUrl, under which the demo and the test controls answer over a port, separated by commas',
  ),
  encryptionKey: setting(
    z.optional(z.string().check(z.minLength(32))),
    'a text of at least 32 characters that encrypts stored secrets; kept in a file of the data directory when left out',
    true,
  ),
  encryptionKeyFile: text('a file that holds the encryption key, made when it is not there'),
  previousEncryptionKeys: setting(
    z._default(listOfText, []),
    'keys that stored secrets can still be read with while the key is rotated, separated by commas',
    true,
  ),
  acceptLostKey: setting(
    z._default(yesOrNo, false),
    'true for one start after the encryption key was lost: what it encrypted is disabled until it gets new secrets',
  ),
  egressAllow: list(
    'host names, addresses or CIDR ranges off the public internet that webhooks may be sent to, separated by commas',
  ),
  deliveryTimeoutMs: whole(15_000, 'milliseconds that a webhook receiver has for its whole answer'),
  deliveryRetentionDays: whole(30, 'days that events and what became of their deliveries are kept'),
  inboundRetentionDays: whole(
    90,
    "days that the log of inbound deliveries is kept, and Git's delivery ids to know one that comes again",
  ),
  inboundBodyHours: setting(
    z._default(zeroOrMore, 24),
    'a whole number of hours that the bodies of error reports, leads and punches are kept, with secrets masked, to explain and replay them; 0 keeps none',
  ),
  automationRetentionDays: whole(90, 'days that the log of what rules have done is kept'),
  errorSampleRetentionDays: optionalWhole(
    'days that the newest reports of each error are kept, of which there are at most ten; for ever when left out',
  ),
  activityRetentionDays: optionalWhole('days that Git activities are kept; for ever when left out'),
  enquiryRetentionDays: optionalWhole('days that the enquiries of leads are kept; for ever when left out'),
  unmatchedPunchRetentionDays: optionalWhole(
    'days that punches of unknown employees or devices are kept; for ever when left out',
  ),
  adminTokenFile: text('a file that holds that token, read again when it changes'),
  backupDirectory: text('a directory for backups; in the data directory when left out'),
  backupEvery: setting(
    z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}[hd]$/))),
    'how often a backup is made by itself, such as "6h" or "1d"; never when left out',
  ),
  backupKeep: whole(7, 'backups made by themselves that are kept'),
  auditRetentionDays: optionalWhole('days that the audit log is kept; for ever when left out'),
  publicUrl: setting(z.optional(httpUrl), 'the http(s) URL under which people reach the server'),
  adminToken: setting(
    z.optional(z.string().check(z.minLength(20))),
    'a bearer token of at least 20 characters for administration',
    true,
  ),
  adminEmail: setting(
    z.optional(emailAddress),
    'the e-mail address of a person who administers the instance, created at the start with adminPassword',
  ),
  adminPassword: setting(
    z.optional(z.string().check(z.minLength(8), z.maxLength(1024))),
    'the password of that person, of 8 to 1024 characters; one who has a password keeps it',
    true,
  ),
} as const

type SettingName = keyof typeof settings
export type Config = { readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }

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

/** Checks the options and fills in the defaults; `nameOf` says how a problem names a setting. */
export function readConfig(options: Readonly<Record<string, unknown>>, nameOf: NameOf = (name) => name): Config {
  const { config, problems } = parse(options, nameOf)
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

export const configProblems = (options: Readonly<Record<string, unknown>>, nameOf: NameOf) =>
  parse(options, nameOf).problems

function parse(options: Readonly<Record<string, unknown>>, nameOf: NameOf): { config: Config; problems: string[] } {
  const problems: string[] = []
  const entries = Object.entries(settings).map(([name, { schema, says, secret }]) => {
    const parsed = z.safeParse(schema as z.ZodMiniType, options[name]) // the union of all settings' schemas is not callable
    if (parsed.success) return [name, parsed.data]
    problems.push(`${nameOf(name)} must be ${says}${secret ? '' : `; it is ${JSON.stringify(options[name])}`}.`)
    return [name, undefined]
  })
  if ((options['adminEmail'] === undefined) !== (options['adminPassword'] === undefined))
    problems.push(`${nameOf('adminEmail')} and ${nameOf('adminPassword')} must be set together.`)
  return { config: Object.fromEntries(entries) as Config, problems } // each value came out of its own schema
}

/** Where a server stands that has no port and no public URL. Https, because clients show no token to a name over http. */
export const defaultOrigin = 'https://service.test'
