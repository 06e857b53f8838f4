import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCli } from '../cli-process.ts'
import { freshDirectory } from '../fresh-directory.ts'

const seed = `
workspaces:
  - id: 7
    name: Acme
    members: [{ name: Ann, email: ann@acme.test }]
    tickets: [{ title: From the file }]
    tokens: [{ token: service_test_cli, name: Full }]
`

async function file(text: string): Promise<string> {
  const path = join(await freshDirectory(), 'seed.yaml')
  await writeFile(path, text)
  return path
}

it('reports that a seed is valid, with its workspaces', async () => {
  const path = await file(seed)
  const { ended, said } = runCli(['seed', '--validate', path])
  expect([await ended, said.stdout]).toEqual([0, `${path} is valid: workspaces 7 (Acme).\n`])
})

it('reports all errors of a seed and exits with 2', async () => {
  const path = await file(seed.replace('name: Ann', 'nam: Ann').replace('title: From', 'project: Nowhere, title: From'))
  const { ended, said } = runCli(['seed', '--validate', path])
  expect(await ended).toBe(2)
  expect(said.stderr.replaceAll(path, 'seed.yaml').split('\n')).toEqual([
    'The seed has 2 problems:',
    '  - seed.yaml:5:17 workspaces[0].members[0].nam: There is no field nam here. Did you mean name?',
    "  - seed.yaml:6:17 workspaces[0].tickets[0].project: There is no project 'Nowhere' in this workspace.",
    '',
  ])
})

it('starts with a seed, prints its tokens, and resets to it', async () => {
  const cli = runCli(['start', '--seed', await file(seed), '--test-controls', '--json', '--port', '0'])
  const ready = JSON.parse(await cli.firstLine)
  expect(ready).toMatchObject({ workspace: 7, token: 'service_test_cli', workspaces: [{ name: 'Acme' }] })
  const headers = { authorization: `Bearer ${ready.token}`, accept: 'application/json' }
  const admin = { authorization: `Bearer ${ready.admin_token}` }
  const tickets = () => fetch(`${ready.base_url}/workspaces/7/tickets`, { headers }).then((answer) => answer.json())
  const before = await tickets()
  const body = JSON.stringify({ title: 'Another' })
  await fetch(`${ready.base_url}/workspaces/7/tickets`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  expect(await tickets()).toMatchObject({ data: [{ title: 'Another' }, { title: 'From the file' }] })
  await fetch(`${ready.test_url}/reset`, { method: 'POST', headers: admin })
  expect(await tickets()).toEqual(before)
})

it('applies a seed to a database once', async () => {
  const data = await freshDirectory()
  const start = async () => {
    const cli = runCli(['start', '--seed', await file(seed), '--data', data, '--json', '--port', '0'])
    const { base_url } = JSON.parse(await cli.firstLine)
    const headers = { authorization: 'Bearer service_test_cli', accept: 'application/json' }
    const answer = await fetch(`${base_url}/workspaces/7/tickets`, { headers })
    cli.child.kill('SIGTERM')
    return [await answer.json(), await cli.ended]
  }
  const first = await start()
  expect(first).toMatchObject([{ data: [{ title: 'From the file' }] }, 0])
  expect(await start()).toEqual(first)
})

it('refuses to start with an invalid seed or with two seeds', async () => {
  const wrong = runCli(['start', '--seed', await file('workspaces: 3'), '--test-controls'])
  expect([await wrong.ended, wrong.said.stderr]).toEqual([
    2,
    expect.stringContaining('seed.yaml:1:1 workspaces: workspaces must be a list.'),
  ])
  const two = runCli(['start', '--seed', 'large', '--demo', '--test-controls'])
  expect([await two.ended, two.said.stderr]).toEqual([2, expect.stringContaining('choose one')])
})
