import { createAdminClient } from '@service/client/admin'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commands } from '../src/cli/program.ts'
import { topicTables } from '../src/http/dashboard/live.ts'
import { dashboardRoutes } from '../src/http/dashboard.ts'
import { createServer, type Server } from '../src/index.ts'
import { examplesOf } from './dashboard-examples.ts'
import { signedInVisitor, type Visitor, visitor } from './dashboard-person.ts'
import { seedDemo } from './seed-demo.ts'

let server: Server
let admin: Visitor
/** The HTML of each page, by route. */
const pages = new Map<string, { readonly status: number; readonly html: string }>()

const shownRoutes = dashboardRoutes.filter(
  ({ method, path }) => method === 'GET' && path !== '/dashboard' && !path.endsWith('/export'),
)

const textOf = (html: string) => html.replace(/<[^>]+>/g, '').replaceAll('&amp;', '&')

async function instanceAdmin(workspace: number, name: string): Promise<Visitor> {
  const person = await signedInVisitor(server, { workspace, role: 'owner', name })
  await server.admin.users.update({ id: person.id }, { is_instance_admin: true })
  return person
}

beforeAll(async () => {
  server = await createServer({ rateLimit: 'off' })
  const workspace = await seedDemo(server.admin)
  const fill = await examplesOf(server, workspace)
  const { link } = await server.admin.setupLinks.create()
  pages.set('/dashboard/setup', await read(visitor(server), `/dashboard${link}`))
  admin = await instanceAdmin(workspace, 'Ada')
  for (const { path, role } of shownRoutes)
    if (!pages.has(path)) pages.set(path, await read(role === 'public' ? visitor(server) : admin, fill(path)))
}, 120_000)
afterAll(() => server.close())

async function read(person: Visitor, path: string) {
  const answer = await person.get(path)
  return { status: answer.status, html: await answer.text() }
}

/** The dashboard URLs that a page links to. */
const linksIn = (html: string) =>
  [...html.matchAll(/<a [^>]*href="(\/dashboard[^"#]*)/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))

const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]

const isWritten = (tag: string) =>
  !/^<(?:select|button)/.test(tag) &&
  !/^(?:hidden|checkbox|radio|password)$/.test(attribute(tag, 'type') ?? '') &&
  attribute(tag, 'name') !== 'headers'

/** The forms of a page with a value for each field that a person writes, and for each that is chosen, hidden, or secret. */
const formsIn = (html: string) =>
  [...html.matchAll(/<form[^>]*method="post"[\s\S]*?<\/form>/g)].map(([form]) => {
    const fields = [...form.matchAll(/<(?:input|textarea|select|button)\b[^>]* name="[^>]*>/g)].map(([tag]) => tag)
    const fill = (tags: readonly string[], text: string) =>
      Object.fromEntries(tags.map((tag, index) => [attribute(tag, 'name') ?? '', `${text}${index}.`]))
    return {
      action: attribute(form, 'action') ?? '',
      written: fill(fields.filter(isWritten), '語'),
      chosen: fill(
        fields.filter((tag) => !isWritten(tag)),
        'chosen',
      ),
    }
  })

/** The topics of the parts of a page, without those about the editing of one record. */
const liveTopicsIn = (html: string) =>
  [...html.matchAll(/ data-live="([^"]+)"/g)].flatMap(([, topics = '']) =>
    topics.split(' ').filter((topic) => !topic.startsWith('editing-')),
  )

describe('every page of the dashboard', () => {
  test('has a unique title and one h1', () => {
    const titles = new Map<string, string>()
    for (const [path, { html }] of pages) {
      const title = /<title>([^<]*)/.exec(html)?.[1] ?? ''
      expect([title, titles.get(title)], path).toEqual([expect.stringMatching(/\S/), undefined])
      titles.set(title, path)
      const headings = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/gs)].map(([, text = '']) => textOf(text))
      expect(headings, path).toEqual([expect.stringMatching(/\S/)])
    }
    expect(titles.size).toBe(shownRoutes.length)
  })

  test.each([
    ['an unknown address', '/dashboard/nowhere', 404],
    ['another workspace', '/dashboard/w/999/tickets', 404],
    ['a record that is gone', '/dashboard/w/1/tickets/999999', 404],
  ])('has a title and one h1 for %s, too', async (_, path, status) => {
    const { html, ...answer } = await read(admin, path)
    expect(answer.status).toBe(status)
    expect(html).toMatch(/<title>Page not found · /)
    expect([...html.matchAll(/<h1>([^<]*)/g)].map(([, text]) => text)).toEqual(['Page not found'])
  })

  test('updates itself by topics that changes have', () => {
    const topics = new Set([...pages.values()].flatMap(({ html }) => liveTopicsIn(html)))
    expect(topics.size).toBeGreaterThan(10)
    expect([...topics].filter((topic) => !Object.hasOwn(topicTables, topic))).toEqual([])
  })

  test('is answered with what was written if the session has ended, and with the sign-in if nothing was', async () => {
    const stranger = visitor(server)
    const forms = [...pages].flatMap(([path, { html }]) => (path.includes('{workspace}') ? formsIn(html) : []))
    const answers = forms.map(async ({ action, written, chosen }) => {
      const answer = await stranger.post(action, { ...written, ...chosen })
      const html = await answer.text()
      const shown = Object.values({ ...written, ...chosen }).filter((text) => html.includes(text))
      return { action, status: answer.status, shown }
    })
    expect(await Promise.all(answers)).toEqual(
      forms.map(({ action, written }) => {
        const shown = Object.values(written)
        return { action, status: shown.length === 0 ? 303 : 401, shown }
      }),
    )
    expect(new Set(forms.map(({ written }) => Object.keys(written).length === 0)).size).toBe(2)
  })

  test('links only to existing pages', async () => {
    const links = new Map([...pages].flatMap(([path, { html }]) => linksIn(html).map((link) => [link, path] as const)))
    links.delete('/dashboard/w/1/settings/audit/export')
    expect(links.size).toBeGreaterThan(100)
    for (const [link, on] of links) {
      const { status, body } = await admin.get(link)
      await body?.cancel()
      expect([link, on, status < 400]).toEqual([link, on, true])
    }
  })

  test('submits forms only to routes that accept them', () => {
    const taken = dashboardRoutes
      .filter(({ method }) => method === 'POST')
      .map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))
    const actions = [...pages.values()].flatMap(({ html }) =>
      [...html.matchAll(/<form method="post" action="([^"?]+)/g)].map(([, action = '']) => action),
    )
    expect(actions.length).toBeGreaterThan(100)
    expect(actions.filter((action) => !taken.some((path) => path.test(action)))).toEqual([])
  })

  test('speaks of inquiries in one spelling', () => {
    const texts = [...pages.values()].map(({ html }) => textOf(html).replace('lead_enquiries', ''))
    expect(texts.filter((text) => /inquir/i.test(text)).length).toBeGreaterThan(1)
    expect(texts.flatMap((text) => text.match(/.{0,40}enquir.*/gi) ?? [])).toEqual([])
  })

  test('mentions only existing commands', async () => {
    const named = [...pages.values()].flatMap(({ html }) =>
      [...html.matchAll(/service-server ([^<&]+)/g)].map(([, words = '']) => words.trim().split(/\s+/)),
    )
    expect(named.map(([noun]) => noun)).toContain('user')
    for (const [noun = '', ...rest] of named) {
      const command = await commands[noun]?.load()
      const verb = command?.commands.find((child) => child.name() === rest[0]) ?? command
      expect(verb?.commands, `service-server ${noun} ${rest.join(' ')}`).toEqual([])
      const given = rest.slice(verb === command ? 0 : 1).filter((word) => !word.startsWith('-'))
      expect(given, `service-server ${noun} ${rest.join(' ')}`).toHaveLength(verb?.registeredArguments.length ?? 0)
    }
  })
})

