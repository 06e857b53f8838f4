import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import { lazily } from '../core/lazily.ts'
import { isKnown } from './entity-tag.ts'

const toGzip = promisify(gzip)
const fromBrotli = promisify(brotliDecompress)

type Bytes = Uint8Array<ArrayBuffer>
type Coding = 'br' | 'gzip' | 'identity'

export interface StaticFile {
  readonly type: string
  readonly version: string
  /** The available content codings, in order of preference. */
  readonly codings: readonly Coding[]
  readonly read: (coding: Coding) => Promise<Bytes>
}

export async function toStaticFile(type: string, content: string | Uint8Array): Promise<StaticFile> {
  const plain = new Uint8Array(Buffer.from(content))
  const gzipped = new Uint8Array(await toGzip(plain))
  return {
    type,
    version: versionOf(plain),
    codings: ['gzip', 'identity'],
    read: async (coding) => (coding === 'gzip' ? gzipped : plain),
  }
}

/** A large file that is compressed once. Browsers accept brotli only over TLS, so gzip is created on demand. */
export function toBrotliFile(type: string, compressed: Uint8Array): StaticFile {
  const plain = lazily(async () => new Uint8Array(await fromBrotli(compressed)))
  const read: Readonly<Record<Coding, () => Promise<Bytes>>> = {
    br: async () => new Uint8Array(compressed),
    gzip: lazily(async () => new Uint8Array(await toGzip(await plain()))),
    identity: plain,
  }
  return { type, version: versionOf(compressed), codings: ['br', 'gzip', 'identity'], read: (coding) => read[coding]() }
}

const versionOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex').slice(0, 16)

/** 200 in a content coding that the client accepts, or 304 if it already has the file. */
export async function answerFile(
  request: Request,
  file: StaticFile,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const accepted = request.headers.get('accept-encoding')
  const coding = file.codings.find((each) => each === 'identity' || accepts(accepted, each)) ?? 'identity'
  // Two codings of a file are two representations with separate ETags (RFC 9110, 8.8.3.3).
  const etag = coding === 'identity' ? `"${file.version}"` : `"${file.version}-${coding}"`
  const common = { ...headers, etag, vary: 'Accept-Encoding', 'x-content-type-options': 'nosniff' }
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: common })
  const body = await file.read(coding)
  return new Response(body, {
    headers: {
      ...common,
      'content-type': file.type,
      'content-length': String(body.length),
      ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
    },
  })
}

/** `gzip;q=0` refuses gzip. */
function accepts(acceptEncoding: string | null, coding: Coding): boolean {
  const named = (acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().replace(/^x-/, ''))
    .find((part) => part.split(';')[0]?.trim() === coding)
  return named !== undefined && !/;\s*q=0(?:\.0*)?\s*$/.test(named)
}
