import { expect, inject, test } from 'vitest'
import { createStorage } from '../test/on-every-store.ts'
import { createDatabase } from '../test/postgres-databases.ts'
import { proveCrashes } from './crash.ts'

const kills = 200

test('200 kills at random moments lose no event, send no rolled-back event, and repeat a delivery at most once on SQLite', async () => {
  const { options, remove } = await createStorage('sqlite')
  const report = await proveCrashes({ place: { ...options, synchronous: 'full' }, kills })
  expect(report).toMatchObject({ kills, broken: [], received: report.committed })
  await remove()
})

test('200 kills at random moments lose no event, send no rolled-back event, and repeat a delivery at most once on PostgreSQL', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  const report = await proveCrashes({ place: { databaseUrl: url }, kills })
  expect(report).toMatchObject({ kills, broken: [], received: report.committed })
  await drop()
})
