import { parseDatabaseUrl } from '../core/database-url.ts'
import { type ApiError, unavailable } from '../core/errors.ts'
import { type Log, rateLimitedWarnings } from '../core/log.ts'
import { OpenError } from './open-error.ts'
import { explainTls, isCertificateFault } from './postgres-tls.ts'
import { TimeLimitError } from './time-limit.ts'

// Temporary failures of PostgreSQL are answered with 503, so that callers retry. All others are server errors.
// Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html

export function codeOf(failure: unknown): string {
  return failure instanceof Error && 'code' in failure ? String(failure.code) : ''
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The Unix socket of a server that is stopped. */
const isSocketMissing = (failure: unknown) => codeOf(failure) === 'ENOENT' && Object(failure).syscall === 'connect'

/** pg gives these errors no code. */
const lostMessages =
  /^(Connection terminated|timeout e|Query read timeout|Client has encountered|Client was closed|Cannot use a pool)/

/** How pg reports that its own limit for opening a connection was exceeded. */
const connectTimeout = /^timeout e/

/** A connection was not opened within its limit. Nothing is known about the others. */
export class ConnectTimeError extends Error {
  override readonly name = 'ConnectTimeError'
  constructor(limitMs: number) {
    super(`Opening a connection took longer than ${limitMs} ms.`)
  }
}

export const isTimeLimit = (failure: unknown): boolean =>
  failure instanceof TimeLimitError || (failure instanceof Error && connectTimeout.test(failure.message))

/** Whether the connection is unusable: it cannot even run `rollback`. */
export function isConnectionLost(failure: unknown): boolean {
  const code = codeOf(failure)
  if (
    networkCodes.has(code) ||
    isSocketMissing(failure) ||
    /^(08|57P)/.test(code) ||
    code === '25P03' ||
    code === '25P04'
  )
    return true
  return failure instanceof Error && code === '' && lostMessages.test(failure.message)
}

export const readOnlyCode = '25006'

/**
 * A node of the next release changed a table, so the named statements of older connections with its columns fail.
 * PostgreSQL has no separate code for this.
 */
export const hasStalePlan = (failure: unknown): boolean =>
  codeOf(failure) === '0A000' && failure instanceof Error && /cached plan/.test(failure.message)

/**
 * Whether another connection may succeed: this one is lost, its named statements are stale, or its server is read-only.
 * After a failover the old primary still answers, and its connections stay there.
 */
export const isConnectionSpent = (failure: unknown): boolean =>
  isConnectionLost(failure) || hasStalePlan(failure) || codeOf(failure) === readOnlyCode

const messages = {
  lost: 'The database cannot be reached at the moment. Try again shortly.',
  busy: 'All database connections are in use at the moment. Try again shortly.',
  connecting: 'Opening a connection to the database takes too long at the moment. Try again shortly.',
  crowded: 'The database accepts no more connections at the moment. Try again shortly.',
  slow: 'The database took too long to answer. Try again shortly.',
  locked: 'Another change holds a lock that this request needs. Try again shortly.',
  readOnly: 'The database is read-only at the moment. Try again shortly.',
  full: 'The database has no space left at the moment. Try again shortly.',
  failing: 'The disk of the database is failing at the moment. Try again shortly.',
  exhausted: 'The database lacks memory or another resource at the moment. Try again shortly.',
} as const

export type Outage = keyof typeof messages

/** The kind of a temporary failure; undefined if a retry cannot help. */
function toOutage(failure: unknown): Outage | undefined {
  if (failure instanceof TimeLimitError) return 'busy'
  if (failure instanceof ConnectTimeError) return 'connecting'
  if (failure instanceof Error && failure.message === 'Query read timeout') return 'slow'
  if (isConnectionLost(failure)) return 'lost'
  return outageOfCode(codeOf(failure)) ?? (isRefusedConnection(failure) ? 'lost' : undefined)
}

/** The sign-in was refused: the password or the certificate was changed, or the database accepts no connections. */
const isRefusedConnection = (failure: unknown) =>
  failure instanceof Error && (Object(failure).severity === 'FATAL' || isCertificateFault(failure))

function outageOfCode(code: string): Outage | undefined {
  if (code === '57014') return 'slow'
  if (code === '55P03' || code === '40001' || code === '40P01') return 'locked'
  if (code === readOnlyCode) return 'readOnly'
  if (code === '53300') return 'crowded'
  // The database itself was dropped or does not exist yet.
  if (code === '3D000') return 'lost'
  if (code === '53100') return 'full'
  if (code.startsWith('53')) return 'exhausted'
  return code.startsWith('58') ? 'failing' : undefined
}

/** The response does not reveal the cause. The command line shows it. */
export const unavailableFor = (outage: Outage, cause?: unknown): ApiError =>
  Object.assign(unavailable(messages[outage]), cause === undefined ? {} : { cause })

/** PostgreSQL's own message, with its code; empty for other failures. */
export function describeAnswer(failure: unknown): string {
  // Errors of the operating system, such as EROFS, also have codes of five letters.
  const isAnswer = failure instanceof Error && 'severity' in failure && /^[0-9A-Z]{5}$/.test(codeOf(failure))
  return isAnswer ? ` PostgreSQL says: ${failure.message} (${codeOf(failure)}).` : ''
}

/** Converts a temporary failure to a 503 and logs a warning. Other failures pass through. */
export type ToRefusal = (failure: unknown) => unknown

const remedies = {
  crowded:
    'Raise the limit in PostgreSQL (max_connections, or the connection limit of the role or the database), or lower SERVICE_DATABASE_POOL (databasePool) on its servers.',
  connecting:
    'Raise SERVICE_DATABASE_CONNECT_TIMEOUT_MS (databaseConnectTimeoutMs) if the network or the sign-in is slow.',
} satisfies Partial<Record<Outage, string>>

/**
 * What a pooler cannot do without the settings for poolers. It rejects limits in startup parameters, unless it ignores
 * them, and then sends a named statement to a connection that does not have it, or has another one of that name.
 */
function findPoolerFault(failure: unknown): string | undefined {
  const code = codeOf(failure)
  if (code === '42P05' || code === '26000') return 'does not keep named statements'
  const isRefused = code === '08P01' && failure instanceof Error && /startup parameter/i.test(failure.message)
  return isRefused ? 'refuses a startup parameter' : undefined
}

const poolerMessage = (fault: string, failure: unknown) =>
  `The database URL points to a pooler that ${fault} (${Object(failure).message}). Set SERVICE_NAMED_STATEMENTS=false (namedStatements), as poolers such as PgBouncer need, and SERVICE_DATABASE_DIRECT_URL (databaseDirectUrl) to the URL of PostgreSQL itself.`

/** An unreachable database is reported by `postgres-watch.ts`. */
export function createRefusals(log: Pick<Log, 'warn'>): ToRefusal {
  const warn = rateLimitedWarnings(log)
  return (failure) => {
    const poolerFault = findPoolerFault(failure)
    if (poolerFault !== undefined) return new OpenError(poolerMessage(poolerFault, failure))
    const outage = toOutage(failure)
    if (outage === undefined) return failure
    const remedy = outage in remedies ? ` ${remedies[outage as keyof typeof remedies]}` : '' // checked here
    if (outage !== 'lost') warn(messages[outage] + remedy, describeAnswer(failure))
    return unavailableFor(outage, failure)
  }
}

/** If the connection breaks during a commit, the outcome is unknown. */
export const lostInCommit = (): ApiError =>
  unavailable(
    'The connection to the database was lost while the change was being saved, so it may or may not have been made. ' +
      'Repeat the request with the same Idempotency-Key. Without one, check first whether the change was made.',
  )

/** PostgreSQL cannot be used at the moment, which may pass by itself. */
export class DatabaseOutage extends Error {
  override readonly name = 'DatabaseOutage'
  /** The message without its remedy, to say what a start waits for. */
  readonly problem: string
  constructor(problem: string, remedy: string) {
    super(`${problem} ${remedy}`)
    this.problem = problem
  }
}

/** Why a database cannot be opened, with the remedy. Reveals only the host of the URL. */
export function explainStart(failure: unknown, url: string, connectTimeoutMs: number): unknown {
  const code = codeOf(failure)
  // Node names no path if it is a directory.
  const { syscall, path = 'A directory' } = Object(failure)
  if (syscall === 'open' || code === 'EISDIR')
    return new OpenError(`${path}, which the database URL names, cannot be read (${code}).`, { cause: failure })
  const where = hostOf(url)
  const explained = explainTls(failure, { url, where }) ?? startError(failure, where, connectTimeoutMs)
  return explained === undefined ? failure : Object.assign(explained, code === '' ? {} : { code })
}

/** The driver has no password to answer with. Its message depends on what the server asks for. */
const isWithoutPassword = (failure: unknown) =>
  failure instanceof Error && /client password must be a string|empty password returned/.test(failure.message)

/** `pg_hba.conf` admits the connection only over TLS, or not at all. */
const isUnencrypted = (failure: unknown) =>
  failure instanceof Error && failure.message.includes('pg_hba.conf') && failure.message.includes('no encryption')

function startError(failure: unknown, where: string, connectTimeoutMs: number): Error | undefined {
  const code = codeOf(failure)
  if (isWithoutPassword(failure))
    return new Error(
      `PostgreSQL at ${where} asks for a password, and the database URL has none. Set SERVICE_DATABASE_URL or SERVICE_DATABASE_URL_FILE, or PGPASSWORD.`,
    )
  if (code === '28000' && isUnencrypted(failure))
    return new Error(
      `PostgreSQL at ${where} refuses a connection without TLS. Add sslmode=verify-full to the database URL, or allow the connection in pg_hba.conf.${describeAnswer(failure)}`,
    )
  if (code.startsWith('28'))
    return new Error(
      `PostgreSQL at ${where} refuses the user or the password. Check the database URL.${describeAnswer(failure)}`,
    )
  if (code === '3D000')
    return new Error(
      `PostgreSQL at ${where} has no such database. Create it, or check the database URL.${describeAnswer(failure)}`,
    )
  const poolerFault = findPoolerFault(failure)
  if (poolerFault !== undefined) return new Error(poolerMessage(poolerFault, failure))
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new DatabaseOutage(`The host of the database URL (${where}) cannot be resolved.`, 'Check its name.')
  const outage = toOutage(failure)
  const answer = describeAnswer(failure)
  if (outage === 'crowded')
    return new DatabaseOutage(
      `PostgreSQL at ${where} accepts no more connections (${code}).`,
      remedies.crowded + answer,
    )
  if (outage === undefined) return undefined
  if (outage === 'full' || outage === 'failing' || outage === 'exhausted')
    return new DatabaseOutage(
      `PostgreSQL at ${where} cannot work at the moment.${answer}`,
      'Correct that, then start again.',
    )
  const problem = describeLoss(failure, connectTimeoutMs)
  const remedy = 'Check that it runs and that the database URL is right, then start again.'
  return new DatabaseOutage(`PostgreSQL at ${where} ${problem}.`, remedy + answer)
}

function describeLoss(failure: unknown, connectTimeoutMs: number): string {
  const code = codeOf(failure)
  if (code !== '') return `cannot be reached (${code})`
  return failure instanceof Error && /terminated unexpectedly/.test(failure.message)
    ? 'closes the connection'
    : `does not answer within ${connectTimeoutMs / 1000} s`
}

/** The message of a failure for a command's last line: with what the database said, if that is its cause. */
export const messageWithCause = (failure: Error): string => failure.message + describeAnswer(failure.cause)

export const isDatabaseUrl = (location: string): boolean => /^postgres(ql)?:\/\//.test(location)

/** The host of a database URL, or the directory of its Unix socket. */
export function hostOf(url: string): string {
  const { host, searchParams } = parseDatabaseUrl(url)
  return searchParams.get('host') || decodeURIComponent(host) || process.env['PGHOST'] || 'localhost'
}

/** A database URL for messages and commands to paste: with its user and options, without its password. */
export function withoutPassword(text: string): string {
  const url = parseDatabaseUrl(text)
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}

/** The first version with `on delete set null (column)`, which keys that include the workspace need. */
const oldestVersion = 15

/** The statement whose row `requireUsable` takes. */
export const askUsable =
  "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding"

/** Rejects a server that is too old (140011 is 14.11), and a database that cannot store every character. */
export function requireUsable(row: Readonly<Record<string, unknown>> | undefined, where: string): void {
  const version = Number(row?.['version'])
  const major = Math.floor(version / 10_000)
  if (major < oldestVersion)
    throw new OpenError(
      `PostgreSQL at ${where} is version ${major}.${version % 10_000}, and the platform needs ${oldestVersion} or later. Upgrade it, or change the database URL.`,
    )
  const encoding = String(row?.['encoding'])
  if (encoding !== 'UTF8')
    throw new OpenError(
      `The database at ${where} has the encoding ${encoding}, which cannot store every character. Create one with "createdb --encoding UTF8 --template template0 <name>", and change the database URL.`,
    )
}
