import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from './cli-process.ts'
import { freshDirectory } from './fresh-directory.ts'

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
  const { said, ended } = runCli(['start', '--database-url', 'postgres://user:hidden-word@127.0.0.1:1/none'], {
    SERVICE_DATABASE_START_TIMEOUT_MS: '0',
  })
  expect(await ended).toBe(1)
  expect(said.stderr).toContain('Use SERVICE_DATABASE_URL or SERVICE_DATABASE_URL_FILE.')
  expect(said.stderr).not.toContain('hidden-word')
})

test.each<{ what: string; flags: string[]; variables: Record<string, string> }>([
  { what: 'generated', flags: ['--json'], variables: {} },
  { what: 'generated, on a terminal', flags: [], variables: {} },
  { what: 'configured', flags: ['--json'], variables: { SERVICE_ADMIN_TOKEN: 'an-admin-token-of-this-test' } },
])('an ordinary start prints no admin token that is $what', async ({ flags, variables }) => {
  const data = await freshDirectory()
  const cli = runCli(['start', '--port', '0', '--data', data, ...flags], variables)
  await cli.firstLine
  cli.child.kill('SIGTERM')
  await cli.ended
  const file = join(data, 'admin-token')
  const token = variables['SERVICE_ADMIN_TOKEN'] ?? readFileSync(file, 'utf8').trim()
  expect(cli.said.stdout + cli.said.stderr).not.toContain(token)
  if (flags.includes('--json'))
    expect(JSON.parse(cli.said.stdout.split('\n')[0] ?? '')).toMatchObject({
      admin_token_file: 'SERVICE_ADMIN_TOKEN' in variables ? null : file,
    })
})

test.each([
  { variables: {}, warns: true },
  { variables: { SERVICE_PUBLIC_URL: 'http://desk.example' }, warns: false },
  { variables: { SERVICE_TRUSTED_PROXIES: '127.0.0.1' }, warns: false },
])('a start on a public address warns about cookies without Secure: %o', async ({ variables, warns }) => {
  const data = await freshDirectory()
  const cli = runCli(['start', '--port', '0', '--host', '0.0.0.0', '--json', '--data', data], variables)
  await cli.firstLine
  cli.child.kill('SIGTERM')
  await cli.ended
  expect(cli.said.stderr.includes('cookies of the dashboard are sent without Secure')).toBe(warns)
})
