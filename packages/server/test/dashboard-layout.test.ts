import { createAdminClient } from '@service/client/admin'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dashboardRoutes } from '../src/http/dashboard.ts'
import { createServer, type Server } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { examplesOf } from './dashboard-examples.ts'
import { seedDemo } from './seed-demo.ts'

const longTag = 'x'.repeat(60)
const hebrew = 'חבילה אבודה'

let server: Server
let browser: Browser
let page: Page
let board: string
let ticket: number

beforeAll(async () => {
  server = await createServer({ rateLimit: 'off' })
  const { url } = await server.listen()
  const at = { workspace: (await server.admin.workspaces.create({ name: 'Northwind' })).id }
  board = `${url}/dashboard/w/${at.workspace}`
  const person = await server.admin.members.create(at, { name: 'Ada', email: 'ada@people.example', role: 'member' })
  ticket = (await server.admin.tickets.create(at, { title: hebrew, description: hebrew, tags: [longTag, hebrew] })).id
  for (const name of ['Customer onboarding, northern region and islands', 'Customer-onboarding'.repeat(9)])
    await server.admin.channels.create(at, { name })
  await server.admin.deals.create(at, { title: 'Yearly support' })
  await server.admin.tasks.create(at, { title: 'Call the depot' })
  browser = await openBrowser()
  page = await browser.newPage()
  await page.goto(url + (await server.admin.users.signInLink({ id: person.id })).link)
}, browserTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe('a tag of 60 characters', () => {
  test.each([1280, 390])('fits a page of %i pixels and leaves the title readable', async (width) => {
    await page.setViewportSize({ width, height: 800 })
    for (const path of ['/tickets', `/tickets?tag=${longTag}`, `/tickets/${ticket}`]) {
      await page.goto(board + path)
      expect([path, await overflow()]).toEqual([path, 0])
      const beyond = await page.evaluate(() => {
        const right = document.querySelector('main')?.getBoundingClientRect().right ?? 0
        return [...document.querySelectorAll('.tag, .chip')].filter(
          (each) => each.getBoundingClientRect().right > right,
        ).length
      })
      expect([path, beyond]).toEqual([path, 0])
    }
    await page.goto(`${board}/tickets`)
    const title = page.getByRole('link', { name: hebrew })
    const isWhole = await title.evaluate((link) => link.scrollWidth <= link.clientWidth)
    expect(isWhole).toBe(true)
  })
})

test('a page printed in landscape fills the paper with dark text on white', async () => {
  await page.setViewportSize({ width: 1123, height: 794 })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const path of ['/tickets', `/tickets/${ticket}`, '/overview', '/deals']) {
    await page.goto(board + path)
    const main = await page.locator('main').boundingBox()
    expect([path, main?.x, (main?.width ?? 0) > 1080]).toEqual([path, 0, true])
    expect(await page.locator('#sidebar').isVisible()).toBe(false)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('oklch(1 0 0)')
  }
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
})

test('a board printed in portrait has all of its columns on the paper', async () => {
  await page.setViewportSize({ width: 794, height: 1123 })
  await page.emulateMedia({ media: 'print' })
  for (const path of ['/deals', '/tasks']) {
    await page.goto(board + path)
    const ends = await page
      .locator('.board-column')
      .evaluateAll((columns) => columns.map((column) => column.getBoundingClientRect().right))
    expect(ends.length).toBeGreaterThan(3)
    expect([path, Math.max(...ends) <= 794]).toEqual([path, true])
  }
  await page.emulateMedia({ media: 'screen' })
})

test.each([1280, 390])('the bar for selected rows shows its buttons in a window of %i pixels', async (width) => {
  await page.setViewportSize({ width, height: 800 })
  await page.goto(`${board}/tickets`)
  await page.getByRole('checkbox', { name: 'Select TKT-00001' }).check()
  const bar = page.getByRole('form', { name: 'Change selected rows' })
  const right = (element: Element) => element.getBoundingClientRect().right
  const end = await bar.evaluate(right)
  for (const name of ['Apply', 'Assign to me', 'Clear'])
    expect([name, (await bar.getByRole('button', { name }).evaluate(right)) < end]).toEqual([name, true])
})

test.each([1280, 390])('each channel has one line in a window of %i pixels', async (width) => {
  await page.setViewportSize({ width, height: 800 })
  await page.goto(`${board}/messages`)
  const areas = await page
    .locator('.channels .nav-item > bdi')
    .evaluateAll((names) => names.map(({ clientWidth, clientHeight }) => [clientWidth > 100, clientHeight < 24]))
  expect(areas).toEqual([
    [true, true],
    [true, true],
  ])
})

test('right-to-left text is shown and typed in its direction on a left-to-right page', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const direction = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).direction)
  await page.goto(`${board}/tickets`)
  expect(await direction('.row-link')).toBe('rtl')
  await page.goto(`${board}/tickets/${ticket}`)
  expect([await direction('h1 > bdi'), await direction('.prose')]).toEqual(['rtl', 'rtl'])
  await page.goto(`${board}/tickets/${ticket}/edit`)
  expect([await direction('#field-title'), await direction('#field-description'), await direction('main')]).toEqual([
    'rtl',
    'rtl',
    'ltr',
  ])
})

