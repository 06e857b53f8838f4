import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { createStorage } from './on-every-store.ts'
import { createPerson, goodPassword } from './people.ts'

let place: Awaited<ReturnType<typeof createStorage>>
let server: Server
let browser: Browser
let context: BrowserContext
let url: string
let port: number
let board: string
let at: { workspace: number }
let email: string

const start = async () => {
  server = await createServer({ ...place.options, rateLimit: 'off' })
  const listening = await server.listen({ port })
  url = listening.url
  port = listening.port
}

beforeAll(async () => {
  place = await createStorage('sqlite')
  port = 0
  await start()
  at = { workspace: (await server.admin.workspaces.create({ name: 'Northwind' })).id }
  board = `${url}/dashboard/w/${at.workspace}`
  const person = await createPerson(server, 'Ada')
  email = person.email
  await server.admin.members.create(at, { name: 'Ada', email, role: 'member' })
  browser = await openBrowser()
  context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(`${url}/dashboard`)
  await signIn(page)
  await page.close()
}, browserTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.close()
  await place?.remove()
})

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('#sidebar').waitFor()
}

async function open(path: string): Promise<Page> {
  const page = await context.newPage()
  onTestFinished(() => page.close())
  await page.goto(board + path)
  return page
}

const createTicket = (title: string) => server.admin.tickets.create(at, { title })

/** The browser's error page while no server listens on the port. */
const noticeOn = (page: Page) => page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' })

describe('a session that ends while a page is open', () => {
  /** Requests by scripts, with the page. */
  const requests: readonly [name: string, path: string, act: (page: Page) => Promise<void>][] = [
    ['a row that opens in the drawer', '/tickets', (page) => page.getByRole('link', { name: 'Lost parcel' }).click()],
    ['the palette', '/tickets', (page) => page.keyboard.press('Control+k')],
    [
      'a field that is saved',
      '/tickets/1',
      async (page) => void (await page.getByLabel('Priority').selectOption('low')),
    ],
    [
      'a card that is moved',
      '/deals',
      async (page) => {
        await page.getByRole('link', { name: 'Second depot' }).focus()
        await page.keyboard.press(']')
      },
    ],
    [
      'a form that is sent',
      '/tickets/new',
      async (page) => {
        await page.getByLabel('Title').fill('Late')
        await page.getByRole('button', { name: 'Create ticket' }).click()
      },
    ],
  ]

  beforeAll(async () => {
    await createTicket('Lost parcel')
    await server.admin.deals.create(at, { title: 'Second depot', stage: 'prospecting' })
  })

  test.each(requests)('leads from %s to the sign-in page, and back', async (_, path, act) => {
    const page = await open(path)
    await context.clearCookies({ name: /session/ })
    await act(page)
    await page.waitForURL(/\/dashboard\/sign-in\?/)
    expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(1)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await signIn(page)
    expect(page.url()).toBe(board + path)
  })
})

describe('while the server is gone', () => {
  test('a form stays with what was typed, and is sent when the server is back', async () => {
    const page = await open('/tickets/new')
    await page.getByLabel('Title').fill('Printer on fire')
    await server.close()
    await page.getByRole('button', { name: 'Create ticket' }).click()
    await noticeOn(page).waitFor()
    await page.getByRole('link', { name: 'Projects' }).click()
    expect(page.url()).toBe(`${board}/tickets/new`)
    expect(await page.getByLabel('Title').inputValue()).toBe('Printer on fire')
    await start()
    await page.getByRole('button', { name: 'Try now' }).click()
    await noticeOn(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Create ticket' }).click()
    await page.getByRole('heading', { name: 'Printer on fire' }).waitFor()
  })

  test('an open page says so by itself, also in the drawer, and saves what was chosen when the server is back', async () => {
    const ticket = await createTicket('Slow search')
    const page = await open('/tickets')
    await page.locator('#live-state[data-state=on]').waitFor()
    await page.getByRole('link', { name: 'Slow search' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Priority').waitFor()
    await server.close()
    await noticeOn(page).waitFor()
    await drawer.getByLabel('Priority').selectOption('urgent')
    await start()
    await drawer.getByRole('button', { name: 'Try now' }).click()
    await drawer.getByText('changed the priority from Medium to Urgent').waitFor()
    expect(await noticeOn(page).count()).toBe(0)
    await page.locator('#live-state[data-state=on]').waitFor()
    expect(await server.admin.tickets.get({ ...at, id: ticket.id })).toMatchObject({ priority: 'urgent' })
  })
})
