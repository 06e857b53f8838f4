import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { seedDemo } from '../src/testing/seeds/scenarios/demo-data.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'

// How quickly a page answers its reader is not measured here as time, which on a shared machine says more about the
// machine. Counted is what the time is made of and what is the same everywhere: shifts of the layout, requests, and
// nodes that a script has added or removed. A page that is built anew where a part would do shows at once.

let server: Server
let browser: Browser
let context: BrowserContext
let board: string

beforeAll(async () => {
  server = await createServer({ rateLimit: 'off' })
  const { workspace } = await seedDemo(server.admin)
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

/** Runs in the page, before anything of it. */
function observe(): void {
  const observed: Observed = { shifts: [], changedNodes: 0 }
  Object.assign(globalThis, { observed })
  new PerformanceObserver((list) => {
    // The type of the entry is not in TypeScript's library.
    for (const { value, sources } of list.getEntries() as unknown as {
      value: number
      sources: { node: Element | null }[]
    }[])
      observed.shifts.push(`${value.toFixed(4)} ${sources.map(({ node }) => node?.nodeName).join(' ')}`)
  }).observe({ type: 'layout-shift', buffered: true })
  const countNodes = (nodes: NodeList) =>
    [...nodes].reduce((sum, node) => sum + 1 + (node instanceof Element ? node.querySelectorAll('*').length : 0), 0)
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver((records) => {
      for (const { addedNodes, removedNodes } of records)
        observed.changedNodes += countNodes(addedNodes) + countNodes(removedNodes)
    }).observe(document.body, { childList: true, subtree: true })
  })
}

async function open(path: string): Promise<Page> {
  const page = await context.newPage()
  onTestFinished(() => page.close())
  await page.addInitScript(observe)
  await page.goto(board + path)
  return page
}

const observedOn = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { observed: Observed }).observed)

/** Two frames: what a script has changed is then laid out and painted, and the shifts of it are reported. */
const painted = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** What an interaction costs. */
async function costOf(page: Page, interact: () => Promise<void>): Promise<{ requests: number; changedNodes: number }> {
  let requests = 0
  const count = () => {
    requests += 1
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
  ])('%s shifts nothing while it loads and becomes live', async (path) => {
    const page = await open(path)
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    // A live page fetches itself once more when it is connected.
    if ((await page.locator('#live-state').count()) > 0) {
      await page.locator('#live-state[data-state=on]').waitFor()
      await page.waitForLoadState('networkidle')
    }
    await painted(page)
    expect((await observedOn(page)).shifts).toEqual([])
  })
})
