import * as z from 'zod/mini'

// One entry per setting: its sentence, its default, and the schema that reads both an option (a number, a list) and an
// environment variable (always text). The names in the environment are SERVICE_ and the option's name in capitals.

const wholeNumber = z.coerce.number().check(z.int(), z.positive())
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

/** Every setting of the server, in the order of the documentation. */
export const settings = {
  data: setting(
    z.optional(z.string().check(z.minLength(1))),
    'a directory for the SQLite database; in memory when left out',
  ),
  databaseUrl: setting(
    z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//))),
    'a postgres:// URL; SQLite when left out',
    true,
  ),
  databasePool: setting(z._default(wholeNumber, 10), 'a whole number of PostgreSQL connections'),
  namedStatements: setting(z._default(yesOrNo, true), 'true, or false behind a PostgreSQL pooler in transaction mode'),
  synchronous: setting(z._default(z.enum(['full', 'normal']), 'full'), '"full" (survives a power cut) or "normal"'),
  rateLimit: setting(
    z._default(z.union([z.literal('off'), wholeNumber]), 120),
    '"off" or a whole number of requests per minute',
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
  corsOrigins: setting(
    z._default(listOfText, []),
    'origins that browsers may call from, separated by commas; none by default',
  ),
  trustedProxies: setting(
    z._default(listOfText, []),
    'addresses or CIDR ranges whose X-Forwarded-For is believed, separated by commas',
  ),
  encryptionKey: setting(
    z.optional(z.string().check(z.minLength(32))),
    'a text of at least 32 characters that encrypts stored secrets; kept in a file of the data directory when left out',
    true,
  ),
  sealingKeyFile: setting(
    z.optional(z.string().check(z.minLength(1))),
    'a file that holds the encryption key, made when it is not there',
  ),
  egressAllow: setting(
    z._default(listOfText, []),
    'host names, addresses or CIDR ranges off the public internet that webhooks may be sent to, separated by commas',
  ),
  deliveryTimeoutMs: setting(
    z._default(wholeNumber, 15_000),
    'a whole number of milliseconds that a webhook receiver has for its whole answer',
  ),
  deliveryRetentionDays: setting(
    z._default(wholeNumber, 30),
    'a whole number of days that events and what became of their deliveries are kept',
  ),
  publicUrl: setting(z.optional(httpUrl), 'the http(s) URL under which people reach the server'),
  adminToken: setting(
    z.optional(z.string().check(z.minLength(20))),
    'a bearer token of at least 20 characters for administration',
    true,
  ),
} as const

type SettingName = keyof typeof settings
export type Config = { readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }
export type ConfigOptions = { readonly [Name in SettingName]?: z.input<(typeof settings)[Name]['schema']> | undefined }

/** All problems of a configuration at once. */
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
  return { config: Object.fromEntries(entries) as Config, problems } // each value came out of its own schema
}
