import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { signedInVisitor } from './dashboard-person.ts'

let server: Server
let browser: Browser
let url: string

beforeAll(async () => {
  server = await createServer({ rateLimit: 'off' })
  url = (await server.listen()).url
  browser = await openBrowser()
}, browserTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Opens the tickets of a new workspace as Ada, who is a member. */
async function openTickets(tickets: number, options: BrowserContextOptions = {}) {
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const at = { workspace }
  const email = `ada-${workspace}@people.example`
  const ada = await server.admin.members.create(at, { name: 'Ada Obi', email, role: 'member' })
  for (let number = 1; number <= tickets; number += 1)
    await server.admin.tickets.create(at, { title: `Ticket ${number}` })
  const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage()
  await page.goto(url + (await server.admin.users.signInLink({ id: ada.id })).link)
  await page.goto(`${url}/dashboard/w/${workspace}/tickets`)
  return { page, at, ada }
}

/** Timers of the page run only when the test moves its clock. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  await page.reload()
}

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('twenty tickets are assigned, prioritized, and closed with the keyboard alone', async () => {
  const { page, at, ada } = await openTickets(22)
  await press(page, 'j', 'x', ...Array.from({ length: 19 }, () => 'j'), 'X', 'b')
  await page.keyboard.type('Ada')
  await press(page, 'Tab')
  await page.keyboard.type('Closed')
  await press(page, 'Tab')
  await page.keyboard.type('Urgent')
  await press(page, 'Tab', 'Tab', 'Enter')
  await page.getByText('20 tickets changed').waitFor()
  const { data } = await server.admin.tickets.list(at)
  const changed = { assigned_to: ada.id, status: 'closed', priority: 'urgent' }
  expect(data).toMatchObject([
    ...Array.from({ length: 20 }, () => changed),
    { title: 'Ticket 2', status: 'open', assigned_to: null },
    { title: 'Ticket 1', status: 'open', assigned_to: null },
  ])
})

test('the keys of the fields change the focused row, or all selected ones, the focus stays on it or on what took its place, and Escape takes a choice back', async () => {
  const { page, at, ada } = await openTickets(3)
  const [, , first] = (await server.admin.tickets.list(at)).data
  await server.admin.tickets.update({ ...at, id: first?.id ?? 0 }, { tags: ['old'] })
  const rows = async () =>
    (await server.admin.tickets.list(at)).data.map(({ status, priority, assigned_to, tags }) => [
      ...[status, priority, assigned_to],
      ...tags,
    ])
  const changed = async (notice: string) => {
    await page.getByText(notice).waitFor()
    await page.waitForLoadState()
  }
  await press(page, 'j', 's')
  await page.keyboard.type('Pending')
  await press(page, 'Escape', 'p')
  await page.keyboard.type('Urgent')
  await press(page, 'Enter')
  await changed('1 ticket changed')
  expect(await rows()).toEqual([
    ['open', 'urgent', null],
    ['open', 'medium', null],
    ['open', 'medium', null, 'old'],
  ])
  await press(page, 'j', 'x', 'j', 'x', 't')
  await page.keyboard.type('billing')
  await press(page, 'Enter')
  await changed('2 tickets changed')
  await press(page, 'k', 'k', 'i')
  await changed('1 ticket changed')
  await page.goto(`${page.url().split('?')[0]}?status=open`)
  await press(page, 'j', 'j', 's')
  await page.keyboard.type('Pending')
  await press(page, 'Enter')
  await changed('1 ticket changed')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Ticket 1')
  expect(await rows()).toEqual([
    ['open', 'urgent', ada.id],
    ['pending', 'medium', null, 'billing'],
    ['open', 'medium', null, 'old', 'billing'],
  ])
})

test('? lists what works on the page or in the drawer', async () => {
  const { page } = await openTickets(2)
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const keys = async () => (await sheet.locator('kbd').allTextContents()).join(' ')
  await press(page, '?')
  expect(await keys()).toBe('⌘K j k x X b Esc / ? c a s p t i')
  await press(page, 'Escape', 'j', 'Enter')
  await page.locator('#drawer h1').waitFor()
  await press(page, '?')
  expect(await keys()).toMatch(/^Esc \? /)
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('button', { name: 'Close' }).click()
  expect(await page.locator('#drawer h1').isVisible()).toBe(true)
})

test('in the drawer, Enter saves a pending choice, and Escape takes it back without closing the drawer', async () => {
  const { page, at } = await openTickets(1)
  const priority = async () => (await server.admin.tickets.list(at)).data[0]?.priority
  await press(page, 'j', 'Enter')
  const select = page.locator('#drawer').getByLabel('Priority')
  await select.focus()
  await page.keyboard.type('Urgent')
  await press(page, 'Escape')
  expect(await select.inputValue()).toBe('medium')
  // Escape does not take back what is being saved.
  const isReleased = Promise.withResolvers<void>()
  await page.route('**/tickets/**', async (route) => {
    if (route.request().method() === 'POST') await isReleased.promise
    await route.continue()
  })
  await press(page, 'ArrowUp', 'Enter', 'Escape')
  expect(await select.inputValue()).toBe('low')
  isReleased.resolve()
  await expect.poll(priority).toBe('low')
  expect(await page.locator('#drawer h1').isVisible()).toBe(true)
})

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('Undo takes a change back, except for what has changed since, %s', async (_, javaScriptEnabled) => {
  const { page, at } = await openTickets(3, { javaScriptEnabled })
  if (javaScriptEnabled) await stopClock(page)
  const [third, second, first] = (await server.admin.tickets.list(at)).data
  await server.admin.tickets.update({ ...at, id: first?.id ?? 0 }, { priority: 'low', tags: ['old'] })
  const rows = async () =>
    (await server.admin.tickets.list(at)).data.map(({ status, priority, tags }) => [status, priority, ...tags])
  const before = await rows()
  const change = async () => {
    for (const ticket of [third, second, first]) await page.getByLabel(`Select ${ticket?.ticket_number}`).check()
    const bar = page.getByRole('form', { name: 'Change selected rows' })
    await bar.getByLabel('Status').selectOption('pending')
    await bar.getByLabel('Priority').selectOption('urgent')
    await page.getByPlaceholder('Add tags').fill('old, new')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('3 tickets changed. Undo').waitFor()
  }

  await change()
  expect(await rows()).toEqual([
    ['pending', 'urgent', 'old', 'new'],
    ['pending', 'urgent', 'old', 'new'],
    ['pending', 'urgent', 'old', 'new'],
  ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Status, Priority, and Tags of 3 tickets changed back').waitFor()
  expect(await rows()).toEqual(before)
  const audited = (await server.admin.auditLog.list(at)).data.filter(({ operation }) => operation === 'tickets.update')
  expect(audited).toHaveLength(1 + 3 + 3)

  await change()
  await server.admin.tickets.update({ ...at, id: second?.id ?? 0 }, { title: 'Ticket 2 again' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Status, Priority, and Tags of 2 tickets changed back, 1 refused').waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'It has changed since.' }).textContent()).toContain(
    'TKT-00002',
  )
  expect(await rows()).toEqual([before[0], ['pending', 'urgent', 'old', 'new'], before[2]])
})

test('a change of a hundred tickets can be taken back', async () => {
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const ada = await signedInVisitor(server, { workspace, role: 'member' })
  const sent = new URLSearchParams({ status: 'pending', tags: 'new' })
  for (let number = 1; number <= 100; number += 1) {
    const { id } = await server.admin.tickets.create({ workspace }, { title: `Ticket ${number}`, assigned_to: ada.id })
    sent.append('id', String(id))
  }
  const list = await ada.submit(`/dashboard/w/${workspace}/tickets/bulk`, sent)
  const undo = /action="([^"]+bulk\/undo[^"]+)"/.exec(await list.text())?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(await (await ada.submit(undo)).text()).toContain('Status and Tags of 100 tickets changed back')
  const { count } = await server.admin.tickets.count({ workspace }, { status: 'open' })
  expect(count).toBe(100)
  const broken = await ada.submit(undo.replace(/undo=.*/, 'undo=1'))
  expect(broken.status).toBe(422)
})

