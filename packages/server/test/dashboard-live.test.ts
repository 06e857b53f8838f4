import { expect, onTestFinished, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { signedInVisitor, type Visitor, visitor } from './dashboard-person.ts'
import { createStorage, onEveryStore, onEveryTestStore } from './on-every-store.ts'
import { codeOf, goodPassword } from './people.ts'

/** Reads a response until it contains the text or ends. */
async function readUntil(reader: ReadableStreamDefaultReader<string>, wanted: string): Promise<string> {
  let said = ''
  while (!said.includes(wanted)) {
    const { done, value } = await reader.read()
    if (done) return `${said}(ended)`
    said += value
  }
  return said
}

const textOf = ({ body }: Response) => {
  if (body === null) throw new Error('The response has no body.')
  return body.pipeThrough(new TextDecoderStream()).getReader()
}

/** Opens a page and returns the URL of its event stream. */
async function liveUrlOf(who: Visitor, path: string): Promise<string> {
  const [, url = ''] = /data-live-url="([^"]+)"/.exec(await (await who.get(path)).text()) ?? []
  return url
}

/** The topics that a page receives until `wanted` arrives. */
async function listen(who: Visitor, url: string, headers?: Record<string, string>) {
  const live = textOf(await who.get(url, headers))
  expect(await readUntil(live, '\n\n')).toMatch(/^retry: \d+\n: {2000,}\n\n/)
  return { until: (wanted: string) => readUntil(live, wanted) }
}

