import { createServer as createReceiver } from 'node:http'
import { expect, test } from 'vitest'
import { useFirstPerson } from './first-person.ts'
import { listenInTest } from './listen-in-test.ts'
import { goodPassword } from './people.ts'

const open = useFirstPerson()

test('the first person is named as the author of tickets, tasks, messages, and changes', async () => {
  const { server, page, link, workspace } = await open()
  await page.goto(link('/tickets/new'))
  await page.getByLabel('Title').fill('Printer on fire')
  await page.getByRole('button', { name: 'Create ticket' }).click()
  await page.getByText('TKT-00001 is created').waitFor()
  await page.goto(link('/tickets/1'))
  await page.getByText('Ada Obi created it').waitFor()
  await page.getByRole('button', { name: 'Resolve' }).click()
  await page.getByText('Ada Obi resolved it').waitFor()

  await page.goto(link('/messages/new'))
  await page.getByLabel('Name').fill('dispatch')
  await page.getByRole('button', { name: 'Create channel' }).click()
  await page.getByLabel('Message to dispatch').fill('The printer is fine again.')
  await page.getByRole('button', { name: 'Send' }).click()
  const message = page.getByRole('listitem').filter({ hasText: 'The printer is fine again.' })
  await message.getByText('Ada Obi').waitFor()

  await page.goto(link('/tasks/new'))
  await page.getByLabel('Title').fill('Buy an extinguisher')
  await page.getByRole('button', { name: 'Create task' }).click()
  await page.getByText('Buy an extinguisher is created').waitFor()
  const at = { workspace, id: 1 }
  const ada = { id: 1, name: 'Ada Obi' }
  expect(await server.admin.tickets.get(at)).toMatchObject({ created_by: 1, creator: ada })
  expect(await server.admin.tasks.get(at)).toMatchObject({ created_by: 1, creator: ada })
})

test('a form that was not sent asks before it is left, and a ticket takes new tags and a category in place', async () => {
  const { server, page, link, workspace } = await open()
  await server.admin.tickets.create({ workspace }, { title: 'Old', category: 'billing', tags: ['invoice'] })
  await page.goto(link('/tickets/new'))
  const asked: string[] = []
  let leaves = false
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void (leaves ? dialog.accept() : dialog.dismiss())
  })
  await page.getByRole('link', { name: 'Projects', exact: true }).click()
  await page.waitForURL(/projects$/)
  expect(asked).toEqual([])

  await page.goto(link('/tickets/new'))
  await page.getByLabel('Title').fill('Printer on fire')
  await page.getByLabel('Priority').selectOption('urgent')
  await page.getByRole('link', { name: 'Projects', exact: true }).click()
  await expect.poll(() => asked).toEqual(['beforeunload'])
  expect(await page.getByLabel('Title').inputValue()).toBe('Printer on fire')
  expect(await page.getByLabel('Category').getAttribute('list')).toBe('field-category-suggestions')
  expect(await page.locator('#field-category-suggestions option').getAttribute('value')).toBe('billing')

  // Sending it does not ask, and neither does a page without input.
  await page.getByRole('button', { name: 'Create ticket' }).click()
  await page.getByText('TKT-00002 is created').waitFor()
  const field = (name: string) => page.getByRole('combobox', { name })
  await field('Category').fill('hardware')
  await field('Category').press('Enter')
  await field('Tags').fill('printer, fire')
  await field('Tags').press('Enter')
  const stored = () => server.admin.tickets.get({ workspace, id: 2 })
  await expect.poll(stored).toMatchObject({ category: 'hardware', tags: ['printer', 'fire'], priority: 'urgent' })
  const suggested = page.locator('#ticket-2-tags-suggestions option')
  await expect.poll(() => suggested.getAttribute('value')).toBe('printer, fire, invoice')
  expect(asked).toHaveLength(1)

  // A comment is asked about as well, and is dropped only then.
  await page.getByRole('textbox', { name: 'Comment' }).fill('Call the fire department.')
  leaves = true
  await page.getByRole('button', { name: 'Resolve' }).click()
  await page.getByText('TKT-00002 is resolved').waitFor()
  expect(asked).toHaveLength(2)
})

