import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)

/** The build puts Scalar next to the bundle. When running from source, it is read from its package. */
export async function readScalar(): Promise<Uint8Array> {
  try {
    return await readFile(new URL('./assets/scalar.js.br', import.meta.url))
  } catch {
    return compressScalar()
  }
}

/** Scalar's script exceeds 4 MB, so only brotli is prepared. Quality 11 saves 10 % more but takes 20 times as long. */
export async function compressScalar(): Promise<Uint8Array> {
  const main = createRequire(import.meta.url).resolve('@scalar/api-reference')
  const script = await readFile(new URL('browser/standalone.js', `file://${main}`))
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS } = constants
  return compress(script, { params: { [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS } })
}
