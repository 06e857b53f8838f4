/**
 * Writes an SBOM (CycloneDX) for each published package. `pnpm sbom` lists the dependencies, and the server's license list
 * adds the bundled packages. Native packages are those of the current platform.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const help = `Writes an SBOM (CycloneDX JSON) for each published package. Build the packages first.

Usage: node .ci/sbom.ts [--out sbom]`

const root = fileURLToPath(new URL('..', import.meta.url))

const { values } = parseArgs({
  options: { out: { type: 'string', default: 'sbom' }, help: { type: 'boolean', default: false } },
})

interface Sbom {
  readonly metadata: { readonly component: { readonly name: string; readonly 'bom-ref': string } }
  readonly components?: readonly { readonly purl: string }[]
  readonly dependencies?: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

/** Reads the bundled packages from `THIRD-PARTY-LICENSES.txt`, which the build writes. */
function bundledComponents(): { purl: string }[] {
  const text = readFileSync(join(root, 'packages/server/dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  const titles = [...text.matchAll(/^-{80}\n\n(?:@([\w.-]+)\/)?([\w.-]+) (\S+) \((.+)\)$/gm)]
  if (titles.length === 0) throw new Error('The license list of the server is empty.')
  return titles.map(([, group, name = '', version = '', license = '']) => {
    const purl = `pkg:npm/${group === undefined ? '' : `%40${group}/`}${name}@${version}`
    const scope = group === undefined ? {} : { group: `@${group}` }
    return { type: 'library', ...scope, name, version, purl, 'bom-ref': purl, licenses: [{ expression: license }] }
  })
}

/** Adds the bundled packages as dependencies. */
function withBundled(sbom: Sbom): Sbom {
  const own = sbom.metadata.component['bom-ref']
  const known = new Set(sbom.components?.map(({ purl }) => purl))
  const bundled = bundledComponents().filter(({ purl }) => !known.has(purl))
  const refs = bundled.map(({ purl }) => purl)
  return {
    ...sbom,
    components: [...(sbom.components ?? []), ...bundled],
    dependencies: (sbom.dependencies ?? []).map((entry) =>
      entry.ref === own ? { ...entry, dependsOn: [...(entry.dependsOn ?? []), ...refs] } : entry,
    ),
  }
}

function writeSboms(out: string): void {
  mkdirSync(out, { recursive: true })
  const filters = ['client', 'webhooks', 'server'].flatMap((name) => ['--filter', `@service/${name}`])
  const options = ['--prod', '--exclude-peers', '--split', '--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6']
  const args = ['--yes', 'pnpm@12', ...filters, 'sbom', ...options, '--out', join(out, '%s.cdx.json')]
  if (spawnSync('npx', args, { cwd: root, stdio: 'inherit' }).status !== 0) throw new Error('pnpm sbom failed.')
  for (const file of readdirSync(out).filter((name) => name.endsWith('.cdx.json'))) {
    const sbom = JSON.parse(readFileSync(join(out, file), 'utf8')) as Sbom // written by pnpm
    const complete = sbom.metadata.component.name === 'server' ? withBundled(sbom) : sbom
    writeFileSync(join(out, file), `${JSON.stringify(complete, undefined, 2)}\n`)
    console.log(`${file}: ${complete.components?.length ?? 0} components`)
  }
}

if (values.help) console.log(help)
else writeSboms(resolve(values.out))
