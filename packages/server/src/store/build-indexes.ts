import { deadline } from '../core/clock.ts'
import type { RunStatement } from './store.ts'

// `create index concurrently` does not block writers. It cannot run in a transaction, and leaves an invalid index when
// it fails.

/** An arbitrary key of a PostgreSQL advisory lock, which ends with its connection. */
const buildLock = 7_236_412
const lockIntervalMs = 200

type BuildIndex = (statement: string) => Promise<void>

/**
 * Runs `work` in one process at a time. The others ask repeatedly instead of waiting for the lock, because the build waits
 * for all running statements, and such a wait is one.
 */
export async function buildConcurrently(run: RunStatement, work: (build: BuildIndex) => Promise<void>): Promise<void> {
  while (!(await tryLock(run))) await new Promise<void>((resolve) => void deadline(lockIntervalMs, resolve))
  await work((statement) => buildIndex(run, statement))
}

async function tryLock(run: RunStatement): Promise<boolean> {
  const [row] = await run(`select pg_try_advisory_lock(${buildLock}) as locked`)
  return row?.['locked'] === true
}

async function buildIndex(run: RunStatement, statement: string): Promise<void> {
  const [, create, name, rest] = /^\s*(create (?:unique )?index) (\w+) (on .*)$/s.exec(statement) ?? []
  if (name === undefined) throw new TypeError(`A concurrent migration consists of \`create index\`: ${statement}`)
  const [invalid] = await run('select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid', [name])
  if (invalid !== undefined) await run(`drop index ${name}`)
  await run(`${create} concurrently if not exists ${name} ${rest}`)
}
