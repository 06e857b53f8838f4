import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { walSizeLimitBytes } from '../src/store/checkpoints.ts'
import { createStorage, onEveryStore } from './on-every-store.ts'

/** Fills more pages than SQLite's default before a checkpoint. */
const tickets = 150
const description = 'x'.repeat(60_000)

onEveryStore('committed data', () => {
  test('is copied into the database during writes, and is complete when it is opened again', async () => {
    const place = await createStorage('sqlite')
    onTestFinished(place.remove)
    const sizeOf = async (file: string) => (await stat(join(place.options.data ?? '', file))).size
    const server = await createServer(place.options)
    const { id: workspace_id } = await server.admin.workspaces.create({ name: 'Acme' })
    const sizeBefore = await sizeOf('service.db')
    for (let index = 0; index < tickets; index += 1) {
      await server.admin.tickets.create({ workspace: workspace_id }, { title: `No ${index}`, description })
    }
    const written = tickets * description.length
    while ((await sizeOf('service.db')) < sizeBefore + written / 3) await server.admin.workspaces.list()
    expect(await sizeOf('service.db-wal')).toBeGreaterThan(0)
    await server.close()
    await expect(sizeOf('service.db-wal')).rejects.toThrow('ENOENT')

    await using again = await createServer(place.options)
    const [newest] = (await again.admin.tickets.list({ workspace: workspace_id })).data
    expect(newest?.ticket_number).toBe('TKT-00150')
  })

  test('makes a large write-ahead log small again', async () => {
    const place = await createStorage('sqlite')
    onTestFinished(place.remove)
    const database = join(place.options.data ?? '', 'service.db')
    await using server = await createServer(place.options)
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Acme' })
    const logSize = async () => (await stat(`${database}-wal`)).size
    const other = new SqliteDatabase(database)
    other.exec(`create table large as select zeroblob(${walSizeLimitBytes})`)
    other.close()
    expect(await logSize()).toBeGreaterThan(walSizeLimitBytes)
    await expect
      .poll(async () => {
        await server.admin.tickets.create({ workspace }, { title: 'The printer is on fire' })
        return logSize()
      })
      .toBeLessThanOrEqual(walSizeLimitBytes)
  })
}, ['sqlite'])
