import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** What a bundler makes of a line of source for a browser, with all that it imports. */
export interface Bundle {
  readonly minified: number
  readonly gzipped: number
  /** The same with what is loaded only when it is needed. */
  readonly gzippedInAll: number
}

export async function bundle(contents: string, resolveDir = fileURLToPath(new URL('.', import.meta.url))) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir },
    absWorkingDir: resolveDir,
    bundle: true,
    splitting: true,
    outdir: 'bundled',
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    logLevel: 'silent',
  })
  const { outputs } = metafile
  const at = (path: string) => outputFiles.find((file) => file.path.endsWith(path))?.contents ?? new Uint8Array()
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === '<stdin>') ?? ''
  const first = new Set([entry])
  for (const path of first)
    for (const { path: imported, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && imported in outputs) first.add(imported)
  return sizesOf([...first].map(at), Object.keys(outputs).map(at))
}

function sizesOf(first: readonly Uint8Array[], all: readonly Uint8Array[]): Bundle {
  const gzipped = (files: readonly Uint8Array[]) =>
    sum(files.filter(({ length }) => length > 0).map((code) => gzipSync(code, { level: 9 }).length))
  return {
    minified: sum(first.map(({ length }) => length)),
    gzipped: gzipped(first),
    gzippedInAll: gzipped(all),
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
