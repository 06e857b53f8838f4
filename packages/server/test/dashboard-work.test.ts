import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { startReceiver } from './delivery/receiver.ts'
import { sendingOptions, subscribeReceiver } from './delivery/subscribed.ts'

let server: Server
let browser: Browser
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>
let home: string
let at: { workspace: number }

beforeAll(async () => {
  const { clock: _, ...options } = sendingOptions()
  server = await createServer({ ...options, rateLimit: 'off' })
  const { url } = await server.listen()
  at = { workspace: (await server.admin.workspaces.create({ name: 'Northwind' })).id }
  // Enables attendance. The devices of these tests have their own secrets.
  await server.admin.integrations.rotateSecret({ ...at, integration: 'attendance' })
  home = `${url}/dashboard/w/${at.workspace}`
  const ada = await server.admin.members.create(at, { name: 'Ada Obi', email: 'ada@people.example', role: 'member' })
  browser = await openBrowser()
  const context = await browser.newContext()
  const page = await context.newPage()
  const { link } = await server.admin.users.signInLink({ id: ada.id })
  await page.goto(url + link)
  cookies = await context.cookies()
  await context.close()
}, browserTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const screen: BrowserContextOptions = {}
const phone: BrowserContextOptions = { colorScheme: 'dark', viewport: { width: 360, height: 740 } }
const withoutScripts: BrowserContextOptions = { javaScriptEnabled: false }

const contexts = new Map<BrowserContextOptions, BrowserContext>()

/** Opens a page as Ada. */
async function openPage(options: BrowserContextOptions, act: (page: Page) => Promise<void>): Promise<void> {
  let context = contexts.get(options)
  if (context === undefined) {
    context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    await context.addCookies(cookies)
    contexts.set(options, context)
  }
  const page = await context.newPage()
  await act(page)
  await page.close()
}

/** Without live updates, only the element itself can change the page. */
const withoutLive = (page: Page) => page.route('**/live?*', (route) => route.abort())

const newDeal = (title: string) => server.admin.deals.create(at, { title, stage: 'prospecting', amount: 1200 })
const stageOf = async ({ id }: { id: number }) => (await server.admin.deals.get({ ...at, id })).stage
const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('a date shows its full form on hover', async () => {
  await server.admin.projects.create(at, { name: 'Move to the new hall', due_at: '2027-03-05' })
  await openPage(screen, async (page) => {
    await page.goto(`${home}/projects`)
    await page.locator('time[title="Friday, 5 March 2027"]').first().waitFor()
  })
})

describe('a deal', () => {
  test('can be dragged to another stage, which updates the sums', async () => {
    const deal = await newDeal('Storage for the season')
    await openPage(screen, async (page) => {
      await page.goto(`${home}/deals`)
      const card = page.getByRole('listitem').filter({ hasText: deal.title })
      await card.dragTo(column(page, 'Proposal'))
      await page.getByRole('status').getByText('Storage for the season is in proposal').waitFor()
      await column(page, 'Proposal').getByText('1,200.00').first().waitFor()
      await column(page, 'Proposal').getByRole('link', { name: deal.title }).waitFor()
    })
    expect(await stageOf(deal)).toBe('proposal')
  })

  test('that someone else has moved meanwhile stays there, and the board says so', async () => {
    const deal = await newDeal('Two drivers')
    for (const options of [screen, withoutScripts])
      await openPage(options, async (page) => {
        await withoutLive(page)
        await server.admin.deals.update({ ...at, id: deal.id }, { stage: 'prospecting' })
        await page.goto(`${home}/deals`)
        await server.admin.deals.update({ ...at, id: deal.id }, { stage: 'won' })
        await page.getByRole('button', { name: 'Move Two drivers' }).click()
        await page.getByRole('button', { name: 'Move to Proposal' }).click()
        await page.getByText('Two drivers was moved to won by someone else. Nothing was changed.').waitFor()
        await column(page, 'Won').getByRole('link', { name: deal.title }).waitFor()
        expect(await stageOf(deal)).toBe('won')
      })
    await openPage(screen, async (page) => {
      await withoutLive(page)
      await server.admin.deals.update({ ...at, id: deal.id }, { stage: 'prospecting' })
      await page.goto(`${home}/deals`)
      await server.admin.deals.update({ ...at, id: deal.id }, { stage: 'lost' })
      await page.getByRole('listitem').filter({ hasText: deal.title }).dragTo(column(page, 'Proposal'))
      await page.getByText('Two drivers was moved to lost by someone else. Nothing was changed.').waitFor()
      await column(page, 'Lost').getByRole('link', { name: deal.title }).waitFor()
    })
    expect(await stageOf(deal)).toBe('lost')
  })

  test('can be moved with the keyboard and keeps the focus', async () => {
    const deal = await newDeal('Evening windows')
    await openPage(screen, async (page) => {
      await withoutLive(page)
      await page.goto(`${home}/deals`)
      await page.getByRole('link', { name: deal.title }).focus()
      await page.keyboard.press(']')
      await page.getByRole('status').getByText('Evening windows is in qualification').waitFor()
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(deal.title)
      await page.keyboard.press('[')
      await page.getByRole('status').getByText('Evening windows is in prospecting').waitFor()
    })
    expect(await stageOf(deal)).toBe('prospecting')
  })

  test('is moved once the server can be reached again', async () => {
    const deal = await newDeal('Same-day in the city')
    await openPage(screen, async (page) => {
      await withoutLive(page)
      await page.goto(`${home}/deals`)
      await page.route('**/stage*', (route) => route.abort())
      await page.getByRole('link', { name: deal.title }).focus()
      await page.keyboard.press(']')
      await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
      await page.unroute('**/stage*')
      await page.getByRole('button', { name: 'Try now' }).click()
      await page.getByRole('status').getByText('Same-day in the city is in qualification').waitFor()
    })
    expect(await stageOf(deal)).toBe('qualification')
  })
})

/** Uses the menu of the card. */
async function moveToWon(options: BrowserContextOptions, title: string): Promise<void> {
  const deal = await newDeal(title)
  await openPage(options, async (page) => {
    await page.goto(`${home}/deals`)
    await page.getByRole('button', { name: `Move ${title}` }).click()
    await page.getByRole('button', { name: 'Move to Won' }).click()
    await column(page, 'Won').getByRole('link', { name: title }).waitFor()
  })
  expect(await stageOf(deal)).toBe('won')
}

test('without JavaScript, a deal can be moved with its menu', () => moveToWon(withoutScripts, 'Second depot'))
test('on a phone in dark mode, a deal can be moved with its menu', () => moveToWon(phone, 'Pilot with two vans'))

const devices = [
  ['on a screen', screen],
  ['on a phone in dark mode', phone],
] as const

test('a lead can be entered, qualified, and converted to a deal with a new account', async () => {
  await openPage(screen, async (page) => {
    await page.goto(`${home}/leads`)
    await page.getByRole('link', { name: 'New lead' }).first().click()
    await page.getByLabel('Name').fill('Grace Kim')
    await page.getByLabel('Company').fill('Kim Logistics')
    await page.getByLabel('Estimated value').fill('18,000')
    await page.getByRole('button', { name: 'Create lead' }).click()
    await page.getByLabel('Status').selectOption('Qualified')
    await page.getByRole('heading', { name: 'Grace Kim Qualified' }).waitFor()
    await page.goto(`${home}/leads?source=website`)
    await page.getByLabel('Status of Grace Kim').selectOption('Contacted')
    await page.getByRole('status').getByText('Grace Kim is saved').waitFor()
    expect(page.url()).toContain('/leads?source=website')
    expect((await server.admin.leads.list(at, { status: 'contacted' })).data).toMatchObject([{ name: 'Grace Kim' }])
    await page.goto(`${home}/leads/${(await server.admin.leads.list(at)).data[0]?.id}`)
    await page.getByRole('link', { name: 'Convert' }).click()
    await page.getByLabel('Title of the deal').fill('')
    await page.getByRole('button', { name: 'Convert' }).click()
    await page.getByText('The title of the deal field is required.').waitFor()
    await page.getByLabel('Title of the deal').fill('Storage for Kim')
    const secondTab = await page.context().newPage()
    await secondTab.goto(page.url().replace(/(?:\/convert)?$/, '/convert'))
    await page.getByRole('button', { name: 'Convert' }).click()
    await page.getByRole('status').getByText('Grace Kim is converted').waitFor()
    await page.getByRole('heading', { name: 'Storage for Kim Prospecting' }).waitFor()
    await page.getByRole('link', { name: 'Kim Logistics' }).waitFor()
    await secondTab.getByLabel('Title of the deal').fill('Warehouse for Kim')
    await secondTab.getByRole('button', { name: 'Convert' }).click()
    await secondTab.getByRole('heading', { name: 'Grace Kim is already converted' }).waitFor()
    await secondTab.getByText('Warehouse for Kim').waitFor()
    await secondTab.getByRole('link', { name: 'Storage for Kim' }).click()
    await secondTab.waitForURL('**/deals/*')
  })
  const [deal] = (await server.admin.deals.list(at)).data
  expect(deal).toMatchObject({ amount: '18000.00', owner: { name: 'Ada Obi' }, account: { name: 'Kim Logistics' } })
  const [lead] = (await server.admin.leads.list(at)).data
  expect(lead).toMatchObject({ name: 'Grace Kim', status: 'converted' })
  await openPage(screen, async (page) => {
    await page.goto(`${home}/leads/${lead?.id}/convert`)
    await page.getByRole('status').getByText('Grace Kim is already converted').waitFor()
    expect(page.url()).toBe(`${home}/leads/${lead?.id}`)
    await page.goto(`${home}/leads/${lead?.id}/edit`)
    expect(await page.getByRole('option', { name: /^converted$/i }).allTextContents()).toEqual(['Converted'])
    await page.goto(`${home}/leads/new`)
    expect(await page.getByRole('option', { name: 'Converted' }).count()).toBe(0)
    await page.goto(`${home}/leads`)
    expect(await page.locator('#filter-status').getByRole('option', { name: 'Converted' }).count()).toBe(1)
    await page.goto(`${home}/leads/${lead?.id}`)
    await page.getByLabel('Status').selectOption('New')
    await page.getByRole('link', { name: 'Convert' }).click()
    await page.getByText('It was converted before, to Storage for Kim.').waitFor()
  })
})

test('the hours of a week are shown with totals and exported', async () => {
  const door = await server.admin.devices.create(at, { source_type: 'zkteco', device_name: 'Side door' })
  await server.admin.employees.create(at, { name: '=Grace', email: 'grace@people.example', employee_code: 'W-1' })
  const checkedInAt = Date.now() - 120 * 60_000
  for (const [direction, minutes] of [
    ['in', 0],
    ['out', 90],
  ] as const) {
    const timestamp = new Date(checkedInAt + minutes * 60_000).toISOString()
    const sent = await server.fetch(`/api/webhooks/${at.workspace}/attendance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-device-secret': door.secret },
      body: JSON.stringify({ employee_code: 'W-1', device_id: door.id, direction, timestamp }),
    })
    expect(sent.status).toBe(200)
  }
  const day = new Date(checkedInAt).toISOString().slice(0, 10)
  await openPage(screen, async (page) => {
    await page.goto(`${home}/attendance?day=${day}`)
    await page.getByRole('link', { name: 'Week', exact: true }).click()
    await page.goto(`${home}/attendance/week?day=${day}`)
    await page.getByRole('row', { name: /=Grace.* 1:30 .*1:30$/ }).waitFor()
    await page.getByRole('row', { name: /^Total/ }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV' }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    expect(file).toMatch(/^\uFEFFEmployee,(?:\d{4}-\d\d-\d\d,){7}Total,Corrected\r\n/)
    expect(file).toMatch(/^'=Grace,.*,1\.5,\r$/m)
  })
  // A day stays visible when all its punches were deleted.
  const [out, arrived] = (await server.admin.punches.list(at, { limit: 2 })).data
  for (const punch of [out, arrived])
    await server.admin.punches.delete({ ...at, id: punch?.id ?? 0 }, { reason: 'Not her card' })
  await openPage(screen, async (page) => {
    await page.goto(`${home}/attendance/week?day=${day}`)
    await page.getByRole('row', { name: /=Grace.*Corrected, –/ }).waitFor()
    await page.goto(`${home}/attendance/punches`)
    const row = page.locator(`#punch-${arrived?.id}`)
    await row.getByText('Not her card').waitFor()
    expect(await row.locator('s').count()).toBe(1)
  })
})

describe.each(devices)('%s', (device, options) => {
  test('a punch can be replayed once its employee is known', async () => {
    const code = `E-${devices.findIndex(([name]) => name === device)}`
    const scanner = await server.admin.devices.create(at, { source_type: 'zkteco', device_name: `Door of ${code}` })
    const timestamp = new Date().toISOString()
    const sent = await server.fetch(`/api/webhooks/${at.workspace}/attendance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-device-secret': scanner.secret },
      body: JSON.stringify({ employee_code: code, device_id: scanner.id, direction: 'in', timestamp }),
    })
    expect(await sent.json()).toMatchObject({ recorded: false, reason: 'employee_not_found' })
    await openPage(options, async (page) => {
      await page.goto(`${home}/attendance/unmatched`)
      const row = page.getByRole('row').filter({ hasText: code })
      expect(await row.textContent()).toContain(`in at Door of ${code}, ${timestamp}`)
      await row.getByRole('button', { name: 'Replay' }).click()
      await page.getByText('Give the employee this code').waitFor()
      await server.admin.employees.create(at, { name: code, email: `${code}@people.example`, employee_code: code })
      await row.getByRole('button', { name: 'Replay' }).click()
      await page.getByText('Punch recorded as check in').waitFor()
      await row.waitFor({ state: 'detached' })
    })
    const { data } = await server.admin.punches.list(at)
    expect(data[0]).toMatchObject({ device_id: scanner.id, via: 'replay', action: 'check_in' })
  })

  test('a posted message appears on an open page', async () => {
    const channel = await server.admin.channels.create(at, { name: `dispatch ${device}` })
    await openPage(screen, async (watching) => {
      await watching.goto(`${home}/messages/${channel.id}`)
      await watching.locator('#live-state[data-state=on]').waitFor()
      await openPage(options, async (page) => {
        await page.goto(`${home}/messages/${channel.id}`)
        await page.getByLabel(`Message to ${channel.name}`).fill('The van of gate 2 is late.')
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByRole('listitem').filter({ hasText: 'The van of gate 2 is late.' }).waitFor()
      })
      await watching.getByRole('listitem').filter({ hasText: 'The van of gate 2 is late.' }).waitFor()
    })
    const { data } = await server.admin.messages.list(at, { channel_id: channel.id })
    expect(data.map(({ body }) => body)).toEqual(['The van of gate 2 is late.'])
  })
})

test('a task can be advanced in the drawer, and the board behind it follows', async () => {
  const task = await server.admin.tasks.create(at, { title: 'Count the north aisle' })
  await openPage(screen, async (page) => {
    await page.goto(`${home}/tasks`)
    await page.locator('#live-state[data-state=on]').waitFor()
    await page.getByRole('link', { name: task.title }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'In progress' }).click()
    await drawer.getByRole('button', { name: 'Review' }).waitFor()
    await page.locator('[data-column=in_progress]').getByText(task.title).waitFor()
    await server.admin.tasks.update({ ...at, id: task.id }, { description: 'Twice.' })
    await drawer.getByText('Twice.').waitFor()
    expect(await drawer.getByRole('heading', { level: 1 }).textContent()).toBe(task.title)
  })
})

test('a ticket can be resolved with the keyboard, which sends ticket.resolved', async () => {
  const receiver = await startReceiver()
  const subscription = await subscribeReceiver(server, receiver, {
    workspace: at.workspace,
    events: ['ticket.resolved'],
  })
  const ticket = await server.admin.tickets.create(at, { title: 'Slow search' })
  await openPage(screen, async (page) => {
    await page.goto(`${home}/tickets`)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('heading', { name: 'Slow search', level: 1 }).waitFor()
    await page.keyboard.press('r')
    await drawer.getByRole('button', { name: 'Reopen' }).waitFor()
  })
  const delivered = async () => (await server.admin.deliveries.list(at, { subscription_id: subscription.id })).data
  await expect.poll(delivered).toMatchObject([{ state: 'succeeded' }])
  expect(receiver.received.map(({ body }) => JSON.parse(body.toString()))).toMatchObject([
    { event: 'ticket.resolved', ticket: { id: ticket.id } },
  ])
})