onEveryStore('a page that is open', (start) => {
  test('receives the topics of each commit, and ends when the server stops', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const viewer = await signedInVisitor(server, { workspace, role: 'viewer' })
    const url = await liveUrlOf(viewer, `/dashboard/w/${workspace}/tickets`)
    expect((await viewer.get(url)).headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const page = await listen(viewer, url)

    await server.admin.tickets.create({ workspace }, { title: 'A secret matter' })
    const told = await page.until('\n\n')
    expect(told).toMatch(/^id: \S+\nevent: changed\ndata: (tickets audit|audit tickets)\n\n$/)

    const record = { workspace, id: (await server.admin.tickets.list({ workspace })).data[0]?.id ?? 0 }
    await server.admin.tickets.update(record, { title: 'Another matter' })
    expect(
      (await page.until('\n\n'))
        .match(/^data: (.*)$/m)?.[1]
        ?.split(' ')
        .toSorted(),
    ).toEqual(['audit', 'history', `tickets:${record.id}`])

    const ended = page.until('never said')
    await server.close()
    expect(await ended).toContain('(ended)')
  })

  test('receives nothing if nothing has changed', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const viewer = await signedInVisitor(server, { workspace, role: 'viewer' })
    await server.admin.tasks.create({ workspace }, { title: 'Before' })
    const page = await listen(viewer, await liveUrlOf(viewer, `/dashboard/w/${workspace}/tasks`))
    await server.admin.tickets.create({ workspace }, { title: 'After' })
    expect(await page.until('\n\n')).not.toContain('tasks')
  })

  test('receives changes since the page was rendered or last connected', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const viewer = await signedInVisitor(server, { workspace, role: 'viewer' })
    const url = await liveUrlOf(viewer, `/dashboard/w/${workspace}/tickets`)
    const another = await listen(viewer, url)
    await server.admin.tickets.create({ workspace }, { title: 'In between' })
    await another.until('tickets')
    const told = await (await listen(viewer, url)).until('\n\n')
    expect(told).toContain('tickets')

    await server.admin.tasks.create({ workspace }, { title: 'While it does not listen' })
    await another.until('tasks')
    const [, id = ''] = /^id: (\S+)$/m.exec(told) ?? []
    const again = await (await listen(viewer, url, { 'last-event-id': id })).until('\n\n')
    expect(again).toContain('tasks')
    expect(again).not.toContain('tickets')
  })

  test('receives all topics if its position is unknown', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const viewer = await signedInVisitor(server, { workspace, role: 'viewer' })
    for (const since of ['', '?since=', '?since=another.1.5', '?since=another'])
      expect(await (await listen(viewer, `/dashboard/w/${workspace}/live${since}`)).until('\n\n')).toContain(
        ' deals leads ',
      )
  })

  test('receives no changes of other workspaces, and instance changes only for instance administrators', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const { id: other } = await server.admin.workspaces.create({ name: 'Elsewhere' })
    const owner = await signedInVisitor(server, { workspace, role: 'owner', name: 'Ada' })
    const root = await signedInVisitor(server, { workspace, role: 'viewer', name: 'Root' })
    await server.admin.users.update({ id: root.id }, { is_instance_admin: true })
    const elsewhere = await signedInVisitor(server, { workspace: other, role: 'owner', name: 'Eve' })
    const path = `/dashboard/w/${workspace}/tickets`
    const pages = [await listen(owner, await liveUrlOf(owner, path)), await listen(root, await liveUrlOf(root, path))]

    const theirs = await listen(elsewhere, await liveUrlOf(elsewhere, `/dashboard/w/${other}/deals`))

    await server.admin.deals.create({ workspace: other }, { title: 'Theirs' })
    await server.admin.users.create({ name: 'Unknown Person', email: 'unknown@elsewhere.example' })
    expect(await theirs.until('deals')).not.toContain('members')
    await server.admin.tasks.create({ workspace }, { title: 'Ours' })
    const [ofOwner = '', ofRoot = ''] = await Promise.all(pages.map((page) => page.until('tasks')))
    expect(ofOwner.match(/^data: .*$/gm)).toEqual([expect.stringMatching(/^data: (tasks audit|audit tasks|tasks)/)])
    expect(ofRoot).toContain('members')
    expect(ofRoot).not.toContain('deals')
  })

  test('is closed if the reader stops reading', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const viewer = await signedInVisitor(server, { workspace, role: 'viewer' })
    const path = `/dashboard/w/${workspace}/live`
    const unread = await Promise.all(Array.from({ length: 8 }, () => viewer.get(path)))
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'Changed often' })
    let changes = 0
    await expect
      .poll(async () => {
        await server.admin.tickets.update({ workspace, id }, { title: `Changed ${++changes} times` })
        return (await viewer.get(path)).status
      })
      .toBe(200)
    for (const { body } of unread) expect(await textOf(new Response(body)).read()).toBeDefined()
  })

  test('requires access to the workspace', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const { id: other } = await server.admin.workspaces.create({ name: 'Elsewhere' })
    const stranger = await signedInVisitor(server, { workspace: other, role: 'owner' })
    for (const who of [stranger, visitor(server)])
      expect((await who.get(`/dashboard/w/${workspace}/live`)).status).toBe(403)
  })

  test('is limited per person and workspace, and HEAD opens none', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const { id: other } = await server.admin.workspaces.create({ name: 'Elsewhere' })
    const path = `/dashboard/w/${workspace}/live`
    const viewer = await signedInVisitor(server, { workspace, role: 'viewer', name: 'Vic' })
    const head = () =>
      server.fetch(new URL(path, server.origin), { method: 'HEAD', headers: { cookie: viewer.cookie() } })
    for (let count = 0; count < 9; count += 1) expect((await head()).status).toBe(200)

    const open: Response[] = []
    /** How many of the requests of this many more sessions are accepted. */
    const openMany = async (person: typeof viewer, sessions: number) => {
      let accepted = 0
      for (let count = 0; count < sessions * 8; count += 1) {
        if (count % 8 === 0) await person.post('/dashboard/sign-in', { email: person.email, password: goodPassword })
        const response = await person.get(path)
        if (response.status === 200) open.push(response)
        accepted += response.status === 200 ? 1 : 0
      }
      return accepted
    }
    // Signing in again replaces the session of the browser, so each session is one of another browser.
    const again = (person: typeof viewer) => ({ ...visitor(server), email: person.email, id: person.id })
    let ofViewer = 0
    for (let count = 0; count < 6; count += 1) ofViewer += await openMany(again(viewer), 1)
    expect(ofViewer).toBe(40)
    const others = [
      await signedInVisitor(server, { workspace, role: 'viewer', name: 'Wim' }),
      await signedInVisitor(server, { workspace, role: 'viewer', name: 'Xia' }),
    ]
    let ofOthers = 0
    for (const person of others) for (let count = 0; count < 5; count += 1) ofOthers += await openMany(again(person), 1)
    expect(ofOthers).toBe(60)
    const elsewhere = await signedInVisitor(server, { workspace: other, role: 'viewer', name: 'Yun' })
    expect((await elsewhere.get(`/dashboard/w/${other}/live`)).status).toBe(200)
    await open.pop()?.body?.cancel()
    expect((await others[1]?.get(path))?.status).toBe(200)
  })

  test('is limited per session', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const viewer = await signedInVisitor(server, { workspace, role: 'viewer' })
    const path = `/dashboard/w/${workspace}/live`
    const open = await Promise.all(Array.from({ length: 8 }, () => viewer.get(path)))
    expect(open.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect((await viewer.get(path)).status).toBe(204)
    await open[0]?.body?.cancel()
    expect((await viewer.get(path)).status).toBe(200)
  })
})

