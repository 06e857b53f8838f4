import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createClient } from '@service/client'
import { createAdminClient } from '@service/client/admin'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from './cli-process.ts'
import { freshDirectory } from './fresh-directory.ts'
import { listenInTest } from './listen-in-test.ts'
import { goodPassword } from './people.ts'

/** The client address in the proxy's header. */
const visitorAddress = '203.0.113.9'

/** A TLS-terminating proxy on localhost. This process trusts its certificate until the test ends. */
async function startTlsProxy() {
  const folder = await freshDirectory()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...algorithm, ...subject, '-keyout', key, '-out', cert], {
    stdio: 'pipe',
  })
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, readFileSync(cert, 'utf8')])
  onTestFinished(() => setDefaultCACertificates(trusted))
  let target = ''
  const proxy = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': visitorAddress }
    const passed = request(new URL(incoming.url ?? '/', target), { method: incoming.method ?? 'GET', headers })
    passed.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      pipeline(answer, outgoing, () => undefined)
    })
    pipeline(incoming, passed, () => undefined)
    outgoing.once('close', () => passed.destroy())
  })
  return {
    origin: `https://localhost:${await listenInTest(proxy)}`,
    passTo: (url: string) => {
      target = url
    },
  }
}

/** A hosted server behind this proxy, configured as in docs/self-hosting.md. */
async function startBehindProxy() {
  const proxy = await startTlsProxy()
  const data = await freshDirectory()
  const cli = runCli(['start', '--json', '--port', '0', '--data', data], {
    SERVICE_PUBLIC_URL: proxy.origin,
    SERVICE_TRUSTED_PROXIES: '127.0.0.1',
    SERVICE_LOG: 'off',
  })
  const ready = JSON.parse(await cli.firstLine)
  proxy.passTo(JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')).url)
  return { origin: proxy.origin, ready, data }
}

test('a hosted server behind a TLS proxy can be set up, called, watched live, and pushed to over https', async () => {
  const { origin, ready } = await startBehindProxy()
  expect(ready).toMatchObject({ base_url: `${origin}/api/v1`, setup_url: expect.stringContaining(`${origin}/setup?`) })

  // The set-up link sets a cookie that requires https.
  expect((await fetch(ready.setup_url)).status).toBe(200)
  const code = new URL(ready.setup_url).searchParams.get('code') ?? ''
  const ada = { name: 'Ada Obi', email: 'ada@people.example', password: goodPassword, workspace: 'Northwind' }
  const done = await fetch(`${origin}/dashboard/setup`, {
    method: 'POST',
    body: new URLSearchParams({ ...ada, code }),
    headers: { 'sec-fetch-site': 'same-origin', origin },
    redirect: 'manual',
  })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/dashboard/w/1/overview'])
  const session = done.headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-service_session.'))
  expect(session).toMatch(/; Secure/i)
  const cookie = session?.split(';')[0] ?? ''
  const overview = await fetch(`${origin}/dashboard/w/1/overview`, { headers: { cookie } })
  expect(overview.status).toBe(200)
  const [, liveUrl] = /data-live-url="([^"]+)"/.exec(await overview.text()) ?? []

  // The live stream is not buffered, and shows an API call.
  const live = await fetch(`${origin}${liveUrl}`, { headers: { cookie } })
  const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toMatch(/^retry: \d+\n/)
  const adminToken = readFileSync(ready.admin_token_file, 'utf8').trim()
  const admin = createAdminClient({ baseUrl: `${origin}/admin/v1`, token: adminToken, maxRetries: 0 })
  const scopes = ['tickets:read', 'tickets:write'] as const
  const { token } = await admin.tokens.create({ workspace: 1 }, { user_id: 1, scopes: [...scopes] })
  const client = createClient({ baseUrl: ready.base_url, token, workspace: 1, maxRetries: 0 })
  const ticket = await client.tickets.create({ title: 'The printer is on fire' })
  let told = ''
  while (!told.includes('tickets')) told += (await reader?.read())?.value ?? 'tickets never came'
  expect(told).toContain('event: changed')
  await reader?.cancel()
  expect((await client.tickets.list()).map(({ id }) => id)).toEqual([ticket.id])

  // Third parties push with the secret that was shown once.
  const { secret } = await admin.integrations.rotateSecret({ workspace: 1, integration: 'errors' })
  const report = (given: string) =>
    fetch(`${ready.webhook_base_url}/webhooks/1/errors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-webhook-secret': given },
      body: JSON.stringify({ message: 'Out of paper', exception: 'PrinterError', app: 'shop' }),
    })
  expect([(await report(secret)).status, (await report('guessed')).status]).toEqual([200, 401])

  // The recorded address is the one that the proxy sends.
  const { data: entries } = await admin.auditLog.listAll({ operation: 'integrations.rotateSecret' })
  expect(entries.map(({ address }) => address)).toEqual([visitorAddress])
})