/** The right-to-left texts of a page with their parent elements. */
function* rightToLeftTexts(html: string) {
  const around: { readonly name: string; readonly tag: string }[] = []
  for (const [tag, slash, name = '', text = ''] of html.matchAll(/<(\/?)([a-z][\w-]*)[^>]*>|([^<]+)/g)) {
    if (/\p{Script=Hebrew}/u.test(text)) yield { text: text.trim(), around: [...around] }
    if (slash === '/') around.splice(around.findLastIndex((open) => open.name === name))
    else if (name !== '' && !/^(?:meta|link|input|br|hr|img)$/.test(name) && !tag.endsWith('/>'))
      around.push({ name, tag })
  }
}

test('every right-to-left name is isolated from the surrounding text', async () => {
  const adminToken = 'admin_token_of_enough_characters'
  await using server = await createServer({ rateLimit: 'off', adminToken })
  const named = (body: string) => body.replaceAll(/"(name|title|body|device_name|company)":"/g, '"$1":"רות ')
  const fetch = async (url: string, { body, ...init }: RequestInit) =>
    server.fetch(url, { ...init, ...(typeof body === 'string' && { body: named(body) }) })
  const rightToLeft = {
    ...server,
    admin: createAdminClient({ baseUrl: `${server.origin}/admin/v1`, token: adminToken, fetch }),
  }
  const workspace = await seedDemo(rightToLeft.admin)
  const fill = await examplesOf(rightToLeft, workspace)
  const person = await signedInVisitor(server, { workspace, role: 'owner', name: 'רות' })
  await server.admin.users.update({ id: person.id }, { is_instance_admin: true })
  // A timeline with people's names.
  await person.post(fill('/dashboard/w/{workspace}/tickets/{id}'), { assigned_to: String(person.id) })
  const bare: string[] = []
  let shown = 0
  for (const { path } of shownRoutes.filter(({ role }) => role !== 'public')) {
    const { html } = await read(person, fill(path))
    for (const { text, around } of rightToLeftTexts(html)) {
      shown += 1
      // Code is left-to-right, and a document title has no elements.
      if (!around.some(({ name, tag }) => /^(?:title|bdi|code|pre)$/.test(name) || tag.includes(' dir="auto"')))
        bare.push(
          `${path}: ${around
            .slice(-3)
            .map(({ tag }) => tag)
            .join('')}${text}`,
        )
    }
  }
  expect(bare).toEqual([])
  expect(shown).toBeGreaterThan(200)
}, 60_000)

describe('a form that is refused', () => {
  /** The body that a browser sends if every field has the same input. */
  function filledWith(html: string, value: string) {
    const [, action = '', fields = ''] =
      /<form method="post" action="([^"]+)" class="form" novalidate[^>]*>(.*?)<\/form>/s.exec(html) ?? []
    const sent = new URLSearchParams()
    for (const [tag] of fields.matchAll(/<(?:input|select|textarea)[^>]*>/g)) {
      const [, name = ''] = /name="([^"]+)"/.exec(tag) ?? []
      const isKept = tag.includes('type="hidden"')
      sent.append(name, isKept ? (/value="([^"]*)"/.exec(tag)?.[1] ?? '').replaceAll('&quot;', '"') : value)
    }
    sent.set('do', 'save')
    return { action, sent }
  }

  test('names fields by their labels', async () => {
    const forms = [...pages].filter(
      ([path, { html }]) => path.startsWith('/dashboard/w/') && html.includes('class="form" novalidate'),
    )
    const refused: string[] = []
    for (const [path, { html }] of forms) {
      for (const value of ['', 'x'.repeat(100_000)]) {
        const { action, sent } = filledWith(html, value)
        const shown = await (await admin.post(action, sent)).text()
        const labels = [
          ...shown.matchAll(/<(?:label|legend)[^>]*>(.*?)<\/(?:label|legend)>|aria-label="([^"]+)"/gs),
        ].map(([, text = '', label = '']) =>
          (textOf(text).replace(' (optional)', '') || label.replace(', in minutes', '')).toLowerCase(),
        )
        const named = [...textOf(shown).matchAll(/The (.{1,60}?) field (?:is|must|has)/g)].map(([, name = '']) => name)
        if (named.length > 0) refused.push(path)
        expect([path, named.filter((name) => !labels.includes(name.toLowerCase()))]).toEqual([path, []])
      }
    }
    expect(new Set(refused).size).toBeGreaterThan(15)
  })

  test('shows the error with the label at the field and in the summary', async () => {
    const { html } = pages.get('/dashboard/w/{workspace}/tickets/new') ?? { html: '' }
    const { action, sent } = filledWith(html, '')
    sent.set('due_at', 'soon')
    const answer = await (await admin.post(action, sent)).text()
    expect(answer).toContain('<a href="#field-title">The title field is required.</a>')
    expect(answer.match(/The due (?:day |date )?field must be a valid date/g)).toHaveLength(2)
  })
})

