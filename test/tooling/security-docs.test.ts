import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRepoFile, repoRoot } from './repo.ts'

const named = [...readRepoFile('docs/security.md').matchAll(/`([\w./-]+\.test\.ts)`: "([^"]+)"/g)]

it('names a test for every threat in docs/security.md', () => {
  const threats = readRepoFile('docs/security.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| threat '))
  expect(named).toHaveLength(threats.length)
})

it.each(named.map(([, path = '', title = '']) => [path, title]))('%s contains the test "%s"', (path, title) => {
  expect(existsSync(join(repoRoot, path))).toBe(true)
  expect(readRepoFile(path)).toContain(title)
})
