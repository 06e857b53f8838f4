import { expect, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { signedInVisitor } from './dashboard-person.ts'
import { startOpenSite } from './inbound/inbound-site.ts'
import { onEveryStore } from './on-every-store.ts'

const encryptionKey = 'a key that is only used in tests, of enough characters'

onEveryStore('the search of the dashboard', (start) => {
  test('finds a delivery by its number and by its UUID, and links to it', async () => {
    const server = await start({ encryptionKey })
    const { admin } = server
    const at = { workspace: (await admin.workspaces.create({ name: 'Northwind' })).id }
    const elsewhere = { workspace: (await admin.workspaces.create({ name: 'Elsewhere' })).id }
    const deliveryIn = async (place: { workspace: number }) => {
      const { id } = await admin.webhooks.create(place, { url: 'https://hooks.example.test/in', events: ['task.*'] })
      return admin.webhooks.sendTest({ ...place, id }, { event: 'task.created' })
    }
    const [delivery, later, theirs] = [await deliveryIn(at), await deliveryIn(at), await deliveryIn(elsewhere)]
    expect((await admin.deliveries.list(at, { uuid: delivery.uuid })).data.map(({ id }) => id)).toEqual([delivery.id])
    expect((await admin.deliveries.list(at, { uuid: later.uuid, state: 'held' })).data).toEqual([])

    const owner = await signedInVisitor(server, { ...at, role: 'admin', name: 'Ada' })
    const search = async (text: string) =>
      (await owner.get(`/dashboard/w/${at.workspace}/search?q=${encodeURIComponent(text)}`)).text()
    for (const text of [String(delivery.id), delivery.uuid, ` ${delivery.uuid.toUpperCase()} `]) {
      const html = await search(text)
      const link = /href="([^"]*\/deliveries\/\d+)"/.exec(html)?.[1]
      expect(link).toBe(`/dashboard/w/${at.workspace}/deliveries/${delivery.id}`)
      expect((await owner.get(link ?? '')).status).toBe(200)
    }
    const unknown = '7f0d3c1e-6a52-8b41-9c38-1f4f4c1f9b02'
    for (const text of [theirs.uuid, unknown]) expect(await search(text)).toContain('No results for')
  })

  test('finds no deliveries for people who may not see them', async () => {
    const server = await start({ encryptionKey })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const hook = { url: 'https://hooks.example.test/in', events: ['task.*' as const] }
    const { id } = await server.admin.webhooks.create({ workspace }, hook)
    const { uuid } = await server.admin.webhooks.sendTest({ workspace, id }, { event: 'task.created' })
    const member = await signedInVisitor(server, { workspace, role: 'member' })
    const html = await (await member.get(`/dashboard/w/${workspace}/search?q=${uuid}`)).text()
    expect(html).toContain('No results for')
  })
})

test.each([
  ['kim@cust.example', 'kim@cust.example'],
  ['<kim@cust.example>', 'kim@cust.example'],
  ['Kim Doe <kim@cust.example>', 'kim@cust.example'],
  ['mailto:kim@cust.example?subject=Invoice 7', 'kim@cust.example'],
  ['MAILTO:kim@cust.example', 'kim@cust.example'],
  ['kim@cust.example@other.example', undefined],
  ['kim <kim>', undefined],
])('the search for %s offers everything about %s', async (text, email) => {
  const server = await createServer()
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const visitor = await signedInVisitor(server, { workspace, role: 'member' })
  const html = await (await visitor.get(`/dashboard/w/${workspace}/search?q=${encodeURIComponent(text)}`)).text()
  const href = /href="([^"]*\/person\?email=[^"]*)"/.exec(html)?.[1]
  expect(href && new URL(href, server.origin).searchParams.get('email')).toBe(email)
  await server.close()
})

