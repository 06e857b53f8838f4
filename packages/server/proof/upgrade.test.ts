import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import type { ServerOptions } from '../src/index.ts'
import { startBalancer } from '../test/balancer.ts'
import { createEmptyDatabase } from '../test/postgres-databases.ts'
import { onDisk, openTables } from '../test/tables.ts'
import { startLoad } from './outage-load.ts'
import { compatible, incompatible, installReleases, type Release, type Releases } from './releases.ts'
import { startServer } from './server-process.ts'

// Installs three releases from their packages, and upgrades a platform with data of every kind from one to the next and back.

let folder: string
let releases: Releases

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-upgrade-'))
  releases = await installReleases(folder)
}, 20 * 60_000)

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

interface Place extends ServerOptions {
  readonly data: string
}

const encryptionKey = 'a key that is only used in this proof, of enough characters'

async function emptyPlace(store: (typeof onDisk)[number]): Promise<Place> {
  const data = await mkdtemp(join(folder, 'data-'))
  if (store === 'sqlite') return { data }
  const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  return { data, databaseUrl: url }
}

const settingsOf = ({ data, databaseUrl }: Place) => ({
  NODE_NO_WARNINGS: '1',
  SERVICE_DATA: data,
  SERVICE_ENCRYPTION_KEY: encryptionKey,
  ...(databaseUrl === undefined ? {} : { SERVICE_DATABASE_URL: databaseUrl }),
})

const start = ({ cli }: Release, place: Place, words: readonly string[] = []) =>
  startServer(words, settingsOf(place), cli)

async function startAndStop(release: Release, place: Place): Promise<void> {
  const server = await start(release, place)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect((await server.end('SIGTERM')).code).toBe(0)
}

const command = ({ cli }: Release, place: Place, words: readonly string[]) =>
  promisify(execFile)(process.execPath, [cli, ...words], {
    env: { PATH: process.env['PATH'], ...settingsOf(place) },
  }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (fault: { code: number; stdout: string }) => ({ code: fault.code, stdout: fault.stdout }),
  )

/** Tables that a start writes. */
const ownTables = ['encryption_key', 'health_checks', 'migrations', 'operation_marks', 'rate_limit_windows']

type Contents = Readonly<Record<string, readonly string[]>>

/** Every row of every table, without the column that the releases add. */
async function contentsOf(place: Place): Promise<Contents> {
  const tables = await openTables(place.databaseUrl === undefined ? { data: place.data } : place)
  const names = await tables.rows(
    place.databaseUrl === undefined
      ? "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%'"
      : "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'",
  )
  const contents: Record<string, readonly string[]> = {}
  for (const name of names.map(({ name }) => String(name)).filter((name) => !ownTables.includes(name))) {
    const rows = await tables.rows(`select * from "${name}"`)
    contents[name] = rows.map(({ rehearsal, ...row }) => JSON.stringify(row))
  }
  await tables.close()
  return contents
}

/** Rows that are gone or changed. A start may add rows: without an administrator, it creates a set-up link. */
async function lostFrom(before: Contents, place: Place): Promise<readonly string[]> {
  const after = await contentsOf(place)
  return Object.entries(before).flatMap(([table, rows]) => {
    const kept = new Set(after[table])
    return rows.filter((row) => !kept.has(row)).map((row) => `${table}: ${row}`)
  })
}

test.each(onDisk)(
  'on %s, no row is lost by an upgrade, a return to the release before, or a restore',
  async (store) => {
    const { present, next, afterNext } = releases
    const place = await emptyPlace(store)
    const seeded = await start(present, place, ['--seed', 'company'])
    expect((await seeded.end('SIGTERM')).code).toBe(0)
    const before = await contentsOf(place)
    expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(35)

    const plan = await command(next, place, ['upgrade', '--check', '--json'])
    expect(plan.code).toBe(1)
    expect(JSON.parse(plan.stdout)).toMatchObject({ pending: [{ name: compatible }], rolling: store === 'postgres' })
    await startAndStop(next, place)
    expect(await lostFrom(before, place)).toEqual([])
    await startAndStop(present, place)
    expect(await lostFrom(before, place)).toEqual([])

    const backup = join(folder, `${store}.backup`)
    expect(await command(next, place, ['backup', backup])).toMatchObject({ code: 0 })
    const incompatiblePlan = await command(afterNext, place, ['upgrade', '--check', '--json'])
    expect(JSON.parse(incompatiblePlan.stdout)).toMatchObject({ pending: [{ name: incompatible }], rolling: false })
    await startAndStop(afterNext, place)
    expect(await lostFrom(before, place)).toEqual([])
    await expect(start(next, place)).rejects.toThrow(
      `The database has a schema that this version does not know (${incompatible}).`,
    )

    const restored = store === 'sqlite' ? place : await emptyPlace(store)
    // A start backs up SQLite before it migrates. PostgreSQL is restored into an empty database.
    const automatic = (await readdir(join(place.data, 'backups')).catch(() => [])).toSorted().at(-1) ?? ''
    const file = store === 'sqlite' ? join(place.data, 'backups', automatic) : backup
    expect(await command(next, restored, ['restore', file, '--yes'])).toMatchObject({ code: 0 })
    await startAndStop(next, restored)
    expect(await lostFrom(before, restored)).toEqual([])
  },
)

test('on PostgreSQL, nodes are replaced by the next release and back, and no request under load fails', async () => {
  const { present, next } = releases
  const place = await emptyPlace('postgres')
  const balancer = await startBalancer({ checkEveryMs: 10 })
  onTestFinished(() => balancer.close())
  const addNode = async (release: Release, words: readonly string[] = []) => {
    const server = await start(release, place, words)
    balancer.add(server.url)
    await balancer.becomes(server.url, 'ready')
    return server
  }
  const old = [await addNode(present, ['--seed', 'company']), await addNode(present)]
  const [{ token, workspace } = { token: '', workspace: 0 }] = old
  const load = startLoad({ url: balancer.url, token, workspace }, { writers: 4, readers: 2, pauseMs: 5 })
  const replace = async (nodes: typeof old, release: Release) => {
    const added: typeof old = []
    for (const node of nodes) {
      added.push(await addNode(release))
      await load.firstWriteAfter(performance.now())
      expect((await node.end('SIGTERM')).code).toBe(0)
      balancer.remove(node.url)
    }
    await load.firstWriteAfter(performance.now())
    return added
  }
  const upgraded = await replace(old, next)
  const returned = await replace(upgraded, present)
  await load.stop()
  for (const node of returned) await node.end('SIGTERM')

  // `/readyz` says when a node is about to end.
  const asked = load.answers.filter(({ kind }) => kind !== 'ready')
  expect(asked.filter(({ status }) => ![200, 201].includes(status))).toEqual([])
  const tables = await openTables(place)
  const titles = (await tables.rows("select title from tickets where title like 'Ticket %'")).map(({ title }) => title)
  const applied = await tables.rows(`select name from migrations where name = '${compatible}'`)
  await tables.close()
  expect(titles.toSorted()).toEqual([...load.acknowledged].toSorted())
  expect(applied).toHaveLength(1)
})
