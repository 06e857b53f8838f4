import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { commands } from '../src/cli/program.ts'
import { createServer } from '../src/index.ts'
import { runHere } from './cli-in-process.ts'
import { runCli, runCliToEnd } from './cli-process.ts'
import { visitor } from './dashboard-person.ts'
import { freshDirectory } from './fresh-directory.ts'
import { listenInTest } from './listen-in-test.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, codeOf, goodPassword } from './people.ts'
import { call } from './workspace.ts'

const ada = { name: 'Ada Obi', email: 'ada@people.example', password: goodPassword, workspace: 'Northwind' }

onEveryStore('the set-up', (start) => {
  test('creates the administrator and the first workspace, once', async () => {
    const server = await start()
    const [first, second] = [await server.admin.setupLinks.create(), await server.admin.setupLinks.create()]
    const complete = (code: string) =>
      askAdmin(server, undefined, ['POST', '/setup', { ...ada, code, time_zone: 'Europe/Berlin' }])
    expect((await complete('guessed')).status).toBe(401)
    const { status, body } = await complete(codeOf(first.link))
    expect(status).toBe(201)
    expect(body).toMatchObject({
      user: { is_instance_admin: true },
      workspace: { name: 'Northwind', time_zone: 'Europe/Berlin' },
    })
    const { token } = body.session
    const account = await askAdmin(server, token, ['GET', '/users/me'])
    expect(account.body.workspaces).toEqual([{ id: body.workspace.id, name: 'Northwind', role: 'owner' }])
    expect((await askAdmin(server, token, ['GET', '/workspaces'])).status).toBe(200)
    for (const { link } of [first, second]) expect((await complete(codeOf(link))).status).toBe(401)
    await expect(server.admin.setupLinks.create()).rejects.toMatchObject({ code: 'conflict' })
  })

  test('expires after an hour', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { link } = await server.admin.setupLinks.create()
    clock.advance(3_600_000_000)
    expect((await askAdmin(server, undefined, ['POST', '/setup', { ...ada, code: codeOf(link) }])).status).toBe(401)
    expect((await server.fetch(`http://platform.example${link}`)).status).toBe(404)
  })

  test('succeeds for one of two concurrent uses', async () => {
    const server = await start()
    const links = [await server.admin.setupLinks.create(), await server.admin.setupLinks.create()]
    const statuses = await Promise.all(
      links.map(async ({ link }, index) => {
        const body = { ...ada, email: `person${index}@people.example`, code: codeOf(link) }
        return (await askAdmin(server, undefined, ['POST', '/setup', body])).status
      }),
    )
    expect(statuses.toSorted()).toEqual([201, 401])
    expect((await server.admin.users.list()).data).toHaveLength(1)
  })

  test('shows a form that works without JavaScript, keeps the input, and explains errors', async () => {
    const server = await start()
    const { link } = await server.admin.setupLinks.create()
    const shown = await server.fetch(`http://platform.example${link}`)
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(shown.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(shown.headers.get('cache-control')).toBe('no-store')
    expect(await shown.text()).not.toContain('<script')
    const send = (fields: Record<string, string>) => visitor(server).post('/dashboard/setup', fields)
    const wrong = await send({ ...ada, name: '"><b>', password: 'short', code: codeOf(link) })
    expect(wrong.status).toBe(422)
    const page = await wrong.text()
    expect(page).toContain('The password field must be at least 8 characters.')
    expect(page).toContain('&quot;&gt;&lt;b&gt;')
    expect(page).not.toContain('value="short"')
    expect(page).toContain('<option dir="auto" value="Asia/Kolkata">')
    const done = await send({ ...ada, code: codeOf(link), time_zone: 'Asia/Kolkata' })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/dashboard/w/1/overview'])
    expect((await server.admin.workspaces.get({ workspace: 1 })).time_zone).toBe('Asia/Kolkata')
    expect(done.headers.getSetCookie()).toContainEqual(expect.stringContaining('__Host-service_session='))
    expect((await send({ ...ada, code: codeOf(link) })).status).toBe(404)
    const { token } = await server.admin.sessions.create({ email: ada.email, password: ada.password })
    expect((await askAdmin(server, token, ['GET', '/sessions'])).body.data).toHaveLength(2)
  })

  test('is explained on the sign-in page until a person can sign in', async () => {
    const server = await start()
    const browse = async (path: string) => {
      const answer = await server.fetch(`http://platform.example${path}`, {
        headers: { accept: 'text/html,*/*;q=0.8' },
      })
      return { answer, location: answer.headers.get('location') ?? '', page: await answer.text() }
    }
    const root = await browse('/')
    expect([root.answer.status, root.location]).toEqual([302, '/dashboard'])
    const { location } = await browse(root.location)
    const before = (await browse(location)).page
    for (const command of before.match(/service-server [\w -]+/g) ?? [])
      expect(Object.keys(commands)).toContain(command.split(' ')[1])
    expect(before).toContain('service-server setup-link create')
    expect(before).not.toContain('type="password"')
    const code = codeOf((await server.admin.setupLinks.create()).link)
    await askAdmin(server, undefined, ['POST', '/setup', { ...ada, code }])
    expect((await browse(location)).page).toContain('type="password"')
    expect((await server.fetch('http://platform.example/')).status).toBe(404)
  })

  test('redirects to the dashboard below the public URL', async () => {
    const server = await start({ publicUrl: 'https://desk.example/platform' })
    const answer = await server.fetch('http://platform.example/', { headers: { accept: 'text/html' } })
    expect(answer.headers.get('location')).toBe('/platform/dashboard')
  })

  test('has no page without a link', async () => {
    const server = await start()
    for (const path of ['/setup', '/setup?code=', '/setup?code=x', '/reset-password?code=x'])
      expect((await server.fetch(`http://platform.example${path}`)).status).toBe(404)
  })

  test('can be done by settings, which have no effect when repeated', async () => {
    const settings = { adminEmail: 'Ops@people.example', adminPassword: goodPassword }
    const server = await start(settings)
    const { user, token } = await server.admin.sessions.create({ email: 'ops@people.example', password: goodPassword })
    expect(user).toMatchObject({ email: 'ops@people.example', is_instance_admin: true })
    expect((await askAdmin(server, token, ['GET', '/workspaces'])).status).toBe(200)
    await expect(server.admin.setupLinks.create()).rejects.toMatchObject({ code: 'conflict' })
    await expect(start({ adminEmail: 'ops@people.example' })).rejects.toThrow('adminPassword must be set together')
  })
})

