// A step before tsup: copies the sources and replaces the types that are derived from the contract with their text. tsup
// makes the declarations from the copy.
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { publishedTypes } from './published-types.ts'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
rmSync(at('.types'), { recursive: true, force: true })
cpSync(at('src'), at('.types/src'), { recursive: true, filter: (file) => !file.endsWith('.test.ts') })
cpSync(at('package.json'), at('.types/package.json'))
writeFileSync(at('.types/src/api-types.ts'), publishedTypes('api'))
writeFileSync(at('.types/src/admin/admin-types.ts'), publishedTypes('admin'))
