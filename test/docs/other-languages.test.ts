import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestServer } from '@service/server/testing'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const page = readFileSync(fileURLToPath(new URL('../../docs/guides/other-languages.md', import.meta.url)), 'utf8')

async function start(file: string) {
  const server = await createTestServer({ seed: 'demo' })
  const folder = mkdtempSync(join(tmpdir(), 'service-languages-'))
  onTestFinished(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const code = page.split(`title="${file}"\n`)[1]?.split('\n```')[0] ?? ''
  writeFileSync(join(folder, file), code)
  const { url } = await server.listen()
  const { token = '', workspace } = server.seeded
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    SERVICE_ORIGIN: url,
    SERVICE_TOKEN: token,
    SERVICE_WORKSPACE: String(workspace),
  }
  return { server, options: { cwd: folder, env } }
}

const isMissing = (fault: unknown) => fault instanceof Error && 'code' in fault && fault.code === 'ENOENT'

test.each([
  ['call.py', 'python3', ['call.py']],
  ['call.go', 'go', ['run', 'call.go']],
])('%s creates one ticket although the platform is unavailable at first', async (file, command, args) => {
  const { server, options } = await start(file)
  const respond = { status: 503, headers: { 'retry-after': '0' } }
  server.faults.add({ match: { operation: 'tickets.create' }, respond, times: 1 })
  try {
    const { stdout } = await run(command, args, options)
    expect(stdout).toMatch(/^TKT-\d{5}\nOrder 17 is late\n$/)
    server.expectRequest({ operation: 'tickets.create' }, { times: 2 })
  } catch (fault) {
    // Go is optional. Python is required by other tests too.
    if (command !== 'go' || !isMissing(fault)) throw fault
    expect(page).toContain('func main()')
  }
})

test('a server URL that ends in /api/v1 gets the response that the page names', async () => {
  const { server } = await start('call.py')
  const response = await server.fetch('/api/v1/api/v1/workspaces/1/tickets')
  expect(page).toContain(`\`${(await response.json()).message}\``)
  expect(response.status).toBe(404)
})
