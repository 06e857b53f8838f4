/**
 * Writes what each published package consists of, as CycloneDX: `pnpm sbom` knows what is installed with a package, and
 * the server's licence list what is inside it. Native packages are those of the platform that this runs on.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const help = `Writes an SBOM (CycloneDX JSON) of each published package. Build the packages first.

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

/** Every package of `THIRD-PARTY-LICENSES.txt`, which the build writes from what it has put into the bundle. */
function bundledComponents(): { purl: string }[] {
  const text = readFileSync(join(root, 'packages/server/dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  const titles = [...text.matchAll(/^-{80}\n\n(?:@([\w.-]+)\/)?([\w.-]+) (\S+) \((.+)\)$/gm)]
  if (titles.length === 0) throw new Error('The licence list of the server names no package.')
  return titles.map(([, group, name = '', version = '', license = '']) => {
    const purl = `pkg:npm/${group === undefined ? '' : `%40${group}/`}${name}@${version}`
    const scope = group === undefined ? {} : { group: `@${group}` }
    return { type: 'library', ...scope, name, version, purl, 'bom-ref': purl, licenses: [{ expression: license }] }
  })
}

/** What is bundled belongs to the package like what is installed with it. */
function withBundled(sbom: Sbom): Sbom {
  const own = sbom.metadata.component['bom-ref']
  const known = new Set(sbom.components?.map(({ purl }) => purl))
  const bundled = bundledComponents().filter(({ purl }) => !known.has(purl))
  const refs = bundled.map(({ purl }) => purl)
  return {
    ...sbom,
    components: [...(sbom.components ?? []), ...bundled],
    dependencies: (sbom.dependencies ?? []).map((each) =>
      each.ref === own ? { ...each, dependsOn: [...(each.dependsOn ?? []), ...refs] } : each,
    ),
  }
}

function writeSboms(out: string): void {
  mkdirSync(out, { recursive: true })
  const filters = ['client', 'webhooks', 'server'].flatMap((name) => ['--filter', `@service/${name}`])
  const options = ['--prod', '--exclude-peers', '--split', '--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6']
  const args = ['--yes', 'pnpm@12', ...filters, 'sbom', ...options, '--out', join(out, '%s.cdx.json')]
  if (spawnSync('npx', args, { cwd: root, stdio: 'inherit' }).status !== 0) throw new Error('pnpm sbom has failed.')
  for (const file of readdirSync(out).filter((name) => name.endsWith('.cdx.json'))) {
    const sbom = JSON.parse(readFileSync(join(out, file), 'utf8')) as Sbom // pnpm has just written it
    const whole = sbom.metadata.component.name === 'server' ? withBundled(sbom) : sbom
    writeFileSync(join(out, file), `${JSON.stringify(whole, undefined, 2)}\n`)
    console.log(`${file}: ${whole.components?.length ?? 0} components`)
  }
}

if (values.help) console.log(help)
else writeSboms(resolve(values.out))
