import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { apiRoutes, eventNames, inboundRoutes } from '@service/contract'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { seedWorkspace } from './workspace.ts'

const paths = ['/openapi.json', '/docs', '/docs/rapidoc-min.js', '/llms.txt']

async function start() {
  const server = await createServer()
  onTestFinished(() => server.close())
  const get = (path: string, headers: Record<string, string> = {}) =>
    server.fetch(`http://platform.example${path}`, { headers })
  return { server, get }
}

test('the page names only addresses of its own origin, and they answer', async () => {
  const { get } = await start()
  const html = await (await get('/docs')).text()
  const named = [...html.matchAll(/\b(?:src|href|spec-url)="([^"]*)"/g)].map(([, address = '']) => address)
  const fetched = named.filter((address) => !address.startsWith('data:'))
  expect(new Set(fetched.map((address) => address.replace(/\?.*/, '')))).toEqual(
    new Set(['docs/rapidoc-min.js', 'openapi.json']),
  )
  expect(html).not.toMatch(/https?:\/\//)
  for (const address of fetched) expect((await get(`/${address}`)).status).toBe(200)
})

test('the page may run only scripts of this server and the one it carries', async () => {
  const { get } = await start()
  const response = await get('/docs')
  const html = await response.text()
  const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)
  const hashes = inline.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  const policy = response.headers.get('content-security-policy')?.split('; ') ?? []
  expect(policy).toContain(`script-src 'self' ${hashes.join(' ')}`)
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
})

test('llms.txt names every route and every event', async () => {
  const { get } = await start()
  const text = await (await get('/llms.txt')).text()
  for (const { operation } of [...apiRoutes, ...inboundRoutes]) expect(text).toContain(`: ${operation}`)
  for (const name of eventNames) expect(text).toContain(`- ${name}\n`)
})

test.each(paths)('%s is sent compressed to who takes gzip, and is the same text', async (path) => {
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

test('a client that refuses gzip gets plain text', async () => {
  const { get } = await start()
  const response = await get('/docs', { 'accept-encoding': 'gzip;q=0, identity' })
  expect(response.headers.get('content-encoding')).toBeNull()
})

test.each(paths)('%s answers 304 to who has it already', async (path) => {
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

test('the script may be kept for a year at the address that the page names, and nowhere else', async () => {
  const { get } = await start()
  const html = await (await get('/docs')).text()
  const address = /src="([^"]+)"/.exec(html)?.[1] ?? ''
  expect((await get(`/${address}`)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  for (const path of [...paths, '/docs/rapidoc-min.js?v=another']) {
    expect((await get(path)).headers.get('cache-control')).toBe('no-cache')
  }
})

describe('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, browserTimeoutMs)
  afterAll(() => browser?.close())

  /** The page, and everything it asked for and complained about. */
  async function open(url: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options)
    onTestFinished(() => context.close())
    context.setDefaultTimeout(15_000)
    const page: Page = await context.newPage()
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (fault) => complaints.push(fault.message))
    await page.goto(`${url}/docs`)
    return { page, requests, complaints }
  }

  test('the reference shows every section without another host and without breaking its own policy', async () => {
    const { server } = await start()
    const { url } = await server.listen()
    const { page, requests, complaints } = await open(url)
    await page.locator('.nav-bar-path').first().waitFor()
    expect(await page.locator('.nav-bar-path').count()).toBe(8 + 8 + 7)
    expect(await page.title()).toBe('Workspace Platform: API reference')
    expect(requests.filter((request) => !request.startsWith(url) && !request.startsWith('data:'))).toEqual([])
    expect(complaints).toEqual([])
  })

  test('a ticket can be created from the page with a token', async () => {
    const { server } = await start()
    const { workspace, token } = await seedWorkspace(server)
    const { url } = await server.listen()
    const { page, complaints } = await open(url)
    await page.locator('.nav-bar-info', { hasText: 'Authentication' }).click()
    await page.locator('#http-bearer-api-key-input').fill(token)
    await page.locator('#security-scheme-bearer').getByRole('button', { name: 'SET' }).click()
    await page.locator('.nav-bar-path', { hasText: 'Create a ticket' }).click()
    await page.locator('input[data-pname=workspace]').fill(String(workspace.id))
    await page.getByRole('button', { name: 'TRY' }).click()
    await page.getByText('Response Status: Created:201').waitFor()
    const tickets = await server.admin.tickets.list(workspace.id)
    expect(tickets.map(({ title }) => title)).toEqual(['Checkout fails with a coupon'])
    expect(complaints).toEqual([])
  })

  test('on a phone of 360 pixels the page is not wider than the screen and an operation unfolds', async () => {
    const { server } = await start()
    const { url } = await server.listen()
    const { page } = await open(url, { viewport: { width: 360, height: 740 } })
    await page.locator('.endpoint-head.post').first().click()
    const button = page.getByRole('button', { name: 'TRY' })
    await button.scrollIntoViewIfNeeded()
    const box = await button.boundingBox()
    expect(box).not.toBeNull()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })

  test('the page follows the dark setting of the system', async () => {
    const { server } = await start()
    const { url } = await server.listen()
    const { page } = await open(url, { colorScheme: 'dark' })
    await page.locator('rapi-doc[theme=dark]').waitFor()
    await page.emulateMedia({ colorScheme: 'light' })
    await page.locator('rapi-doc[theme=light]').waitFor()
    expect(await page.locator('rapi-doc').getAttribute('bg-color')).toBe('#ffffff')
  })
})
