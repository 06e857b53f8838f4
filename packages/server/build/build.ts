import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { assetNames, makeAsset } from '../src/http/dashboard/asset-sources.ts'
import { compressScalar } from '../src/http/scalar.ts'
import { writeBundle } from './bundle.ts'
import { thirdPartyLicenses } from './third-party.ts'

// All of `dist` but the declarations, which tsup writes.

await rm('dist', { recursive: true, force: true })
await mkdir('dist/assets', { recursive: true })
const files = await writeBundle('dist')
await chmod('dist/cli.js', 0o755)
await writeFile('dist/THIRD-PARTY-LICENSES.txt', await thirdPartyLicenses(files))
await writeFile('dist/assets/scalar.js.br', await compressScalar())
await writeDashboardAssets('dist/assets/dashboard')

/** The static files of the dashboard, as small as they become. */
async function writeDashboardAssets(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  for (const name of assetNames) {
    const made = await makeAsset(name, async (source) => (await transform(source, { loader: 'ts' })).code)
    const loader = name === 'dashboard.css' ? 'css' : 'js'
    const content = typeof made === 'string' ? (await transform(made, { loader, minify: true })).code : made
    await writeFile(join(directory, name), content)
  }
  await cp('src/ui/fonts/OFL.txt', join(directory, 'OFL.txt'))
}
