import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../packages/server/test/cli-process.ts'
import { readRepoFile } from '../tooling/repo.ts'
import { fileIn } from './page.ts'
import { createProject, runShell } from './project.ts'

const page = readRepoFile('docs/testing/ci.md')
const blockOf = (name: string) => fileIn(page, name)

test('docs/testing/ci.md starts a double, waits for it, hands its tokens to tests, and resets it', async () => {
  const names = ['start-double.sh', 'reset.sh']
  const folder = await createProject({ files: Object.fromEntries(names.map((name) => [name, blockOf(name)])) })
  const run = (script: string) =>
    runShell(script, { folder, env: { HOME: folder, SERVICE_PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] })
  await run('bash start-double.sh')
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
  await run('set -a && . ./service.env && set +a && bash reset.sh')
  expect(await countTickets()).toBe(seeded)
})

test.each(['.github/workflows/test.yml', '.gitlab-ci.yml'])(
  'the recipe %s of docs/testing/ci.md runs the script',
  (title) => {
    expect(blockOf(title)).toContain('- run: bash start-double.sh'.slice(title.endsWith('test.yml') ? 0 : 7))
    expect(blockOf(title)).toContain('service.env')
  },
)

/** The variables that a recipe gives to the container. */
function variablesOf(title: string): Record<string, string> {
  const service =
    blockOf(title)
      .split(/\n +(?:env|variables):\n/)
      .at(-1) ?? ''
  const lines = service.matchAll(/^ +(SERVICE_[A-Z_]+): (.*)$/gm)
  return Object.fromEntries([...lines].map(([, name, value = '']) => [name, value.replace(/^'(.*)'$/, '$1')]))
}

/** What deploy/Dockerfile sets. */
const imageVariables = () =>
  Object.fromEntries(
    [...readRepoFile('deploy/Dockerfile').matchAll(/(SERVICE_[A-Z_]+)=(\S+)/g)].map(([, name = '', value]) => [
      name,
      value,
    ]),
  )

/** Starts the command of the image, with its variables and those of a recipe. */
async function startContainer(variables: Record<string, string>) {
  const own = { SERVICE_HOST: '127.0.0.1', SERVICE_PORT: '0', SERVICE_HEALTH_PORT: '' }
  const { firstLine } = runCli(['start'], { ...imageVariables(), ...variables, ...own })
  return new URL(JSON.parse(await firstLine).base_url)
}

test.each([
  ['.github/workflows/service-container.yml', 'localhost'],
  ['service-container.gitlab-ci.yml', 'double'],
])('the variables of %s start a double that workers fork under the name %s', async (title, name) => {
  const variables = variablesOf(title)
  const { port } = await startContainer(variables)
  const folder = await createProject()
  const curl = (script: string, others: Record<string, string> = {}) => {
    const url = `http://${name}:${port}/admin/v1/test`
    const code = blockOf(script).replaceAll('curl ', `curl --connect-to '${name}:${port}:127.0.0.1:${port}' `)
    const env = { SERVICE_ADMIN_TOKEN: variables['SERVICE_ADMIN_TOKEN'], SERVICE_TEST_URL: url, ...others }
    return runShell(`set -euo pipefail\n${code}`, { folder, env })
  }
  const { workspace, token } = JSON.parse(await curl('seeded.sh')).data
  const forks = [JSON.parse(await curl('fork.sh')).data, JSON.parse(await curl('fork.sh')).data]
  expect(forks[1].base_url).toBe(`http://${name}:${port}/forks/2/api/v1`)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const [one = '', two = ''] = forks.map(
    ({ id }) => `http://127.0.0.1:${port}/forks/${id}/api/v1/workspaces/${workspace}/tickets`,
  )
  const count = async (tickets: string) => (await (await fetch(tickets, { headers })).json()).data.length
  const seeded = await count(one)
  expect((await fetch(one, { method: 'POST', headers, body: '{"title":"Printer"}' })).status).toBe(201)
  expect([await count(one), await count(two)]).toEqual([seeded + 1, seeded])
  await curl('end-of-worker.sh', { FORK_TEST_URL: forks[1].test_url, FORK_ID: String(forks[0].id) })
  expect([(await fetch(one, { headers })).status, await count(two)]).toEqual([404, seeded])
})
