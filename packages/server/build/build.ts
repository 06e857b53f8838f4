import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { assetNames, makeAsset } from '../src/http/dashboard/asset-sources.ts'
import { compressScalar } from '../src/http/scalar.ts'
import { thirdPartyLicenses } from './third-party.ts'

// What of `dist` is no JavaScript of ours: tsup has written that before, with a list of what went into it.

const metafile = 'dist/metafile-esm.json'
const { inputs } = JSON.parse(await readFile(metafile, 'utf8'))
await writeFile('dist/THIRD-PARTY-LICENSES.txt', await thirdPartyLicenses(Object.keys(inputs)))
await rm(metafile)
await chmod('dist/cli.js', 0o755)
await mkdir('dist/assets', { recursive: true })
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
