/**
 * Compiles the declarations of the packed packages as a strict project does, with `skipLibCheck: false`, the lowest and the
 * newest supported version of TypeScript, and both module resolutions. `pnpm matrix` does so with every supported version.
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
  mkdirSync(join(project, 'node_modules/@types'))
  // The lowest supported version of MSW: MSW 3 does not compile with the lowest version of TypeScript.
  const installed = {
    '@types/node': 'node_modules/@types/node',
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

install()
importEntries('import', 'every-entry.mts')
importEntries('require', 'every-entry.cts')
writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
cpSync(join(root, '.ci/matrix/types.ts'), join(project, 'types.ts'))

for (const compiler of compilers)
  for (const [moduleResolution, module] of Object.entries(resolutions)) {
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: false, target: 'es2022', types: ['node'] },
      lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'],
      ...{ module, moduleResolution },
    }
    const file = join(project, `tsconfig.${moduleResolution}.json`)
    writeFileSync(file, JSON.stringify({ compilerOptions, include: ['*.ts', '*.mts', '*.cts'] }))
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', file], { encoding: 'utf8' })
    if (status === 0) continue
    console.error(`${compiler} with moduleResolution: ${moduleResolution}\n${stdout}`)
    process.exitCode = 1
  }
