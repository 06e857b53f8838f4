import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { apiRoutes, eventNames, inboundRoutes } from '@service/contract'
import { expect, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'

const own = ['/openapi.json', '/docs', '/admin/docs', '/docs/reference.css', '/docs/reference.js', '/llms.txt']
const paths = [...own, '/docs/scalar.js']

async function start() {
  const server = await createServer()
  onTestFinished(() => server.close())
  const get = (path: string, headers: Record<string, string> = {}) =>
    server.fetch(`http://platform.example${path}`, { headers })
  return { server, get }
}

test('the page refers only to existing addresses of its origin', async () => {
  const { get } = await start()
  const html = await (await get('/docs')).text()
  const named = [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
  const fetched = named.filter((address) => !address.startsWith('data:'))
  expect(new Set(fetched.map((address) => address.replace(/\?.*/, '')))).toEqual(
    new Set(['docs/scalar.js', 'docs/reference.css', 'docs/reference.js', 'openapi.json']),
  )
  expect(html).not.toMatch(/https?:\/\//)
  for (const address of fetched) expect((await get(`/${address}`)).status).toBe(200)
})

test('the admin page has the same files and the admin document', async () => {
  const { get } = await start()
  const html = await (await get('/admin/docs')).text()
  const named = [...html.matchAll(/\b(?:src|href|data-description)="([^"]*)"/g)].map(([, address = '']) => address)
  const paths = named.flatMap((address) =>
    address.startsWith('data:') ? [] : [new URL(address, 'http://platform.example/admin/docs').pathname],
  )
  expect(new Set(paths)).toEqual(
    new Set(['/docs/scalar.js', '/docs/reference.css', '/docs/reference.js', '/admin/v1/openapi.json']),
  )
  for (const path of paths) expect((await get(path)).status).toBe(200)
})

test.each(['/docs', '/admin/docs'])(
  '%s has no inline script or style, and its CSP allows none and no other host',
  async (path) => {
    const { get } = await start()
    const response = await get(path)
    expect(await response.text()).not.toMatch(/<style|<script>|\sstyle=|\son\w+=/)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).not.toMatch(/unsafe-|nonce-|\*|https?:/)
    const directives = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"]
    expect(policy.split('; ')).toEqual(expect.arrayContaining([...directives, "frame-ancestors 'none'"]))
  },
)

test('llms.txt names every route and every event', async () => {
  const { get } = await start()
  const text = await (await get('/llms.txt')).text()
  for (const { operation } of [...apiRoutes, ...inboundRoutes]) expect(text).toContain(`: ${operation}`)
  for (const name of eventNames) expect(text).toContain(`- ${name}\n`)
})

test.each(own)('%s is compressed for clients that accept gzip, with the same text', async (path) => {
  const { get } = await start()
  const plain = await get(path)
  const compressed = await get(path, { 'accept-encoding': 'br, gzip;q=0.8' })
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(compressed.headers.get('content-encoding')).toBe('gzip')
  expect(compressed.headers.get('vary')).toBe('Accept-Encoding')
  const bytes = Buffer.from(await compressed.arrayBuffer())
  expect(Number(compressed.headers.get('content-length'))).toBe(bytes.length)
  expect(gunzipSync(bytes).equals(Buffer.from(await plain.arrayBuffer()))).toBe(true)
})

test('the Scalar script is sent in brotli or gzip, with the same text', async () => {
  const { get } = await start()
  const plain = Buffer.from(await (await get('/docs/scalar.js')).arrayBuffer())
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const [coding, decode] of Object.entries(decoders)) {
    const response = await get('/docs/scalar.js', { 'accept-encoding': coding })
    expect(response.headers.get('content-encoding')).toBe(coding)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(Number(response.headers.get('content-length'))).toBe(bytes.length)
    expect(decode(bytes).equals(plain)).toBe(true)
  }
  const preferred = await get('/docs/scalar.js', { 'accept-encoding': 'gzip, deflate, br' })
  expect(preferred.headers.get('content-encoding')).toBe('br')
})

test('a client that rejects gzip gets plain text', async () => {
  const { get } = await start()
  const response = await get('/docs', { 'accept-encoding': 'gzip;q=0, identity' })
  expect(response.headers.get('content-encoding')).toBeNull()
})

test.each(paths)('%s is 304 for a client that has it', async (path) => {
  const { get } = await start()
  const first = await get(path)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[0-9a-f]{16}"$/)
  const again = await get(path, { 'if-none-match': `"other", W/${etag}` })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
  // The compressed form is another representation.
  expect((await get(path, { 'if-none-match': etag, 'accept-encoding': 'gzip' })).status).toBe(200)
})

test('the files of the page are cached for a year under their versioned addresses only', async () => {
  const { get } = await start()
  const html = await (await get('/docs')).text()
  const named = [...html.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, address = '']) => address)
  expect(named).toHaveLength(3)
  for (const address of named) {
    expect((await get(`/${address}`)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  }
  for (const path of [...paths, '/docs/scalar.js?v=another']) {
    expect((await get(path)).headers.get('cache-control')).toBe('no-cache')
  }
})
