import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Manifest {
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
}

// Whether npm installs the packages beside them, and a test runs there, is shown by `pnpm matrix`.

const manifest: Manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

test('admits the majors of its peers that are in use, and asks for none of them', () => {
  expect(manifest.peerDependencies).toEqual({ msw: '^2.10.0 || ^3.0.0', vitest: '^3.0.0 || ^4.0.0 || ^5.0.0' })
  for (const name of Object.keys(manifest.peerDependencies)) {
    expect(manifest.peerDependenciesMeta[name], name).toEqual({ optional: true })
  }
})
