import { apiRoutes, eventNames, inboundRoutes } from '@service/contract'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { accessibilityIssues } from './accessibility.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { seedWorkspace } from './workspace.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, browserTimeoutMs)
afterAll(() => browser?.close())

const timeout = 90_000
const createTicket = '[id="api-1/tag/tickets/POST/api/v1/workspaces/{workspace}/tickets"]'
const ticketResolved = '[id="api-1/tag/outbound-events/webhook/POST/ticket.resolved"]'

const apiPage = { path: '/docs', heading: 'Workspace Platform' }
const adminPage = { path: '/admin/docs', heading: 'Administration of the Workspace Platform' }

/** A page of a server with a workspace, with its requests and errors. */
async function open(options: BrowserContextOptions = {}, { path, heading } = apiPage) {
  // Another address than the one that the browser opens, as behind a proxy.
  const server = await createServer({ publicUrl: 'https://platform.example' })
  onTestFinished(() => server.close())
  const seeded = await seedWorkspace(server)
  const { url } = await server.listen()
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  context.setDefaultTimeout(timeout)
  const page: Page = await context.newPage()
  const requests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (fault) => errors.push(fault.message))
  page.on('console', (message) => {
    // The CSP rejects Scalar's style elements, and the page adopts their text.
    if (message.type() === 'error' && !message.text().startsWith('Applying inline style')) errors.push(message.text())
  })
  await page.goto(url + path)
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
  return { page, server, url, requests, errors, ...seeded }
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const everything = [...wcag, 'best-practice']

test('shows every operation and event, contacts no other host, and is accessible', { timeout }, async () => {
  const { page, url, requests, errors } = await open()
  const routes = [...apiRoutes, ...inboundRoutes]
  const methods = new Set(['POST', ...routes.map(({ method }) => method)]) // an event is a POST
  const named = page.locator([...methods].map((method) => `[data-sidebar-id*="/${method}/"]`).join())
  await expect.poll(() => named.count(), { timeout }).toBe(routes.length + eventNames.length)
  expect(await page.title()).toBe('Workspace Platform: API reference')
  expect(requests.filter((request) => !request.startsWith(url) && !request.startsWith('data:'))).toEqual([])
  expect(errors).toEqual([])
  expect(await accessibilityIssues(page, everything)).toEqual([])
})

test('shows the admin API at its own address', { timeout }, async () => {
  const { page, url, requests, errors } = await open({}, adminPage)
  await page.getByText('List workspaces').first().waitFor()
  expect(requests).toContain(`${url}/admin/v1/openapi.json`)
  expect(errors).toEqual([])
})

test('is dark, fits, and is accessible on a dark phone 360 pixels wide', { timeout }, async () => {
  const { page } = await open({ viewport: { width: 360, height: 844 }, colorScheme: 'dark' })
  await page.locator('body.dark-mode').waitFor()
  expect(await accessibilityIssues(page, everything)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

test('can create a ticket with a token, and cannot send an event', {
  timeout,
}, async () => {
  const { page, server, workspace, token, errors } = await open()
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
  expect(await accessibilityIssues(page, wcag)).toEqual([])
  await page.keyboard.press('Escape')
  await page
    .getByRole('link', { name: /ticket\.resolved/ })
    .first()
    .click()
  const send = page.locator(`${ticketResolved} .show-api-client-button`)
  await send.waitFor({ state: 'attached' })
  expect(await send.isVisible()).toBe(false)
  expect(errors).toEqual([])
})
