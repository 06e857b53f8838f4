import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { freshDirectory, runCli } from './cli-process.ts'
import { createDatabase } from './postgres-databases.ts'
import { seedWorkspace } from './workspace.ts'

async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const cli = runCli(args, environment)
  return { code: await cli.ended, ...cli.said }
}

async function usedDirectory() {
  const data = await freshDirectory()
  await using server = await createServer({ data, synchronous: 'normal' })
  await seedWorkspace(server)
  return data
}

test('config print says of every setting where its value comes from, and masks secrets', async () => {
  const environment = { SERVICE_RATE_LIMIT: '600', SERVICE_ADMIN_TOKEN: 'hunter2_hunter2_hunter2', SERVICE_DATA: '/x' }
  const { code, stdout } = await run(['config', 'print', '--json', '--data', '/y'], environment)
  expect(code).toBe(0)
  const shown = new Map(JSON.parse(stdout).map((each: { setting: string }) => [each.setting, each]))
  expect(shown.get('SERVICE_RATE_LIMIT')).toMatchObject({ value: 600, source: 'environment' })
  expect(shown.get('SERVICE_DATA')).toMatchObject({ value: '/y', source: 'flag' })
  expect(shown.get('SERVICE_BACKUP_KEEP')).toMatchObject({ value: 7, source: 'default' })
  expect(shown.get('SERVICE_ADMIN_TOKEN')).toMatchObject({ value: '***', source: 'environment' })
  expect(stdout).not.toContain('hunter2')
})

test('doctor finds nothing wrong with a directory in use or not, and names what is', async () => {
  const data = await usedDirectory()
  expect(await run(['doctor', '--data', data])).toMatchObject({ code: 0, stdout: expect.stringMatching(/schema +ok/) })
  const server = await createServer({ data, synchronous: 'normal' })
  onTestFinished(() => server.close())
  expect((await run(['doctor', '--data', data])).stdout).toContain(`held by process ${process.pid}`)
  const missing = await run(['doctor', '--data', `${data}/missing`])
  expect(missing).toMatchObject({ code: 1, stdout: expect.stringMatching(/directory +problem/) })
  const down = await run(['doctor', '--json'], {
    SERVICE_DATABASE_URL: 'postgres://u@127.0.0.1:1/x',
    SERVICE_DATA: data,
  })
  expect(down.code).toBe(1)
  expect(JSON.parse(down.stdout)).toContainEqual(expect.objectContaining({ check: 'database', verdict: 'problem' }))
})

test('doctor and migrate --status tell of a PostgreSQL database what it lacks, and change nothing', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const environment = { SERVICE_DATABASE_URL: url, SERVICE_DATA: await freshDirectory() }
  expect((await run(['doctor'], environment)).stdout).toMatch(/clock +ok/)
  const status = await run(['migrate', '--status', '--json'], environment)
  expect(status).toMatchObject({ code: 0 })
  expect(JSON.parse(status.stdout)).toMatchObject({ pending: 0 })
})

test('migrate makes the schema, and --status says with its exit code whether something is pending', async () => {
  const data = await freshDirectory()
  expect(await run(['migrate', '--status', '--data', data])).toMatchObject({ code: 1 })
  expect(await run(['migrate', '--data', data])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0 pending'),
  })
  expect(await run(['migrate', '--status', '--data', data])).toMatchObject({ code: 0 })
})

test('healthcheck exits with 0 while the platform is ready, and with 1 when nobody answers', async () => {
  const data = await freshDirectory()
  const server = runCli(['start', '--port', '0', '--json', '--data', data])
  await server.firstLine
  expect(await run(['healthcheck', '--data', data])).toMatchObject({ code: 0 })
  server.child.kill('SIGTERM')
  await server.ended
  expect(await run(['healthcheck', '--data', data], { SERVICE_PORT: '1' })).toMatchObject({
    code: 1,
    stderr: 'Nobody answers at http://127.0.0.1:1.\n',
  })
})

test('db stats weighs the tables, prune needs a word, openapi prints the documents', async () => {
  const data = await usedDirectory()
  expect((await run(['db', 'stats', '--data', data])).stdout).toMatch(/^members +1 +\d+$/m)
  expect(await run(['prune', '--data', data])).toMatchObject({ code: 2 })
  expect(await run(['prune', '--data', data, '--yes'])).toMatchObject({ code: 0, stdout: 'Nothing was old enough.\n' })
  const server = runCli(['start', '--port', '0', '--json', '--data', data])
  await server.firstLine
  const beside = await run(['prune', '--data', data, '--yes', '--json'])
  expect([beside.code, beside.stdout]).toEqual([0, '{"removed":0}\n'])
  expect(JSON.parse((await run(['openapi'])).stdout).paths).toHaveProperty(['/api/v1/workspaces/{workspace}/tickets'])
  expect(JSON.parse((await run(['openapi', '--admin'])).stdout).paths).toHaveProperty(['/admin/v1/system'])
})

