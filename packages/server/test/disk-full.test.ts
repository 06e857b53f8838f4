import { join } from 'node:path'
import { createClient } from '@service/client'
import { expect, onTestFinished, test } from 'vitest'
import { indexPendingTickets } from '../src/modules/tickets/search-index.ts'
import { findMatchingIds } from '../src/modules/tickets/search-queries.ts'
import { migrate } from '../src/store/migrate.ts'
import { openSqlite } from '../src/store/sqlite.ts'
import { belowLimit, runCli, runCliToEnd } from './cli-process.ts'
import { collectedLog } from './collected-log.ts'
import { freshDirectory } from './fresh-directory.ts'
import { manualClock } from './manual-clock.ts'

/** A store on a disk whose size in pages the test sets. */
async function openSmall() {
  const log = collectedLog()
  const store = openSqlite({ path: join(await freshDirectory(), 'service.db'), synchronous: 'normal', log })
  onTestFinished(() => store.close())
  await migrate(store, manualClock())
  const setPages = (more: number) =>
    store.migrateWith(async (run) => {
      const [row] = await run('pragma page_count')
      await run(`pragma max_page_count = ${Number(row?.['page_count']) + more}`)
    })
  const write = (size: number) =>
    store.transaction(async () => {
      await store.db
        .insertInto('workspaces')
        .values({ name: 'x'.repeat(size), time_zone: 'UTC', created_at: 0 })
        .execute()
    })
  return { store, log, setPages, write }
}

const large = 200_000

test('a full disk makes writes unavailable, is not ready, is logged once, and recovers automatically', async () => {
  const { store, log, setPages, write } = await openSmall()
  await write(1)
  expect(await store.health()).toMatchObject({ canRead: true, canWrite: true })
  await setPages(4)
  const refused = {
    code: 'unavailable',
    headers: { 'retry-after': '2' },
    message: expect.stringContaining('no space left'),
  }
  await expect(write(large)).rejects.toMatchObject(refused)
  await expect(write(large)).rejects.toMatchObject(refused)
  expect(await store.health()).toMatchObject({ canRead: true, canWrite: false })
  expect(log.lines).toMatchObject([
    { level: 'error', sentence: 'The database can be read but not written.', fields: { code: 'SQLITE_FULL' } },
  ])
  expect(await store.db.selectFrom('workspaces').select('id').execute()).toHaveLength(1)
  await setPages(1000)
  await write(large)
  expect(await store.db.selectFrom('workspaces').select('id').execute()).toHaveLength(2)
  await expect.poll(() => store.health()).toMatchObject({ canRead: true, canWrite: true })
  expect(log.lines.map(({ sentence }) => sentence)).toEqual([
    'The database can be read but not written.',
    'The database answers and accepts writes again.',
  ])
})

test('a start on a full disk fails with one sentence that names the file', async () => {
  for (const blocks of [1, 10, 100, 400]) {
    const data = await freshDirectory()
    const within = belowLimit(`-f ${blocks}`)
    const { code, stderr } = await runCliToEnd(['start', '--port', '0', '--data', data], {}, { within })
    expect(code).toBe(1)
    expect(stderr, `${blocks} blocks`).toMatch(
      /^\S+\/service\.db cannot be opened\. Check the disk and the path, or choose another data directory\. \(SQLITE_IOERR_\w+\)\n$/,
    )
  }
})

test('a search on a full disk finds what is indexed, and everything once there is space', async () => {
  const { store, setPages, write } = await openSmall()
  await write(1)
  const insert = (number: number) =>
    store.migrateWith(async (run) => {
      await run(`insert into tickets (workspace_id, number, title, description, status, priority, created_at, updated_at)
        values (1, ${number}, 'Printer', '${Array.from({ length: 2000 }, (_, word) => `${number}x${word}`).join(' ')}', 'open', 'low', 0, 0)`)
    })
  const search = async () => {
    await indexPendingTickets(store)
    return findMatchingIds(store, 1, { words: ['printer'], limit: 50 })
  }
  await insert(1)
  expect(await search()).toEqual([1])
  await insert(2)
  await setPages(0)
  expect(await search()).toEqual([1])
  await setPages(1000)
  expect(await search()).toEqual([2, 1])
})

test('small changes commit next to one that does not fit on the disk', async () => {
  const { store, setPages, write } = await openSmall()
  await setPages(8)
  const outcomes = await Promise.allSettled([write(1), write(large), write(2)])
  const recorded = await store.db.selectFrom('workspaces').select('id').execute()
  expect(recorded).toHaveLength(outcomes.filter(({ status }) => status === 'fulfilled').length)
})

test('a server whose files cannot grow answers 503 to writes and keeps serving reads', async () => {
  const data = await freshDirectory()
  // The shell's limit counts blocks of 1024 bytes: enough for a start with a small seed and some tickets.
  const within = belowLimit('-f 4000')
  const start = ['start', '--seed', 'demo', '--json', '--port', '0', '--data', data]
  const { firstLine, said } = runCli(start, { SERVICE_RATE_LIMIT: 'off' }, { within })
  const { base_url, token, workspace } = JSON.parse(await firstLine)
  const client = createClient({ baseUrl: base_url, token, workspace, maxRetries: 0 })
  const recorded: number[] = []
  const refusal = await (async () => {
    for (;;) {
      const created = await client.tickets.create({ title: 'Big', description: 'x'.repeat(60_000) }).safe()
      if (!created.ok) return created
      recorded.push(created.data.id)
    }
  })()
  expect(refusal.meta.status).toBe(503)
  const answer = await fetch(`${base_url}/workspaces/${workspace}/tickets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Big', description: 'x'.repeat(60_000) }),
  })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  expect((await client.tickets.list()).length).toBeGreaterThanOrEqual(Math.min(recorded.length, 20))
  const ready = await fetch(new URL('/readyz', base_url))
  expect([ready.status, await ready.json()]).toMatchObject([503, { database: { read: 'ok', write: 'unavailable' } }])
  expect(said.stderr).toContain('The database can be read but not written.')
  expect(said.stderr).not.toContain('    at ')
  expect(said.stderr).not.toContain('"stack"')
})

test.each([['openapi'], ['--help'], ['doctor', '--help']])(
  '%s %s fails with a sentence and exit code 1 if its output is cut, and succeeds if its reader has ended',
  async (...words) => {
    const run = async (script: string) => {
      const { stdout } = await runCliToEnd(words, {}, { within: ['bash', '-c', script] })
      return stdout.trim()
    }
    const file = join(await freshDirectory(), 'out')
    // The limit counts blocks of 1024 bytes; the signal of a write beyond it is ignored, as Node does.
    const isLong = words[0] === 'openapi'
    if (isLong) expect(await run(`(ulimit -f 100; exec "$0" "$@") > ${file}; echo $?`)).toBe('1')
    expect(await run('"$0" "$@" 2>&1 > /dev/full; echo $?')).toMatch(
      /^The output could not be written: .*ENOSPC.*\.\n1$/,
    )
    // `true` ends long before the command writes.
    expect(await run(`("$0" "$@"; echo $? > ${file}) | true; cat ${file}`)).toBe('0')
    expect(await run(`"$0" "$@" > ${file}; echo $?`)).toBe('0')
  },
)
