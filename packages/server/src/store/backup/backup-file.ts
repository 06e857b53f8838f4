import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { explainOpening, OpenError } from '../open-error.ts'
import { syncDirectory } from '../secret-file.ts'
import { toUnfinishedPath } from './partial-backup.ts'

// A backup is one file: the first line is the manifest, padded to a fixed length so that it can be written last, and
// the compressed data follows. `head -1` shows the manifest. The file is renamed to its final name once it is on disk.

export interface BackupManifest {
  readonly format: 'service-backup-1'
  readonly reason: BackupReason
  readonly version: string
  readonly dialect: 'sqlite' | 'postgres'
  readonly created_at: string
  readonly schema: readonly string[]
  readonly rows: Readonly<Record<string, number>>
  /** Identifies the encryption key of the secrets. The backup does not contain the key. */
  readonly key_fingerprint: string | null
  /** Size of the uncompressed data. */
  readonly size_bytes: number
  readonly sha256: string
}

export type BackupReason = 'manual' | 'scheduled' | 'migration'

/** The facts that only the creator knows. The rest is computed while writing. */
export type BackupFacts = Omit<BackupManifest, 'format' | 'size_bytes' | 'sha256'>

const headerBytes = 16 * 1024

/** Writes a backup. Calls `facts` once all data has been read. The caller removes its parts, see `partial-backup.ts`. */
export async function writeBackup(path: string, data: Readable, facts: () => BackupFacts): Promise<BackupManifest> {
  const temporary = toUnfinishedPath(path)
  try {
    return await writeInto(temporary, { path, data, facts })
  } catch (fault) {
    throw explainBackup(fault, path)
  }
}

interface BackupContent {
  /** The final path. */
  readonly path: string
  readonly data: Readable
  readonly facts: () => BackupFacts
}

async function writeInto(temporary: string, { path, data, facts }: BackupContent): Promise<BackupManifest> {
  const file = await open(temporary, 'w', 0o600)
  try {
    const hash = createHash('sha256')
    let sizeBytes = 0
    const hashed = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        sizeBytes += chunk.length
        yield chunk
      }
    }
    await pipeline(data, hashed, createGzip({ level: 1 }), appender(file, headerBytes))
    const manifest: BackupManifest = { format, ...facts(), size_bytes: sizeBytes, sha256: hash.digest('hex') }
    await file.write(toHeader(manifest), 0)
    await file.sync()
    await file.close()
    await verifyBackup(temporary)
    await rename(temporary, path)
    syncDirectory(dirname(path))
    return manifest
  } catch (fault) {
    await file.close().catch(() => undefined)
    throw fault
  }
}

const format = 'service-backup-1'

export async function readManifest(path: string): Promise<BackupManifest> {
  const file = await openToRead(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
    const manifest = parse(buffer.toString('utf8', 0, bytesRead))
    if (manifest?.format === format && bytesRead === headerBytes) return manifest
    throw new OpenError(`${path} is not a backup of this platform, or is cut short.`)
  } finally {
    await file.close()
  }
}

/** The data of a backup. Throws at the end if it does not match the checksum. */
export async function* readBackup(path: string): AsyncGenerator<Buffer> {
  const { sha256 } = await readManifest(path)
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path, { start: headerBytes }).pipe(createGunzip())) {
      hash.update(chunk)
      yield chunk
    }
  } catch (fault) {
    if (isDamage(fault)) throw damaged(path)
    throw fault
  }
  if (hash.digest('hex') !== sha256) throw damaged(path)
}

/** Reads the whole backup; throws if any byte has changed. */
export async function verifyBackup(path: string): Promise<BackupManifest> {
  for await (const _ of readBackup(path));
  return readManifest(path)
}

const damaged = (path: string) =>
  new OpenError(`${path} is damaged: its data does not have the checksum of its manifest. Take another backup.`)

/** Whether zlib rejected the data. */
const isDamage = (fault: unknown) => fault instanceof Error && 'code' in fault && /^Z_/.test(String(fault.code))

async function openToRead(path: string): Promise<FileHandle> {
  const status = await stat(path).catch((fault: unknown) => {
    throw Object(fault).code === 'ENOENT'
      ? new OpenError(`There is no backup ${path}. Check the path.`)
      : explainBackup(fault, path)
  })
  if (status.isDirectory()) throw new OpenError(`${path} is a folder, not a backup. Name one of the files in it.`)
  return open(path, 'r').catch((fault: unknown) => {
    throw explainBackup(fault, path)
  })
}

/** A backup may be anywhere, also in a directory that is not to be given to the user of the platform. */
export function explainBackup(fault: unknown, path: string): unknown {
  const { code } = Object(fault)
  if (code !== 'EACCES' && code !== 'EPERM') return explainOpening(fault, path)
  return new OpenError(
    `Permission to open ${path} was denied (${code}). Choose another place for the backup, or run the command as a user that may open it.`,
    { cause: fault },
  )
}

function toHeader(manifest: BackupManifest): Buffer {
  const text = Buffer.from(JSON.stringify(manifest))
  if (text.length >= headerBytes) throw new Error('The manifest of the backup is too long.')
  return Buffer.concat([text, Buffer.alloc(headerBytes - text.length - 1, ' '), Buffer.from('\n')])
}

function parse(text: string): BackupManifest | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Writes chunks in sequence from a start position. */
function appender(file: FileHandle, start: number): Writable {
  let at = start
  return new Writable({
    write(chunk: Buffer, _, done) {
      file.write(chunk, 0, chunk.length, at).then(
        () => {
          at += chunk.length
          done()
        },
        (fault: Error) => done(fault),
      )
    },
  })
}

export const toReadable = (pieces: AsyncIterable<Buffer | string>) => Readable.from(pieces, { objectMode: false })
