import { expect, onTestFinished, test } from 'vitest'
import { createServer, type Server, type ServerOptions } from '../src/index.ts'
import { createPerson, goodPassword } from './people.ts'

async function start(options: ServerOptions = {}): Promise<{ server: Server; url: string; email: string }> {
  const server = await createServer(options)
  onTestFinished(() => server.close())
  const { email } = await createPerson(server, 'Ada')
  const { url } = await server.listen({ port: 0 })
  return { server, url, email }
}

/** Signs in with a form, as a browser does, and returns the cookies that the response sets. */
async function signIn(url: string, email: string, headers: Record<string, string>): Promise<readonly string[]> {
  const body = new URLSearchParams({ email, password: goodPassword })
  const answer = await fetch(`${url}/dashboard/sign-in`, { method: 'POST', body, headers, redirect: 'manual' })
  expect(answer.status).toBe(303)
  return answer.headers.getSetCookie()
}

test.each([
  { sent: 'https', trustedProxies: ['127.0.0.1'], isSecure: true },
  { sent: 'https, http', trustedProxies: ['127.0.0.0/8'], isSecure: true },
  { sent: 'http', trustedProxies: ['127.0.0.1'], isSecure: false },
  { sent: 'https', trustedProxies: ['10.0.0.0/8'], isSecure: false },
  { sent: 'https', trustedProxies: [], isSecure: false },
])('cookies require https if a trusted proxy received the request over it: %o', async (given) => {
  const { url, email } = await start({ trustedProxies: given.trustedProxies })
  const origin = given.isSecure ? url.replace('http:', 'https:') : url
  const [session = ''] = await signIn(url, email, { 'x-forwarded-proto': given.sent, origin })
  expect([session.startsWith('__Host-'), session.endsWith('; Secure')]).toEqual([given.isSecure, given.isSecure])
  const headers = { 'x-forwarded-proto': given.sent, cookie: session.split(';')[0] ?? '' }
  expect((await fetch(`${url}/dashboard/account`, { headers, redirect: 'manual' })).status).toBe(200)
})

test('instances on one host, at other ports and paths, keep their own cookies', async () => {
  const instances = await Promise.all([
    start(),
    start(),
    start({ publicUrl: 'https://desk.example' }),
    start({ publicUrl: 'https://desk.example/a' }),
    start({ publicUrl: 'https://desk.example/a/b' }),
    start({ publicUrl: 'https://desk.example/a.b' }),
    start({ publicUrl: 'https://desk.example/a_b' }),
    start({ publicUrl: 'https://desk.example:8443/a' }),
  ])
  const jar = new Map<string, string>()
  for (const { url, email } of instances) {
    for (const cookie of await signIn(url, email, { 'sec-fetch-site': 'same-origin' })) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      expect(jar.has(name)).toBe(false)
      expect(cookie).toContain('; Path=/;')
      jar.set(name, value)
    }
  }
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const { url } of instances)
    expect((await fetch(`${url}/dashboard/account`, { headers: { cookie }, redirect: 'manual' })).status).toBe(200)
})
