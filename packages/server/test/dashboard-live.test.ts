import { expect, test } from 'vitest'
import { signedInVisitor, visitor } from './dashboard-person.ts'
import { onEveryStore } from './on-every-store.ts'

/** Reads an answer until it has said this, or has ended. */
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
  if (body === null) throw new Error('The answer has no body.')
  return body.pipeThrough(new TextDecoderStream()).getReader()
}

onEveryStore('a page that is open', (start) => {
  test('is told the topic of what is committed, and no more; it ends when the server stops', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const viewer = await signedInVisitor(server, { workspace, role: 'viewer' })
    const answer = await viewer.get(`/dashboard/w/${workspace}/live`)
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const live = textOf(answer)
    const opening = await readUntil(live, '\n\n')
    expect(opening).toMatch(/^retry: \d+\n: {2000,}\n\n/)

    await server.admin.tickets.create({ workspace }, { title: 'A secret matter' })
    const told = await readUntil(live, 'tickets')
    expect(told).toContain('event: changed\ndata: ')
    expect(told).not.toContain('secret')

    const ended = readUntil(live, 'never said')
    await server.close()
    expect(await ended).toContain('(ended)')
  })

  test('that reads no more is given up', async () => {
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

  test('is one of somebody who may see the workspace', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const { id: other } = await server.admin.workspaces.create({ name: 'Elsewhere' })
    const stranger = await signedInVisitor(server, { workspace: other, role: 'owner' })
    for (const who of [stranger, visitor(server)])
      expect((await who.get(`/dashboard/w/${workspace}/live`)).status).toBe(403)
  })

  test('gets so many at most for one session', async () => {
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
