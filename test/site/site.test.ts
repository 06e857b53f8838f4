import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { accessibilityIssues } from '../../packages/server/test/accessibility.ts'
import { browserTimeoutMs, openBrowser } from '../../packages/server/test/browser.ts'
import { serveSite } from './built-site.ts'

// Opens the built site in a browser. Run `pnpm docs:build` first.

const timeout = 120_000

let browser: Browser
let site: Awaited<ReturnType<typeof serveSite>>
beforeAll(async () => {
  site = await serveSite()
  browser = await openBrowser()
}, browserTimeoutMs)
afterAll(async () => {
  await browser?.close()
  site?.close()
})

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${site.url}/${path}`)
  return page
}

/** What integrators and operators search for, and a page that answers it. */
const queries: readonly (readonly [query: string, page: string])[] = [
  ['rate limit', 'guides/limits'],
  ['signature', 'guides/verify-languages'],
  ['raw body', 'webhooks'],
  ['scopes', 'guides/authentication'],
  ['CORS', 'self-hosting'],
  ['timeout', 'guides/limits'],
  ['email', 'git-and-leads'],
  ['reset password', 'administration'],
  ['sla', 'guides/automation'],
  ['update ticket', 'administration'],
  ['environment variables', 'self-hosting'],
  ['backup', 'self-hosting'],
  ['docker', 'guides/docker'],
  ['retry', 'guides/retries'],
  ['idempotency key', 'guides/retries'],
  ['duplicate events', 'git-and-leads'],
  ['jest', 'guides/jest'],
  ['express', 'webhooks'],
  ['verify webhook', 'webhooks'],
  ['postgres', 'self-hosting'],
  ['token', 'guides/authentication'],
  ['attendance device', 'guides/attendance'],
  ['monitoring', 'guides/monitoring'],
  ['grafana', 'guides/monitoring'],
  ['metrics', 'guides/monitoring'],
  ['invite', 'administration'],
  ['smtp', 'administration'],
  ['mail', 'administration'],
  ['postman', 'guides/other-languages'],
  ['how much', 'guides/how-much-does-it-hold'],
  ['sizing', 'guides/how-much-does-it-hold'],
  ['capacity', 'guides/how-much-does-it-hold'],
]

/** Repeats the shortcut, because the page ignores it until its script runs. */
async function openSearch() {
  const page = await open('index.html')
  const input = page.locator('.VPLocalSearchBox input')
  await expect
    .poll(
      async () => {
        await page.keyboard.press('Control+k')
        return input.isVisible()
      },
      { timeout: browserTimeoutMs },
    )
    .toBe(true)
  return { page, input }
}

const isGuide = (page: string) => !/^(reference\/|COVERAGE|ARCHITECTURE)/.test(page)

test('a search finds a guide first, and a page with the answer among the first five results', { timeout }, async () => {
  const { page, input } = await openSearch()
  const results = page.locator('.VPLocalSearchBox .result')
  const found: Record<string, readonly string[]> = {}
  for (const [query] of queries) {
    await input.fill('')
    await results.first().waitFor({ state: 'detached' })
    await input.fill(query)
    await results.first().waitFor()
    const paths = await results.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    found[query] = paths.map((path) => path.replace(/^\/(.*)\.html.*$/, '$1')).slice(0, 5)
  }
  const missing = queries.filter(([query, answer]) => {
    const pages = found[query] ?? []
    return !isGuide(pages[0] ?? 'reference/') || !pages.includes(answer)
  })
  expect(missing.map(([query, answer]) => [query, answer, found[query]])).toEqual([])
})

test('a search for the name of a type finds its reference', { timeout }, async () => {
  const { page, input } = await openSearch()
  await input.fill('TicketPatch')
  const first = page.locator('.VPLocalSearchBox .result').first()
  expect(await first.getAttribute('href')).toBe('/reference/client/admin.html#ticketpatch')
})

const pages = [
  'index.html',
  'start/test.html',
  'webhooks.html',
  'guides/retries.html',
  'self-hosting.html',
  'guides/monitoring.html',
  'guides/when-something-is-wrong.html',
  'guides/how-much-does-it-hold.html',
  'reference/index.html',
  'reference/api/tickets.html',
  'reference/api/outbound-events.html',
  'reference/admin/webhooks.html',
  'reference/command-line.html',
  'reference/webhooks/index.html',
]

test('the retry schedule fits a phone, and wider tables show that they continue', { timeout }, async () => {
  const page = await open('webhooks.html', { viewport: { width: 390, height: 844 } })
  const tables = await page.locator('.vp-doc table').evaluateAll((elements) =>
    elements.map((table) => ({
      text: table.textContent,
      isWide: table.scrollWidth > table.clientWidth,
      // The gradients that cover the shadows scroll with the content.
      shadows: getComputedStyle(table).backgroundAttachment,
      isCovered: [...table.querySelectorAll('tr, th, td')].some(
        (cell) => getComputedStyle(cell).backgroundColor !== 'rgba(0, 0, 0, 0)',
      ),
    })),
  )
  const schedule = tables.find(({ text }) => text?.includes('after the one before'))
  expect(schedule).toMatchObject({ isWide: false, text: expect.stringContaining('24 h') })
  const wide = tables.filter(({ isWide }) => isWide)
  expect(wide.length).toBeGreaterThan(0)
  for (const table of wide) expect(table).toMatchObject({ shadows: 'local, local, scroll, scroll', isCovered: false })
})

test.each([
  ['start/receive.html', 'pnpm', 'pnpm add @service/webhooks'],
  ['start/test.html', 'bun', 'bun add -d vite vitest @service/client @service/server'],
  ['start/receive.html', 'receive.py', 'hmac.compare_digest'],
  ['guides/monitoring.html', 'yarn', 'yarn add @service/server'],
  ['guides/other-languages.html', 'bun', 'bun add -d openapi-typescript'],
  ['guides/verify-languages.html', 'verify.py', 'hmac.compare_digest'],
])('%s has a tab for %s', { timeout }, async (path, manager, command) => {
  const page = await open(path)
  const code = page.locator('.vp-code-group code', { hasText: command })
  expect(await code.isVisible()).toBe(false)
  // Repeats the click, because the page ignores it until its script runs.
  await expect
    .poll(
      async () => {
        await page.locator('.vp-code-group label', { hasText: manager }).first().click()
        return code.isVisible()
      },
      { timeout: browserTimeoutMs },
    )
    .toBe(true)
})

const fromDashboard = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../packages/server/src/ui/${name}`, import.meta.url)))

