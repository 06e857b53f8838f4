import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { atMost, row } from '../findings.ts'
import type { Scenario } from './scenario.ts'

const bundles = {
  client: { name: 'ours: createClient', source: `export { createClient } from '@service/client'` },
  errors: { name: 'ours: errors alone', source: `export * from '@service/client/errors'` },
  bare: { name: 'ours: imported and not used', source: `import '@service/client'` },
  ky: { name: 'ky alone', source: `export { default } from 'ky'` },
} as const
const all = Object.values(bundles)

/** What ends up in a browser's bundle, dependencies included. */
export const size: Scenario = {
  steps: () => all.length,
  async run(_, progress) {
    const minified = new Map<string, Uint8Array>()
    for (const { name, source } of all) {
      minified.set(name, await bundle(source))
      progress(name)
    }
    const bytes = ({ name }: { name: string }) => minified.get(name) ?? new Uint8Array()
    const gzipped = (of: { name: string }) => (bytes(of).length === 0 ? 0 : gzipSync(bytes(of), { level: 9 }).length)
    return {
      title: 'Bundle size of the client',
      method:
        'esbuild, minified, ES2022, all dependencies included, then gzip -9. One build each: there is nothing to repeat.',
      columns: ['minified, kB', 'gzipped, kB'],
      rows: all.map((of) => row(of.name, [bytes(of).length / 1000], [gzipped(of) / 1000])),
      goals: [
        atMost('createClient, kB gzipped', 17.5, [gzipped(bundles.client) / 1000]),
        atMost('errors alone, kB gzipped', 0.6, [gzipped(bundles.errors) / 1000]),
        atMost('imported and not used, bytes', 0, [bytes(bundles.bare).length]),
      ],
    }
  },
}

async function bundle(source: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    logLevel: 'silent',
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}
