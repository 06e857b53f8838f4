import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { routeTo } from '../../../src/testing/entries/playwright.ts'
import { createTestServer, type Fault } from '../../../src/testing/entries/testing.ts'
import { browserTimeoutMs, openBrowser } from '../../browser.ts'

// Playwright hands over whole responses, so a page sees the headers of a slow body when all of it is there.

const app = 'https://app.example.com'
const api = 'https://api.example.com'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, browserTimeoutMs)
afterAll(() => browser.close())

async function openApp(fault: Fault) {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.route(`${app}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>App</title>' }))
  await page.goto(app)
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z', corsOrigins: [app] })
  onTestFinished(() => server.close())
  const routed = await routeTo(page, server, api)
  const active = server.faults.add({ ...fault, match: { path: '/api/v1/workspaces' }, times: 1 })
  const whenHeld = () => expect.poll(() => active.hits).toBe(1)
  const recovers = async () => {
    await server.settled()
    expect(await page.evaluate(async (url) => (await fetch(url)).status, `${api}/api/v1/workspaces/1/tickets`)).toBe(
      401,
    )
    await server.close()
  }
  return { page, server, routed, whenHeld, recovers }
}

/** Starts a request in the page. Returns how it ends, and a function that aborts it. */
async function startInPage(page: Page) {
  const controller = await page.evaluateHandle(() => new AbortController())
  const outcome = page.evaluate(
    async ([url, { signal }]) => {
      const response = await fetch(url, { signal })
      return response.text().then(
        () => String(response.status),
        ({ name }) => name,
      )
    },
    [`${api}/api/v1/workspaces`, controller] as const,
  )
  const settled = outcome.catch(({ message }: Error) => message.split('\n')[0])
  return { settled, abort: () => controller.evaluate((each) => each.abort()) }
}

const faults: readonly [string, Fault][] = [
  ['hang', { connection: 'hang' }],
  ['latency', { latency: '1h' }],
  ['latency by the clock of the server', { latency: '1h', clock: 'virtual' }],
  ['a function without an answer', { respond: () => new Promise(() => undefined) }],
  ['0 bytes per second', { bytesPerSecond: 0 }],
  ['5 bytes per second', { bytesPerSecond: 5 }],
]

test.each(faults)('an abort in the page rejects the request: %s', async (_, fault) => {
  const { page, whenHeld, recovers } = await openApp(fault)
  const { settled, abort } = await startInPage(page)
  await whenHeld()
  await abort()
  expect(await settled).toContain('AbortError')
  await recovers()
})

test.each(faults)('a navigation ends the request: %s', async (_, fault) => {
  const { page, whenHeld, recovers } = await openApp(fault)
  const { settled } = await startInPage(page)
  await whenHeld()
  await page.goto(`${app}/elsewhere`)
  await settled
  await recovers()
})

test.each(faults)('a closed page ends the request: %s', async (_, fault) => {
  const { page, server, whenHeld } = await openApp(fault)
  const { settled } = await startInPage(page)
  await whenHeld()
  await page.close()
  await settled
  await server.close()
})

test.each(faults)('stopping ends the request before the server closes: %s', async (_, fault) => {
  const { page, server, routed, whenHeld } = await openApp(fault)
  const { settled } = await startInPage(page)
  await whenHeld()
  await routed.stop()
  expect(await settled).toContain('Failed to fetch')
  await server.close()
})

test('closing the server ends a hanging request like a closed connection', async () => {
  const { page, server, whenHeld } = await openApp({ connection: 'hang' })
  const failed = page.waitForEvent('requestfailed')
  const { settled } = await startInPage(page)
  await whenHeld()
  await server.close()
  expect(await settled).toContain('Failed to fetch')
  expect((await failed).failure()?.errorText).toBe('net::ERR_CONNECTION_CLOSED')
})

test('another handler may answer the request first', async () => {
  const { page, server } = await openApp({ connection: 'hang' })
  await page.route(`${api}/api/v1/workspaces`, (route) => route.fulfill({ status: 204 }))
  const { settled } = await startInPage(page)
  expect(await settled).toBe('204')
  expect(server.journal.entries()).toEqual([])
})
