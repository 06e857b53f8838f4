import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const source = new URL('../src/', import.meta.url).pathname

// Loaded on demand: for hooks, pacing, a logger, undocumented routes, and installed OpenTelemetry.
export const loadedOnDemand = [
  '*/run-hooks.ts',
  '*/pacer.ts',
  '*/log-event.ts',
  '*/send-custom-request.ts',
  '@opentelemetry/api',
]

export const wholeClient = "import { createClient } from './index.ts'; console.log(createClient)"

/** The bundle for this line of code, without modules that are loaded on demand. */
export async function bundled(code: string, onDemand: string[] = loadedOnDemand): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: source, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: onDemand,
    logLevel: 'error',
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

export async function gzipped(code: string, onDemand?: string[]): Promise<number> {
  const bytes = await bundled(code, onDemand)
  return bytes.length === 0 ? 0 : gzipSync(bytes, { level: 9 }).length
}
