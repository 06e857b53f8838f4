import { expect, test } from 'vitest'
import { readRepoFile } from '../tooling/repo.ts'
import { blocksOf } from './page.ts'

// `pnpm matrix Jest` runs the files with the packed packages.
test('docs/guides/jest.md shows the files of examples/jest', () => {
  const files = blocksOf(readRepoFile('docs/guides/jest.md'), 'js')
  expect(files).toHaveLength(6)
  for (const { title, code } of files) expect(code).toBe(readRepoFile(`examples/jest/${title}`))
})
