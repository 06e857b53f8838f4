import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestServer } from '@service/server/testing'
import { expect, onTestFinished, test } from 'vitest'
import { exportLines } from './export.ts'

const run = promisify(execFile)
const adminToken = 'admin_token_of_enough_characters'

async function start() {
  const server = await createTestServer({ adminToken })
  onTestFinished(() => server.close())
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Acme' })
  for (const title of ['one', 'two', 'three', 'four', 'five'])
    await server.admin.tickets.create({ workspace }, { title })
  await server.admin.tasks.create({ workspace }, { title: 'six' })
  return { server, workspace }
}

test('exports every ticket and task once, for any page size', async () => {
  const { server, workspace } = await start()
  for (const pageSize of [1, 2, 5, 200]) {
    const lines: { kind: string; title: string }[] = []
    for await (const line of exportLines(server.admin, workspace, pageSize)) lines.push(JSON.parse(line))
    expect(lines.map(({ kind, title }) => `${kind} ${title}`)).toEqual([
      ...['five', 'four', 'three', 'two', 'one'].map((title) => `ticket ${title}`),
      'task six',
    ])
  }
})

test('writes to standard output as a command', async () => {
  const { server, workspace } = await start()
  const { url } = await server.listen({ port: 0 })
  const { stdout } = await run(process.execPath, ['export.ts', String(workspace)], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { SERVICE_ADMIN_URL: `${url}/admin/v1`, SERVICE_ADMIN_TOKEN: adminToken },
  })
  expect(stdout.trimEnd().split('\n')).toHaveLength(6)
})
