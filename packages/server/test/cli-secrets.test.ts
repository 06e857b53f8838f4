import { expect, test } from 'vitest'
import { runCli } from './cli-process.ts'

const double = ['start', '--demo', '--test-controls', '--port', '0', '--json']

test('a test double generates a new token at every start unless --random is set', async () => {
  const tokenOf = async (...more: string[]) => JSON.parse(await runCli([...double, ...more]).firstLine).token
  const [first, second] = [await tokenOf(), await tokenOf()]
  expect(first).toMatch(/^service_/)
  expect(second).not.toBe(first)
  const [seeded, again] = [await tokenOf('--random', '7'), await tokenOf('--random', '7')]
  expect(again).toBe(seeded)
})

test('a password in --database-url causes a warning', async () => {
  const { said, ended } = runCli(['start', '--database-url', 'postgres://user:hidden-word@127.0.0.1:1/none'])
  expect(await ended).toBe(1)
  expect(said.stderr).toContain('Use SERVICE_DATABASE_URL or SERVICE_DATABASE_URL_FILE.')
  expect(said.stderr).not.toContain('hidden-word')
})
