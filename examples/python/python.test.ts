import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
const cli = fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url))

it('controls the test double from Python over HTTP', async () => {
  const child = spawn('python3', ['-B', 'test_orders.py'], {
    cwd: here,
    env: { PATH: process.env['PATH'], SERVICE_SERVER: `'${process.execPath}' '${cli}'` },
  })
  const chunks: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const output = Buffer.concat(chunks).toString('utf8')
  expect(output).toMatch(/Ran 8 tests[\s\S]*\nOK/)
  expect(code).toBe(0)
})