test.each(['/tickets', '/deals', '/tickets/new'])('the sidebar marks where %s belongs', async (path) => {
  await page.goto(board + path)
  const current = page.locator('.nav-item[aria-current=page]')
  expect(await current.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    new URL(`${board}/${path.split('/')[1]}`).pathname,
  ])
})

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])(
  'the open menu of a narrow window covers the page for touches, and for the keyboard as far as possible, %s',
  async (_, on) => {
    const context = await browser.newContext({
      storageState: await page.context().storageState(),
      viewport: { width: 390, height: 800 },
      hasTouch: true,
      javaScriptEnabled: on,
    })
    const phone = await context.newPage()
    await phone.goto(`${board}/tickets`)
    const menu = phone.getByRole('button', { name: 'Open the menu' })
    const sidebar = phone.locator('#sidebar')
    const { x, y, width, height } = await phone
      .getByRole('link', { name: 'New ticket' })
      .evaluate((link) => link.getBoundingClientRect())
    await menu.tap()
    await sidebar.waitFor()
    await phone.touchscreen.tap(x + width / 2, y + height / 2)
    await sidebar.waitFor({ state: 'hidden' })
    expect(phone.url()).toBe(`${board}/tickets`)
    await menu.press('Enter')
    await sidebar.waitFor()
    const isBehind = () => phone.evaluate(() => document.activeElement?.closest('.column') !== null)
    // The menu takes the focus after it has opened.
    if (on) await expect.poll(isBehind).toBe(false)
    for (let step = 0; on && step < 30; step += 1) {
      await phone.keyboard.press('Tab')
      expect(await isBehind()).toBe(false)
    }
    await phone.keyboard.press('Escape')
    await sidebar.waitFor({ state: 'hidden' })
    await context.close()
  },
)

test('a word of 200 letters wraps in a comment, with its author, and on the page that invites a person', async () => {
  const word = 'w'.repeat(200)
  const at = { workspace: (await server.admin.workspaces.create({ name: 'Words' })).id }
  const owner = await server.admin.members.create(at, { name: 'Eve', email: 'eve@people.example', role: 'owner' })
  const author = await server.admin.members.create(at, { name: word, email: 'author@people.example' })
  const { id } = await server.admin.tickets.create(at, { title: word, description: word })
  await server.admin.messages.create(at, { ticket_id: id, body: word, author_id: author.id })
  const home = board.replace(/\d+$/, String(at.workspace))
  const link = await server.admin.users.signInLink({ id: owner.id })
  await page.goto(new URL(link.link, board).href)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of [`/tickets/${id}`, '/messages']) {
      await page.goto(home + path)
      expect([width, path, await overflow()]).toEqual([width, path, 0])
    }
    await page.goto(`${home}/settings/members/new`)
    await page.getByLabel('Name', { exact: true }).fill(word)
    await page.getByLabel('E-mail address').fill(`guest${width}@people.example`)
    await page.getByRole('button', { name: 'Add member' }).click()
    await page.getByText('seven days').waitFor()
    expect([width, 'invitation', await overflow()]).toEqual([width, 'invitation', 0])
  }
})

const lengthened =
  /^(?:name|title|body|message|reason|description|department|job_title|employee_code|company|device_name|external_device_id|exception|app|file|function)$/

/** Pads the texts of a JSON body to the longest allowed, without a space. Their ends keep them apart. */
const lengthen = (body: string) =>
  JSON.stringify(
    JSON.parse(body, (key, value) =>
      typeof value === 'string' && lengthened.test(key) ? value.replaceAll(' ', '-').padStart(255, 'w') : value,
    ),
  )

/** Runs in the browser. */
function measure() {
  const { scrollWidth, clientWidth } = document.documentElement
  // A link with a short text has the room of its cell.
  const links = [...document.querySelectorAll('tr .row-link')].map((link) => {
    const isCut = link.scrollWidth > link.clientWidth
    return (isCut ? link : link.closest('td'))?.clientWidth ?? 0
  })
  const spilling = [...document.querySelectorAll('.board-card, .nav-item')].filter(
    (box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight,
  )
  return {
    links: links.length,
    faults: { beyond: scrollWidth - clientWidth, narrow: links.filter((px) => px < 110), spilling: spilling.length },
  }
}

test('texts of 255 letters in every record neither widen a page nor leave links too narrow to read', async () => {
  const adminToken = 'admin_token_of_enough_characters'
  await using long = await createServer({ rateLimit: 'off', adminToken })
  const { url } = await long.listen()
  const fetch: typeof long.fetch = (input, init) =>
    long.fetch(input, typeof init?.body === 'string' ? { ...init, body: lengthen(init.body) } : init)
  const admin = createAdminClient({ baseUrl: `${long.origin}/admin/v1`, token: adminToken, fetch })
  const workspace = await seedDemo(admin)
  const fill = await examplesOf({ ...long, fetch, admin }, workspace)
  const user = await admin.users.create({ name: 'Ada', email: 'ada@people.example', is_instance_admin: true })
  await admin.members.create({ workspace }, { name: 'Ada', email: user.email, role: 'owner' })
  const reader = await browser.newPage()
  await reader.goto(url + (await admin.users.signInLink({ id: user.id })).link)
  const paths = dashboardRoutes
    .filter(({ method, path, role }) => method === 'GET' && role !== 'public' && !path.endsWith('/export'))
    .map(({ path }) => fill(path))
  const views = ['tasks?view=list', 'deals?view=list', 'search?q=w', 'messages?search=w', 'tickets?tag=checkout']
  const person = 'person?email=sofia@marchetti.example'
  let links = 0
  for (const path of [...paths, ...[...views, person].map((view) => `/dashboard/w/${workspace}/${view}`)]) {
    await reader.goto(url + path)
    for (const width of [1280, 1024, 390]) {
      await reader.setViewportSize({ width, height: 800 })
      const measured = await reader.evaluate(measure)
      links += measured.links
      expect.soft(measured.faults, `${path} at ${width} px`).toEqual({ beyond: 0, narrow: [], spilling: 0 })
    }
  }
  expect(links).toBeGreaterThan(100)
})
