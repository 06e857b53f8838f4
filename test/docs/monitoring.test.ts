import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const contentsOf = (folder: string) =>
  Object.fromEntries(readdirSync(root + folder).map((name) => [name, readFileSync(`${root}${folder}/${name}`, 'utf8')]))

// `pnpm test:all` builds the package first.
test('the package contains the files that docs/guides/monitoring.md names', () => {
  const page = readFileSync(`${root}docs/guides/monitoring.md`, 'utf8')
  const named = [...page.matchAll(/^\| `([\w.-]+\.(?:yml|json))` \|/gm)].map(([, name]) => name)
  const packed = contentsOf('packages/server/dist/monitoring')
  expect(Object.keys(packed).toSorted()).toEqual(named.toSorted())
  expect(packed).toEqual(contentsOf('deploy/monitoring'))
})
