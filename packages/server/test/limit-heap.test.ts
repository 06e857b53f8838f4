import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freshDirectory, runCli } from './cli-process.ts'

const churn = `--import=${fileURLToPath(new URL('./heap-churn.ts', import.meta.url))}`

/** Megabytes of a young generation that has had every reason to grow. */
async function youngAfterChurn(nodeOptions: string): Promise<number> {
  const cli = runCli(['start', '--data', await freshDirectory(), '--port', '0', '--json'], {
    NODE_OPTIONS: nodeOptions,
  })
  await cli.firstLine
  cli.child.kill('SIGUSR2')
  const printed = () => cli.said.stdout.split('\n')[1] ?? ''
  await expect.poll(printed).toMatch(/^\d/)
  cli.child.kill('SIGTERM')
  expect(await cli.ended).toBe(0)
  return Number(printed())
}

test('a start keeps the young generation of its heap small', async () => {
  expect(await youngAfterChurn(churn)).toBeLessThanOrEqual(16)
})

test('a start leaves the young generation as it was set on the command line', async () => {
  expect(await youngAfterChurn(`${churn} --max-semi-space-size=32`)).toBeGreaterThan(16)
})
