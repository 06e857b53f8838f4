import { expect, it } from 'vitest'
import { adminTypes } from '../../packages/client/build/admin-types.ts'
import { errorsWith } from './edited-types.ts'

it('publishes administration types that match the routes, without imports of zod or private packages', () => {
  const published = adminTypes('./index.ts')
  expect([...published.matchAll(/from "(.*)"|from '(.*)'/g)].map(([, , file]) => file)).toEqual([
    './index.ts',
    './index.ts',
  ])
  const test = 'packages/client/test/admin-types.test.ts'
  expect(errorsWith(new Map([['packages/client/src/admin.ts', published]]), [test])).toEqual([])
  // Proves that the comparison detects a missing field.
  const incomplete = published.replace(/^ *has_password: boolean;\n/m, '')
  expect(errorsWith(new Map([['packages/client/src/admin.ts', incomplete]]), [test])).not.toEqual([])
})

it('documents every method of administration', () => {
  const [, admin = ''] = /export interface Admin (.*?\n\})/s.exec(adminTypes('./index.ts')) ?? []
  const methods = admin.match(/^ {8}\w+\(/gm) ?? []
  expect(admin.match(/\*\/\n {8}\w+\(/g)).toHaveLength(methods.length)
  expect(methods.length).toBeGreaterThan(100)
})
