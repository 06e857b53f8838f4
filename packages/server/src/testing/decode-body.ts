import { PassThrough, pipeline, Readable, type Transform } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Undici accepts a compressed body that ends early. */
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(lenient),
  'x-gzip': () => createGunzip(lenient),
  deflate: () => createInflate(lenient),
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
}

/** Undoes a `Content-Encoding`, as `fetch` does, except for `deflate` without a zlib header. An unknown coding stays. */
export function decodeBody(body: ReadableStream<Uint8Array>, contentEncoding: string): ReadableStream<Uint8Array> {
  const names = contentEncoding.split(',').map((name) => name.trim().toLowerCase())
  const layers = names.toReversed().map((name) => decoders[name]?.())
  const known = layers.filter((layer) => layer !== undefined)
  if (known.length < layers.length) return body
  const decoded = new PassThrough({
    destroy: (fault, done) => done(fault === null || fault instanceof TypeError ? fault : terminated(fault)),
  })
  pipeline([Readable.fromWeb(body as NodeStream), ...known, decoded], () => undefined) // the reader gets its failure
  return Readable.toWeb(decoded) as ReadableStream<Uint8Array> // the same class in other types
}

const terminated = (cause: Error) => new TypeError('terminated', { cause })
