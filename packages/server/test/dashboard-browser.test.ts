import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { setUp } from './first-person.ts'
import { createPerson, goodPassword } from './people.ts'

let server: Server
let browser: Browser
let context: BrowserContext
let url: string
let workspace: number
let board: string

beforeAll(async () => {
  server = await createServer({ rateLimit: 'off' })
  url = (await server.listen()).url
  browser = await openBrowser()
  context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await setUp(page, url + (await server.admin.setupLinks.create()).link)
  workspace = (await server.admin.workspaces.list()).data[0]?.id ?? 0
  board = `${url}/dashboard/w/${workspace}`
  await page.close()
}, browserTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

describe('the dashboard in a browser', () => {
  test('updates one tab after a change in another', async () => {
    const [watching, working] = [await context.newPage(), await context.newPage()]
    await watching.goto(`${board}/tickets`)
    await watching.getByRole('heading', { name: 'No tickets yet' }).waitFor()
    await watching.locator('#live-state[data-state=on]').waitFor()
    await working.goto(`${board}/tickets`)
    await working.keyboard.press('c')
    await working.getByLabel('Title').fill('Printer on fire')
    await working.getByRole('button', { name: 'Create ticket' }).click()
    await working.getByRole('status').getByText('TKT-00001 is created').waitFor()
    await watching.getByRole('link', { name: 'Printer on fire' }).waitFor()
    await Promise.all([watching.close(), working.close()])
  })

  test('keeps no stream while a tab is hidden, and catches up when it is shown', async () => {
    const page = await context.newPage()
    const show = (isHidden: boolean) =>
      page.evaluate((isHidden) => {
        Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, isHidden)
    const isStream = (request: { url(): string }) => request.url().includes('/live?')
    await page.goto(`${board}/tickets`)
    await page.locator('#live-state[data-state=on]').waitFor()
    await server.admin.tickets.create({ workspace }, { title: 'Seen at once' })
    await page.getByRole('link', { name: 'Seen at once' }).waitFor()
    await Promise.all([page.waitForEvent('requestfailed', isStream), show(true)])
    await server.admin.tickets.create({ workspace }, { title: 'Seen later' })
    await Promise.all([page.waitForRequest(isStream), show(false)])
    await page.getByRole('link', { name: 'Seen later' }).waitFor()
    await page.close()
  })

  test('replaces the open page of a member who is removed', async () => {
    const { email, id } = await createPerson(server, 'Bea')
    await server.admin.members.create({ workspace }, { name: 'Bea', email, role: 'member' })
    const ticket = await server.admin.tickets.create({ workspace }, { title: 'Not for Bea' })
    const beas = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await beas.newPage()
    await page.goto(url + (await server.admin.users.signInLink({ id })).link)
    await page.goto(`${board}/tickets/${ticket.id}`)
    await page.locator('#live-state[data-state=on]').waitFor()
    await server.admin.members.delete({ workspace, id })
    await page.getByText('There is no workspace').or(page.getByText('Not found')).first().waitFor()
    expect(await page.getByText('Not for Bea').count()).toBe(0)
    await beas.close()
  })

  test('can be used with the keyboard alone: open a ticket, resolve it, and return', async () => {
    const page = await context.newPage()
    await server.admin.tickets.create({ workspace }, { title: 'Slow search' })
    await page.goto(`${board}/tickets`)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('heading', { name: 'Slow search', level: 1 }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await page.keyboard.press('r')
    await drawer.getByRole('button', { name: 'Reopen' }).waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('row', { name: /Slow search/ })
      .getByRole('img', { name: 'Resolved' })
      .waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Slow search')
    const { data } = await server.admin.events.list({ workspace })
    expect(data.map(({ name }) => name)).toContain('ticket.resolved')
    await page.close()
  })

  test('saves a ticket field on a mouse choice, or when the keyboard leaves it, and keeps the focus', async () => {
    const page = await context.newPage()
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'Late parcel' })
    const stored = () => server.admin.tickets.get({ workspace, id })
    await page.goto(`${board}/tickets/${id}`)
    await page.getByLabel('Priority').selectOption('urgent')
    await page.getByRole('status').getByText('is saved').waitFor()
    await page.getByText('changed the priority from Medium to Urgent').waitFor()

    const status = page.getByLabel('Status')
    await status.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await stored()).toMatchObject({ priority: 'urgent', status: 'open' })
    await page.keyboard.press('Tab')
    await page.getByText('moved it to Pending').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('priority')
    expect((await stored()).timeline.map(({ kind }) => kind)).toEqual(['created', 'changed', 'changed'])

    // An earlier choice does not hide a later change by another person.
    await page.locator('#live-state[data-state=on]').waitFor()
    await server.admin.tickets.update({ workspace, id }, { status: 'in_progress' })
    await expect.poll(() => status.inputValue()).toBe('in_progress')
    await page.close()
  })

  test('shows a conflicting change of another person in the drawer and keeps the input', async () => {
    const page = await context.newPage()
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'Lost parcel' })
    // Without live updates, as on a bad connection.
    await page.route('**/live?*', (route) => route.abort())
    await page.goto(`${board}/tickets`)
    await page.getByRole('link', { name: 'Lost parcel' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Priority').waitFor()
    await server.admin.tickets.update({ workspace, id }, { priority: 'high' })
    await drawer.getByLabel('Priority').selectOption('low')
    await drawer.getByText('Stored now: High').waitFor()
    expect(await drawer.getByLabel('Priority').inputValue()).toBe('low')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.getByRole('button', { name: 'Resolve' }).waitFor()
    expect(await server.admin.tickets.get({ workspace, id })).toMatchObject({ priority: 'low' })
    await page.close()
  })

  for (const place of ['page', 'drawer'] as const)
    test(`keeps the comment that is typed in the ${place} when a change of a property conflicts`, async () => {
      const page = await context.newPage()
      const { id } = await server.admin.tickets.create({ workspace }, { title: `Late box, ${place}` })
      await server.admin.channels.create({ workspace }, { name: `late-${place}` })
      await page.route('**/live?*', (route) => route.abort())
      const path = `/dashboard/w/${workspace}/tickets/${id}`
      await page.goto(place === 'page' ? url + path : `${board}/tickets#open=${encodeURIComponent(path)}`)
      const container = page.locator(place === 'page' ? 'main' : '#drawer')
      await container.getByLabel('Comment').fill('I will call')
      await server.admin.tickets.update({ workspace, id }, { priority: 'high' })
      await container.getByLabel('Priority').selectOption('low')
      await container.getByText('Stored now: High').waitFor()
      expect(await container.getByLabel('Priority').evaluate((control) => control === document.activeElement)).toBe(
        true,
      )
      expect(await container.getByLabel('Comment').inputValue()).toBe('I will call')
      await container.getByRole('button', { name: 'Save' }).click()
      await container.getByText('changed the priority').or(container.getByText('set the priority')).first().waitFor()
      await container.getByText('Stored now: High').waitFor({ state: 'detached' })
      expect(await container.getByLabel('Comment').inputValue()).toBe('I will call')
      expect(await server.admin.tickets.get({ workspace, id })).toMatchObject({ priority: 'low' })
      await container.getByRole('button', { name: 'Comment' }).click()
      await container.locator('.timeline').getByText('I will call').waitFor()
      await page.close()
    })

  for (const place of ['page', 'drawer'] as const)
    test(`does not overwrite tags that another person saves while they are typed in the ${place}`, async () => {
      const page = await context.newPage()
      const ticket = await server.admin.tickets.create({ workspace }, { title: `Torn box, ${place}`, tags: ['box'] })
      const at = { workspace, id: ticket.id }
      const path = `/dashboard/w/${workspace}/tickets/${ticket.id}`
      await page.goto(place === 'page' ? url + path : `${board}/tickets#open=${encodeURIComponent(path)}`)
      const container = page.locator(place === 'page' ? 'main' : '#drawer')
      const tags = container.getByLabel('Tags')
      const priority = container.getByLabel('Priority')
      await page.locator('#live-state[data-state=on]').waitFor()

      // A change of another field does not stand in the way.
      await tags.fill('box, torn')
      await server.admin.tickets.update(at, { priority: 'high' })
      await expect.poll(() => priority.inputValue()).toBe('high')
      await tags.press('Enter')
      await expect.poll(async () => (await server.admin.tickets.get(at)).tags).toEqual(['box', 'torn'])
      await container.getByText('changed the tags').first().waitFor()

      await tags.fill('mine')
      await server.admin.tickets.update(at, { tags: ['theirs'], priority: 'low' })
      await expect.poll(() => priority.inputValue()).toBe('low')
      await tags.press('Enter')
      await container.getByText('Stored now: theirs').waitFor()
      expect(await container.getByLabel('Tags').inputValue()).toBe('mine')
      expect((await server.admin.tickets.get(at)).tags).toEqual(['theirs'])
      await page.close()
    })

  test('shows the stored tags after they are saved, and later changes of another person', async () => {
    const page = await context.newPage()
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'Wet box' })
    await page.goto(`${board}/tickets/${id}`)
    await page.locator('#live-state[data-state=on]').waitFor()
    const tags = page.getByLabel('Tags')
    await tags.fill('wet,box,wet')
    await tags.press('Enter')
    await expect.poll(() => tags.inputValue()).toBe('wet, box')
    await server.admin.tickets.update({ workspace, id }, { tags: ['dry'] })
    await expect.poll(() => tags.inputValue()).toBe('dry')
    expect(await tags.evaluate((control) => control === document.activeElement)).toBe(true)
    await page.close()
  })

  test('asks before the drawer discards a comment that was not sent', async () => {
    const page = await context.newPage()
    await server.admin.tickets.create({ workspace }, { title: 'Half a comment' })
    await server.admin.channels.create({ workspace }, { name: 'Half' })
    await page.goto(`${board}/tickets`)
    await page.getByRole('link', { name: 'Half a comment' }).click()
    const drawer = page.getByRole('dialog')
    const comment = drawer.getByLabel('Comment')
    await comment.fill('I will call')
    const leaving = {
      Escape: () => page.keyboard.press('Escape'),
      'Escape again': () => page.keyboard.press('Escape'),
      'a click beside it': () => page.mouse.click(5, 300),
      Close: () => drawer.getByRole('button', { name: 'Close' }).click(),
      'another form': () => drawer.getByRole('button', { name: 'Resolve' }).click(),
    }
    for (const [way, leave] of Object.entries(leaving)) {
      const asked = page.waitForEvent('dialog')
      await Promise.all([asked.then((dialog) => dialog.dismiss()), leave()])
      expect([way, await comment.inputValue()]).toEqual([way, 'I will call'])
    }
    page.once('dialog', (dialog) => dialog.accept())
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await page.close()
  })

  test('finds pages, tickets, and people from any page', async () => {
    const page = await context.newPage()
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'Wrong invoice' })
    await page.goto(`${board}/overview`)
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search or go to' })
    await palette.getByRole('link', { name: /API tokens/ }).waitFor()
    await page.keyboard.type('invoice')
    await palette.getByRole('link', { name: /Wrong invoice/ }).waitFor()
    await palette.getByRole('link', { name: /API tokens/ }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${board}/tickets/${id}`)
    await page.close()
  })

  test('creates a token from the palette, lists the shortcuts, and keeps the drawer in the URL', async () => {
    const page = await context.newPage()
    const ticket = await server.admin.tickets.create({ workspace }, { title: 'Left behind' })
    await page.goto(`${board}/tickets`)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('New ticket').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Left behind' }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Left behind' }).waitFor()
    expect(decodeURIComponent(page.url())).toContain(`#open=/dashboard/w/${workspace}/tickets/${ticket.id}`)
    await page.reload()
    await page.getByRole('dialog').getByRole('heading', { name: 'Left behind' }).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.url()).toBe(`${board}/tickets`)
    await page.getByRole('link', { name: 'Left behind' }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Left behind' }).waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(page.url()).toBe(`${board}/tickets`)
    await page.goForward()
    await page.getByRole('dialog').getByRole('heading', { name: 'Left behind' }).waitFor()
    await page.getByRole('dialog').getByLabel('Comment').fill('Not sent yet')
    page.once('dialog', (dialog) => dialog.dismiss())
    await page.goBack()
    await expect.poll(() => page.url()).toContain('#open=')
    expect(await page.getByRole('dialog').getByLabel('Comment').inputValue()).toBe('Not sent yet')
    page.once('dialog', (dialog) => dialog.accept())
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: 'Search or go to' }).fill('create token')
    await page.getByRole('link', { name: 'New API token' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New token' }).waitFor()
    await page.close()
  })

  test('returns the focus after a form that leads back to its page, and says what it did', async () => {
    const page = await context.newPage()
    const focusedId = () => page.evaluate(() => document.activeElement?.id)
    const status = page.getByRole('status')
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'Broken shelf' })
    await page.goto(`${board}/tickets/${id}`)
    await page.getByLabel('New task').fill('Order a board')
    await page.getByRole('button', { name: 'Add task' }).press('Enter')
    await status.getByText('Order a board is created').waitFor()
    await expect.poll(focusedId).toBe('new-task')
    await page.keyboard.type('Mount it')
    await page.keyboard.press('Enter')
    await status.getByText('Mount it is created').waitFor()
    await expect.poll(focusedId).toBe('new-task')
    await page.getByLabel('Comment').fill('Ordered.')
    await page.getByRole('button', { name: 'Comment' }).press('Enter')
    await status.getByText('Comment added').waitFor()
    await expect.poll(focusedId).toBe('new-message')
    await page.getByRole('button', { name: 'Resolve' }).press('Enter')
    await status.getByText('is resolved').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Reopen')

    const { id: rule } = await server.admin.rules.create(
      { workspace },
      { name: 'Triage', trigger: 'ticket_created', conditions: [], actions: [{ type: 'add_tag', tag: 'new' }] },
    )
    await page.goto(`${board}/automation`)
    for (const state of ['off', 'on']) {
      await page.getByRole('button', { name: `Switch ${state}` }).press('Enter')
      await status.getByText(`Triage is switched ${state}`).waitFor()
      await expect.poll(focusedId).toBe(`switch-rule-${rule}`)
    }
    await server.admin.rules.delete({ workspace, id: rule })

    // The sidebar is a popover only in a narrow window.
    await page.locator('#theme').press('Enter')
    await page.locator('[data-theme=dark]').first().waitFor()
    await expect.poll(focusedId).toBe('theme')

    // The button that hides them becomes the one that shows them.
    await page.goto(`${board}/overview`)
    await page.getByRole('button', { name: 'Hide' }).press('Enter')
    await status.getByText('The first steps are hidden').waitFor()
    await expect.poll(focusedId).toBe('switch-first-steps')
    await page.close()
  })

  test('returns the focus after a form in the drawer, and does not show the notice of an earlier change', async () => {
    const page = await context.newPage()
    const focusedId = () => page.evaluate(() => document.activeElement?.id)
    const status = page.getByRole('status', { includeHidden: true })
    await server.admin.tickets.create({ workspace }, { title: 'Loose wheel' })
    await page.goto(`${board}/tickets`)
    await page.getByRole('link', { name: 'Loose wheel' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('New task').fill('Tighten it')
    await page.keyboard.press('Enter')
    await status.getByText('Tighten it is created').waitFor()
    await expect.poll(focusedId).toBe('new-task')
    await drawer.getByLabel('Comment').fill('Tightened.')
    await drawer.getByRole('button', { name: 'Comment' }).press('Enter')
    await status.getByText('Comment added').waitFor()
    await expect.poll(focusedId).toBe('new-message')
    await drawer.getByRole('button', { name: 'Comment' }).press('Enter')
    await drawer.getByText('field is required.').waitFor()
    await expect.poll(focusedId).toBe('new-message')
    expect(await status.textContent()).toBe('')
    await page.close()
  })

  test('completes mentions, and shows who edits, in a field that has the focus before the scripts have loaded', async () => {
    const page = await context.newPage()
    const ticket = await server.admin.tickets.create({ workspace }, { title: 'Late start' })
    const { id } = await server.admin.channels.create({ workspace }, { name: 'dispatch' })
    const openFocused = async (path: string, field: string) => {
      let load = () => {}
      const focused = new Promise<void>((resolve) => (load = resolve))
      await page.route(
        '**/dashboard.js',
        async (route) => {
          await focused
          await route.continue()
        },
        { times: 1 },
      )
      await page.goto(board + path, { waitUntil: 'commit' })
      await page.locator(`#${field}`).focus()
      load()
    }
    const reported = page.waitForRequest(`**/tickets/${ticket.id}/editing`)
    await openFocused(`/tickets/${ticket.id}/edit`, 'field-title')
    expect((await reported).postData()).toBe('state=editing')
    await openFocused(`/messages/${id}`, 'new-message')
    await page.keyboard.type('Hi @A')
    await page.getByRole('group', { name: 'Members to mention' }).getByRole('button').first().waitFor()
    await page.close()
  })

  test('submits a form once after a double click', async () => {
    const page = await context.newPage()
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
    await page.goto(`${board}/tokens/new`)
    await page.getByLabel('Name').fill('Nightly import')
    await page.getByLabel('tickets:read', { exact: false }).check()
    await page.getByRole('button', { name: 'Create token' }).dblclick()
    await page.getByRole('heading', { name: 'Nightly import is ready' }).waitFor()
    await page.goto(`${board}/settings`)
    await page.getByRole('button', { name: 'Save' }).dblclick()
    await page.getByRole('status').getByText('Workspace saved').waitFor()
    expect(sent.map((path) => path.replace(/^.*\/w\/\d+/, ''))).toEqual(['/tokens', '/settings'])
    const [token] = (await server.admin.tokens.list({ workspace })).data
    await server.admin.tokens.revoke({ workspace, id: token?.id ?? 0 })
    await page.close()
  })

  test('focuses the first invalid field and keeps the input', async () => {
    const page = await context.newPage()
    await page.goto(`${board}/tickets/new`)
    await page.getByLabel('Description').fill('It is on fire.')
    await page.getByRole('button', { name: 'Create ticket' }).click()
    await page.getByText('The title field is required.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('field-title')
    expect(await page.getByLabel('Description').inputValue()).toBe('It is on fire.')
    await page.close()
  })

  test('keeps the address of the page after a refused form, and its updates', async () => {
    const page = await context.newPage()
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'Slow search' })
    await page.goto(`${board}/tickets/${id}`)
    await page.getByLabel('New task').press('Enter')
    await page.getByText('field is required.').waitFor()
    expect(page.url()).toBe(`${board}/tickets/${id}`)
    await page.locator('#live-state[data-state=on]').waitFor()
    await server.admin.tasks.create({ workspace }, { title: 'Call them', ticket_id: id })
    await page.getByText('Call them').waitFor()
    await page.close()
  })

  test('creates, shows, and revokes a token, and changes a ticket, without JavaScript', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false })
    const page = await plain.newPage()
    await page.goto(`${board}/tokens/new`)
    await page.getByLabel('E-mail address').fill('ada@people.example')
    await page.getByLabel('Password').fill(goodPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Name').fill('Import')
    await page.getByLabel('tickets:read', { exact: false }).check()
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = await page.locator('#token').textContent()
    const tickets = await fetch(`${url}/api/v1/workspaces/${workspace}/tickets`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    })
    expect(tickets.status).toBe(200)
    await page.getByRole('link', { name: 'All tokens' }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByText('Import is revoked').waitFor()

    const { id } = await server.admin.tickets.create({ workspace }, { title: 'By hand' })
    await page.goto(`${board}/tickets/${id}`)
    await page.getByLabel('Status').selectOption('pending')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('moved it to Pending').waitFor()
    await plain.close()
  })
})
