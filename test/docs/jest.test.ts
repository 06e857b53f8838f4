import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(`${root}docs/guides/jest.md`, 'utf8')

// `pnpm matrix Jest` runs the files with the packed packages.
test('docs/guides/jest.md shows the files of examples/jest', () => {
  const files = [...page.matchAll(/^```js title="([^"]+)"\n(.*?)^```$/gms)]
  expect(files).toHaveLength(6)
  for (const [, name = '', code] of files) expect(code).toBe(readFileSync(`${root}examples/jest/${name}`, 'utf8'))
})
