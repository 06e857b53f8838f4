import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { createTestServer } from '../src/testing/entries/testing.ts'
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

async function signIn(page: Page, as = email): Promise<void> {
  await page.getByLabel('E-mail address').fill(as)
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
  /** Each change with its page and its effect. */
  const changes: readonly [
    name: string,
    path: string,
    act: (page: Page) => Promise<void>,
    effect: (page: Page) => Promise<void>,
  ][] = [
    [
      'a row that opens in the drawer',
      '/tickets',
      (page) => page.getByRole('link', { name: 'Lost parcel' }).click(),
      (page) => page.getByRole('dialog').getByRole('heading', { name: 'Lost parcel' }).waitFor(),
    ],
    [
      'a saved field',
      '/tickets/1',
      async (page) => void (await page.getByLabel('Priority').selectOption('low')),
      (page) => page.getByText('changed the priority from Medium to Low').waitFor(),
    ],
    [
      'a moved card',
      '/deals',
      async (page) => {
        await page.getByRole('link', { name: 'Second depot' }).focus()
        await page.keyboard.press(']')
      },
      (page) => page.getByRole('status').getByText('Second depot is in qualification').waitFor(),
    ],
    [
      'a form',
      '/tickets/new',
      async (page) => {
        await page.getByLabel('Title').fill('Late')
        await page.getByRole('button', { name: 'Create ticket' }).click()
      },
      (page) => page.getByRole('heading', { name: 'Late' }).waitFor(),
    ],
  ]

  beforeAll(async () => {
    await createTicket('Lost parcel')
    await server.admin.deals.create(at, { title: 'Second depot', stage: 'prospecting' })
  })

  async function signInAgain(page: Page, as = email): Promise<void> {
    const opened = page.waitForEvent('popup')
    await page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click()
    await signIn(await opened, as)
    await (await opened).close()
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  test.each(changes)('keeps %s and sends it after the next sign-in', async (_, path, act, effect) => {
    const page = await open(path)
    await context.clearCookies({ name: /session/ })
    await act(page)
    await page.getByRole('alert').getByText('Your session has ended.').waitFor()
    await signInAgain(page)
    await effect(page)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('does not send a change after a sign-in as another person', async () => {
    const other = await createPerson(server, 'Ben')
    await server.admin.members.create(at, { name: 'Ben', email: other.email, role: 'member' })
    const ticket = await createTicket('Whose change')
    const page = await open(`/tickets/${ticket.id}`)
    await context.clearCookies({ name: /session/ })
    await page.getByLabel('Priority').selectOption('urgent')
    const reloaded = page.waitForEvent('load')
    await signInAgain(page, other.email)
    await reloaded
    await page.locator('#sidebar').getByText('Ben').first().waitFor()
    expect(await server.admin.tickets.get({ ...at, id: ticket.id })).toMatchObject({ priority: 'medium' })
    await context.clearCookies({ name: /session/ })
    await page.goto(board)
    await signIn(page)
  })
})

test.each([
  ['another person has signed in', 'Cleo'],
  ['the access has ended', 'Dora'],
])('input stays readable when %s', async (reason, name) => {
  const { email: as } = await createPerson(server, name)
  const member = await server.admin.members.create(at, { name, email: as, role: 'member' })
  const own = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => own.close())
  const [page, second] = [await own.newPage(), await own.newPage()]
  await page.goto(board)
  await signIn(page, as)
  await page.goto(`${board}/tickets/new`)
  await page.getByLabel('Title').fill(`Written, then ${reason}`)
  if (reason === 'the access has ended') await server.admin.members.delete({ ...at, id: member.id })
  else {
    await own.clearCookies({ name: /session/ })
    await second.goto(board)
    await signIn(second)
  }
  await page.getByRole('button', { name: 'Create ticket' }).click()
  await page.getByRole('alert').getByText('Your access has ended').waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe(`Written, then ${reason}`)
  page.once('dialog', (dialog) => dialog.accept())
  await page.getByRole('link', { name: 'Reload' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  expect((await server.admin.tickets.list(at, { search: reason })).data).toEqual([])
})

describe('while the server is gone', () => {
  test('a form keeps its input and is sent once the server is back', async () => {
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
    await page.getByRole('heading', { name: 'Printer on fire' }).waitFor()
    expect((await server.admin.tickets.list(at, { search: 'Printer' })).data).toHaveLength(1)
  })

  test('an open page shows a notice, also in the drawer, and saves a change once the server is back', async () => {
    const ticket = await createTicket('Slow search')
    const page = await open('/tickets')
    await page.locator('#live-state[data-state=on]').waitFor()
    await page.getByRole('link', { name: 'Slow search' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Priority').waitFor()
    await server.close()
    await noticeOn(page).waitFor()
    await page.getByText('Reconnecting…').waitFor()
    await drawer.getByLabel('Priority').selectOption('urgent')
    await start()
    await drawer.getByRole('button', { name: 'Try now' }).click()
    await drawer.getByText('changed the priority from Medium to Urgent').waitFor()
    expect(await noticeOn(page).count()).toBe(0)
    await page.locator('#live-state[data-state=on]').waitFor()
    expect(await server.admin.tickets.get({ ...at, id: ticket.id })).toMatchObject({ priority: 'urgent' })
  })

  test('a button that waits sends what it said, also if a live update has changed it meanwhile', async () => {
    const ticket = await createTicket('Lost key')
    const page = await open(`/tickets/${ticket.id}`)
    await page.locator('#live-state[data-state=on]').waitFor()
    await page.route('**/session', (route) => route.abort())
    await page.getByRole('button', { name: 'Resolve' }).click()
    await noticeOn(page).waitFor()
    await server.admin.tickets.update({ ...at, id: ticket.id }, { status: 'resolved' })
    await page.getByText('resolved it').waitFor()
    await page.unroute('**/session')
    await page.getByRole('button', { name: 'Try now' }).click()
    await page.getByRole('status').getByText('is resolved').waitFor()
    expect(await server.admin.tickets.get({ ...at, id: ticket.id })).toMatchObject({ status: 'resolved' })
  })

  test('a change of selected rows waits while the list is refreshed, and is sent as soon as the page is live', async () => {
    const ticket = await createTicket('Wet parcel')
    const page = await open('/tickets')
    await page.locator('#live-state[data-state=on]').waitFor()
    await page
      .getByRole('row', { name: /Wet parcel/ })
      .getByRole('checkbox')
      .check()
    // The pause before the next try does not end by itself.
    await page.clock.install()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    let mayTry = false
    await page.route('**/session', (route) => (mayTry ? route.continue() : route.abort()))
    await server.close()
    await page.getByRole('button', { name: 'Assign to me' }).click()
    await noticeOn(page).waitFor()
    await start()
    await createTicket('Later parcel')
    await page.getByRole('link', { name: 'Later parcel' }).waitFor()
    await noticeOn(page).waitFor()
    mayTry = true
    await server.close()
    await page.getByText('Reconnecting…').waitFor()
    await start()
    await page.getByRole('status').getByText('1 ticket changed').waitFor()
    expect(await server.admin.tickets.get({ ...at, id: ticket.id })).toMatchObject({ assigned_to: expect.any(Number) })
  })
})

test('a page whose server falls silent shows that it is not live, and connects again', async () => {
  // The browser deletes cookies that have expired by its own time.
  const frozen = await createTestServer({ clock: new Date().toISOString() })
  const own = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(async () => {
    await own.close()
    await frozen.close()
  })
  const { url } = await frozen.listen()
  const { id: workspace } = await frozen.admin.workspaces.create({ name: 'Northwind' })
  const { id } = await frozen.admin.members.create(
    { workspace },
    { name: 'Ada', email: 'ada@x.example', role: 'member' },
  )
  const page = await own.newPage()
  await page.goto(url + (await frozen.admin.users.signInLink({ id })).link)
  // Timers of the page run only when the test moves its clock.
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  await page.goto(`${url}/dashboard/w/${workspace}/tickets`)
  const isLive = page.locator('#live-state[data-state=on]')
  await isLive.waitFor()

  // The beats of the server keep the connection. The ticket shows that the beat before it has arrived.
  for (const title of ['First', 'Second', 'Third']) {
    await page.clock.fastForward(30_000)
    expect(await isLive.count()).toBe(1)
    await frozen.clock.advance('15s')
    await frozen.admin.tickets.create({ workspace }, { title })
    await page.getByRole('link', { name: title }).waitFor()
  }

  let answer = () => {}
  const answering = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/live\?/, async (route) => {
    await answering
    await route.continue()
  })
  await page.clock.fastForward(45_000)
  await page.getByText('Reconnecting…').waitFor()
  answer()
  await isLive.waitFor()
})
