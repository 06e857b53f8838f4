/**
 * Packs each published package and asks publint and attw about the tarball: what users install is checked, not what
 * stands in the repository. Its types may lead to nothing that is not installed with it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const published = ['client', 'webhooks', 'server']

type Manifest = {
  name: string
  exports: Record<string, unknown>
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const readManifest = (folder: string): Manifest =>
  // The manifest is our own file, and pnpm has already refused to install it if it were malformed.
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

function run(command: string, args: string[], cwd: string) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error) throw error
  return status === 0
}

/** `pnpm pack` and not `npm pack`: it writes real versions where the manifest says `workspace:*`. */
function pack(folder: string, into: string): string {
  if (!run('npx', ['--yes', 'pnpm@12', 'pack', '--pack-destination', into], folder))
    throw new Error(`Cannot pack ${folder}`)
  const tarball = readdirSync(into).find((name) => name.endsWith('.tgz'))
  if (!tarball) throw new Error(`Packing ${folder} left no tarball`)
  return join(into, tarball)
}

/** Without a `require` condition a package is ESM only, and attw need not complain that CommonJS cannot load it. */
const attwProfile = ({ exports }: Manifest) => (JSON.stringify(exports).includes('"require"') ? 'node16' : 'esm-only')

/** attw follows the files of a package, and not what they import from others. */
function leadsNowhere(folder: string, { name, dependencies = {}, peerDependencies = {} }: Manifest): boolean {
  const installed = [name, ...Object.keys(dependencies), ...Object.keys(peerDependencies)]
  const isInstalled = (specifier: string) =>
    /^(\.|#|node:)/.test(specifier) || installed.some((each) => specifier === each || specifier.startsWith(`${each}/`))
  const dist = join(folder, 'dist')
  const strays = readdirSync(dist)
    .filter((file) => /\.d\.c?ts$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(dist, file), 'utf8')
      const specifiers = [...text.matchAll(/^(?:import|export) (?:[^;]*? from )?['"]([^'"]+)['"];/gm)]
      return specifiers.map(([, specifier = '']) => ({ file, specifier }))
    })
    .filter(({ specifier }) => !isInstalled(specifier))
  for (const { file, specifier } of strays) {
    console.error(`${name}: dist/${file} imports ${specifier}, which is not installed with it.`)
  }
  return strays.length === 0
}

/** What is downloaded at an installation, without dependencies. */
const mostPackedBytes: Readonly<Record<string, number>> = { '@service/server': 3_000_000 }

function isSmall(tarball: string, { name }: Manifest): boolean {
  const most = mostPackedBytes[name]
  const bytes = statSync(tarball).size
  if (most === undefined || bytes <= most) return true
  console.error(`${name}: the package has ${bytes} bytes, more than ${most}.`)
  return false
}

/** What an editor reads of a package, all entries together. */
const mostTypeBytes: Readonly<Record<string, number>> = { '@service/server': 70_000 }

function hasSmallTypes(folder: string, { name }: Manifest): boolean {
  const most = mostTypeBytes[name]
  if (most === undefined) return true
  const dist = join(folder, 'dist')
  const files = readdirSync(dist).filter((file) => file.endsWith('.d.ts'))
  const bytes = files.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0)
  if (bytes > most) console.error(`${name}: the types have ${bytes} bytes, more than ${most}.`)
  return bytes <= most
}

function check(folder: string): boolean {
  const manifest = readManifest(folder)
  const into = mkdtempSync(join(tmpdir(), 'packed-'))
  try {
    const tarball = pack(folder, into)
    const sound = run('publint', ['run', '--strict', tarball], root)
    const typed = run('attw', [tarball, '--profile', attwProfile(manifest), '--format', 'ascii', '--no-emoji'], root)
    return (
      sound && typed && isSmall(tarball, manifest) && leadsNowhere(folder, manifest) && hasSmallTypes(folder, manifest)
    )
  } finally {
    rmSync(into, { recursive: true, force: true })
  }
}

const wrong: string[] = []
for (const name of published) {
  const folder = join(root, 'packages', name)
  if (!readManifest(folder).scripts?.['build'] && !existsSync(join(folder, 'src/index.ts'))) {
    console.log(`@service/${name}: nothing to publish, it has neither src/index.ts nor a build`)
  } else if (!check(folder)) {
    wrong.push(name)
  }
}
if (wrong.length > 0) {
  console.error(`Package checks failed for ${wrong.join(', ')}`)
  process.exitCode = 1
}
