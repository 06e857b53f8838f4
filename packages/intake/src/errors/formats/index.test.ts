import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { docFile, withTables } from '../../../build/error-formats-doc.ts'
import { formats } from './index.ts'

it('docs/error-formats.md has the tables that its generator makes (node packages/intake/build/error-formats-doc.ts --write)', async () => {
  const document = await readFile(docFile, 'utf8')
  expect(document).toBe(withTables(document))
})

it('formats have names of their own', () => {
  const names = formats.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
