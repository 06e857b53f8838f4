import type { Surface } from '@service/contract'
import { expect, test } from 'vitest'
import { fuzz } from './fuzz/fuzz.ts'

const surfaces: readonly Surface[] = ['api', 'inbound', 'admin', 'test']

test.each(surfaces)('whatever comes to the surface %s, the answer is one of the contract', async (surface) => {
  const { problems, valid, succeeded } = await fuzz({ surface, requests: 300, seed: 1 })
  expect(problems).toEqual([])
  // Requests that are all refused would prove little.
  expect(succeeded / valid).toBeGreaterThan(0.2)
})
