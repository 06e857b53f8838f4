import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { parseDatabaseUrl } from '../core/database-url.ts'
import { toShellWord } from '../core/shell-word.ts'
import { databaseFileName } from '../store/directory-lock.ts'
import { giveToOwner } from '../store/directory-owner.ts'
import { explainOpening, OpenError } from '../store/open-error.ts'
import { withoutPassword } from '../store/postgres-faults.ts'
import { createPrivateDirectory } from '../store/private-directory.ts'

// A data directory names the PostgreSQL database of its platform, so that every command finds a platform by `--data`. It
// has the URL without its password, or the path of the file that contains the URL.

const knownDatabaseFile = 'database.json'

export const knownDatabasePath = (directory: string) => join(directory, knownDatabaseFile)

const Location = z.union([z.object({ url: z.string() }), z.object({ file: z.string() })])
const KnownDatabase = z.object({
  database_url: Location,
  database_direct_url: z.optional(Location),
  named_statements: z.optional(z.string()),
})

type Location = z.output<typeof Location>

/** The settings that reach a database. */
export interface DatabaseSettings {
  readonly databaseUrl?: string | undefined
  readonly databaseDirectUrl?: string | undefined
  /** As it is set: `false` behind most poolers. */
  readonly namedStatements?: string | undefined
}

/** The database that a directory names; empty if the platform is on SQLite. */
export function readKnownDatabase(directory: string, problems: string[]): DatabaseSettings {
  const path = knownDatabasePath(directory)
  const known = parseFile(directory, problems)
  if (known === undefined) return {}
  const read = (location: Location) => {
    if ('url' in location) return location.url
    try {
      return readFileSync(location.file, 'utf8').trim()
    } catch {
      problems.push(`${path} says that the database URL is in ${location.file}, which cannot be read.`)
      return ''
    }
  }
  const { database_url: url, database_direct_url: direct, named_statements: namedStatements } = known
  return {
    databaseUrl: read(url),
    ...(direct === undefined ? {} : { databaseDirectUrl: read(direct) }),
    ...(namedStatements === undefined ? {} : { namedStatements }),
  }
}

function parseFile(directory: string, problems: string[]): z.output<typeof KnownDatabase> | undefined {
  const path = knownDatabasePath(directory)
  try {
    return KnownDatabase.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (fault) {
    // A directory that is missing or no directory is reported by what uses it.
    if (['ENOENT', 'ENOTDIR'].includes(Object(fault).code)) return undefined
    const explained = explainOpening(fault, directory)
    if (explained instanceof OpenError) throw explained
    problems.push(`${path} cannot be read. Set SERVICE_DATABASE_URL; the next start writes the file again.`)
    return undefined
  }
}

export interface GivenDatabase extends DatabaseSettings {
  /** The files that contain the URLs, if they came from files. */
  readonly files: { readonly databaseUrl?: string; readonly databaseDirectUrl?: string }
}

/** Whether a directory has the file of a platform on SQLite, which a start that was killed leaves empty. */
export const hasSqliteFile = (directory: string): boolean =>
  (statSync(join(directory, databaseFileName), { throwIfNoEntry: false })?.size ?? 0) > 0

/** A database without workspaces would hide the platform on SQLite. Once that is copied, it has the same workspaces. */
export async function requireNoSqlitePlatform(
  directory: string,
  { databaseUrl = '', isNew }: GivenDatabase & { readonly isNew: boolean },
): Promise<void> {
  const { hasWorkspaces } = await import('../store/require-platform.ts')
  if (!(await hasWorkspaces(directory))) return
  const url = withoutPassword(databaseUrl)
  const copy = `service-server db copy --from ${toShellWord(directory)} --to`
  // `db copy` refuses a database on which a platform was started.
  const [state, remedy] = isNew
    ? ['is empty', `run "${copy} ${toShellWord(url)}" first`]
    : ['has no workspaces', `run "${copy} <a new database>" and start on that`]
  throw new OpenError(
    `${directory} has a platform on SQLite (${databaseFileName}), and the database ${url} ${state}. To move the platform, ${remedy}. For a new platform, choose another directory with --data.`,
  )
}

/** When a restore or the first start begins to fill a database: names it in a directory that has no other platform. */
export function writeFirstDatabase(directory: string, given: GivenDatabase): void {
  if (!existsSync(knownDatabasePath(directory)) && !hasSqliteFile(directory)) writeKnownDatabase(directory, given)
}

/** Returns false if the directory is read-only: commands then need the URL. */
export function writeKnownDatabase(directory: string, given: GivenDatabase): boolean {
  try {
    createPrivateDirectory(directory)
    const path = knownDatabasePath(directory)
    // Renamed, so that readers never see half of it.
    writeFileSync(`${path}.new`, `${JSON.stringify(toKnownDatabase(given), null, 2)}\n`, { mode: 0o600 })
    giveToOwner(`${path}.new`)
    renameSync(`${path}.new`, path)
    return true
  } catch {
    return false
  }
}

/** Commands may run in another folder. */
function withAbsoluteFiles(text: string): string {
  const url = parseDatabaseUrl(text)
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = url.searchParams.get(name)
    if (file) url.searchParams.set(name, resolve(file))
  }
  return url.href
}

function toKnownDatabase({ files, namedStatements, ...urls }: GivenDatabase) {
  const locate = (option: keyof typeof urls): Location | undefined => {
    const [file, url] = [files[option], urls[option]]
    if (file !== undefined) return { file: resolve(file) }
    return url === undefined ? undefined : { url: withAbsoluteFiles(withoutPassword(url)) }
  }
  return {
    database_url: locate('databaseUrl'),
    database_direct_url: locate('databaseDirectUrl'),
    named_statements: namedStatements,
  }
}
