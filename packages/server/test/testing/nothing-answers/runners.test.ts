import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freshDirectory } from '../../fresh-directory.ts'

/** Runs Node to its end. A run that does not end by itself is killed and has no code. */
function endOf(args: readonly string[], variables: object = {}): Promise<{ code: unknown; output: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...env, ...variables }, timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    )
  })
}

/** Far more than Node needs. What the tests wait for takes five minutes or more. */
const maxExitMs = 60_000

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

test.for(['process', 'none'])(
  'node:test ends after tests that nothing answers (isolation: %s)',
  { timeout: 150_000 },
  async (isolation) => {
    const ended = join(await freshDirectory(), 'last-test-ended')
    const { code, output } = await endOf(
      ['--test', `--test-isolation=${isolation}`, '--test-reporter=tap', pathOf('./held.spec.mjs')],
      { LAST_TEST_ENDED: ended },
    )
    expect([code, output.match(/^# cancelled \d+$/m)?.[0]]).toEqual([1, '# cancelled 12'])
    expect(Date.now() - statSync(ended).mtimeMs).toBeLessThan(maxExitMs)
  },
)

test('Vitest serves tests whose set-up file replaced the timers', { timeout: 90_000 }, async () => {
  const { code, output } = await endOf([vitest, 'run', `--root=${pathOf('../fake-timers')}`, '--reporter=tap-flat'])
  expect([code, output.match(/^not ok .*/gm)]).toEqual([0, null])
})
