import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { publishedTypes } from '../../packages/client/build/published-types.ts'
import { errorsWith } from './edited-types.ts'
import { readRepoFile, repoRoot } from './repo.ts'

const sources = { api: 'packages/client/src/api-types.ts', admin: 'packages/client/src/admin/admin-types.ts' }
const published = { api: publishedTypes('api'), admin: publishedTypes('admin') }
const tests = ['packages/client/test/derived-types.test.ts', 'packages/client/test/types.test.ts']
const errorsIn = (texts: typeof published) =>
  errorsWith(new Map([[sources.api, texts.api] as const, [sources.admin, texts.admin]]), tests)

it('publishes types that match the routes, without imports', () => {
  for (const text of Object.values(published)) expect(text.match(/ from '(?!\.)/g)).toBe(null)
  expect(errorsIn(published)).toEqual([])
})

it.each(['client', 'webhooks', 'server'])('does not name zod in the types of %s', (name) => {
  const files = globSync(`packages/${name}/dist/*.d.*ts`, { cwd: repoRoot })
  expect(files).not.toEqual([])
  for (const file of files) expect(readRepoFile(file).replaceAll(/\/\*.*?\*\//gs, '')).not.toMatch(/\bz\.|\bzod/i)
})

// Proves that the comparison detects a missing field.
it.each([
  { surface: 'admin', field: 'has_password: boolean' },
  { surface: 'api', field: 'employee_code: string \\| null' },
] as const)('compares the published types of $surface with the routes', ({ surface, field }) => {
  const incomplete = published[surface].replace(new RegExp(`^ *${field};\n`, 'm'), '')
  expect(incomplete).not.toBe(published[surface])
  expect(errorsIn({ ...published, [surface]: incomplete })).not.toEqual([])
})

it('documents every resource and method of both clients', () => {
  const [api, admin] = (['Api', 'Admin'] as const).map(
    (name) =>
      new RegExp(`export interface ${name} (.*?\n\\})`, 's').exec(published[name === 'Api' ? 'api' : 'admin'])?.[1] ??
      '',
  )
  for (const text of [api, admin]) {
    const members = text?.match(/^ +(?:readonly \w+: \{|\w+\(.*)$/gm) ?? []
    expect(text?.match(/\*\/\n +(?:readonly \w+: \{|\w+\(.*)$/gm)).toHaveLength(members.length)
  }
  expect(api).toContain('Requires `tickets:write`.')
  expect(admin?.match(/^ {8}\w+\(/gm)?.length).toBeGreaterThan(100)
})
