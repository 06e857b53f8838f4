import { createTestServer } from '@service/server/testing'
import { expect, onTestFinished, test } from 'vitest'
import { endOf } from '../../packages/server/test/start-program.ts'
import { readRepoFile } from '../tooling/repo.ts'
import { fileIn } from './page.ts'
import { createProject, startShell } from './project.ts'

const page = readRepoFile('docs/guides/other-languages.md')

async function start(file: string) {
  const server = await createTestServer({ seed: 'demo' })
  onTestFinished(() => server.close())
  const folder = await createProject({ files: { [file]: fileIn(page, file) } })
  const { url } = await server.listen()
  const { token = '', workspace } = server.seeded
  const env = {
    HOME: process.env['HOME'],
    SERVICE_ORIGIN: url,
    SERVICE_TOKEN: token,
    SERVICE_WORKSPACE: String(workspace),
  }
  return { server, run: (command: string) => endOf(startShell(command, { folder, env })) }
}

test.each([
  ['call.py', 'python3 call.py'],
  ['call.go', 'go run call.go'],
])('%s creates one ticket although the platform is unavailable at first', async (file, command) => {
  const { server, run } = await start(file)
  const respond = { status: 503, headers: { 'retry-after': '0' } }
  server.faults.add({ match: { operation: 'tickets.create' }, respond, times: 1 })
  const { code, stdout } = await run(command)
  // Go is optional. Python is required by other tests too.
  if (code === 127 && file === 'call.go') return expect(fileIn(page, file)).toContain('func main()')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^TKT-\d{5}\nOrder 17 is late\n$/)])
  server.expectRequest({ operation: 'tickets.create' }, { times: 2 })
})

test('a server URL that ends in /api/v1 gets the response that the page names', async () => {
  const { server } = await start('call.py')
  const response = await server.fetch('/api/v1/api/v1/workspaces/1/tickets')
  expect(page).toContain(`\`${(await response.json()).message}\``)
  expect(response.status).toBe(404)
})
