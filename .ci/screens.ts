import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'

// `pnpm screens` takes screenshots of every dashboard page of the demo workspace, in both themes and at two widths. It finds
// pages through the sidebar, the first row of each list, and the buttons for new records. Review the files in docs/screens/
// after a visual change.

const root = fileURLToPath(new URL('../', import.meta.url))
const outputFolder = join(root, 'docs/screens')
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
  const { dashboard_url: dashboardUrl } = JSON.parse(line) as { dashboard_url: string } // a documented format
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(dashboardUrl)
  await mkdir(outputFolder, { recursive: true })
  for (const path of await findPages(page)) await takeScreenshots(page, path)
} finally {
  await browser?.close()
  const exited = new Promise((resolve) => server.once('exit', resolve))
  server.kill()
  await exited
  await rm(data, { recursive: true, force: true })
}

async function firstLine(): Promise<string[]> {
  for await (const line of createInterface({ input: server.stdout })) return [line]
  throw new Error('The demo did not start. Run pnpm build first.')
}

async function findPages(page: Page): Promise<readonly string[]> {
  const hrefs = (selector: string) =>
    page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  const account = await page.locator('a[href$="/account"]').first().getAttribute('href')
  const found = new Set<string>()
  for (const href of [...(await hrefs('.nav-item')), account]) {
    if (href === null) continue
    found.add(href)
    await page.goto(new URL(href, page.url()).href)
    const [row] = await hrefs('main .row-link')
    const others = [
      ...(await hrefs('.topbar a.button, main .tabs a, main .card a.card-link')),
      ...(row === undefined ? [] : [row]),
    ]
    for (const path of others) if (/^\/dashboard(?!.*(?:\?|\/export$))/.test(path)) found.add(path)
  }
  return [...found]
}

async function takeScreenshots(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href)
  const name = path.replace(/^\/dashboard\/(?:w\/\d+\/)?/, '').replace(/\W+/g, '-')
  for (const { theme, width } of views) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: theme })
    await page.screenshot({ path: join(outputFolder, `${name}-${theme}-${width}.png`) })
  }
  process.stdout.write(`${name}\n`)
}
