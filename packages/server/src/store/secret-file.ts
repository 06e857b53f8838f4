import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { toShellWord } from '../core/shell-word.ts'
import { giveToOwner } from './directory-owner.ts'
import { explainOpening, OpenError } from './open-error.ts'
import { createPrivateDirectory } from './private-directory.ts'

/** The file of a data directory with its encryption key. */
export const keyFileName = 'encryption.key'

// A secret file is written atomically: to a temporary file, synced, and then linked to its name. A link fails if the
// name exists, so if several processes start at once, one creates the secret and all read it. A rename would replace a
// secret that another process has already read.

export interface SecretFile {
  readonly path: string
  /** The name in messages, e.g. `encryption key`. */
  readonly name: string
  /** The minimum length in characters. */
  readonly minLength: number
  /** What to do if its content is lost; default: restore the file. */
  readonly remedy?: string
  /** Whether its mode is managed elsewhere, as for a mounted secret. */
  readonly mounted?: boolean
}

const temporaryName = /\.[0-9a-f]{12}\.unfinished$/

/** The secret in the file; undefined if missing. Rejects a secret that is too short or readable by others. */
export function readSecret(file: SecretFile): string | undefined {
  return withRemedy(file, () => {
    if (lstatSync(file.path, { throwIfNoEntry: false }) === undefined) return undefined
    if (file.mounted !== true) requirePrivate(file)
    const secret = readFileSync(file.path, 'utf8').trim()
    if (secret.length >= file.minLength) return secret
    throw new OpenError(
      `The ${file.name} in ${file.path} is ${secret === '' ? 'empty' : `cut short: it has ${secret.length} characters of at least ${file.minLength}`}. ${file.remedy ?? 'Restore the file from a backup.'}`,
    )
  })
}

/** The secret in the file. If the file is missing, creates it with the result of `make`. */
export function readOrCreateSecret(file: SecretFile, generate: () => string): string {
  const known = readSecret(file)
  if (known !== undefined) return known
  withRemedy(file, () => create(file.path, `${generate()}\n`))
  const created = readSecret(file)
  if (created === undefined)
    throw new OpenError(`The ${file.name} in ${file.path} was deleted during its creation. Start again.`)
  return created
}

/** Replaces the secret in the file atomically. */
export function replaceSecret(path: string, secret: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.unfinished`
  try {
    writeWhole(temporary, `${secret}\n`)
    renameSync(temporary, path)
  } catch (fault) {
    throw explainOpening(fault, path)
  } finally {
    rmSync(temporary, { force: true })
  }
  syncDirectory(dirname(path))
}

/** Reads a secret that another process may replace. It is read again only if the file has changed. */
export function followSecret(file: SecretFile): () => string {
  let known: { readonly state: string; readonly secret: string } | undefined
  return () => {
    const status = statSync(file.path, { throwIfNoEntry: false })
    const state = `${status?.ino} ${status?.mtimeMs} ${status?.size}`
    // If the file was deleted, the last secret stays valid.
    if (known !== undefined && (status === undefined || known.state === state)) return known.secret
    const secret = readSecret(file)
    if (secret === undefined)
      throw new OpenError(
        `The file ${file.path} with the ${file.name} is missing. Restore it, or check the configured path.`,
      )
    known = { state, secret }
    return secret
  }
}

/** Deletes leftovers of a killed start. Requires the directory lock, because another process may be writing. */
export function removeTemporaryFiles(directory: string): void {
  for (const name of readdirSync(directory))
    if (temporaryName.test(name)) rmSync(join(directory, name), { force: true })
}

function requirePrivate({ path, name }: SecretFile): void {
  const status = statSync(path)
  if (!status.isFile())
    throw new OpenError(`${path} should hold the ${name} but is not a file. Move it and start again.`)
  // Windows does not have these modes.
  if (process.platform === 'win32' || (status.mode & 0o077) === 0) return
  const mode = (status.mode & 0o777).toString(8)
  throw new OpenError(
    `Others may read the ${name} in ${path}: its mode is ${mode}. Run "chmod 600 ${toShellWord(path)}"; if others may have read it, create a new one.`,
  )
}

function create(path: string, text: string): void {
  const directory = dirname(path)
  createPrivateDirectory(directory)
  const temporary = join(directory, `${basename(path)}.${randomBytes(6).toString('hex')}.unfinished`)
  try {
    writeWhole(temporary, text)
    linkOrRename(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
  syncDirectory(directory)
}

function writeWhole(path: string, text: string): void {
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    const bytes = Buffer.from(text)
    if (writeSync(descriptor, bytes) !== bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  giveToOwner(path)
}

const noHardLinkCodes = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

function linkOrRename(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : ''
    if (code === 'EEXIST') return
    // The holder of the directory lock has created the secret and deleted this file, see `removeTemporaryFiles`.
    if (code === 'ENOENT' && existsSync(to)) return
    if (!noHardLinkCodes.includes(code) || existsSync(to)) throw fault
    renameSync(from, to)
  }
}

/** A file name is durable once its directory is synced. Some systems cannot open a directory and do not need this. */
export function syncDirectory(directory: string): void {
  try {
    const descriptor = openSync(directory, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
  } catch {
    // The file is written. A power failure now loses only its name.
  }
}

function withRemedy<Result>({ path }: SecretFile, work: () => Result): Result {
  try {
    return work()
  } catch (fault) {
    throw explainOpening(fault, path)
  }
}
