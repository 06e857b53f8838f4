/**
 * Compiles the declarations of the packed packages as a strict project does, with `skipLibCheck: false`, the lowest and the
 * newest supported version of TypeScript, and both module resolutions, for Node and for Cloudflare Workers. `pnpm matrix` does
 * so with every supported version.
 * Usage: node .ci/published-types.ts <folder of the tarballs>
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const packed = resolve(process.argv[2] ?? '')
const project = join(packed, 'project')
const compilers = ['typescript-lowest', 'typescript-newest']
const resolutions = { node16: 'node16', bundler: 'esnext' }

/** Unpacks the packages, and links the packages that their types import. */
function install(): void {
  for (const name of ['client', 'webhooks', 'server']) {
    const folder = join(project, 'node_modules/@service', name)
    mkdirSync(folder, { recursive: true })
    execFileSync('tar', ['-xzf', join(packed, `${name}.tgz`), '--strip-components=1', '-C', folder])
  }
  for (const scope of ['@types', '@cloudflare']) mkdirSync(join(project, 'node_modules', scope))
  // The lowest supported version of MSW: MSW 3 does not compile with the lowest version of TypeScript.
  const installed = {
    '@types/node': 'node_modules/@types/node',
    '@cloudflare/workers-types': 'node_modules/@cloudflare/workers-types',
    ky: 'packages/client/node_modules/ky',
    msw: 'packages/server/node_modules/msw-2',
    vitest: 'node_modules/vitest',
  }
  for (const [name, path] of Object.entries(installed))
    symlinkSync(join(root, path), join(project, 'node_modules', name))
}

/** Writes a file that imports every entry, as an ES module or as CommonJS. */
function importEntries(condition: 'import' | 'require', file: string): void {
  const lines = readdirSync(join(project, 'node_modules/@service')).flatMap((name) => {
    const manifest = readFileSync(join(project, 'node_modules/@service', name, 'package.json'), 'utf8')
    const { exports } = JSON.parse(manifest) as { exports: Record<string, object | string> } // publint checked this manifest
    return Object.entries(exports)
      .filter(([, target]) => typeof target === 'object' && (condition in target || condition === 'import'))
      .map(([path]) => `${name}${path.slice(1)}`)
      .map((entry) => `export * as ${entry.replaceAll('/', '_')} from '@service/${entry}'`)
  })
  writeFileSync(join(project, file), `${lines.join('\n')}\n`)
}

type Environment = { readonly lib: string[]; readonly types: string[] }

/** Compiles the files that match with the compilers and both resolutions, and prints the errors. */
function compile(include: readonly string[], environment: Environment, using = compilers): void {
  for (const compiler of using)
    for (const [moduleResolution, module] of Object.entries(resolutions)) {
      const compilerOptions = {
        ...{ strict: true, noEmit: true, skipLibCheck: false, target: 'es2022', ...environment },
        ...{ module, moduleResolution },
      }
      const file = join(project, `tsconfig.${moduleResolution}.json`)
      writeFileSync(file, JSON.stringify({ compilerOptions, include }))
      const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
      const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', file], { cwd: project, encoding: 'utf8' })
      // The types of ky name `credentials`, which the requests of workers lack.
      const lines = `${stdout}${stderr}`.split('\n')
      const errors = lines.filter((line) => line !== '' && !line.includes('node_modules/ky/'))
      if (errors.length === 0) continue
      console.error(`${compiler} with moduleResolution: ${moduleResolution}\n${errors.join('\n')}`)
      process.exitCode = 1
    }
}

install()
importEntries('import', 'every-entry.mts')
importEntries('require', 'every-entry.cts')
writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
cpSync(join(root, '.ci/matrix/types.ts'), join(project, 'types.ts'))
cpSync(join(root, '.ci/matrix/worker.ts'), join(project, 'worker.ts'))

const node: Environment = { lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'], types: ['node'] }
compile(['types.ts', '*.mts', '*.cts'], node)
compile(['worker.ts'], { lib: ['es2022', 'esnext.disposable'], types: ['@cloudflare/workers-types'] })

/** Whose `expect` gets our matchers: Vitest 5, Vitest 4, which declares the same as Vitest 3.2, and `@jest/globals`. */
const assertions = [
  { name: 'vitest', path: 'node_modules/vitest' },
  { name: 'vitest', path: 'packages/server/node_modules/vitest-expect-4' },
  { name: 'expect', path: 'packages/server/node_modules/expect' },
]
for (const { name, path } of assertions) {
  const link = join(project, 'node_modules', name)
  rmSync(link, { force: true })
  symlinkSync(join(root, path), link)
  cpSync(join(root, `.ci/matrix/matchers-${name}.ts`), join(project, `matchers-${name}.ts`))
  compile([`matchers-${name}.ts`], node, ['typescript-newest'])
}
