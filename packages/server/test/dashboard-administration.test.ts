import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { setUp } from './first-person.ts'
import { createPerson, goodPassword } from './people.ts'

let server: Server
let browser: Browser
let context: BrowserContext
let url: string

beforeAll(async () => {
  server = await createServer({ rateLimit: 'off' })
  url = (await server.listen()).url
  browser = await openBrowser()
  context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await setUp(page, url + (await server.admin.setupLinks.create()).link)
  await page.close()
}, browserTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test('an administrator creates a workspace, a person, and their sign-in, and disables both', async () => {
  const page = await context.newPage()
  await page.goto(`${url}/dashboard`)
  await page.locator('.switch summary').first().click()
  await page.getByRole('link', { name: 'New workspace' }).click()
  await page.getByLabel('Name').fill('Southwind')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByText('Southwind is created').waitFor()

  await page.locator('.switch summary').first().click()
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByRole('link', { name: 'New person' }).click()
  await page.getByLabel('Name').fill('Ben Falk')
  await page.getByLabel('E-mail address').fill('ben@people.example')
  await page.getByLabel('Workspace', { exact: true }).selectOption('Southwind')
  await page.getByRole('button', { name: 'Create person' }).click()
  const link = (await page.locator('#password-link').textContent()) ?? ''
  expect(await page.getByText('No password yet').count()).toBe(1)

  const ben = await (await browser.newContext()).newPage()
  await ben.goto(link)
  await ben.getByLabel('Password').fill(goodPassword)
  await ben.getByRole('button', { name: 'Sign in' }).click()
  await ben.getByRole('heading', { name: /Good .*, Ben/ }).waitFor()
  expect(await ben.locator('.switch summary').first().textContent()).toContain('Southwind')

  await page.getByRole('link', { name: 'People' }).first().click()
  await page.getByRole('link', { name: 'Ben Falk' }).click()
  await page.getByRole('button', { name: 'Disable…' }).click()
  await page.getByRole('button', { name: 'Disable person' }).click()
  await page.getByText('Ben Falk is disabled').waitFor()
  await ben.reload()
  await ben.getByRole('heading', { name: 'Sign in' }).waitFor()

  await page.goto(`${url}/dashboard/workspaces`)
  const row = page.getByRole('row').filter({ hasText: 'Southwind' })
  await row.getByLabel('Actions for Southwind').click()
  await row.getByRole('button', { name: 'Disable…' }).click()
  await page.getByRole('dialog').getByText('Its API tokens stop working.').waitFor()
  await page.getByRole('button', { name: 'Disable workspace' }).click()
  await page.getByText('Southwind is disabled').waitFor()
})

test('a refused change of a membership names the workspace and the reason, and a removal is confirmed', async () => {
  const workspace = (await server.admin.workspaces.create({ name: 'Eastwind' })).id
  const { id, email } = await createPerson(server, 'Carla')
  await server.admin.members.create({ workspace }, { name: 'Carla', email, role: 'owner' })
  const roles = async () => (await server.admin.users.get({ id })).workspaces.map(({ role }) => role)
  const page = await context.newPage()
  await page.goto(`${url}/dashboard/people/${id}`)
  await page.getByLabel('Role in Eastwind').selectOption('Member')
  await page.getByText('The role in Eastwind was not changed: This is the last owner').waitFor()
  await page.getByRole('button', { name: 'Remove from Eastwind' }).click()
  await page.getByRole('dialog').getByText('Remove Carla from Eastwind?').waitFor()
  await page.getByRole('button', { name: 'Remove from workspace' }).click()
  await page.getByText('The membership of Eastwind was not ended: This is the last owner').waitFor()
  expect(await roles()).toEqual(['owner'])

  await server.admin.members.create({ workspace }, { name: 'Dana', email: 'dana@people.example', role: 'owner' })
  await page.goto(`${url}/dashboard/people/${id}`)
  await page.getByLabel('Role in Eastwind').selectOption('Viewer')
  await page.getByText('Role saved').waitFor()
  await page.getByRole('button', { name: 'Remove from Eastwind' }).click()
  await page.getByRole('button', { name: 'Remove from workspace' }).click()
  await page.getByText('Removed from Eastwind').waitFor()
  expect(await roles()).toEqual([])
})

test('an owner who leaves a workspace confirms it, and sees their next workspace or their account', async () => {
  const { email, id } = await createPerson(server, 'Eve')
  const createWith = async (name: string) => {
    const at = { workspace: (await server.admin.workspaces.create({ name })).id }
    await server.admin.members.create(at, { name: 'Eve', email, role: 'owner' })
    await server.admin.members.create(at, { name: 'Finn', email: 'finn@people.example', role: 'owner' })
    return at.workspace
  }
  const [westwind, upwind] = [await createWith('Westwind'), await createWith('Upwind')]
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(url + (await server.admin.users.signInLink({ id })).link)
  const leave = async (workspace: number, name: string) => {
    await page.goto(`${url}/dashboard/w/${workspace}/settings/members`)
    await page.getByRole('row').filter({ hasText: 'Eve' }).getByRole('button', { name: 'Change' }).click()
    await page.getByRole('button', { name: 'Leave this workspace…' }).click()
    await page.getByRole('dialog').getByText(`Leave ${name}?`).waitFor()
    expect((await server.admin.members.list({ workspace })).data).toHaveLength(2)
    // The page learns that the access has ended before the answer of the form leads away from it.
    await page.route('**/remove', async (route) => {
      const hasAsked = page.waitForRequest(/\/session$/)
      const response = await route.fetch({ maxRedirects: 0 })
      await (await hasAsked).response()
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Leave workspace' }).click()
    await page.getByText(`You have left ${name}`).waitFor()
    expect((await server.admin.members.list({ workspace })).data).toMatchObject([{ name: 'Finn' }])
  }
  await leave(westwind, 'Westwind')
  expect(page.url()).toBe(`${url}/dashboard/w/${upwind}/overview`)
  await leave(upwind, 'Upwind')
  expect(page.url()).toBe(`${url}/dashboard/account`)
})
