import { readFile } from 'node:fs/promises'
import { routeTo } from '@service/server/playwright'
import { type Service, serviceTest } from '@service/server/vitest'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'

// With @playwright/test, `serviceFixtures({ seed: 'demo', route: 'https://api.example.com', corsOrigins: ['https://app.example.com'] })` does
// all of this.

const html = await readFile(new URL('./ticket-page.html', import.meta.url), 'utf8')
const test = serviceTest({ corsOrigins: ['https://app.example.com'] })

let browser: Browser
beforeAll(async () => {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
})
afterAll(() => browser?.close())

async function open({ server, token, workspace }: Service): Promise<string[]> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.route('https://app.example.com/**', (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await routeTo(page, server, 'https://api.example.com')
  await page.goto(`https://app.example.com/?token=${token}&workspace=${workspace}`)
  await page.waitForSelector('li')
  return page.locator('li').allTextContents()
}

test('shows the tickets', async ({ server, service }) => {
  await server.create.ticket({ title: 'Checkout is down' })
  expect(await open(service)).toEqual(['Checkout is down'])
})

test('shows a message if the connection fails', async ({ server, service }) => {
  server.faults.add({ match: { operation: 'tickets.list' }, connection: 'reset' })
  expect(await open(service)).toEqual(['Please try again.'])
})
