import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** A file that is the same for every caller, ready to be sent in both forms. */
export interface StaticFile {
  readonly type: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzipped: Uint8Array<ArrayBuffer>
  /** Changes with the content. */
  readonly version: string
}

export async function toStaticFile(type: string, content: string | Uint8Array): Promise<StaticFile> {
  const plain = new Uint8Array(Buffer.from(content))
  const gzipped = new Uint8Array(await compress(plain))
  return { type, plain, gzipped, version: createHash('sha256').update(plain).digest('hex').slice(0, 16) }
}

/** Makes a file at the first request for it and keeps it. A failure is not kept, so that a repaired disk is enough. */
export function lazily(make: () => Promise<StaticFile>): () => Promise<StaticFile> {
  let made: Promise<StaticFile> | undefined
  return () => {
    made ??= make().catch((fault) => {
      made = undefined
      throw fault
    })
    return made
  }
}

/** 200 with the form that the client takes, or 304 when it has it already. */
export function answerFile(request: Request, file: StaticFile, headers: Readonly<Record<string, string>>): Response {
  const isGzipped = takesGzip(request.headers.get('accept-encoding'))
  // Two forms of one file are two representations, and each needs a tag of its own (RFC 9110, 8.8.3.3).
  const etag = isGzipped ? `"${file.version}-gzip"` : `"${file.version}"`
  const common = { ...headers, etag, vary: 'Accept-Encoding', 'x-content-type-options': 'nosniff' }
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: common })
  const body = isGzipped ? file.gzipped : file.plain
  return new Response(body, {
    headers: {
      ...common,
      'content-type': file.type,
      'content-length': String(body.length),
      ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
    },
  })
}

/** `gzip;q=0` is a refusal. */
function takesGzip(acceptEncoding: string | null): boolean {
  const coding = (acceptEncoding ?? '').split(',').find((part) => /^\s*(?:x-)?gzip\s*(?:;|$)/i.test(part))
  return coding !== undefined && !/;\s*q=0(?:\.0*)?\s*$/i.test(coding)
}

function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}
