import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { runHere } from './cli-in-process.ts'
import { cliPath, runCli } from './cli-process.ts'
import { sendingOptions, subscribe } from './delivery/subscribed.ts'
import { freshDirectory } from './fresh-directory.ts'

const shell = promisify(execFile)

/** A data directory with a workspace and a member, without a server. */
async function seededDirectory() {
  const data = join(await freshDirectory(), "Ada's data")
  const server = await createServer({ data, synchronous: 'normal' })
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  await server.admin.members.create({ workspace }, { name: 'Ada Obi', email: 'ada@northwind.test' })
  await server.close()
  return data
}

test('lists are printed as tables, and --json prints the response', async () => {
  const data = await seededDirectory()
  const list = ['member', 'list', '--workspace', '1', '--data', data]
  expect((await runHere(list)).stdout).toBe(
    'ID  NAME     EMAIL               ROLE\n 1  Ada Obi  ada@northwind.test  member\n',
  )
  expect(JSON.parse((await runHere([...list, '--json'])).stdout)).toMatchObject({
    data: [{ id: 1 }],
    next_before: null,
  })
  expect((await runHere(['token', 'list', '--workspace', '1', '--data', data])).stdout).toBe('No token.\n')
  expect((await runHere(['workspace', 'get', '1', '--data', data])).stdout).toMatch(/^name +Northwind$/m)
})

test('a refusal prints a sentence per field with exit code 1; invalid usage has exit code 2', async () => {
  const data = await seededDirectory()
  const refused = await runHere(['token', 'create', '--workspace', '1', '--user', '9', '--scopes', 'x', '--data', data])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^ {2}--scopes: The scopes\.0 /m)
  // The client masks what the caller has typed.
  const taken = await runHere(['user', 'create', '--name', 'Ada Obi', '--email', 'ada@northwind.test', '--data', data])
  expect(taken.stderr).toBe('POST /users answered 409: A person with this e-mail address already exists.\n')
  for (const wrong of [['tokn'], ['token', 'crate'], ['token', 'list', '--workspac', '1'], ['token', 'revoke']]) {
    const { code, stderr } = await runHere(wrong)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: /)])
  }
  expect((await runHere(['tokn'])).stderr).toContain('(Did you mean token?)')
  expect(await runHere(['delivery', 'attempts', 'abc', '--data', data])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("'abc' is invalid for argument 'id'. It must be a number, such as 7."),
  })
  const wrong = ['--webhook-url', 'https://example.com', '--events', '*', '--headers', '{']
  expect(await runHere(['webhook', 'create', '--workspace', '1', ...wrong, '--data', data])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--headers is JSON'),
  })
})

test('commands without --workspace use the first workspace, and member create says how that person signs in', async () => {
  const data = await seededDirectory()
  expect((await runHere(['member', 'list', '--data', data])).stdout).toContain('ada@northwind.test')
  const create = ['member', 'create', '--name', 'Ben Ode', '--email', 'ben@northwind.test', '--data', data]
  const { stdout } = await runHere(create)
  const next = /^ {2}service-server (invitation create 2 --workspace 1 .+)$/m.exec(stdout)?.[1] ?? ''
  const pasted = await shell('sh', ['-c', `"$0" "$1" ${next}`, process.execPath, cliPath])
  expect(pasted.stdout).toMatch(/\n\n\/reset-password\?code=\S+\n$/)
  await using server = await createServer({ data, adminToken: 'a'.repeat(30) })
  const { url } = await server.listen({ port: 0 })
  const over = ['--url', url, '--admin-token', 'a'.repeat(30)]
  const member = await runHere(['member', 'create', '--name', 'Cy', '--email', 'cy@northwind.test', ...over])
  expect(member.stdout).toContain(`service-server invitation create 3 --workspace 1 --url ${url}\n`)
})

test('webhook recover and replay-missing print the command that shows the progress of their job', async () => {
  const data = await seededDirectory()
  const run = (...words: string[]) => runHere([...words, '--workspace', '1', '--data', data])
  await run('webhook', 'create', '--webhook-url', 'https://hooks.example/', '--events', 'task.created')
  for (const verb of ['recover', 'replay-missing']) {
    const words = ['webhook', verb, '1', '--since', '2026-01-01T00:00:00Z']
    const { stdout } = await run(...words)
    const job = /^ {2}service-server (webhook job \d+) --workspace 1 .+$/m.exec(stdout)?.[1] ?? ''
    expect((await run(...job.split(' '))).stdout).toMatch(/^progress /m)
    expect(Object.keys(JSON.parse((await run(...words, '--json')).stdout))).toEqual(['job_id'])
    expect((await run(...words, '--dry-run', 'true')).stdout).toMatch(/^count +0\n(?!.*webhook job)/s)
  }
})

test('a flag of a boolean means true without a value, wherever it is, and takes only true and false', async () => {
  const data = await seededDirectory()
  const run = (...words: string[]) => runHere(['webhook', ...words, '--workspace', '1', '--data', data])
  await run('create', '--fifo', '--webhook-url', 'https://hooks.example/', '--events', 'task.created')
  expect(JSON.parse((await run('get', '1', '--json')).stdout)).toMatchObject({ fifo: true })
  expect(JSON.parse((await run('update', '1', '--fifo', 'false', '--json')).stdout)).toMatchObject({ fifo: false })
  const dryRun = await run('recover', '1', '--dry-run', '--since', '2026-01-01T00:00:00Z')
  expect(dryRun.stdout).toMatch(/^count +0\n/)
  const { code, stderr } = await run('recover', '1', '--dry-run', 'maybe', '--since', '2026-01-01T00:00:00Z')
  expect([code, stderr]).toEqual([1, expect.stringContaining('--dry-run: The dry_run field must be a boolean.')])
})

