import type { Surface } from '@service/contract'
import { expect, test } from 'vitest'
import { fuzz } from './fuzz/fuzz.ts'

const surfaces: readonly Surface[] = ['api', 'inbound', 'admin', 'test']

test.each(surfaces)('every response of the surface %s matches the contract', async (surface) => {
  const { problems, valid, succeeded } = await fuzz({ surface, requests: 300, seed: 1 })
  expect(problems).toEqual([])
  // A test in which all requests fail would prove little.
  expect(succeeded / valid).toBeGreaterThan(0.2)
})