test('an empty workspace shows the first steps of three jobs, which a person hides and shows again', async () => {
  const { server, page, link, workspace } = await open()
  const job = (name: string) =>
    page.locator('section section').filter({ has: page.getByRole('heading', { name, exact: true }) })
  for (const name of ['Support', 'People', 'Developers']) await job(name).waitFor()
  expect(await page.getByText('Tickets opened').count()).toBe(0)
  await job('Support').getByRole('link', { name: 'Open a ticket' }).click()
  await page.getByLabel('Title').fill('Printer on fire')
  await page.getByRole('button', { name: 'Create ticket' }).click()
  await page.getByText('TKT-00001 is created').waitFor()

  // The cards are below the steps, and those below what needs attention.
  await page.goto(link('/overview'))
  await job('Support').getByText('Open a ticket (done)').waitFor()
  const order = await page.locator('main h2, main dt').allInnerTexts()
  expect(order.slice(0, 3)).toEqual(['Needs attention today', 'First steps', 'Tickets opened'])
  await server.admin.employees.create({ workspace }, { user_id: 1, employee_code: 'E-1' })
  await job('People').getByText('Add an employee (done)').waitFor()

  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  await page.getByText('The first steps are hidden').waitFor()
  expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
  expect(await server.admin.users.get({ id: 1 })).toMatchObject({ hides_first_steps: true })
  await page.getByRole('button', { name: 'Show first steps' }).click()
  await job('Developers').waitFor()
})

/** A receiver that answers with this status, which a test can change. */
async function openReceiver() {
  const state = { status: 500, received: 0 }
  const receiver = createReceiver((request, response) => {
    request.resume().on('end', () => {
      state.received += 1
      response.writeHead(state.status).end()
    })
  })
  return { state, url: `http://127.0.0.1:${await listenInTest(receiver)}/` }
}