test('in an empty workspace every page that is not about one record can be reached from the overview', async () => {
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Empty' })
  const person = await instanceAdmin(workspace, 'Eva')
  const home = `/dashboard/w/${workspace}/overview`
  const found = new Set([home])
  for (const path of found) {
    if (path.endsWith('/export')) continue
    const { html } = await read(person, path)
    for (const link of linksIn(html)) {
      const [page = ''] = link.split('?')
      if (page.startsWith(`/dashboard/w/${workspace}/`)) found.add(page)
    }
  }
  const expected = shownRoutes
    .map(({ path }) => path.replace('{workspace}', String(workspace)))
    .filter((path) => path.startsWith('/dashboard/w/') && !path.includes('{'))
  expect(expected.filter((path) => !found.has(path))).toEqual([])
})

describe('the palette', () => {
  test('offers each create form to people who may use it', async () => {
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Roles' })
    const at = `/dashboard/w/${workspace}`
    const offered = async (person: Visitor) =>
      linksIn((await read(person, `${at}/search`)).html).filter((link) => link.startsWith(at) && link.endsWith('/new'))
    const forms = shownRoutes
      .map(({ path }) => path.replace('/dashboard/w/{workspace}', at))
      .filter((path) => path.startsWith(at) && path.endsWith('/new'))
    expect((await offered(await instanceAdmin(workspace, 'Fay'))).toSorted()).toEqual(forms.toSorted())
    const viewer = await signedInVisitor(server, { workspace, role: 'viewer', name: 'Gus' })
    expect(await offered(viewer)).toEqual([])
    const member = await signedInVisitor(server, { workspace, role: 'member', name: 'Hal' })
    const mine = await offered(member)
    expect(mine).toContain(`${at}/tickets/new`)
    for (const link of mine) expect([link, (await member.get(link)).status]).toEqual([link, 200])
  })
})