onEveryTestStore('a page that is open', (start) => {
  test.each<{
    what: string
    isInstanceAdmin: boolean
    loseRights: (server: Server, reader: Reader) => Promise<unknown>
  }>([
    {
      what: 'its reader is disabled',
      isInstanceAdmin: true,
      loseRights: (server, { id }) => server.admin.users.update({ id }, { disabled: true }),
    },
    {
      what: 'its reader is no member any more',
      isInstanceAdmin: false,
      loseRights: (server, { id, workspace }) => server.admin.members.delete({ workspace, id }),
    },
    {
      what: 'its reader does not administer the instance any more',
      isInstanceAdmin: true,
      loseRights: (server, { id }) => server.admin.users.update({ id }, { is_instance_admin: false }),
    },
    {
      what: 'its workspace is disabled',
      isInstanceAdmin: false,
      loseRights: (server, { workspace }) => server.admin.workspaces.update({ workspace }, { disabled: true }),
    },
    {
      what: 'its reader gets a new password',
      isInstanceAdmin: false,
      async loseRights(server, { id }) {
        const { link } = await server.admin.users.resetPassword({ id })
        await server.admin.passwordResets.complete({ code: codeOf(link), password: 'another good password' })
      },
    },
  ])('ends at once when $what, and receives nothing after that', async ({ loseRights, isInstanceAdmin }) => {
    const server = await start({ clock: '2026-01-01T09:00:00Z' })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const { id, ...reader } = await signedInVisitor(server, { workspace, role: 'viewer' })
    await server.admin.users.update({ id }, { is_instance_admin: isInstanceAdmin })
    const page = await listen(reader, await liveUrlOf(reader, `/dashboard/w/${workspace}/tickets`))
    await server.clock.advance('15s')
    expect(await page.until('data:\n\n')).not.toContain('(ended)')

    await loseRights(server, { id, workspace })
    await server.admin.tickets.create({ workspace }, { title: 'After the loss' })
    const rest = await page.until('never said')
    expect(rest).toContain('(ended)')
    expect(rest).not.toContain('tickets')
  })

  test('ends with the next beat when its session expires', async () => {
    const server = await start({ clock: '2026-01-01T09:00:00Z' })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const reader = await signedInVisitor(server, { workspace, role: 'viewer' })
    const page = await listen(reader, await liveUrlOf(reader, `/dashboard/w/${workspace}/tickets`))
    await server.clock.advance('31d')
    expect(await page.until('never said')).toContain('(ended)')
  })
})

