import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import type * as entry from '../src/index.ts'

const source = fileURLToPath(new URL('../src', import.meta.url))

/** Selects one of the two runtimes, as the package's `imports` field does for users. */
const boundTo = (runtime: 'node' | 'web'): Plugin => ({
  name: 'bound-to-runtime',
  setup(plugin) {
    plugin.onResolve({ filter: /\/runtime\.ts$/ }, () => ({ path: `${source}/runtime.${runtime}.ts` }))
  },
})

/** Bundles `contents` as a user's bundler would. Its imports are relative to the source folder. */
export async function bundle(contents: string, runtime: 'node' | 'web'): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: source, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['node:*'],
    plugins: [boundTo(runtime)],
  })
  return outputFiles.map(({ text }) => text).join('')
}

/** Imports the main entry with the WebCrypto runtime. */
export async function importWebBuild(): Promise<typeof entry> {
  const code = await bundle("export * from './index.ts'", 'web')
  // The bundle contains exactly this entry.
  return (await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)) as typeof entry
}
