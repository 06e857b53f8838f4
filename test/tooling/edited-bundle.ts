import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { repoRoot } from './repo.ts'

/** Bundles an entry point with edited files, without installed packages. Returns the path of the bundle. */
export async function bundleWith(
  files: ReadonlyMap<string, string>,
  { folder, entry }: { folder: string; entry: string },
): Promise<string> {
  const outfile = join(folder, 'bundle.mjs')
  await build({
    entryPoints: [join(repoRoot, entry)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    // Dependencies of the private intake package, which the bundle cannot resolve from its folder.
    alias: Object.fromEntries(['fast-xml-parser', 'jmespath'].map((name) => [name, resolveFromIntake(name)])),
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    plugins: [workspacePackages, edited(files)],
    logLevel: 'silent',
  })
  return outfile
}

const resolveFromIntake = createRequire(join(repoRoot, 'packages/intake/package.json')).resolve

/** `@service/contract/route` → `packages/contract/src/route.ts`. */
const workspacePackages: Plugin = {
  name: 'workspace-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^@service\// }, ({ path }) => {
      const [, name = '', file = 'index'] = /^@service\/(\w+)(?:\/(.+))?$/.exec(path) ?? []
      return { path: join(repoRoot, 'packages', name, 'src', `${file}.ts`) }
    })
  },
}

const edited = (files: ReadonlyMap<string, string>): Plugin => ({
  name: 'edited',
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => ({
      contents: files.get(relative(repoRoot, path)) ?? (await readFile(path, 'utf8')),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
      resolveDir: dirname(path),
    }))
  },
})
