import { expect, inject, test } from 'vitest'
import { proveCrashes } from '../../proof/crash.ts'
import { createStorage } from '../on-every-store.ts'
import { createDatabase } from '../postgres-databases.ts'
import { onDisk } from '../tables.ts'

const kills = 4

/** The second process dies during its start, the others after their first tickets. */
const draws = [0.9, 0.4, 0.1, 0.7, 0.8, 0.05, 0.6, 0.9]

test.each(onDisk)(
  'a process killed at any moment loses no event, sends no rolled-back event, and repeats a delivery at most once on %s',
  async (store) => {
    const own = store === 'sqlite' ? await createStorage(store) : undefined
    const database = own === undefined ? await createDatabase(inject('postgresUrl')) : undefined
    const place = own?.options ?? { databaseUrl: database?.url }
    const remaining = [...draws]
    const report = await proveCrashes({ place, kills, random: () => remaining.shift() ?? 0.5 })
    expect(report).toMatchObject({ kills, broken: [] })
    expect(report.committed).toBeGreaterThan(kills)
    expect(report.received).toBe(report.committed)
    await own?.remove()
    await database?.drop()
  },
  60_000,
)
