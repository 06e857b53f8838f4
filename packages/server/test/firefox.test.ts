import puppeteer, { type Page } from 'puppeteer-core'
import { expect, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { browserTimeoutMs } from './browser.ts'
import { installedProgram } from './installed-program.ts'
import { createPerson, goodPassword } from './people.ts'
import { seedDemo } from './seed-demo.ts'

// The main jobs in Firefox, driven over WebDriver BiDi.

const usual = ['/usr/bin/firefox-esr', '/usr/bin/firefox']

async function openFirefox(): Promise<Page> {
  const executablePath =
    process.env['FIREFOX_PATH'] ?? (await installedProgram({ paths: usual, debianPackage: 'firefox-esr' }))
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, timeout: browserTimeoutMs })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  // Narrower windows have no drawer.
  await page.setViewport({ width: 1280, height: 900 })
  page.setDefaultTimeout(60_000)
  return page
}

/** The element with this accessible name and role. */
const named = (name: string, role: string) => `::-p-aria([name="${name}"][role="${role}"])`

test(
  'a day of work in Firefox: sign-in, triage, drawer, palette, mapping, and attendance',
  async () => {
    const server = await createServer({ rateLimit: 'off' })
    onTestFinished(() => server.close())
    const { admin } = server
    const workspace = await seedDemo(admin)
    const at = { workspace }
    const { email } = await createPerson(server, 'Ada')
    await admin.members.create(at, { name: 'Ada', email, role: 'admin' })
    const employee = (await admin.employees.list(at)).data[0]
    await admin.punches.create(at, {
      employee_id: employee?.id ?? 0,
      direction: 'in',
      at: new Date().toISOString(),
      reason: 'Forgot the card',
    })
    const title = 'Printer on fire'
    const ticket = await admin.tickets.create(at, { title })
    const { url } = await server.listen()
    const page = await openFirefox()
    const complaints: unknown[] = []
    page.on('pageerror', (error) => complaints.push(error))
    const find = (selector: string) => page.locator(selector).wait()
    const open = (path: string) => page.goto(`${url}/dashboard/w/${workspace}${path}`)

    await page.goto(`${url}/dashboard`)
    await page.locator('#field-email').fill(email)
    await page.locator('#field-password').fill(goodPassword)
    await page.locator(named('Sign in', 'button')).click()
    await find('::-p-text(Needs attention today)')

    // The first row is changed with the keyboard, and opened in the drawer.
    await open('/tickets')
    await find('#live-state[data-state=on]')
    for (const key of ['j', 'x', 'b'] as const) await page.keyboard.press(key)
    await page.keyboard.type('Ada')
    await page.keyboard.press('Enter')
    await find('::-p-text(1 ticket changed)')
    expect(await admin.tickets.get({ ...at, id: ticket.id })).toMatchObject({ assignee: { name: 'Ada' } })
    await page.locator(named(title, 'link')).click()
    await find('#drawer[open] h1')
    await page.locator(`#ticket-${ticket.id}-tags`).fill('fire')
    await page.keyboard.press('Enter')
    const tags = async () => (await admin.tickets.get({ ...at, id: ticket.id })).tags
    await expect.poll(tags).toEqual(['fire'])
    await page.locator(named('Close', 'button')).click()
    await page.waitForFunction(() => document.querySelector('#drawer[open]') === null)

    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await find('#palette[open]')
    await page.keyboard.type('Printer')
    await find(`#palette ::-p-text(${title})`)
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    expect(new URL(page.url()).pathname).toBe(`/dashboard/w/${workspace}/tickets/${ticket.id}`)

    // A draft is previewed while it is typed.
    const { secret } = await admin.integrations.rotateSecret({ ...at, integration: 'errors' })
    await fetch(`${url}/api/webhooks/${workspace}/errors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-webhook-secret': secret },
      body: JSON.stringify({ svc: 'shop', data: { grund: { text: 'No stock left' } } }),
    })
    await open('/integrations/errors/mapping')
    await page.locator('::-p-text(More fields)').click()
    await page.locator('[name="fields.message"]').fill('data.grund.text')
    await find('#mapping-outcome ::-p-text(No stock left)')

    await open('/attendance')
    await find(`main ::-p-text(${employee?.user.name})`)
    await find(named('Add punch', 'link'))
    expect(complaints).toEqual([])
  },
  browserTimeoutMs,
)
