import puppeteer, { type Page } from 'puppeteer-core'
import { expect, onTestFinished, test, vi } from 'vitest'
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
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    timeout: browserTimeoutMs,
    // Narrower windows have no drawer. Firefox ESR does not know the command that sets a viewport.
    defaultViewport: null,
    args: ['--width=1280', '--height=1000'],
  })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(60_000)
  return page
}

/** Waits for an element. Puppeteer's own waits compile text in the page, which its content security policy forbids. */
const findIn = (page: Page) => (selector: string) =>
  vi.waitFor(
    async () => {
      const element = await page.$(selector)
      if (element === null) throw new Error(`There is no ${selector} on ${page.url()}`)
      return element
    },
    { timeout: 60_000, interval: 100 },
  )

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
    // Firefox reports each stream that a navigation ends.
    page.on('pageerror', (error) => {
      if (!String(error).includes('was interrupted while the page was loading')) complaints.push(error)
    })
    const find = findIn(page)
    const click = async (selector: string) => (await find(selector)).click()
    const fill = async (selector: string, text: string) => (await find(selector)).type(text)
    const open = (path: string) => page.goto(`${url}/dashboard/w/${workspace}${path}`)

    await page.goto(`${url}/dashboard`)
    await fill('#field-email', email)
    await fill('#field-password', goodPassword)
    await click(named('Sign in', 'button'))
    await find('::-p-text(Needs attention today)')

    // The first row is changed with the keyboard, and opened in the drawer.
    await open('/tickets')
    await find('#live-state[data-state=on]')
    for (const key of ['j', 'x', 'b'] as const) await page.keyboard.press(key)
    await page.keyboard.type('Ada')
    await page.keyboard.press('Enter')
    await find('::-p-text(1 ticket changed)')
    expect(await admin.tickets.get({ ...at, id: ticket.id })).toMatchObject({ assignee: { name: 'Ada' } })
    await click(named(title, 'link'))
    await find('#drawer[open] h1')
    await fill(`#ticket-${ticket.id}-tags`, 'fire')
    await page.keyboard.press('Enter')
    const tags = async () => (await admin.tickets.get({ ...at, id: ticket.id })).tags
    await expect.poll(tags).toEqual(['fire'])
    await click(named('Close', 'button'))
    await expect.poll(() => page.$('#drawer[open]')).toBeNull()

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
    await click('::-p-text(More fields)')
    await fill('[name="fields.message"]', 'data.grund.text')
    await find('#mapping-outcome ::-p-text(No stock left)')

    await open('/attendance')
    await find(`main ::-p-text(${employee?.user.name})`)
    await find(named('Add punch', 'link'))
    expect(complaints).toEqual([])
  },
  browserTimeoutMs,
)