test('a ticket is found first by its number, however people write it', async () => {
  await using server = await createServer()
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  for (let number = 1; number <= 12; number += 1)
    await server.admin.tickets.create({ workspace }, { title: `No. ${number}` })
  const visitor = await signedInVisitor(server, { workspace, role: 'member', name: 'Ada' })
  for (const text of ['12', '#12', 'tkt 12', 'TKT12', 'TKT-00012', ' 12 ']) {
    const html = await (await visitor.get(`/dashboard/w/${workspace}/search?q=${encodeURIComponent(text)}`)).text()
    const first = /<a href="[^"]*\/tickets\/\d+"[\s\S]*?<\/a>/.exec(html)?.[0] ?? ''
    expect([text, first]).toEqual([text, expect.stringMatching(/No\. 12[\s\S]*TKT-00012/)])
  }
})

onEveryStore('a long text', (start) => {
  const label = 'd'.repeat(61)
  const email = `${'a'.repeat(64)}@${label}.${label}.${label}.exa`

  test('is searched whole if an address may be as long, and refused with a sentence if it is longer', async () => {
    const server = await start()
    const { admin } = server
    const at = { workspace: (await admin.workspaces.create({ name: 'Northwind' })).id }
    await admin.leadSources.update({ ...at, source: 'website' }, { enabled: true })
    await admin.leads.create(at, { name: 'Ann of the long address', email, source: 'website' })
    await admin.leads.create(at, { name: 'Ben of another', email: email.replace('.exa', '.org'), source: 'website' })
    const visitor = await signedInVisitor(server, { ...at, role: 'member', name: 'Ada' })
    const open = async (path: string, text: string) => {
      const page = await visitor.get(`/dashboard/w/${at.workspace}/${path}=${encodeURIComponent(text)}`)
      return { status: page.status, html: await page.text() }
    }
    const { html } = await open('search?q', email)
    expect([email.length, /Ann of/.test(html), /Ben of/.test(html)]).toEqual([254, true, false])
    const person = new URL(/href="([^"]*\/person\?email=[^"]*)"/.exec(html)?.[1] ?? '', server.origin)
    expect((await open('person?email', person.searchParams.get('email') ?? '')).html).toContain('Ann of the long')

    const longer = `${email}xx`
    expect((await open('search?q', longer)).html).toContain('Search for at most 255 characters. These are 256.')
    expect(await open('person?email', longer)).toMatchObject({
      status: 422,
      html: expect.stringContaining('An address has at most 254 characters.'),
    })
    const lists = 'tickets tasks projects deals leads accounts employees errors messages'.split(' ')
    for (const list of lists)
      expect(await open(`${list}?view=list&search`, longer)).toMatchObject({
        status: 422,
        html: expect.stringContaining('The search field must not be greater than 255 characters.'),
      })
    for (const list of lists) {
      const { status, html } = await open(`${list}?view=list&search`, '%!')
      expect([list, status, html.includes('name="search"')]).toEqual([list, list === 'tickets' ? 422 : 200, true])
      if (list === 'tickets') expect(html).toContain('<p>The search field must have a letter or a digit.</p>')
    }
  })

  test('of letters that have two units is cut between them', async () => {
    const server = await start()
    const { admin } = server
    const at = { workspace: (await admin.workspaces.create({ name: 'Northwind' })).id }
    const name = `a${'\u{20000}'.repeat(60)}`
    const { id } = await admin.accounts.create(at, { name })
    expect((await admin.accounts.list(at, { search: name })).data).toMatchObject([{ id }])
  })
})

