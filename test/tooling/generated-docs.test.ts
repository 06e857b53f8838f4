import { expect, it } from 'vitest'
import { generatedPages } from '../../.ci/generated-docs.ts'
import { readRepoFile } from './repo.ts'

it.each(Object.entries(generatedPages))('%s is up to date (npx --yes pnpm@12 api:write)', (path, update) => {
  const page = readRepoFile(path)
  expect(page).toBe(update(page))
})