test('a link, a token, or a secret is alone on the last line of what a command prints', async () => {
  const data = await freshDirectory()
  await (await createServer({ data })).close()
  const last = async (...words: string[]) => {
    const { code, stdout, stderr } = await runHere([...words, '--data', data])
    expect(code, stderr).toBe(0)
    return /\n\n(\S+)\n$/.exec(stdout)?.[1]
  }
  expect(await last('setup-link', 'create')).toMatch(/^\/setup\?code=/)
  expect(await last('setup', '--workspace', 'Acme', '--name', 'Ada', '--email', 'ada@acme.test')).toMatch(/^service_1_/)
  const create = ['member', 'create', '--name', 'Ben', '--email', 'ben@acme.test', '--role', 'member', '--json']
  const { id } = JSON.parse((await runHere([...create, '--data', data])).stdout)
  for (const link of [`invitation create ${id}`, 'user reset-password 1', 'user sign-in-link 1'])
    expect(await last(...link.split(' '))).toMatch(/^\/[\w-]+\?code=/)
  expect(await last('token', 'create', '--user', '1', '--scopes', 'tickets:read')).toMatch(/^service_1_/)
  const webhook = ['--events', 'ticket.*', '--webhook-url', 'https://hooks.example/x']
  expect(await last('webhook', 'create', ...webhook)).toMatch(/^whsec_/)
  expect(await last('webhook', 'rotate-secret', '1')).toMatch(/^whsec_/)
  for (const secret of ['integration rotate-secret errors', 'lead-source rotate-secret website'])
    expect(await last(...secret.split(' '), '--yes')).toMatch(/^whs_/)
})

test('delivery curl prints a command that a shell runs, and delivery attempts shows time, status, duration, and response', async () => {
  const data = await freshDirectory()
  const options = { ...sendingOptions(), data, synchronous: 'normal' } as const
  await using server = await createServer(options)
  const { workspace, createTicket } = await subscribe(server, {
    reply: (response) => void response.writeHead(500).end('out of paper'),
    headers: { 'x-team': 'shop', 'x-key': 'secret-word' },
  })
  await createTicket("It's on\nfire")
  await server.deliveries.runDue()
  const { curl } = await server.admin.deliveries.curl({ workspace: workspace.id, id: 1 })
  await server.close()
  const at = ['--data', data]
  const environment = { SERVICE_ENCRYPTION_KEY: `${options.encryptionKey}` }
  const { stdout, stderr, code } = await runHere(['delivery', 'curl', '1', ...at], environment)
  expect(code).toBe(0)
  expect(stderr).toBe('Replace <hidden> by the value of each custom header: x-team, x-key.\n')
  const inShell = async (line: string) =>
    (await shell('sh', ['-c', `curl() { printf '%s\\n' "$@"; cat; }; ${line}`])).stdout
  // Each command is signed when it is printed.
  const unsigned = (text: string) => text.replaceAll(/(?:sha256=|v1,|timestamp: )\S+/g, '')
  expect(unsigned(await inShell(stdout))).toBe(unsigned(await inShell(curl)))
  const attempts = await runHere(['delivery', 'attempts', '1', ...at], environment)
  expect(attempts.stdout).toMatch(
    /^NUMBER +STARTED_AT +OUTCOME +STATUS +DURATION_MS +ERROR +RESPONSE\n +1 +\d\S+Z .* 500 .*out of paper\n$/,
  )
})

test('destructive commands require --yes without a terminal', async () => {
  const data = await seededDirectory()
  const remove = ['member', 'delete', '1', '--workspace', '1', '--data', data]
  expect(await runHere(remove)).toMatchObject({
    code: 2,
    stderr: 'Delete member 1 in workspace 1? Pass --yes to confirm.\n',
  })
  expect(await runHere([...remove, '--yes'])).toMatchObject({ code: 0, stderr: '' })
  expect((await runHere(['member', 'list', '--workspace', '1', '--data', data])).stdout).toBe('No member.\n')
})

test('every verb has help with an example that uses its flags', async () => {
  const { code, stdout } = await runHere(['token', 'create', '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain(
    "service-server token create --user 12 --name 'Shop backend' --scopes tickets:read,tickets:write",
  )
  expect((await runHere(['webhook', '--help'])).stdout).toMatch(/rotate-secret.* +Replace the secret/)
})

test('commands do not create a platform in an empty directory', async () => {
  const data = await freshDirectory()
  expect(await runHere(['workspace', 'list', '--data', data])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`There is no platform in ${data}.`),
  })
})

test('commands find the address and token of a server on the directory', async () => {
  const data = await freshDirectory()
  const server = runCli(['start', '--port', '0', '--json', '--data', data])
  const { base_url } = JSON.parse(await server.firstLine)
  expect(await runHere(['workspace', 'create', '--name', 'Northwind', '--data', data])).toMatchObject({ code: 0 })
  const token = readFileSync(`${data}/admin-token`, 'utf8').trim()
  const listed = await fetch(new URL('/admin/v1/workspaces', base_url), {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await listed.json()).toMatchObject({ data: [{ name: 'Northwind' }] })
})

test('the package has one command, which npx finds', () => {
  const { bin } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(bin).toEqual({ 'service-server': './dist/cli.js' })
})
