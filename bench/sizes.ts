import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { core, handler, sizeOf } from '../packages/webhooks/test/bundle-size.ts'

/** The section of RESULTS.md about bundle sizes. */
export async function sizes(): Promise<string> {
  const rows: [string, number][] = [
    ['@service/client: `createClient`', await clientSize()],
    ['@service/webhooks: `verify`', await sizeOf(core, 'web')],
    ['@service/webhooks: `verify` and `createWebhookHandler`', await sizeOf(handler, 'web')],
  ]
  const lines = rows.map(([name, bytes]) => `| ${name} | ${(bytes / 1000).toFixed(2)} |`)
  return `## Size: bundles, minified and gzipped

Bundled with esbuild for the browser, with all dependencies and without modules that are loaded on demand.

|  | kB |
| --- | --: |
${lines.join('\n')}
`
}

/** esbuild moves dynamic imports into other chunks, so only the entry and its static imports count. */
async function clientSize(): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: "import { createClient } from './index.ts'; console.log(createClient)",
      resolveDir: fileURLToPath(new URL('../packages/client/src', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    outdir: 'out',
    external: ['@opentelemetry/api'],
    logLevel: 'error',
  })
  const needed = new Set<string>()
  const add = (path: string) => {
    if (needed.has(path)) return
    needed.add(path)
    for (const { path: imported, kind } of metafile.outputs[path]?.imports ?? [])
      if (kind === 'import-statement') add(imported)
  }
  add('out/stdin.js')
  const parts = outputFiles.filter(({ path }) => [...needed].some((name) => path.endsWith(name)))
  return gzipSync(Buffer.concat(parts.map(({ contents }) => contents)), { level: 9 }).length
}
