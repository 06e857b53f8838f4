import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { seedDemo } from './seed-demo.ts'

// These tests do not measure time, which depends on the machine. They count what costs time and is the same everywhere:
// layout shifts, requests, and nodes added or removed by scripts. Rebuilding a whole page instead of a part fails.

let server: Server
let browser: Browser
let context: BrowserContext
let workspace: number
let board: string

beforeAll(async () => {
  server = await createServer({ rateLimit: 'off' })
  workspace = await seedDemo(server.admin)
  const { url } = await server.listen()
  board = `${url}/dashboard/w/${workspace}`
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  const members = await server.admin.members.list({ workspace })
  const owner = members.data.find(({ role }) => role === 'owner')
  const page = await context.newPage()
  await page.goto(url + (await server.admin.users.signInLink({ id: owner?.id ?? 0 })).link)
  await page.close()
}, browserTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

interface Observed {
  shifts: string[]
  changedNodes: number
}

/** Runs in the page before its own scripts. */
function observe(): void {
  const observed: Observed = { shifts: [], changedNodes: 0 }
  Object.assign(globalThis, { observed })
  let wholeSince = Number.POSITIVE_INFINITY
  // TypeScript's library lacks these entry types.
  type Shift = PerformanceEntry & { value: number; sources: { node: Element | null }[] }
  new PerformanceObserver((list) => {
    for (const { startTime, value, sources } of list.getEntries() as Shift[])
      if (startTime > wholeSince)
        observed.shifts.push(
          `${value.toFixed(4)} ${sources.map(({ node }) => node?.outerHTML.slice(0, 60)).join(', ')}`,
        )
  }).observe({ type: 'layout-shift' })
  const countNodes = (nodes: NodeList) =>
    [...nodes].reduce((sum, node) => sum + 1 + (node instanceof Element ? node.querySelectorAll('*').length : 0), 0)
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver((records) => {
      for (const { addedNodes, removedNodes } of records)
        observed.changedNodes += countNodes(addedNodes) + countNodes(removedNodes)
    }).observe(document.body, { childList: true, subtree: true })
    // A browser renders a page before it is complete. From here on it is complete.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        wholeSince = performance.now()
        Reflect.get(globalThis, 'tellPainted')()
      }),
    )
  })
}

/** Opens a page and waits until it is loaded and connected. Fonts and the live stream arrive after the first paint. */
async function open(path: string): Promise<Page> {
  const page = await context.newPage()
  onTestFinished(() => page.close())
  const isPainted = Promise.withResolvers<void>()
  await page.exposeFunction('tellPainted', isPainted.resolve)
  await page.addInitScript(observe)
  await page.route(/\.woff2$|\/live\?/, async (route) => {
    await isPainted.promise
    await route.continue()
  })
  await page.goto(board + path)
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  if ((await page.locator('#live-state').count()) > 0) await page.locator('#live-state[data-state=on]').waitFor()
  await painted(page)
  return page
}

const observedOn = (page: Page) => page.evaluate(() => (globalThis as unknown as { observed: Observed }).observed)

/** Waits two frames, so that script changes are painted and their layout shifts are reported. */
const painted = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** The cost of an interaction. */
async function costOf(page: Page, interact: () => Promise<void>): Promise<{ requests: number; changedNodes: number }> {
  let requests = 0
  // Chromium reads the icon again, from its cache, when a script changes the URL.
  const count = (request: Request) => {
    if (!request.url().endsWith('/mark.svg')) requests += 1
  }
  const before = await observedOn(page)
  page.on('request', count)
  await interact()
  await painted(page)
  page.off('request', count)
  return { requests, changedNodes: (await observedOn(page)).changedNodes - before.changedNodes }
}

describe('a page of the dashboard', () => {
  test.each([
    '/overview',
    '/tickets',
    '/tasks',
    '/messages',
    '/employees',
    '/attendance',
    '/deals',
    '/activity',
    '/errors',
    '/webhooks',
    '/integrations',
    '/settings',
  ])('%s shifts nothing when its fonts come and it becomes live', async (path) => {
    const page = await open(path)
    expect((await observedOn(page)).shifts).toEqual([])
  })
})

describe('an interaction with a list of tickets', () => {
  test('with the keyboard sends no requests and changes no nodes', async () => {
    const page = await open('/tickets')
    const cost = await costOf(page, async () => {
      for (let row = 0; row < 10; row += 1) await page.keyboard.press('j')
    })
    expect(cost).toEqual({ requests: 0, changedNodes: 0 })
  })

  test('opens the drawer with one request and does not change the list', async () => {
    const page = await open('/tickets')
    const { requests, changedNodes } = await costOf(page, async () => {
      await page.locator('.row-link').first().click()
      await page.getByRole('dialog').getByRole('heading', { level: 1 }).waitFor()
    })
    expect(requests).toBe(1)
    expect(changedNodes).toBeLessThan(200)
  })

  test('opens the palette with one request', async () => {
    const page = await open('/tickets')
    const { requests, changedNodes } = await costOf(page, async () => {
      await page.keyboard.press('Control+k')
      await page
        .getByRole('dialog')
        .getByRole('link', { name: /API tokens/ })
        .waitFor()
    })
    expect(requests).toBe(1)
    expect(changedNodes).toBeLessThan(400)
  })

  test('by another person changes only the row', async () => {
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'Slow search' })
    const page = await open('/tickets')
    const { requests, changedNodes } = await costOf(page, async () => {
      await server.admin.tickets.update({ workspace, id }, { title: 'Slower search', status: 'pending' })
      await page.getByRole('link', { name: 'Slower search' }).waitFor()
    })
    expect(requests).toBe(1)
    expect(changedNodes).toBeLessThan(20)
  })

  test('that saves a field changes only that field', async () => {
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'Lost parcel' })
    const page = await open(`/tickets/${id}`)
    const { requests, changedNodes } = await costOf(page, async () => {
      await page.getByLabel('Priority').selectOption('urgent')
      await page.getByText('changed the priority').waitFor()
    })
    // The form, the page it redirects to, and the live refresh.
    expect(requests).toBeLessThanOrEqual(3)
    expect(changedNodes).toBeLessThan(40)
  })
})
