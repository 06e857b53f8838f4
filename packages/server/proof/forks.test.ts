import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('5,000 forks over HTTP leave as much memory as 500', async () => {
  const script = fileURLToPath(new URL('./forks-memory.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script])
  const { after500, after5000 } = JSON.parse(stdout)
  expect(after5000).toBeLessThan(after500 * 1.1)
})