test('Undo is offered for ten seconds, and z presses it', async () => {
  const { page, at } = await openTickets(1)
  await stopClock(page)
  const undo = page.getByRole('button', { name: 'Undo' })
  const assign = async () => {
    await press(page, 'j', 'i')
    await undo.waitFor()
    await page.waitForLoadState()
  }
  await assign()
  await page.clock.fastForward(9_000)
  expect(await undo.isVisible()).toBe(true)
  await press(page, 'z')
  await page.getByText('Assignee of 1 ticket changed back').waitFor()
  await page.waitForLoadState()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Ticket 1')
  expect((await server.admin.tickets.list(at)).data).toMatchObject([{ assigned_to: null }])
  await assign()
  await page.clock.fastForward(10_000)
  await undo.waitFor({ state: 'detached' })
})

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])(
  'a refused change of selected rows stays on its page of the list, with the rows and what was typed, %s',
  async (_, on) => {
    const { page, at } = await openTickets(3, { javaScriptEnabled: on })
    const [newest] = (await server.admin.tickets.list(at)).data
    await page.goto(`${page.url()}?before=${newest?.id}`)
    const bar = page.getByRole('form', { name: 'Change selected rows' })
    await page.getByLabel('Select TKT-00001').check()
    await bar.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Nothing was changed: select rows and a change.').waitFor()
    await bar.getByLabel('Priority').selectOption('urgent')
    await page.getByPlaceholder('Add tags').fill('x'.repeat(65))
    await bar.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('0 tickets changed, 1 refused').waitFor()
    expect(await page.locator('tbody input:checked').evaluateAll((boxes) => boxes.map((box) => box.ariaLabel))).toEqual(
      ['Select TKT-00001'],
    )
    expect(await bar.getByLabel('Priority').inputValue()).toBe('urgent')
    await page.getByPlaceholder('Add tags').fill('new')
    await bar.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 ticket changed').waitFor()
    expect(page.url()).toContain(`?before=${newest?.id}`)
    expect(await page.locator('tbody tr').count()).toBe(2)
    expect((await server.admin.tickets.list(at)).data.at(-1)).toMatchObject({ priority: 'urgent', tags: ['new'] })
  },
)

