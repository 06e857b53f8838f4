import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorsPage, withErrors } from '../../packages/server/build/errors-table.ts'

test('docs/guides/errors.md is up to date (node packages/server/build/errors-table.ts --write)', () => {
  const page = readFileSync(errorsPage, 'utf8')
  expect(page).toContain('| 401 | `AuthenticationError` |')
  expect(page).toBe(withErrors(page))
})
