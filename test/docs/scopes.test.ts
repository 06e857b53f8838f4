import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { authenticationPage, withScopes } from '../../packages/server/build/scopes-table.ts'

test('docs/guides/authentication.md is up to date (node packages/server/build/scopes-table.ts --write)', () => {
  const page = readFileSync(authenticationPage, 'utf8')
  expect(page).toContain('| `tickets:read` |')
  expect(page).toBe(withScopes(page))
})
