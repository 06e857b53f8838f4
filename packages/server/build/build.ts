import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { assetNames, makeAsset } from '../src/http/dashboard/asset-sources.ts'
import { compressScalar } from '../src/http/scalar.ts'
import { thirdPartyLicenses } from './third-party.ts'

// Adds licenses and static files to `dist`. tsup has written the bundles and a list of their inputs before.

const metafile = 'dist/metafile-esm.json'
const { inputs } = JSON.parse(await readFile(metafile, 'utf8'))
await writeFile('dist/THIRD-PARTY-LICENSES.txt', await thirdPartyLicenses(Object.keys(inputs)))
await rm(metafile)
await chmod('dist/cli.js', 0o755)
await mkdir('dist/assets', { recursive: true })
await writeFile('dist/assets/scalar.js.br', await compressScalar())
await writeDashboardAssets('dist/assets/dashboard')
// For hosts who installed the package and have no copy of the repository.
await cp('../../deploy/monitoring', 'dist/monitoring', { recursive: true })

/** Writes the minified static files of the dashboard. */
async function writeDashboardAssets(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  for (const name of assetNames) {
    const asset = await makeAsset(name, async (source) => (await transform(source, { loader: 'ts' })).code)
    const loader = name.endsWith('.css') ? 'css' : 'js'
    const content = typeof asset === 'string' ? (await transform(asset, { loader, minify: true })).code : asset
    await writeFile(join(directory, name), content)
  }
  await cp('src/ui/fonts/OFL.txt', join(directory, 'OFL.txt'))
}
