import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { defineConfig } from 'tsup'
import { thirdPartyLicenses } from './build/third-party.ts'
import { assetNames, makeAsset } from './src/http/dashboard/asset-sources.ts'
import { compressScalar } from './src/http/scalar.ts'

const publicEntries = {
  index: 'src/index.ts',
  matchers: 'src/testing/entries/matchers.ts',
  msw: 'src/testing/entries/msw.ts',
  playwright: 'src/testing/entries/playwright.ts',
  testing: 'src/testing/entries/testing.ts',
  vitest: 'src/testing/entries/vitest.ts',
}

export default defineConfig({
  entry: {
    ...publicEntries,
    cli: 'src/cli/main.ts',
    'checkpoint-thread': 'src/store/checkpoint-thread.ts',
    'backup-thread': 'src/store/backup/backup-thread.ts',
    'copy-thread': 'src/cli/copy-thread.ts',
    'error-reading-thread': 'src/modules/error-reports/error-reading-thread.ts',
    'git-reading-thread': 'src/modules/git/git-reading-thread.ts',
  },
  format: ['esm'],
  target: 'node22',
  platform: 'node',
  // Pure JavaScript is bundled: the process starts in half the time and needs a quarter less memory. What has native
  // code, and pg, stay outside, and so do the test tools that are its user's own,
  // and the client, whose errors its user may compare by class.
  external: ['@node-rs/argon2', 'better-sqlite3', 'pg', 'msw', 'vitest', /^@service\/client/],
  noExternal: [/^(?!@node-rs\/argon2$|better-sqlite3$|pg$|msw$|vitest$|@service\/client)/],
  splitting: true,
  sourcemap: true,
  // A stack trace needs the names and lines; the texts would double the package.
  esbuildOptions(options) {
    options.sourcesContent = false
  },
  clean: true,
  metafile: true,
  dts: { entry: publicEntries, resolve: ['@service/contract', '@service/webhooks', /^@service\/(contract|intake)\//] },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  async onSuccess() {
    await mkdir('dist/assets', { recursive: true })
    await writeFile('dist/assets/scalar.js.br', await compressScalar())
    const metafile = 'dist/metafile-esm.json'
    await writeFile(
      'dist/THIRD-PARTY-LICENSES.txt',
      await thirdPartyLicenses(JSON.parse(await readFile(metafile, 'utf8'))),
    )
    await rm(metafile)
    await writeDashboardAssets('dist/assets/dashboard')
  },
})

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
