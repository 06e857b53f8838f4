import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'

// Pictures of every page of the dashboard, in both themes and at both widths, from the demo workspace. Pages are found as
// a reader finds them: by the side bar, the first row of each list, and what makes something new.
// `pnpm screens` writes them to docs/screens/; look at each of them after a change of the look.

const root = fileURLToPath(new URL('../', import.meta.url))
const target = join(root, 'docs/screens')
const views = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 360 },
  { theme: 'dark', width: 360 },
] as const

const data = await mkdtemp(join(tmpdir(), 'screens-'))
const server = spawn(
  process.execPath,
  ['packages/server/dist/cli.js', 'start', '--demo', '--data', data, '--port', '0', '--json'],
  { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] },
)
let browser: Browser | undefined
try {
  const [line = ''] = await firstLine()
  const { dashboard_url: dashboardUrl } = JSON.parse(line) as { dashboard_url: string } // the line is documented
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(dashboardUrl)
  await mkdir(target, { recursive: true })
  for (const path of await findPages(page)) await takePictures(page, path)
} finally {
  await browser?.close()
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill()
  await ended
  await rm(data, { recursive: true, force: true })
}

async function firstLine(): Promise<string[]> {
  for await (const line of createInterface({ input: server.stdout })) return [line]
  throw new Error('The demo did not start. Build it first: pnpm build')
}

async function findPages(page: Page): Promise<readonly string[]> {
  const hrefs = (selector: string) =>
    page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  const places = [...(await hrefs('.nav-item')), await page.locator('a[href$="/account"]').first().getAttribute('href')]
  const found = new Set<string>()
  for (const place of places) {
    if (place === null) continue
    found.add(place)
    await page.goto(new URL(place, page.url()).href)
    const [row] = await hrefs('main .row-link')
    const others = [
      ...(await hrefs('.topbar a.button, main .tabs a, main .card a.card-link')),
      ...(row === undefined ? [] : [row]),
    ]
    for (const path of others) if (path.startsWith('/dashboard') && !path.includes('?')) found.add(path)
  }
  return [...found]
}

async function takePictures(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href)
  const name = path.replace(/^\/dashboard\/(?:w\/\d+\/)?/, '').replace(/\W+/g, '-')
  for (const { theme, width } of views) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: theme })
    await page.screenshot({ path: join(target, `${name}-${theme}-${width}.png`) })
  }
  process.stdout.write(`${name}\n`)
}
