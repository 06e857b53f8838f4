import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(`${root}docs/testing/ci.md`, 'utf8')
const blockOf = (title: string) => page.split(`title="${title}"\n`)[1]?.split('\n```')[0] ?? ''

/** A project that has installed the server. */
function createProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-ci-'))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(`${root}packages/server/dist/cli.js`, join(folder, 'node_modules/.bin/service-server'))
  for (const name of ['start-double.sh', 'reset.sh']) writeFileSync(join(folder, name), blockOf(name))
  return folder
}

test('docs/testing/ci.md starts a double, waits for it, hands its tokens to tests, and resets it', async () => {
  const folder = createProject()
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`
  const bash = (...args: string[]) =>
    execFileSync('bash', args, {
      cwd: folder,
      env: { PATH: path, HOME: folder, SERVICE_PORT: '0' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  onTestFinished(() => {
    bash('-c', 'if [ -s service.pid ]; then kill "$(cat service.pid)"; fi')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  bash('start-double.sh')
  const settings = Object.fromEntries(
    readFileSync(join(folder, 'service.env'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  )
  const tickets = `${settings['SERVICE_BASE_URL']}/workspaces/${settings['SERVICE_WORKSPACE']}/tickets`
  const headers = { authorization: `Bearer ${settings['SERVICE_TOKEN']}`, 'content-type': 'application/json' }
  const countTickets = async () => (await (await fetch(tickets, { headers })).json()).data.length
  const seeded = await countTickets()
  expect((await fetch(tickets, { method: 'POST', headers, body: '{"title":"Printer"}' })).status).toBe(201)
  expect(await countTickets()).toBe(seeded + 1)
  bash('-c', 'set -a && . ./service.env && set +a && bash reset.sh')
  expect(await countTickets()).toBe(seeded)
})

test.each(['.github/workflows/test.yml', '.gitlab-ci.yml'])(
  'the recipe %s of docs/testing/ci.md runs the script',
  (title) => {
    expect(blockOf(title)).toContain('- run: bash start-double.sh'.slice(title.endsWith('test.yml') ? 0 : 7))
    expect(blockOf(title)).toContain('service.env')
  },
)
