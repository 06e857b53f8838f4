/**
 * Compiles the declarations of the packed packages as a strict project does, with `skipLibCheck: false`, the lowest and the
 * newest supported version of TypeScript, and both module resolutions, for Node and for Cloudflare Workers. `pnpm matrix` does
 * so with every supported version.
 * Usage: node .ci/published-types.ts <folder of the tarballs>
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
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

/** Compiles the files that match with both compilers and resolutions, and prints the errors. */
function compile(include: readonly string[], environment: { readonly lib: string[]; readonly types: string[] }): void {
  for (const compiler of compilers)
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

compile(['types.ts', '*.mts', '*.cts'], {
  lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'],
  types: ['node'],
})
compile(['worker.ts'], { lib: ['es2022', 'esnext.disposable'], types: ['@cloudflare/workers-types'] })