onEveryTestStore('people who edit a ticket', (start) => {
  async function twoPeople() {
    const server = await start({ clock: '2026-01-01T09:00:00Z' })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const ada = await signedInVisitor(server, { workspace, role: 'member', name: 'Ada' })
    await server.admin.users.update({ id: ada.id }, { name: 'Ada <b>Obi' })
    const bo = await signedInVisitor(server, { workspace, role: 'viewer', name: 'Bo' })
    for (const title of ['First', 'Second']) await server.admin.tickets.create({ workspace }, { title })
    const path = `/dashboard/w/${workspace}/tickets`
    return {
      ...{ server, workspace, path, ada, bo },
      report: async (who: Visitor, ticket: number, state = 'editing') =>
        (await who.post(`${path}/${ticket}/editing`, { state })).status,
      /** The names that a page of the ticket shows. */
      editorsFor: async (who: Visitor, page: string) => namesOn(await who.get(`${path}/${page}`)),
    }
  }
  const shownAs = 'Ada &lt;b&gt;Obi'

  test('see each other when they begin, go on, and leave, but not themselves', async () => {
    const { server, workspace, path, ada, bo, report, editorsFor } = await twoPeople()
    const own = await listen(ada, await liveUrlOf(ada, `${path}/1`))
    const page = await listen(bo, await liveUrlOf(bo, `${path}/1`))
    expect(await report(ada, 1)).toBe(204)
    expect(await page.until('\n\n')).toMatch(/^data: editing-1$/m)
    expect(await editorsFor(bo, '1')).toEqual([shownAs])
    expect(await editorsFor(bo, '2')).toEqual([])
    for (const own of ['1', '1/edit']) expect(await editorsFor(ada, own)).toEqual([])

    await server.clock.advance('40s')
    expect(await report(ada, 1)).toBe(204)
    await server.clock.advance('40s')
    expect(await editorsFor(bo, '1')).toEqual([shownAs])
    // Going on is not reported again, and a person edits only the last ticket.
    expect(await report(ada, 2)).toBe(204)
    expect((await page.until('editing-2')).match(/editing-\d/g)).toEqual(['editing-1', 'editing-2'])
    expect(await editorsFor(bo, '1')).toEqual([])
    expect(await report(ada, 1, 'left')).toBe(204)
    expect(await editorsFor(bo, '2')).toEqual([shownAs])
    expect(await report(ada, 2, 'left')).toBe(204)
    expect(await page.until('editing-2')).not.toContain('editing-1')
    expect(await editorsFor(bo, '2')).toEqual([])

    await server.admin.tasks.create({ workspace }, { title: 'The next change' })
    expect(await own.until('tasks')).not.toContain('editing')
  })

  test('are forgotten after 45 seconds', async () => {
    const { server, path, ada, bo, report, editorsFor } = await twoPeople()
    const page = await listen(bo, await liveUrlOf(bo, `${path}/1`))
    await report(ada, 1)
    await page.until('editing-1')
    await server.clock.advance('44s')
    expect(await editorsFor(bo, '1')).toEqual([shownAs])
    await server.clock.advance('2s')
    expect(await page.until('editing')).toContain('editing-1')
    expect(await editorsFor(bo, '1')).toEqual([])
  })

  test('need access, and are not shown once they lose it', async () => {
    const { server, workspace, path, ada, bo, report, editorsFor } = await twoPeople()
    const { id: other } = await server.admin.workspaces.create({ name: 'Elsewhere' })
    const eve = await signedInVisitor(server, { workspace: other, role: 'owner', name: 'Eve' })
    const { id } = await server.admin.tickets.create({ workspace: other }, { title: 'Theirs' })
    const theirPath = `/dashboard/w/${other}/tickets/${id}`
    const theirs = await listen(eve, await liveUrlOf(eve, theirPath))
    expect([await report(eve, 1), await report(bo, 1), await report(visitor(server), 1)]).toEqual([404, 403, 303])
    expect(await report(ada, 99)).toBe(404)
    expect(await report(ada, 1)).toBe(204)
    expect(await namesOn(await eve.get(theirPath))).toEqual([])
    await server.admin.tasks.create({ workspace: other }, { title: 'The next change' })
    expect(await theirs.until('tasks')).not.toContain('editing')

    const page = await listen(bo, await liveUrlOf(bo, `${path}/1`))
    await server.admin.members.delete({ workspace, id: ada.id })
    await page.until('members')
    expect(await editorsFor(bo, '1')).toEqual([])
  })

  test('report themselves at most 60 times a minute', async () => {
    const { server, ada, bo, report, editorsFor } = await twoPeople()
    for (let count = 0; count < 60; count += 1) expect(await report(ada, (count % 2) + 1)).toBe(204)
    expect(await report(ada, 1)).toBe(429)
    expect(await editorsFor(bo, '1')).toEqual([])
    await server.clock.advance('1m')
    expect(await report(ada, 1)).toBe(204)
    expect(await editorsFor(bo, '1')).toEqual([shownAs])
  })
})

