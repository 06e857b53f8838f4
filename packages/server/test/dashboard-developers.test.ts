import { createClient } from '@service/client'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { startReceiver } from './delivery/receiver.ts'
import { createPerson } from './people.ts'

let server: Server
let browser: Browser
let admin: BrowserContext
let url: string
let workspace: number
let board: string

beforeAll(async () => {
  server = await createServer({ rateLimit: 'off', egressAllow: ['127.0.0.1'] })
  url = (await server.listen()).url
  workspace = (await server.admin.workspaces.create({ name: 'Northwind' })).id
  board = `${url}/dashboard/w/${workspace}`
  browser = await openBrowser()
  admin = await signedIn('Ada', 'admin')
}, browserTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** A browser context of a signed-in person. */
async function signedIn(name: string, role: 'admin' | 'viewer'): Promise<BrowserContext> {
  const { email, id } = await createPerson(server, name)
  await server.admin.members.create({ workspace }, { name, email, role })
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  const { link } = await server.admin.users.signInLink({ id })
  await page.goto(url + link)
  await page.close()
  return context
}

async function open(path: string): Promise<Page> {
  const page = await admin.newPage()
  onTestFinished(() => page.close())
  await page.goto(board + path)
  return page
}

const isLive = (page: Page) => page.locator('#live-state[data-state=on]').waitFor()
const createTicket = (title: string, priority = 'medium') =>
  server.admin.tickets.create({ workspace }, { title, priority })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Creates an endpoint with the form and returns its secret and page. */
async function connect(page: Page, address: string): Promise<{ secret: string; endpoint: string }> {
  await page.getByLabel('Name').fill('Order desk')
  await page.getByLabel('Address').fill(address)
  await page.getByLabel('Standard Webhooks headers').check()
  // No retry during the test.
  await page.getByLabel('Waiting times').fill('3600')
  await press(page, 'Create endpoint')
  const secret = (await page.locator('#secret').textContent()) ?? ''
  await page.getByRole('link', { name: 'Open the endpoint' }).click()
  await isLive(page)
  return { secret, endpoint: page.url() }
}

/** A receiver with a status that the test sets, and an endpoint that sends to it. */
async function connected() {
  const answers = { status: 204 }
  const receiver = await startReceiver((response) => void response.writeHead(answers.status).end())
  const page = await open('/webhooks/new')
  const { secret, endpoint } = await connect(page, `${receiver.url}/hook`)
  // The next receiver may get the same port and must not receive this endpoint's deliveries.
  const id = Number(new URL(endpoint).pathname.split('/').at(-1))
  onTestFinished(async () => void (await server.admin.webhooks.delete({ workspace, id })))
  const sending = { url: `${receiver.url}/hook`, secret, encoding: 'hex', standard_webhooks: true }
  receiver.expects(sending)
  return { answers, receiver, page, secret, endpoint, sending }
}

describe('the developer pages', () => {
  test('create a token that works with the client', async () => {
    const page = await open('/tokens/new')
    await page.getByLabel('Name').fill('Import')
    expect(await page.getByRole('checkbox').and(page.locator(':checked')).count()).toBe(0)
    await page.getByLabel('tickets:write', { exact: false }).check()
    await press(page, 'Create token')
    await page.locator('#token').waitFor()
    const [created] = (await server.admin.tokens.list({ workspace })).data
    const lifetime = Date.parse(created?.expires_at ?? '') - Date.parse(created?.created_at ?? '')
    expect(Math.round(lifetime / 86_400_000)).toBe(90)
    const token = (await page.locator('#token').textContent()) ?? ''
    const client = createClient({ baseUrl: `${url}/api/v1`, workspace, token })
    const ticket = await client.tickets.create({ title: 'From a program' })
    expect(ticket).toMatchObject({ title: 'From a program' })
  })

  test('connect a webhook, show deliveries and failures live, and resend one', async () => {
    const { answers, receiver, page, endpoint } = await connected()
    await createTicket('Printer on fire')
    await page.getByRole('row', { name: /Delivered ticket\.created/ }).waitFor()
    expect(receiver.received).toHaveLength(1)

    answers.status = 503
    await createTicket('Slow search')
    const failed = page.getByRole('row', { name: /Retrying ticket\.created The receiver answered 503/ })
    await failed.waitFor()
    await page.getByText(/1 delivery of the last 24 hours has not arrived/).waitFor()

    answers.status = 204
    const link = await failed.getByRole('link', { name: 'ticket.created' }).getAttribute('href')
    await page.goto(url + link)
    await page.getByText('Attempt 1 · The receiver answered 503.').waitFor()
    await isLive(page)
    await press(page, 'Resend')
    await page.getByRole('heading', { name: 'ticket.created Delivered' }).waitFor()
    await page.getByText('Attempt 2').waitFor()
    await page.goto(endpoint)
    await page.getByRole('heading', { name: 'Order desk Active' }).waitFor()
  })

  test('list failing endpoints first, by state, and by name', async () => {
    const { answers, page } = await connected()
    await server.admin.webhooks.create({ workspace }, { url: 'https://archive.test', events: ['project.updated'] })
    answers.status = 503
    await createTicket('Undeliverable')
    await page.goto(`${board}/webhooks`)
    await page.getByRole('link', { name: 'Failing 1' }).waitFor()
    const names = await page.locator('#endpoints tbody a').allTextContents()
    expect(names).toEqual(['Order desk', 'archive.test'])
    await page.getByRole('row', { name: /Order desk .*Failing.*in 4 d$/ }).waitFor()
    await page.getByRole('link', { name: 'Active 1' }).click()
    await page.getByRole('row', { name: /archive\.test/ }).waitFor()
    expect(await page.getByText('Order desk').count()).toBe(0)
    await page.goto(`${board}/webhooks`)
    await page.getByRole('searchbox', { name: 'Search endpoints' }).fill('ARCHIVE')
    await page.keyboard.press('Enter')
    await page.getByText('1 endpoint', { exact: true }).waitFor()
    await page.goto(`${board}/overview`)
    await page.getByRole('link', { name: /\d+ tickets? ha(?:s|ve) no assignee/ }).waitFor()
    await page.getByRole('link', { name: 'Order desk is failing Switches off in 4 d' }).click()
    await page.getByRole('heading', { name: 'Order desk Failing' }).waitFor()
  })

  test('rotate a secret with an overlap and end the overlap', async () => {
    const { receiver, page, secret, endpoint, sending } = await connected()
    const signatures = () => String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ').length
    await page.locator('summary[aria-label=More]').click()
    await page.getByRole('button', { name: 'Rotate the secret…' }).click()
    await press(page, 'Rotate the secret')
    const next = (await page.locator('#secret').textContent()) ?? ''
    expect(next).not.toBe(secret)
    await page.reload()
    expect(await page.locator('#secret').textContent()).toBe(next)
    receiver.expects({ ...sending, secret: next })
    await createTicket('Wrong invoice')
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(signatures()).toBe(2)

    await press(page, 'Revoke the old secret now')
    await page.getByText('Old secret revoked').waitFor()
    expect(page.url()).toBe(endpoint)
    await createTicket('Lost parcel')
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(signatures()).toBe(1)
  })

  test('show the first event of an integration live', async () => {
    const page = await open('/integrations/errors')
    await press(page, 'Create the secret')
    const secret = (await page.locator('#secret').textContent()) ?? ''
    await page.reload()
    await page.getByText('Waiting for the first event…').waitFor()
    await isLive(page)
    const report = await fetch(`${url}/api/webhooks/${workspace}/errors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-webhook-secret': secret },
      body: JSON.stringify({ message: 'The cart is too full', app_name: 'shop' }),
    })
    expect(report.ok).toBe(true)
    await page.locator('#received').getByText('Received', { exact: true }).nth(1).waitFor()
    await page.getByRole('heading', { name: 'Error monitor Connected' }).waitFor()
    expect(await page.locator('#secret').textContent()).toBe(secret)
  })

  test('build a rule, try it on existing tickets, and apply it', async () => {
    const { id } = await createTicket('Server is down', 'urgent')
    const page = await open('/automation/new')
    await page.getByLabel('Name').fill('Call about urgent tickets')
    await page.getByLabel('Condition on').selectOption('Priority')
    await press(page, 'Add condition')
    await page.getByLabel('Priority: value').fill('urgent')
    await page.getByLabel('Action', { exact: true }).selectOption('Add the tag')
    await press(page, 'Add action')
    await page.getByLabel('Add the tag: tag').fill('call')
    await press(page, 'Try it')
    await page.getByRole('heading', { name: /^Would have changed 1 of the last \d+ tickets$/ }).waitFor()
    await page.getByRole('link', { name: /^TKT-\d+ Server is down$/ }).waitFor()
    expect((await server.admin.tickets.get({ workspace, id })).tags).toEqual([])
    await press(page, 'Create rule')
    await page.getByText('Call about urgent tickets is created. Switch it on when it is ready.').waitFor()
    const waiting = await createTicket('Backup is down', 'urgent')
    expect((await server.admin.tickets.get({ workspace, id: waiting.id })).tags).toEqual([])
    await press(page, 'Switch on')
    await page.getByText('Call about urgent tickets is switched on').waitFor()
    const next = await createTicket('Database is down', 'urgent')
    expect((await server.admin.tickets.get({ workspace, id: next.id })).tags).toEqual(['call'])
  })

  test('show the first event of an integration without a secret', async () => {
    await server.admin.integrations.update({ workspace, integration: 'bitbucket' }, { enabled: true })
    const page = await open('/integrations/bitbucket')
    await page.getByText('Waiting for the first event…').waitFor()
    await isLive(page)
    const push = await fetch(`${url}/api/webhooks/${workspace}/bitbucket`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-event-key': 'repo:push' },
      body: JSON.stringify({ repository: { full_name: 'shop/web' }, push: { changes: [] } }),
    })
    expect(push.ok).toBe(true)
    await page.getByRole('heading', { name: 'Bitbucket Connected' }).waitFor()
  })

  test('name the assignees in a dry run', async () => {
    await createTicket('Unassigned')
    const page = await open('/automation/new')
    await page.getByLabel('Action', { exact: true }).selectOption('Assign to')
    await press(page, 'Add action')
    const assignee = page.getByLabel(/^Assign to/).first()
    await assignee.selectOption({ label: 'Ada' })
    await press(page, 'Try it')
    await page.getByText('Assigned to: none → Ada').first().waitFor()
  })

  test('are not available to a viewer', async () => {
    const viewer = await signedIn('Vera', 'viewer')
    onTestFinished(() => viewer.close())
    const page = await viewer.newPage()
    for (const path of ['/tokens/new', '/webhooks/new', '/integrations/errors', '/automation/new', '/settings/audit']) {
      expect([path, (await page.goto(board + path))?.status()]).toEqual([path, 403])
      await page.getByText('This page needs the role admin; yours is viewer.').waitFor()
    }
    await page.goto(`${board}/automation`)
    await page.getByText('Call about urgent tickets').waitFor()
    expect(await page.getByRole('link', { name: 'New rule' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /Switch/ }).count()).toBe(0)
  })
})

test('a lead source shows an HTML form only if it uses one', async () => {
  const textOf = async (source: string) => (await admin.request.get(`${board}/lead-sources/${source}`)).text()
  expect(await textOf('website')).toContain('&lt;form method')
  for (const source of ['facebook', 'google_ads', 'linkedin', 'tiktok', 'whatsapp']) {
    const text = await textOf(source)
    expect(text).toContain('Connect')
    expect(text).not.toContain('&lt;form method')
  }
})