onEveryStore('a password reset link', (start) => {
  test('opens a form that sets the new password', async () => {
    const server = await start()
    const { id, email } = await server.admin.users.create({ name: 'Ben', email: 'ben@people.example' })
    const { link } = await server.admin.users.resetPassword({ id })
    expect((await server.fetch(`http://platform.example${link}`)).status).toBe(200)
    const ben = visitor(server)
    const done = await ben.submit('/dashboard/reset-password', { code: codeOf(link), password: goodPassword })
    expect(await done.text()).toContain('Password changed')
    expect(
      (await call(server, { method: 'POST', path: '/admin/v1/sessions', body: { email, password: goodPassword } }))
        .status,
    ).toBe(201)
  })
})

test('a start without --demo prints the set-up link until a person has a password', async () => {
  const data = await freshDirectory()
  const start = async () => {
    const cli = runCli(['start', '--json', '--port', '0', '--data', data])
    return { cli, ready: JSON.parse(await cli.firstLine) }
  }
  const first = await start()
  const { setup_url, admin_url, admin_token_file } = first.ready
  const adminToken = readFileSync(admin_token_file, 'utf8').trim()
  expect(setup_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/setup\?code=[\w-]{43}$/)
  expect((await fetch(setup_url)).status).toBe(200)
  const audit = await fetch(`${admin_url}/audit-log`, { headers: { authorization: `Bearer ${adminToken}` } })
  expect((await audit.json()).data).toMatchObject([
    { actor: 'in_process', operation: 'setupLinks.create', after: { link: '***' } },
  ])
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ ...ada, code: codeOf(setup_url) })
  expect((await fetch(`${admin_url}/setup`, { method: 'POST', headers, body })).status).toBe(201)
  first.cli.child.kill('SIGTERM')
  await first.cli.ended
  const second = await start()
  expect(second.ready.setup_url).toBeUndefined()
})