test('deliveries that wait for their retry are sent now, once their endpoint is fixed', async () => {
  const { server, page, link, workspace } = await open()
  const { state, url } = await openReceiver()
  await page.goto(link('/webhooks/new'))
  await page.getByLabel('Address').fill(url)
  await page.getByLabel('Waiting times').fill('36000')
  await page.getByRole('button', { name: 'Create endpoint' }).click()
  await page.getByRole('heading', { name: 'is ready' }).waitFor()
  for (const title of ['One', 'Two', 'Three']) await server.admin.tickets.create({ workspace }, { title })
  const count = () =>
    server.admin.webhooks.recover({ workspace, id: 1 }, { since: '2020-01-01T00:00:00Z', dry_run: true })
  await expect.poll(count).toEqual({ count: 3, retrying: 3, failed: 0, held: 0 })
  const entries = async () => (await server.admin.auditLog.list({ workspace })).data.map(({ operation }) => operation)
  expect(await entries()).not.toContain('webhooks.recover')

  // A change of the address or the secret offers to send what waits.
  state.status = 204
  await page.goto(link('/webhooks/1/edit'))
  await page.getByLabel('Address').fill(`${url}fixed`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('3 deliveries wait for their retry.').waitFor()
  const before = state.received
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByText('Resending 3 deliveries').waitFor()
  await expect.poll(() => state.received).toBe(before + 3)
  await expect.poll(count).toEqual({ count: 0, retrying: 0, failed: 0, held: 0 })

  // The dialog counts, and its button is disabled if there is nothing to send.
  await page.getByRole('link', { name: 'Recover…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Resend 0 deliveries: 0 retrying, 0 failed, 0 held').waitFor()
  expect(await dialog.getByRole('button', { name: 'Resend 0 deliveries' }).getAttribute('aria-disabled')).toBe('true')
  state.status = 500
  await server.admin.tickets.create({ workspace }, { title: 'Four' })
  await expect.poll(count).toMatchObject({ count: 1, retrying: 1 })
  await dialog.getByRole('button', { name: 'Count' }).click()
  await dialog.getByText('Resend 1 delivery: 1 retrying, 0 failed, 0 held').waitFor()
  state.status = 204
  await dialog.getByRole('button', { name: 'Resend 1 delivery' }).click()
  await page.getByText('Resending 1 delivery').waitFor()
  await expect.poll(count).toMatchObject({ count: 0 })
  expect(await entries()).toContain('webhooks.recover')
})

test('a comment on a ticket mentions a colleague, who sees it in the overview', async () => {
  const { server, page, url, link, workspace, newPage } = await open()
  const at = { workspace }
  const ben = await server.admin.members.create(at, { name: 'Ben Ode', email: 'ben@people.example' })
  const guest = await newPage()
  await guest.goto(url + (await server.admin.users.signInLink({ id: ben.id })).link)
  await server.admin.tickets.create(at, { title: 'Printer on fire' })

  await page.goto(link('/tickets/1'))
  await page.getByLabel('Comment').pressSequentially('@be')
  await page.getByRole('button', { name: 'Ben Ode' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('please look')
  await page.getByRole('button', { name: 'Comment' }).click()
  await page.getByRole('listitem').filter({ hasText: '@Ben Ode please look' }).getByText('Ada Obi').waitFor()
  const events = (await server.admin.events.list(at)).data.filter(
    ({ body }) => JSON.parse(body).event === 'message.created',
  )
  expect(events).toHaveLength(1)

  await guest.goto(link('/overview'))
  await guest.getByRole('link', { name: 'Ada Obi mentioned you' }).click()
  await guest.getByRole('listitem').filter({ hasText: '@Ben Ode please look' }).waitFor()
  await guest.goto(link('/overview'))
  await guest.getByRole('button', { name: 'Done' }).click()
  await guest.getByText('mentioned you').waitFor({ state: 'detached' })
  await guest.context().close()
})

test('two people on one ticket see each other while they are in a field', async () => {
  const { server, page, url, link, workspace, newPage } = await open()
  const at = { workspace }
  const ben = await server.admin.members.create(at, { name: 'Ben Ode', email: 'ben@people.example' })
  const guest = await newPage()
  await guest.goto(url + (await server.admin.users.signInLink({ id: ben.id })).link)
  await server.admin.tickets.create(at, { title: 'Printer on fire' })
  const seenByAda = page.getByText('Ben Ode is editing')
  const seenByBen = guest.getByText('Ada Obi is editing')

  await page.goto(link('/tickets'))
  await page.getByRole('link', { name: 'Printer on fire' }).click()
  await page.getByRole('dialog').getByLabel('Priority').waitFor()
  await page.locator('#live-state[data-state=on]').waitFor()
  await guest.goto(link('/tickets/1/edit'))
  await guest.locator('#live-state[data-state=on]').waitFor()
  await guest.getByLabel('Title').fill('Printer on fire again')
  await page.getByRole('dialog').filter({ has: seenByAda }).waitFor()
  await page.getByLabel('Comment').fill('I am on it')
  await seenByBen.waitFor()
  expect(await guest.getByLabel('Title').inputValue()).toBe('Printer on fire again')
  expect(await page.getByLabel('Comment').inputValue()).toBe('I am on it')
  expect([await page.getByText('is editing').count(), await guest.getByText('is editing').count()]).toEqual([1, 1])

  await page.getByRole('heading', { name: 'Printer on fire' }).click()
  await seenByBen.waitFor({ state: 'detached' })
  await guest.getByRole('button', { name: 'Save' }).click()
  await guest.getByText('is saved').waitFor()
  await seenByAda.waitFor({ state: 'detached' })
  await guest.context().close()
})

test('the first comment asks for the channel once, and the last used is the default', async () => {
  const { server, page, link, workspace } = await open()
  const at = { workspace }
  for (const name of ['general', 'dispatch']) await server.admin.channels.create(at, { name })
  for (const title of ['One', 'Two']) await server.admin.tickets.create(at, { title })
  // Sending needs no script of the field, which may still be on its way.
  await page.route('**/mentions.js*', (route) => route.abort())
  await page.goto(link('/tickets/1'))
  await page.getByLabel('Comment').fill('Hello')
  await page.getByLabel('Channel').selectOption('dispatch')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('listitem').filter({ hasText: 'Hello' }).waitFor()
  // The live update may show the comment before the response empties the field.
  await expect.poll(() => page.getByLabel('Comment').inputValue()).toBe('')
  await page.getByLabel('Comment').focus()
  await page.keyboard.type('Again')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('listitem').filter({ hasText: 'Again' }).waitFor()
  expect(await page.getByLabel('Channel').count()).toBe(0)
  await page.goto(link('/tickets/2'))
  expect(await page.getByLabel('Channel').locator('option:checked').textContent()).toBe('dispatch')
})

test('a person is found from an e-mail address, and records from the beginnings of words', async () => {
  const { server, page, link, workspace } = await open()
  const at = { workspace }
  const email = 'grace@fabrikam.example'
  const lead = await server.admin.leads.create(at, {
    name: 'Grace Hopper',
    source: 'website',
    email,
    company: 'Fabrikam',
  })
  for (const name of ['Fab One', 'Fab Two', 'Fab Three'])
    await server.admin.leads.create(at, { name, source: 'website' })
  const converted = await server.admin.leads.convert(
    { ...at, id: lead.id },
    { title: 'Annual license', account_name: 'Fabrikam' },
  )
  await server.admin.tickets.create(at, { title: 'Broken invoice', description: `Reported by ${email}.` })
  await server.admin.messages.create(at, { ticket_id: 1, body: `${email} waits for an answer.` })

  const find = async (text: string) => {
    await page.goto(link('/overview'))
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search or go to' })
    await palette.getByRole('searchbox').fill(text)
    return palette
  }
  await (await find(email)).getByRole('link', { name: `Everything about ${email}` }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  for (const name of ['Grace Hopper', 'Annual license', 'Broken invoice'])
    await page.getByRole('row').getByRole('link', { name }).waitFor()
  await page.getByText(`${email} waits for an answer.`).waitFor()

  await page.goto(link(`/leads/${lead.id}`))
  await page.getByRole('link', { name: 'Annual license' }).click()
  await page.waitForURL(link(`/deals/${converted.id}`))
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()

  const palette = await find('fab')
  const leads = palette.getByRole('list', { name: 'Leads' })
  await leads.getByRole('link', { name: 'All 4 leads' }).waitFor()
  expect(await leads.getByRole('link').count()).toBe(4)
  await palette.getByRole('list', { name: 'Accounts' }).getByRole('link', { name: 'Fabrikam' }).waitFor()
  await leads.getByRole('link', { name: 'All 4 leads' }).click()
  await page.getByRole('searchbox', { name: 'Search leads' }).waitFor()
  expect(await page.locator('tbody .row-link').count()).toBe(4)

  await (await find('1')).getByRole('link', { name: 'Broken invoice' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(link('/tickets/1'))

  await page.route('**/search?q=invoice', (route) => route.fulfill({ status: 500 }), { times: 1 })
  await (await find('invoice')).getByText('The search has failed.').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('link', { name: 'Broken invoice' }).waitFor()
})

test('an owner lets a colleague in, who chooses a password and is signed in', async () => {
  const { page, link, newPage } = await open()
  await page.goto(link('/settings/members/new'))
  await page.getByLabel('Name').fill('Ben Ode')
  await page.getByLabel('E-mail address').fill('ben@people.example')
  await page.getByRole('button', { name: 'Add member' }).click()
  await page.getByRole('heading', { name: 'Invite Ben Ode' }).waitFor()
  await page.getByRole('link', { name: 'All members' }).click()
  const row = page.getByRole('row', { name: /Ben Ode/ })
  await row.getByRole('cell', { name: /^No password yet · link expires in 6 days$/ }).waitFor()
  await row.getByRole('button', { name: 'New link for Ben Ode' }).click()
  const invitation = await page.locator('#password-link').textContent()

  const guest = await newPage()
  await guest.goto(invitation ?? '')
  await guest.getByRole('heading', { name: 'Welcome to Northwind, Ben Ode' }).waitFor()
  expect(await guest.locator('input:not([type=hidden])').count()).toBe(1)
  await guest.getByLabel('Password').fill(goodPassword)
  await guest.getByRole('button', { name: 'Sign in' }).click()
  await guest.getByRole('heading', { name: /Good .*, Ben/ }).waitFor()
  await page.goto(link('/settings/members'))
  await row.getByRole('cell', { name: 'Active' }).waitFor()
  expect(await row.getByRole('button', { name: 'New link for Ben Ode' }).count()).toBe(0)
  await guest.context().close()
})
