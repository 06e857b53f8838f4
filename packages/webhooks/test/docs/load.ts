import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { build, type Plugin } from 'esbuild'
import { type Page, packageRoot, readExamples } from './examples.ts'

/** Inside `node_modules`, so that imports resolve as in a reader's project. */
const folder = `${packageRoot}node_modules/.examples/`

/** Resolves `./title.ts` to a block of the page and this package to its sources. Node resolves the rest. */
const fromPage = (page: Page): Plugin => ({
  name: 'from-page',
  setup(plugin) {
    const examples = new Map(readExamples(page).map(({ title, code }) => [title, code]))
    plugin.onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ path, importer, namespace }) =>
      namespace === 'page' || importer === '' || importer === '<stdin>'
        ? { path: path.slice(2), namespace: 'page' }
        : undefined,
    )
    plugin.onLoad({ filter: /.*/, namespace: 'page' }, ({ path }) => {
      const contents = examples.get(path)
      return contents === undefined ? undefined : { contents, loader: 'ts', resolveDir: packageRoot }
    })
    plugin.onResolve({ filter: /^@service\/webhooks/ }, ({ path }) => ({
      path: `${packageRoot}src/${path.split('/')[2] ?? 'index'}.ts`,
    }))
    plugin.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('zod') ? undefined : { path, external: true },
    )
  },
})

/** Runs a block as a module and returns its exports. */
export async function load(page: Page, title: string): Promise<Record<string, unknown>> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './${title}'\nimport * as all from './${title}'\nexport default all.default`,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } }, // as in projects with NestJS
    nodePaths: [`${packageRoot}../contract/node_modules`],
    plugins: [fromPage(page)],
  })
  const file = `${folder}${crypto.randomUUID()}.mjs`
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, outputFiles.map(({ text }) => text).join(''))
  try {
    return await import(file)
  } finally {
    rmSync(file)
  }
}
