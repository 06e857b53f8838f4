import { expect, test } from 'vitest'
import { proveOutages } from './outages.ts'
import { createPostgres } from './restartable-postgres.ts'

test('20 writers and 10 readers lose nothing while PostgreSQL is killed, shut down, frozen, locked, and overrun', async () => {
  const postgres = await createPostgres()
  try {
    const findings = await proveOutages(postgres, { kills: 25, frozenSeconds: 20, lockedSeconds: 6, callers: 1500 })
    expect(findings.length).toBeGreaterThan(20)
    expect(findings.filter(({ isMet }) => !isMet)).toEqual([])
  } finally {
    postgres.freeze(false)
    await postgres.remove()
  }
})