test('the setup command works with a running server, once, and prints an API token', async () => {
  const data = await freshDirectory()
  const server = runCli(['start', '--json', '--port', '0', '--data', data])
  const { base_url, admin_url } = JSON.parse(await server.firstLine)
  const setUp = async (...more: string[]) => {
    const words = ['--workspace', ada.workspace, '--name', ada.name, '--email', ada.email, '--data', data]
    return runCliToEnd(['setup', ...words, ...more])
  }
  const wrong = await setUp('--scopes', 'tickets:read,tickets:eat')
  expect(wrong).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('"tickets:eat" is not one of them'),
  })
  const done = JSON.parse((await setUp('--scopes', 'tickets:read', '--time-zone', 'Europe/Berlin', '--json')).stdout)
  expect(done).toEqual({
    workspace: 1,
    user: 1,
    email: ada.email,
    password: expect.stringMatching(/^[\w-]{20}$/),
    token: expect.any(String),
  })
  const listed = await runHere(['workspace', 'list', '--json', '--data', data], {})
  expect(JSON.parse(listed.stdout).data).toMatchObject([{ time_zone: 'Europe/Berlin' }])
  const api = (init?: RequestInit) =>
    fetch(`${base_url}/workspaces/1/tickets`, { headers: { authorization: `Bearer ${done.token}` }, ...init })
  expect((await api()).status).toBe(200)
  const headers = { authorization: `Bearer ${done.token}`, 'content-type': 'application/json' }
  expect((await api({ method: 'POST', headers, body: '{"title":"Printer"}' })).status).toBe(403)
  const signIn = await fetch(`${admin_url}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ada.email, password: done.password }),
  })
  const session = await signIn.json()
  expect(session).toMatchObject({ user: { is_instance_admin: true } })
  const sessions = await fetch(`${admin_url}/sessions`, { headers: { authorization: `Bearer ${session.token}` } })
  expect((await sessions.json()).data).toEqual([expect.objectContaining({ id: session.id })])
  const second = await setUp()
  expect(second).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is already set up') })
  const [, remedy = ''] = /run "service-server (user reset-password <id> --data \S+)"/.exec(second.stderr) ?? []
  const reset = runCli(remedy.replace('<id>', String(done.user)).split(' '))
  expect([await reset.ended, reset.said.stdout]).toEqual([0, expect.stringContaining('/reset-password?code=')])
})

test('the setup command reports another set-up that completes at the same time', async () => {
  const adminToken = 'a'.repeat(30)
  await using server = await createServer({ adminToken })
  // The other one uses its link just before this one.
  const completeOther = async () => {
    const { link } = await server.admin.setupLinks.create()
    const other = { ...ada, email: 'ben@people.example', code: codeOf(link) }
    expect((await askAdmin(server, undefined, ['POST', '/setup', other])).status).toBe(201)
  }
  let isOther = false
  const port = createHttpServer(async (request, response) => {
    if (request.url === '/admin/v1/setup' && !isOther) {
      isOther = true
      await completeOther()
    }
    const { method = 'GET', headers } = request
    const body = method === 'GET' ? {} : { body: await text(request) }
    const answer = await server.fetch(`${server.origin}${request.url}`, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...body,
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  const url = `http://127.0.0.1:${await listenInTest(port)}`
  const words = ['--workspace', ada.workspace, '--name', ada.name, '--email', ada.email]
  const { code, stderr } = await runHere(['setup', ...words, '--url', url, '--admin-token', adminToken], {})
  expect([code, stderr]).toEqual([1, expect.stringContaining('The platform is already set up')])
  expect(isOther).toBe(true)
})

test('the setup command works without a running server', async () => {
  const data = await freshDirectory()
  await (await createServer({ data })).close()
  const words = ['--workspace', ada.workspace, '--name', ada.name, '--email', ada.email, '--data', data]
  const cli = runCli(['setup', ...words])
  expect([await cli.ended, cli.said.stdout]).toEqual([0, expect.stringMatching(/^password +[\w-]{20}$/m)])
  const token = cli.said.stdout.split('\n').at(-2)
  const password = /^password +(\S+)$/m.exec(cli.said.stdout)?.[1] ?? ''
  const server = await createServer({ data })
  onTestFinished(() => server.close())
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = '{"title":"Printer"}'
  const created = await server.fetch('http://x.example/api/v1/workspaces/1/tickets', { method: 'POST', headers, body })
  expect(created.status).toBe(201)
  const session = await server.admin.sessions.create({ email: ada.email, password })
  const sessions = await askAdmin(server, session.token, ['GET', '/sessions'])
  expect(sessions.body.data).toEqual([expect.objectContaining({ id: session.id })])
})
