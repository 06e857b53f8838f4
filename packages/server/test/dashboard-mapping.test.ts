import type { Mapping } from '@service/contract/admin/mapping'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { signedInVisitor } from './dashboard-person.ts'
import { createPerson } from './people.ts'

let server: Server
let browser: Browser
let url: string
let person: { readonly email: string; readonly id: number }

beforeAll(async () => {
  server = await createServer({ rateLimit: 'off' })
  url = (await server.listen()).url
  person = await createPerson(server, 'Ada')
  browser = await openBrowser()
}, browserTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const misread = { svc: { id: 'shop' }, data: { grund: { text: 'No stock left' } }, level: 'error', msg: 'Job failed' }

interface Opened {
  readonly javaScriptEnabled: boolean
  readonly mapping?: Mapping | null
}

/** The mapping page of the error monitor, which has ignored one body until now. */
async function openMapping({ javaScriptEnabled, mapping = { ignore_when: 'svc' } }: Opened) {
  const workspace = (await server.admin.workspaces.create({ name: 'Northwind' })).id
  const errors = { workspace, integration: 'errors' } as const
  const { secret } = await server.admin.integrations.rotateSecret(errors)
  await server.admin.integrations.update(errors, { mapping })
  await server.fetch(`${url}/api/webhooks/${workspace}/errors`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-webhook-secret': secret },
    body: JSON.stringify(misread),
  })
  const { email, id } = person
  await server.admin.members.create({ workspace }, { name: 'Ada', email, role: 'admin' })
  const context = await browser.newContext({ javaScriptEnabled, reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const { link } = await server.admin.users.signInLink({ id })
  await page.goto(url + link)
  await page.goto(`${url}/dashboard/w/${workspace}/integrations/errors/mapping`)
  const operations = async () =>
    (await server.admin.auditLog.list({ workspace })).data.map(({ operation }) => operation)
  return { page, workspace, operations, audited: await operations() }
}

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('the mapping page previews a draft and replays a misread body, %s', async (_, javaScriptEnabled) => {
  const { page, workspace, operations, audited } = await openMapping({ javaScriptEnabled })
  const outcome = page.locator('#mapping-outcome')
  expect(await outcome.textContent()).toContain('Ignored')

  await page.getByLabel('Ignore when').fill('')
  await page.getByText('More fields').click()
  await page.getByLabel('App', { exact: true }).fill('svc.id')
  await page.getByLabel('Message').fill('data.grund.')
  const preview = page.getByRole('button', { name: 'Preview' })
  if (!javaScriptEnabled) await preview.click()
  await page.getByText('The expression has an empty part').or(page.getByText('not valid JMESPath')).waitFor()
  await page.getByLabel('Message').fill('data.grund.text')
  if (!javaScriptEnabled) await preview.click()
  await outcome.getByText('No stock left').waitFor()
  expect(await preview.isVisible()).toBe(!javaScriptEnabled)
  expect(await page.getByLabel('Message').inputValue()).toBe('data.grund.text')
  expect(await page.locator('#body-text').textContent()).toContain('"No stock left" → Message')
  expect(await page.locator('#mapping-effect').textContent()).toBe(
    'Of the last 1 body: 1 changed, 0 ignored, 0 as read',
  )
  expect(await operations()).toEqual(audited)

  await page.getByRole('button', { name: 'Save and replay this body' }).click()
  await page.getByText('The mapping is saved. Replayed: error report').waitFor()
  expect((await server.admin.tickets.list({ workspace })).data).toMatchObject([{ title: 'No stock left' }])
  expect(await server.admin.integrations.get({ workspace, integration: 'errors' })).toMatchObject({
    mapping: { fields: { app: 'svc.id', message: 'data.grund.text' }, ignore_when: null },
  })
})

test('a click on a value of the body inserts its path into the last used field', async () => {
  const { page } = await openMapping({ javaScriptEnabled: true })
  await page.getByText('More fields').click()
  await page.getByLabel('Message').focus()
  await page.getByText('"No stock left"').click()
  expect(await page.getByLabel('Message').inputValue()).toBe('data.grund.text')

  // The field may be used before the script has loaded.
  let load = () => {}
  const focused = new Promise<void>((resolve) => (load = resolve))
  await page.route('**/mapping.js', async (route) => {
    await focused
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await page.getByText('More fields').click()
  await page.getByRole('combobox', { name: 'App', exact: true }).focus()
  load()
  await page.waitForLoadState()
  await page.getByText('"shop"').click()
  expect(await page.getByRole('combobox', { name: 'App', exact: true }).inputValue()).toBe('svc.id')
})

test('an invalid mapping is refused under its field, and the input stays', async () => {
  const { page, workspace } = await openMapping({ javaScriptEnabled: false })
  await page.getByText('More fields').click()
  await page.getByLabel('Message').fill('foo(')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  expect(await page.locator('[id="error-fields.message"]').textContent()).toContain('not valid JMESPath')
  expect(await page.getByLabel('Message').inputValue()).toBe('foo(')
  expect(await server.admin.integrations.get({ workspace, integration: 'errors' })).toMatchObject({
    mapping: { ignore_when: 'svc' },
  })
})

test('shows the first lines of a body that nests too deep to be read', async () => {
  const { workspace } = await openMapping({ javaScriptEnabled: false })
  const { secret } = await server.admin.integrations.rotateSecret({ workspace, integration: 'errors' })
  await server.fetch(`${url}/api/webhooks/${workspace}/errors`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-webhook-secret': secret },
    body: '['.repeat(20_000) + ']'.repeat(20_000),
  })
  const admin = await signedInVisitor(server, { workspace, role: 'admin', name: 'Grace' })
  const page = await admin.get(`/dashboard/w/${workspace}/integrations/errors/mapping`)
  expect(page.status).toBe(200)
  const text = await page.text()
  expect(text).toContain('nests deeper than 200 levels')
  expect(text).toMatch(/data-out="true">\[\n {2}\[\n {4}\[\n/)
  expect(text).toContain('Of the last 2 bodies: 0 changed, 1 ignored, 0 as read, 1 refused')
})

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('a report that has opened a ticket is moved, and the notice names the ticket, %s', async (_, javaScriptEnabled) => {
  const { page, workspace } = await openMapping({ javaScriptEnabled, mapping: null })
  const [ticket] = (await server.admin.tickets.list({ workspace })).data
  const number = ticket?.ticket_number ?? ''
  const replay = page.locator('#mapping-replay')
  expect(await replay.textContent()).toBe(`This report opened ${number}. Move it`)
  const link = replay.getByRole('link', { name: number })
  expect(await link.getAttribute('href')).toBe(`/dashboard/w/${workspace}/tickets/${ticket?.id}`)
  await page.getByText('More fields').click()
  await page.getByLabel('App', { exact: true }).fill('svc.id')
  await page.getByLabel('Message').fill('data.grund.text')
  await page.getByRole('button', { name: 'Move it' }).click()
  await page.getByText(new RegExp(`corrected .*title.* of ${number}`)).waitFor()
  await page.getByText('More fields').waitFor()
  expect(await page.getByLabel('App', { exact: true }).isVisible()).toBe(true)
  expect(await page.getByLabel('Environment').isVisible()).toBe(false)
  expect(await server.admin.tickets.get({ workspace, id: ticket?.id ?? 0 })).toMatchObject({ title: 'No stock left' })
})

test('a body that cannot be replayed says why, without a button', async () => {
  const { page, workspace } = await openMapping({ javaScriptEnabled: false, mapping: null })
  await server.admin.integrations.update({ workspace, integration: 'errors' }, { enabled: false })
  await page.reload()
  expect(await page.locator('#mapping-replay').textContent()).toMatch(
    /^This report opened TKT-\d+\. No replay: Enable error reports before you replay its deliveries\.$/,
  )
})
