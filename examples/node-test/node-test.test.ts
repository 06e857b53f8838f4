import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('the suite passes under node --test', async () => {
  const cwd = fileURLToPath(new URL('.', import.meta.url))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'tickets.spec.mjs'], { cwd, env })
  expect(stdout).toMatch(/^# pass 2$/m)
  expect(stdout).toMatch(/^# fail 0$/m)
})