test.each(['light', 'dark'] as const)(
  'the %s site has the typefaces, the mark, and one picture of each page of the dashboard',
  { timeout },
  async (colorScheme) => {
    const page = await open('index.html', { colorScheme })
    const fonts = await page
      .locator('link[rel=preload][as=font]')
      .evaluateAll((links: HTMLLinkElement[]) =>
        Promise.all(links.map(async ({ href }) => [...new Uint8Array(await (await fetch(href)).arrayBuffer())])),
      )
    const names = ['fonts/geist-latin.woff2', 'fonts/geist-mono.woff2']
    const bytes = (file: Uint8Array | number[]) => Buffer.from(file).toString('base64')
    expect(fonts.map(bytes).toSorted()).toEqual(names.map((name) => bytes(fromDashboard(name))).toSorted())
    expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(/^Geist,/)
    const [line = ''] = / d="[^"]+"/.exec(fromDashboard('mark.svg').toString()) ?? []
    const logo = await page
      .locator('.VPNavBarTitle img:visible')
      .evaluateAll((images: HTMLImageElement[]) => images.map(({ src }) => decodeURIComponent(src)))
    expect(logo).toEqual([expect.stringContaining(line)])
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain(encodeURIComponent(line))
    expect(await page.locator(`.screenshots img.in-${colorScheme}:visible`).count()).toBe(3)
    expect(await page.locator('.screenshots img:visible').count()).toBe(3)
  },
)

for (const colorScheme of ['light', 'dark'] as const)
  test.each(pages)(`%s is accessible and fits a ${colorScheme} phone 390 pixels wide`, { timeout }, async (path) => {
    const page = await open(path, { colorScheme, viewport: { width: 390, height: 844 } })
    expect(await accessibilityIssues(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
