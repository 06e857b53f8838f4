import type { Surface } from '@service/contract'
import { expect, inject, test } from 'vitest'
import { fuzz } from '../test/fuzz/fuzz.ts'
import { surfaces } from '../test/fuzz/target.ts'
import { createDatabase } from '../test/postgres-databases.ts'

async function inPostgres() {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  return { options: { databaseUrl: url, encryptionKey: 'an-encryption-key-of-enough-characters' }, remove: drop }
}

const all = Object.keys(surfaces) as Surface[] // the keys of `surfaces` are the surfaces

// Half of the requests are valid, half have one to three things wrong. No answer may be 5xx, or differ from the contract.
test.each(all)('100,000 requests to the surface %s are answered as the contract says', async (surface) => {
  expect((await fuzz({ surface, requests: 100_000, seed: 1 })).problems).toEqual([])
})

test.each(all)('10,000 requests to the surface %s on PostgreSQL are answered as the contract says', async (surface) => {
  expect((await fuzz({ surface, requests: 10_000, seed: 1, place: inPostgres })).problems).toEqual([])
})
