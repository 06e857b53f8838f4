/**
 * Checks what publint and attw do not: the size of the packed server and of its types, and that the types of each package
 * import only installed packages. Usage: node .ci/package-sizes.ts <folder of the tarballs>
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

type Manifest = Readonly<Partial<Record<'dependencies' | 'peerDependencies', Record<string, string>>>>

/** The size of the tarball, without dependencies, and of the declaration files, in bytes. */
const limits = { server: { packed: 3_100_000, types: 84_000 } }
const packed = process.argv[2] ?? ''
const problems: string[] = []

function requireAtMost(limit: number, bytes: number, name: string): void {
  if (bytes > limit) problems.push(`${name} has ${bytes} bytes. The limit is ${limit}.`)
}

function checkImports(name: string, dist: string): void {
  const manifest = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8')) as Manifest // publint checked it
  const installed = [`@service/${name}`, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })]
  const isInstalled = (specifier: string) =>
    /^(\.|#|node:)/.test(specifier) ||
    installed.some((known) => specifier === known || specifier.startsWith(`${known}/`))
  for (const file of readdirSync(dist).filter((name) => /\.d\.c?ts$/.test(name))) {
    const text = readFileSync(join(dist, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/^(?:import|export) (?:[^;]*? from )?['"]([^'"]+)['"];/gm))
      if (!isInstalled(specifier))
        problems.push(`@service/${name}: dist/${file} imports ${specifier}, which is not a dependency.`)
  }
}

for (const name of ['client', 'webhooks', 'server']) {
  const dist = fileURLToPath(new URL(`../packages/${name}/dist`, import.meta.url))
  checkImports(name, dist)
  if (name !== 'server') continue
  const types = readdirSync(dist).filter((file) => file.endsWith('.d.ts'))
  const typeBytes = types.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0)
  requireAtMost(limits.server.packed, statSync(join(packed, 'server.tgz')).size, 'The tarball of the server')
  requireAtMost(limits.server.types, typeBytes, 'The types of the server')
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
