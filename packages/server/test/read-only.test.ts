import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, chown } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@service/client'
import { createAdminClient } from '@service/client/admin'
import { expect, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { runCli, runCliToEnd } from './cli-process.ts'
import { freshDirectory } from './fresh-directory.ts'
import { goodPassword } from './people.ts'

/** A command that runs another one in a read-only file system in which only `writable` can be written, if possible. */
function inReadOnlyContainer(writable: string): readonly string[] {
  const mounts = ['--ro-bind', '/', '/', '--bind', writable, writable, '--dev', '/dev', '--proc', '/proc']
  const bubblewrap = ['bwrap', '--die-with-parent', ...mounts, '--unshare-user', '--uid', '1000', '--gid', '1000']
  const script = `mount --make-rprivate / && mount --bind "$0" "$0" && mount -o remount,bind,ro / && exec "$@"`
  const unshare = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script, writable]
  const works = ([command = '', ...args]: readonly string[]) => spawnSync(command, [...args, 'true']).status === 0
  return [bubblewrap, unshare].find(works) ?? []
}

/** Starts the built server without any other writable directory than its data. */
async function startReadOnly() {
  const [data, denied] = [await freshDirectory(), await freshDirectory()]
  await chmod(denied, 0o000)
  const { firstLine, said, ended } = runCli(
    ['start', '--json', '--port', '0', '--data', data],
    { TMPDIR: denied, SQLITE_TMPDIR: denied, SERVICE_RATE_LIMIT: 'off' },
    { within: inReadOnlyContainer(data), cwd: '/' },
  )
  return { ready: JSON.parse(await firstLine), said, ended }
}

test('a server without a writable temporary directory serves every kind of request', async () => {
  const { ready, said, ended } = await startReadOnly()
  const { origin } = new URL(ready.base_url)
  const code = new URL(ready.setup_url).searchParams.get('code') ?? ''
  const ada = { code, workspace: 'Northwind', name: 'Ada Obi', email: 'ada@people.example', password: goodPassword }
  const setUp = { method: 'POST', redirect: 'manual', headers: { origin }, body: new URLSearchParams(ada) } as const
  expect((await fetch(`${origin}/dashboard/setup`, setUp)).status).toBe(303)
  const adminToken = readFileSync(ready.admin_token_file, 'utf8').trim()
  const admin = createAdminClient({ baseUrl: ready.admin_url, token: adminToken, maxRetries: 0 })
  const at = { workspace: 1 }
  const { token } = await admin.tokens.create(at, { user_id: 1, scopes: ['tickets:read', 'tickets:write'] })
  const client = createClient({ baseUrl: ready.base_url, token, ...at, maxRetries: 0 })
  const ticket = { title: 'Printer', tags: ['hardware', 'urgent', 'floor 2'], description: 'x'.repeat(60_000) }
  await Promise.all(Array.from({ length: 30 }, () => client.tickets.create(ticket)))
  expect((await admin.tickets.list(at, { search: 'printer' })).data).toHaveLength(30)
  const { secret } = await admin.integrations.rotateSecret({ ...at, integration: 'errors' })
  const reported = await fetch(`${ready.webhook_base_url}/webhooks/1/errors`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-webhook-secret': secret },
    body: JSON.stringify({ message: 'No cart', context: 'x'.repeat(200_000) }),
  })
  expect(reported.status).toBe(200)
  await admin.backups.create({})
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  process.kill(ready.pid, 'SIGTERM')
  expect(await ended).toBe(0)
  expect(said.stderr).not.toMatch(/"level":"(?:error|warn)"/)
})

test('a command names the data directory of another user, and no other directory to be given away', async () => {
  const data = await freshDirectory()
  if (process.getuid?.() === 0) await chown(data, 4711, 4711)
  else await chmod(data, 0o000)
  const own = await freshDirectory()
  await (await createServer({ data: own })).close()
  const within = inReadOnlyContainer(own)
  const saidBy = async (directory: string, ...words: string[]) => {
    const { code, stdout, stderr } = await runCliToEnd([...words, '--data', directory], {}, { within })
    expect(code).not.toBe(0)
    return stdout + stderr
  }
  for (const words of [['start'], ['doctor'], ['backup'], ['user', 'list'], ['config', 'print']])
    expect(await saidBy(data, ...words), words.join(' ')).toContain(`Permission to open ${data}`)
  const missing = await saidBy(join(data, 'new', 'place'), 'start')
  expect(missing).toContain('was denied. Make it owned by the user that runs the platform, with mode 700.')
  expect(missing).not.toContain('chown')
  const backup = join(data, 'x.backup')
  for (const [file, ...words] of [
    [backup, 'backup'],
    [backup, 'restore', '--yes'],
  ] as const)
    expect(await saidBy(own, ...words, file), words[0]).toBe(
      `Permission to open ${file} was denied (EACCES). Choose another place for the backup, or run the command as a user that may open it.\n`,
    )
})

test.each([
  ['SERVICE_TRUSTED_PROXIES', 'proxy.example'],
  ['SERVICE_EGRESS_ALLOW', '10.0.0.0/99'],
  ['SERVICE_ALLOWED_HOSTS', '*.example'],
  ['SERVICE_ALLOWED_HOSTS', '[::1'],
  ['SERVICE_CORS_ORIGINS', 'https://app.example/'],
])('doctor and start refuse an entry of %s that would have no effect', async (name, entry) => {
  for (const command of ['doctor', 'start']) {
    const { code, stderr } = await runCliToEnd([command, '--data', await freshDirectory()], { [name]: entry })
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${name} must hold `)])
    expect(stderr).toContain(`one of them is "${entry}".`)
  }
})