async function namesOn(page: Response) {
  const [, line] = /<span class="editors"[^>]*>(.*?)<\/span><\/p>|$/s.exec(await page.text()) ?? []
  expect(line).toBeDefined()
  return [...(line ?? '').matchAll(/<bdi>(.*?)<\/bdi> is editing/g)].map(([, name]) => name)
}

interface Reader {
  readonly id: number
  readonly workspace: number
}

test('a page ends at once when another node removes its reader', async () => {
  const place = await createStorage('postgres')
  const options = { ...place.options, databasePool: 4, rateLimit: 'off' as const }
  const [writing, showing] = [await createServer(options), await createServer(options)]
  onTestFinished(async () => {
    await Promise.all([writing.close(), showing.close()])
    await place.remove()
  })
  const { id: workspace } = await writing.admin.workspaces.create({ name: 'Northwind' })
  const reader = await signedInVisitor(showing, { workspace, role: 'viewer' })
  const page = await listen(reader, await liveUrlOf(reader, `/dashboard/w/${workspace}/tickets`))
  await writing.admin.members.delete({ workspace, id: reader.id })
  expect(await page.until('never said')).toContain('(ended)')
})

test('pages of one node receive what another node commits in their workspace, and nothing else', async () => {
  const place = await createStorage('postgres')
  const options = { ...place.options, databasePool: 4, rateLimit: 'off' as const }
  const [writing, showing] = [await createServer(options), await createServer(options)]
  onTestFinished(async () => {
    await Promise.all([writing.close(), showing.close()])
    await place.remove()
  })
  const { id: workspace } = await writing.admin.workspaces.create({ name: 'Northwind' })
  const { id: other } = await writing.admin.workspaces.create({ name: 'Elsewhere' })
  const ours = await signedInVisitor(showing, { workspace, role: 'viewer' })
  const theirs = await signedInVisitor(showing, { workspace: other, role: 'viewer', name: 'Eve' })
  const here = await listen(ours, await liveUrlOf(ours, `/dashboard/w/${workspace}/tickets`))
  const there = await listen(theirs, await liveUrlOf(theirs, `/dashboard/w/${other}/tickets`))
  const unopened = await liveUrlOf(ours, `/dashboard/w/${workspace}/tickets`)

  await writing.admin.deals.create({ workspace: other }, { title: 'Theirs' })
  await writing.admin.users.create({ name: 'Unknown Person', email: 'unknown@elsewhere.example' })
  expect(await there.until('deals')).not.toContain('members')
  await writing.admin.tasks.create({ workspace }, { title: 'Ours' })
  expect(await here.until('tasks')).not.toMatch(/deals|members/)
  expect(await (await listen(ours, unopened)).until('\n\n')).toMatch(/^data: (tasks audit|audit tasks)$/m)
})

test('people see who edits a ticket through another node', async () => {
  const place = await createStorage('postgres')
  const options = { ...place.options, databasePool: 4, rateLimit: 'off' as const }
  const [one, another] = [await createServer(options), await createServer(options)]
  onTestFinished(async () => {
    await Promise.all([one.close(), another.close()])
    await place.remove()
  })
  const { id: workspace } = await one.admin.workspaces.create({ name: 'Northwind' })
  await one.admin.tickets.create({ workspace }, { title: 'Printer on fire' })
  const ada = await signedInVisitor(one, { workspace, role: 'member' })
  const bo = await signedInVisitor(another, { workspace, role: 'member', name: 'Bo' })
  const path = `/dashboard/w/${workspace}/tickets/1`
  const page = await listen(bo, await liveUrlOf(bo, path))
  for (const [state, names] of [
    ['editing', ['Ada']],
    ['left', []],
  ] as const) {
    await ada.post(`${path}/editing`, { state })
    expect(await page.until('editing')).toMatch(/^data: editing-1$/m)
    expect(await namesOn(await bo.get(path))).toEqual(names)
  }
})