onEveryStore('the page of a person', (start) => {
  test('has what names the address in any case, and not what names a longer or similar one', async () => {
    const server = await start()
    const { admin } = server
    const at = { workspace: (await admin.workspaces.create({ name: 'Northwind' })).id }
    const visitor = await signedInVisitor(server, { ...at, role: 'member', name: 'Ada' })
    const texts = {
      own: [
        'Ann+shop@Acme.example',
        'Mail ANN+SHOP@acme.example.',
        '<ann+shop@acme.example>',
        '-ann+shop@acme.example',
      ],
      other: [
        'anna+shopping@acme.example',
        'mary.ann+shop@acme.example',
        'ann+shop@acme.example.org',
        'ann shop acme example',
      ],
    }
    const channel = await admin.channels.create(at, { name: 'general' })
    const post = async (text: string, kind: string) => {
      await admin.tickets.create(at, { title: `${kind} title ${text}` })
      await admin.tickets.create(at, { title: `${kind} description`, description: text })
      await admin.messages.create(at, { channel_id: channel.id, body: `${kind} body ${text}` })
    }
    for (const text of texts.own) await post(text, 'Own')
    for (const text of texts.other) await post(text, 'Other')
    await admin.messages.create(at, {
      channel_id: channel.id,
      body: 'Own body: ann+shop@acme.example回复',
    })
    const pageOf = async (email: string) =>
      (await visitor.get(`/dashboard/w/${at.workspace}/person?email=${encodeURIComponent(email)}`)).text()
    const html = await pageOf(' ANN+shop@acme.example ')
    const own = [/>Own title/g, />Own description/g, />Own body/g]
    expect(own.map((pattern) => html.match(pattern)?.length)).toEqual([4, 4, 5])
    expect(html).not.toMatch(/Other (?:title|description|body)/)
    expect(await pageOf('shop@acme.example')).toContain('Nothing about this person')
  })

  test('has pages of all tickets, messages, and inquiries that name the address, among many that only have its words', async () => {
    const { server, workspaceId: workspace, inbound } = await startOpenSite(start)
    const { admin } = server
    const at = { workspace }
    const visitor = await signedInVisitor(server, { ...at, role: 'member', name: 'Ada' })
    const channel = await admin.channels.create(at, { name: 'general' })
    const email = 'ann@acme.example'
    const created = 130
    for (let number = 1; number <= created; number += 1) {
      await admin.tickets.create(at, { title: `Own ${number}.`, description: `From ${email}` })
      if (number % 2 === 0) await admin.tickets.create(at, { title: `Other of anna@acme.example ${number}.` })
      if (number <= 60) {
        const { lead_id } = await inbound.leads.capture('website', { name: 'Ann', email, message: `Own ${number}.` })
        await admin.leads.update({ ...at, id: lead_id ?? 0 }, { status: 'lost' })
      }
      if (number <= 60) await admin.messages.create(at, { channel_id: channel.id, body: `Own ${number}. of ${email}` })
    }
    await inbound.leads.capture('website', { name: 'Ann', email: `x.${email}`, message: 'Other' })
    for (let number = 1; number <= 110; number += 1) await admin.tickets.create(at, { title: 'Ann, acme, example' })
    const cardsIn = (html: string) =>
      new Map(
        html
          .split('class="card"')
          .slice(1)
          .map((card) => [/>(Tickets|Messages|Inquiries)</.exec(card)?.[1], card] as const),
      )
    const walk = async (kind: 'Tickets' | 'Messages' | 'Inquiries') => {
      const shown: string[] = []
      let pages = 0
      for (let path: string | undefined = `/dashboard/w/${at.workspace}/person?email=${email}`; path !== undefined; ) {
        const html: string = await (await visitor.get(path.replaceAll('&amp;', '&'))).text()
        const card: string = cardsIn(html).get(kind) ?? ''
        expect(card).not.toContain('Other')
        const numbers = [...card.matchAll(/Own (\d+)\./g)].flatMap(([, number = '']) => number)
        expect(card).toMatch(new RegExp(`${numbers.length} ${kind.slice(0, 5)}`, 'i'))
        shown.push(...numbers)
        pages += 1
        path = / href="([^"]*)" rel="next"/.exec(card)?.[1]
      }
      expect(pages).toBeLessThan(6)
      return shown.map(Number)
    }
    const from = (first: number) => Array.from({ length: first }, (_, index) => first - index)
    expect(await walk('Tickets')).toEqual(from(created))
    expect(await walk('Messages')).toEqual(from(60))
    expect(await walk('Inquiries')).toEqual(from(60))
    const found = await admin.tickets.list(at, { email: ' ANN@acme.example ', limit: 7 }).all()
    expect(found.map(({ title }) => title)).toEqual(from(created).map((number) => `Own ${number}.`))
    const sorted = await admin.tickets.list(at, { email, sort: 'updated', status: 'open', search: 'own' }).all()
    expect(sorted).toHaveLength(created)
    expect(await admin.tickets.list(at, { email: '@' }).safe()).toMatchObject({ ok: false, error: { status: 422 } })
  })
})
