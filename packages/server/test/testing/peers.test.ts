import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Manifest {
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
}

// `pnpm matrix` installs the packages beside each peer and runs a test there.

const manifest: Manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

test('supports the current majors of its optional peers', () => {
  expect(manifest.peerDependencies).toEqual({
    'fast-check': '^4.0.0',
    msw: '^2.10.0 || ^3.0.0',
    vitest: '^3.0.0 || ^4.0.0 || ^5.0.0',
  })
  for (const name of Object.keys(manifest.peerDependencies)) {
    expect(manifest.peerDependenciesMeta[name], name).toEqual({ optional: true })
  }
})
