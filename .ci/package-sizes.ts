/**
 * What publint and attw do not check: the size of the packed server, the size of its types, and that the types of a
 * package import only what is installed with it. Usage: node .ci/package-sizes.ts <folder with the tarballs>
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

type Manifest = Readonly<Partial<Record<'dependencies' | 'peerDependencies', Record<string, string>>>>

/** What is downloaded at an installation, without dependencies, and what an editor reads, in bytes. */
const limits = { server: { packed: 3_000_000, types: 70_000 } }
const packed = process.argv[2] ?? ''
const complaints: string[] = []

function requireAtMost(limit: number, bytes: number, what: string): void {
  if (bytes > limit) complaints.push(`${what} has ${bytes} bytes, more than ${limit}.`)
}

function checkImports(name: string, dist: string): void {
  const manifest = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8')) as Manifest // publint has read it
  const installed = [`@service/${name}`, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })]
  const isInstalled = (specifier: string) =>
    /^(\.|#|node:)/.test(specifier) || installed.some((each) => specifier === each || specifier.startsWith(`${each}/`))
  for (const file of readdirSync(dist).filter((each) => /\.d\.c?ts$/.test(each))) {
    const text = readFileSync(join(dist, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/^(?:import|export) (?:[^;]*? from )?['"]([^'"]+)['"];/gm))
      if (!isInstalled(specifier))
        complaints.push(`@service/${name}: dist/${file} imports ${specifier}, which is not installed with it.`)
  }
}

for (const name of ['client', 'webhooks', 'server']) {
  const dist = fileURLToPath(new URL(`../packages/${name}/dist`, import.meta.url))
  checkImports(name, dist)
  if (name !== 'server') continue
  const types = readdirSync(dist).filter((file) => file.endsWith('.d.ts'))
  const typeBytes = types.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0)
  requireAtMost(limits.server.packed, statSync(join(packed, 'server.tgz')).size, 'The package of the server')
  requireAtMost(limits.server.types, typeBytes, 'What the server has in types')
}
for (const complaint of complaints) console.error(complaint)
process.exitCode = complaints.length === 0 ? 0 : 1
