import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { apiRoutes, eventNames, inboundRoutes } from '@service/contract'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { seedWorkspace } from './workspace.ts'

const own = ['/openapi.json', '/docs', '/admin/docs', '/docs/reference.css', '/docs/reference.js', '/llms.txt']
const paths = [...own, '/docs/scalar.js']

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
  const named = [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
  const fetched = named.filter((address) => !address.startsWith('data:'))
  expect(new Set(fetched.map((address) => address.replace(/\?.*/, '')))).toEqual(
    new Set(['docs/scalar.js', 'docs/reference.css', 'docs/reference.js', 'openapi.json']),
  )
  expect(html).not.toMatch(/https?:\/\//)
  for (const address of fetched) expect((await get(`/${address}`)).status).toBe(200)
})

test('the page of administration has the same files, and the document of administration', async () => {
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
  '%s has no inline script or style, and may use none and no other host',
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

test.each(own)('%s is sent compressed to who takes gzip, and is the same text', async (path) => {
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

test('the script of Scalar is sent in brotli or gzip to who takes it, and is the same text', async () => {
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

test('what the page loads may be kept for a year at the address that the page names, and nowhere else', async () => {
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

describe('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, browserTimeoutMs)
  afterAll(() => browser?.close())

  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const timeout = 90_000
  const createTicket = '[id="api-1/tag/tickets/POST/api/v1/workspaces/{workspace}/tickets"]'
  const ticketResolved = '[id="api-1/tag/outbound-events/webhook/POST/ticket.resolved"]'

  const apiPage = { path: '/docs', heading: 'Workspace Platform' }
  const adminPage = { path: '/admin/docs', heading: 'Administration of the Workspace Platform' }

  /** A page of a server with a workspace, everything that it asked for, and what went wrong in it. */
  async function open(options: BrowserContextOptions = {}, { path, heading } = apiPage) {
    const { server } = await start()
    const seeded = await seedWorkspace(server)
    const { url } = await server.listen()
    const context = await browser.newContext(options)
    onTestFinished(() => context.close())
    context.setDefaultTimeout(timeout)
    const page: Page = await context.newPage()
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('pageerror', (fault) => complaints.push(fault.message))
    page.on('console', (message) => {
      // Scalar's style elements are refused, as they have to be; the page adopts their text.
      if (message.type() === 'error' && !message.text().startsWith('Applying inline style'))
        complaints.push(message.text())
    })
    await page.goto(url + path)
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    return { page, server, url, requests, complaints, ...seeded }
  }

  /** What axe finds, as `rule: element`. */
  async function barriers(page: Page, tags: readonly string[]): Promise<string[]> {
    await page.evaluate(axe)
    return page.evaluate(async (values) => {
      const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run({ runOnly: { type: 'tag', values } })
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    }, tags)
  }
  type Axe = {
    run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
  }
  const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const everything = [...wcag, 'best-practice']

  test('shows every operation and event, asks no other host, and puts up no barrier', { timeout }, async () => {
    const { page, url, requests, complaints } = await open()
    const named = page.locator('[data-sidebar-id*="/GET/"], [data-sidebar-id*="/POST/"]')
    await expect.poll(() => named.count(), { timeout }).toBe(8 + 8 + 7)
    expect(await page.title()).toBe('Workspace Platform: API reference')
    expect(requests.filter((request) => !request.startsWith(url) && !request.startsWith('data:'))).toEqual([])
    expect(complaints).toEqual([])
    expect(await barriers(page, everything)).toEqual([])
  })

  test('shows administration at an address of its own', { timeout }, async () => {
    const { page, url, requests, complaints } = await open({}, adminPage)
    await page.getByText('List workspaces').first().waitFor()
    expect(requests).toContain(`${url}/admin/v1/openapi.json`)
    expect(complaints).toEqual([])
  })

  test('on a dark phone of 360 pixels it is dark, no wider, and puts up no barrier', { timeout }, async () => {
    const { page } = await open({ viewport: { width: 360, height: 844 }, colorScheme: 'dark' })
    await page.locator('body.dark-mode').waitFor()
    expect(await barriers(page, everything)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })

  test('a ticket can be created from the page with a token, and an event cannot be sent from it', {
    timeout,
  }, async () => {
    const { page, server, workspace, token, complaints } = await open()
    await page
      .getByRole('link', { name: /Create a ticket/ })
      .first()
      .click()
    await page.locator(createTicket).locator('.show-api-client-button').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByPlaceholder('Token').fill(token)
    await dialog.getByRole('textbox', { name: 'Value' }).first().fill(String(workspace.id))
    await dialog.getByRole('button', { name: 'Send' }).first().click()
    await dialog.getByText('201 Created').first().waitFor()
    const tickets = (await server.admin.tickets.list({ workspace: workspace.id })).data
    expect(tickets.map(({ title }) => title)).toEqual(['Checkout fails with a coupon'])
    expect(await barriers(page, wcag)).toEqual([])
    await page.keyboard.press('Escape')
    await page
      .getByRole('link', { name: /ticket\.resolved/ })
      .first()
      .click()
    const send = page.locator(`${ticketResolved} .show-api-client-button`)
    await send.waitFor({ state: 'attached' })
    expect(await send.isVisible()).toBe(false)
    expect(complaints).toEqual([])
  })
})