test('a range is selected with Shift, all with the head checkbox, and a live update keeps the selection', async () => {
  const { page, at } = await openTickets(5)
  await page.locator('#live-state[data-state=on]').waitFor()
  const selected = page.locator('tbody input:checked')
  await page.getByLabel('Select TKT-00005').check()
  await page.getByRole('link', { name: 'Ticket 3' }).click({ modifiers: ['Shift'] })
  expect(await selected.count()).toBe(3)
  await server.admin.tickets.create(at, { title: 'Ticket 6' })
  await page.getByRole('link', { name: 'Ticket 6' }).waitFor()
  expect(await selected.evaluateAll((boxes) => boxes.map(({ id }) => id))).toHaveLength(3)
  await page.getByLabel('Select all').check()
  expect(await selected.count()).toBe(6)
  await press(page, 'Escape')
  expect(await selected.count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Apply' }).isVisible()).toBe(false)
})

test('a live update fetches only the rows that changed, and the list if a record enters or leaves it', async () => {
  const { page, at } = await openTickets(4)
  await page.goto(`${page.url()}?status=open`)
  await page.locator('#live-state[data-state=on]').waitFor()
  const [fourth, , second, first] = (await server.admin.tickets.list(at)).data
  await page.getByLabel('Select TKT-00002').check()
  const fetched: string[] = []
  page.on('response', async (response) => {
    if (response.request().headers()['hx-request'] === 'refresh') fetched.push(await response.text())
  })
  const titles = () => page.locator('#ticket-list .row-link').allTextContents()

  await server.admin.tickets.update({ ...at, id: second?.id ?? 0 }, { title: 'Ticket 2 again' })
  await expect.poll(titles).toEqual(['Ticket 4', 'Ticket 3', 'Ticket 2 again', 'Ticket 1'])
  expect(await page.getByLabel('Select TKT-00002').isChecked()).toBe(true)
  expect(fetched).toEqual([expect.stringContaining('Ticket 2 again')])
  expect(fetched).toEqual([expect.not.stringMatching(/Ticket [134]/)])

  await server.admin.tickets.update({ ...at, id: fourth?.id ?? 0 }, { status: 'closed' })
  await expect.poll(titles).toEqual(['Ticket 3', 'Ticket 2 again', 'Ticket 1'])
  await server.admin.tickets.update({ ...at, id: first?.id ?? 0 }, { title: 'Ticket 1 again' })
  await server.admin.tickets.update({ ...at, id: fourth?.id ?? 0 }, { status: 'open' })
  await expect.poll(titles).toEqual(['Ticket 4', 'Ticket 3', 'Ticket 2 again', 'Ticket 1 again'])
  expect(await page.getByLabel('Select TKT-00002').isChecked()).toBe(true)
})

test('refused rows stay selected for another try, and shortcuts work on a focused checkbox', async () => {
  const { page, at } = await openTickets(2)
  const [second] = (await server.admin.tickets.list(at)).data
  const tags = Array.from({ length: 50 }, (_, index) => `tag-${index}`)
  await server.admin.tickets.update({ ...at, id: second?.id ?? 0 }, { tags })
  await page.reload()
  await page.getByLabel('Select all').check()
  await page.getByPlaceholder('Add tags').fill('urgent')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 ticket changed, 1 refused').waitFor()
  expect(await page.getByLabel('Select TKT-00002').isChecked()).toBe(true)
  expect(await page.getByLabel('Select TKT-00001').isChecked()).toBe(false)

  await page.getByLabel('Select TKT-00001').focus()
  await press(page, '?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Select up to the row').waitFor()
})

test('without JavaScript, the bar appears with the first selected row', async () => {
  const { page, at } = await openTickets(2, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
  await page.getByLabel('Select TKT-00002').check()
  await page.getByLabel('Priority', { exact: true }).last().selectOption('Low')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 ticket changed').waitFor()
  expect((await server.admin.tickets.list(at, { priority: 'low' })).data).toMatchObject([{ title: 'Ticket 2' }])
})

test('without JavaScript, neither saving a property nor commenting loses what is typed for the other', async () => {
  const { page, at } = await openTickets(1, { javaScriptEnabled: false })
  await page.getByRole('link', { name: 'Ticket 1' }).click()
  const [comment, category] = [page.getByLabel('Comment'), page.getByLabel('Category')]
  const typed = async () => [await category.inputValue(), await comment.inputValue()]
  const save = page.getByRole('button', { name: 'Save' }).first()
  const post = page.getByRole('button', { name: 'Comment' })
  const stored = async () => (await server.admin.tickets.list(at)).data[0]
  await comment.fill('Half a thought')
  await category.fill('billing')
  await page.getByLabel('Priority').selectOption('High')
  await save.click()
  await page.getByText('set the category to Billing').waitFor()
  expect(await typed()).toEqual(['billing', 'Half a thought'])
  expect(await stored()).toMatchObject({ title: 'Ticket 1', category: 'billing', priority: 'high' })

  await category.fill('sales')
  await comment.fill('')
  await post.click()
  await page.getByText('The comment field is required.').waitFor()
  expect(await typed()).toEqual(['sales', ''])
  await comment.fill('Half a thought')
  await post.click()
  await page.getByRole('listitem').getByText('Half a thought').waitFor()
  expect(await typed()).toEqual(['sales', ''])

  await server.admin.tickets.update({ ...at, id: (await stored())?.id ?? 0 }, { category: 'theirs' })
  await comment.fill('Another thought')
  await save.click()
  await page.getByText('Stored now: theirs').waitFor()
  expect(await typed()).toEqual(['sales', 'Another thought'])
  await category.fill('x'.repeat(65))
  await page.getByLabel('Status').selectOption('Pending')
  await category.press('Enter')
  await page.getByText('must not be greater than 64 characters').waitFor()
  expect(await typed()).toEqual(['x'.repeat(65), 'Another thought'])
  expect(await category.evaluate((control) => control === document.activeElement)).toBe(true)
  await category.fill('sales')
  await category.press('Enter')
  await page.getByText('changed the category from Theirs to Sales').waitFor()
  expect(await typed()).toEqual(['sales', 'Another thought'])
  expect(await stored()).toMatchObject({ category: 'sales', status: 'pending' })
  await comment.fill('')
  await save.click()
  await page.getByText('TKT-00001 is saved').waitFor()
})

test('before the scripts have loaded, Enter in a property saves it, and does not post the comment', async () => {
  const { page, at } = await openTickets(1)
  await page.route('**/dashboard.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Ticket 1' }).evaluate((link: HTMLAnchorElement) => location.assign(link.href))
  await page.getByLabel('Comment').fill('Half a thought')
  await page.getByLabel('Category').fill('billing')
  await page.getByLabel('Category').press('Enter')
  await page.getByText('set the category to Billing').waitFor()
  expect(await page.getByLabel('Comment').inputValue()).toBe('Half a thought')
  expect((await server.admin.messages.list(at)).data).toEqual([])
})

test('the runs of rules name their tickets by number, and those that did not match are behind a link', async () => {
  const { id: other } = await server.admin.workspaces.create({ name: 'Other' })
  await server.admin.tickets.create({ workspace: other }, { title: 'Moves the ids' })
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const rule = { name: 'All', trigger: 'ticket_created', actions: [{ type: 'set_category', category: 'x' }] } as const
  await server.admin.rules.create({ workspace }, { ...rule, actions: [...rule.actions] })
  const { id } = await server.admin.tickets.create({ workspace }, { title: 'Ticket' })
  await server.admin.rules.create(
    { workspace },
    {
      ...rule,
      name: 'Low',
      conditions: [{ field: 'priority', operator: 'equals', value: 'low' }],
      actions: [...rule.actions],
    },
  )
  await server.admin.tickets.create({ workspace }, { title: 'Another' })
  const ada = await signedInVisitor(server, { workspace, role: 'member', name: 'Grace' })
  const page = async (query = '') => (await ada.get(`/dashboard/w/${workspace}/automation/runs${query}`)).text()
  await expect.poll(() => page()).toContain(`<a href="/dashboard/w/${workspace}/tickets/${id}">TKT-00001</a>`)
  expect(await page()).not.toContain(`Ticket ${id}`)
  expect(await page()).not.toContain('<strong>Low</strong>')
  expect(await page('?outcome=all')).toContain('<strong>Low</strong>')
})
