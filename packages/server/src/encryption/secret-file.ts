import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { explainOpening, OpenError } from '../store/open-error.ts'

// A secret in a file is there whole or not at all: it is written beside, brought to the disk and linked to its name. A
// link only creates, so of several processes that start at once one makes the secret and all read that one; a rename
// would replace what another has read already.

export interface SecretFile {
  readonly path: string
  /** As a sentence calls it, e.g. `encryption key`. */
  readonly name: string
  /** In characters. */
  readonly shortest: number
  /** Whether its mode is somebody else's to set, as that of a mounted secret is. */
  readonly mounted?: boolean
}

const unfinished = /\.[0-9a-f]{12}\.unfinished$/

/** The secret in the file; undefined when there is no file. Refuses one that is short, foreign or open to others. */
export function readSecret(file: SecretFile): string | undefined {
  return explained(file, () => {
    if (lstatSync(file.path, { throwIfNoEntry: false }) === undefined) return undefined
    if (file.mounted !== true) requirePrivate(file)
    const secret = readFileSync(file.path, 'utf8').trim()
    if (secret.length >= file.shortest) return secret
    throw new OpenError(
      `The ${file.name} in ${file.path} is ${secret === '' ? 'empty' : `cut short: it has ${secret.length} characters of at least ${file.shortest}`}. Restore the file from a backup.`,
    )
  })
}

/** The secret in the file, which gets the one of `make` when there is no file. */
export function readOrCreateSecret(file: SecretFile, make: () => string): string {
  const known = readSecret(file)
  if (known !== undefined) return known
  explained(file, () => create(file.path, `${make()}\n`))
  const made = readSecret(file)
  if (made === undefined) throw new OpenError(`The ${file.name} in ${file.path} was removed while it was made.`)
  return made
}

/** Puts a secret in the place of the one in the file: there is always one of the two, whole. */
export function replaceSecret(path: string, secret: string): void {
  const beside = `${path}.${randomBytes(6).toString('hex')}.unfinished`
  try {
    writeWhole(beside, `${secret}\n`)
    renameSync(beside, path)
  } finally {
    rmSync(beside, { force: true })
  }
  syncDirectory(dirname(path))
}

/** Reads a secret that another process may replace; what is there is read again only when the file has changed. */
export function followSecret(file: SecretFile): () => string {
  let known: { readonly state: string; readonly secret: string } | undefined
  return () => {
    const status = statSync(file.path, { throwIfNoEntry: false })
    const state = `${status?.ino} ${status?.mtimeMs} ${status?.size}`
    // A file that was removed meanwhile takes nothing from who has read it.
    if (known !== undefined && (status === undefined || known.state === state)) return known.secret
    const secret = readSecret(file)
    if (secret === undefined) throw new OpenError(`The ${file.name} is not in ${file.path} any more.`)
    known = { state, secret }
    return secret
  }
}

/** What a start that was killed has left. Only for who has the directory's lock: another may be writing. */
export function removeUnfinished(directory: string): void {
  for (const name of readdirSync(directory)) if (unfinished.test(name)) rmSync(join(directory, name), { force: true })
}

function requirePrivate({ path, name }: SecretFile): void {
  const status = statSync(path)
  if (!status.isFile()) throw new OpenError(`${path} should hold the ${name} and is no file. Move it away.`)
  // Windows knows no such modes.
  if (process.platform === 'win32' || (status.mode & 0o077) === 0) return
  const mode = (status.mode & 0o777).toString(8)
  throw new OpenError(
    `Others may read the ${name} in ${path}: its mode is ${mode}. Run "chmod 600 ${path}"; where others may have read it, make a new one.`,
  )
}

function create(path: string, text: string): void {
  const directory = dirname(path)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const beside = join(directory, `${basename(path)}.${randomBytes(6).toString('hex')}.unfinished`)
  try {
    writeWhole(beside, text)
    linkOrRename(beside, path)
  } finally {
    rmSync(beside, { force: true })
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
}

const withoutLinks = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

function linkOrRename(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : ''
    if (code === 'EEXIST') return
    // Who has the directory's lock by now has made the secret and tidied up, see `removeUnfinished`.
    if (code === 'ENOENT' && existsSync(to)) return
    if (!withoutLinks.includes(code) || existsSync(to)) throw fault
    renameSync(from, to)
  }
}

/** The name is on the disk when its directory is; some systems do not let a directory be opened, and need not. */
function syncDirectory(directory: string): void {
  try {
    const descriptor = openSync(directory, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
  } catch {
    // The file itself is written; a power cut right now loses its name, and with it what nobody has used yet.
  }
}

function explained<Result>({ path }: SecretFile, work: () => Result): Result {
  try {
    return work()
  } catch (fault) {
    throw explainOpening(fault, path)
  }
}
