import { adminRoutes } from '@service/contract/admin'
import { expect, test } from 'vitest'
import { openAdminInterface } from './admin-interfaces.ts'
import { visitor } from './dashboard-person.ts'
import { runCliOperations, runOtherOperations } from './operation-scenarios.ts'
import { createPerson, goodPassword } from './people.ts'

const notInWorkspaces =
  /^(?:sessions|setupLinks|passwordResets|account|personalTokens|users|backups|system|encryptionKey)\./

test('each change in a workspace is a sentence of the audit log', async () => {
  const server = await openAdminInterface('in process')
  await runCliOperations(server)
  await runOtherOperations(server)
  const { admin } = server
  const { email } = await createPerson(server, 'Ines', { isInstanceAdmin: true })
  const origin = 'http://platform.example'
  const ines = visitor({ origin, fetch: (address, init) => server.fetch(String(address), init) })
  await ines.post('/dashboard/sign-in', { email, password: goodPassword })

  const sentences = new Map<string, string>()
  for (const { id: workspace } of (await admin.workspaces.list()).data) {
    for (let before: number | undefined; ; ) {
      const { data, next_before } = await admin.auditLog.list({ workspace }, { before, limit: 50 })
      const query = before === undefined ? '' : `?before=${before}`
      const page = await (await ines.get(`/dashboard/w/${workspace}/settings/audit${query}`)).text()
      const shown = [...page.matchAll(/<p>(.*?)<\/p>/gs)].map(([, html = '']) => html)
      expect(shown).toHaveLength(data.length)
      for (const [index, { operation }] of data.entries()) sentences.set(operation, shown[index] ?? '')
      if (next_before === null) break
      before = next_before
    }
  }
  const changes = adminRoutes.filter((route) => route.method !== 'GET' && !('audited' in route))
  const operations = changes.map(({ operation }) => operation).filter((name) => !notInWorkspaces.test(name))
  expect([...sentences.keys()].toSorted()).toEqual(operations.toSorted())
  expect([...sentences].filter(([, html]) => html.includes('<code>'))).toEqual([])
  const textOf = (operation: string) => sentences.get(operation)?.replaceAll(/<[^>]*>/g, '')
  expect(textOf('webhooks.replayMissing')).toMatch(/^Server program sent the missed events to webhook /)
  expect(textOf('leads.convert')).toBe('Server program converted lead Grace')
  expect(textOf('rules.dryRun')).toBe('Server program tested a rule')
})