test('rotate-key encrypts everything anew while the platform runs, and backups from before keep their key', async () => {
  const data = await freshDirectory()
  const server = await createServer({ data, synchronous: 'normal', adminToken: 'a'.repeat(30) })
  onTestFinished(() => server.close())
  const { workspace } = await seedWorkspace(server)
  const at = { workspace: workspace.id }
  const hook = { url: 'https://hooks.example/x', events: ['*' as const], headers: { 'x-team': 'a' } }
  for (let count = 0; count < 150; count += 1) await server.admin.webhooks.create(at, hook)
  await server.admin.integrations.update({ ...at, integration: 'github' }, { enabled: true, secret: 'the secret' })
  await server.admin.leadSources.rotateSecret({ ...at, source: 'whatsapp' })
  const key = () => readFileSync(join(data, 'encryption.key'), 'utf8')
  const before = key()
  const { url } = await server.listen({ port: 0 })
  const rotated = await run(['rotate-key', '--json', '--url', url, '--admin-token', 'a'.repeat(30)])
  expect(rotated).toMatchObject({ code: 0, stderr: expect.stringContaining('Encrypting anew') })
  expect(JSON.parse(rotated.stdout)).toMatchObject({ remaining: 0, reencrypted: 452 })
  expect(key()).not.toContain(before.trim())
  expect(key().trim().split('\n')).toHaveLength(1)
  const kept = readdirSync(data).find((name) => /^encryption\.key\.[0-9a-f]{16}$/.test(name)) ?? ''
  expect(readFileSync(join(data, kept), 'utf8')).toBe(before)
  expect((await server.admin.webhooks.list(at)).data[0]?.url).toBe('https://hooks.example/x')
  await server.close()
  await using again = await createServer({ data, synchronous: 'normal' })
  expect((await again.admin.webhooks.get({ ...at, id: 1 })).url).toBe('https://hooks.example/x')
})

test('a configured key is rotated by naming the one before', async () => {
  const data = await freshDirectory()
  const [old, fresh] = ['o'.repeat(40), 'f'.repeat(40)] as const
  const at = { workspace: 1 }
  {
    await using server = await createServer({ data, synchronous: 'normal', encryptionKey: old })
    await seedWorkspace(server)
    await server.admin.webhooks.create(at, { url: 'https://hooks.example/x', events: ['*'] })
    await expect(Promise.resolve(server.admin.encryptionKey.rotate())).rejects.toMatchObject({ status: 409 })
  }
  {
    const keys = { encryptionKey: fresh, previousEncryptionKeys: [old] }
    await using server = await createServer({ data, synchronous: 'normal', ...keys })
    expect((await server.admin.webhooks.get({ ...at, id: 1 })).url).toBe('https://hooks.example/x')
    expect(await server.admin.encryptionKey.rotate()).toMatchObject({ remaining: 2 })
    expect(await server.admin.encryptionKey.reencrypt()).toMatchObject({ remaining: 0 })
  }
  await using server = await createServer({ data, synchronous: 'normal', encryptionKey: fresh })
  expect((await server.admin.webhooks.get({ ...at, id: 1 })).url).toBe('https://hooks.example/x')
})

test('rotate-key --admin-token-file replaces the token of a running platform at once', async () => {
  const data = await freshDirectory()
  const server = runCli(['start', '--port', '0', '--json', '--data', data])
  const { base_url, admin_token: before } = JSON.parse(await server.firstLine)
  const status = async (token: string) =>
    (await fetch(new URL('/admin/v1/workspaces', base_url), { headers: { authorization: `Bearer ${token}` } })).status
  expect(await status(before)).toBe(200)
  const rotated = await run(['rotate-key', '--admin-token-file', '--yes', '--data', data])
  expect(rotated.code).toBe(0)
  expect(await status(before)).toBe(401)
  expect(await status(readFileSync(join(data, 'admin-token'), 'utf8').trim())).toBe(200)
})

test('a link that a person has to open names the platform, as its public URL where it has one', async () => {
  const data = await freshDirectory()
  const server = await createServer({ data, synchronous: 'normal', adminToken: 'a'.repeat(30) })
  onTestFinished(() => server.close())
  const { member } = await seedWorkspace(server)
  const { url } = await server.listen({ port: 0 })
  const reset = ['user', 'reset-password', String(member.id), '--url', url, '--admin-token', 'a'.repeat(30)]
  expect((await run(reset)).stdout).toContain(`link        ${url}/reset-password?code=`)
  const named = { SERVICE_PUBLIC_URL: 'https://work.example/base/' }
  expect((await run(reset, named)).stdout).toContain('link        https://work.example/base/reset-password?code=')
  expect(JSON.parse((await run([...reset, '--json'])).stdout).link).toMatch(/^\/reset-password/)
})
