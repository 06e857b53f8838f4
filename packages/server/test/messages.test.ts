import { createAdminClient } from '@service/client/admin'
import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { signedIn } from './people.ts'
import { seedWorkspace } from './workspace.ts'

onEveryStore('posting a message', (start) => {
  test('stores it and queues message.created with channel and author', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const channel = await server.admin.channels.create({ workspace: workspace.id }, { name: 'general' })
    const inWorkspace = { workspace: workspace.id }
    const posted = await server.admin.messages.create(inWorkspace, {
      channel_id: channel.id,
      author_id: member.id,
      body: 'Hello',
    })
    expect((await server.admin.messages.list(inWorkspace, { channel_id: channel.id })).data).toMatchObject([
      { id: posted.id, body: 'Hello', author_id: member.id },
    ])
    const [event, ...others] = (await server.admin.events.list({ workspace: workspace.id })).data.toReversed()
    expect(others).toEqual([])
    expect(JSON.parse(event?.body ?? '')).toEqual({
      event: 'message.created',
      workspace_id: workspace.id,
      timestamp: '2026-11-20T18:51:53+00:00',
      message: { id: posted.id, body: 'Hello', channel, author: { id: member.id, name: 'Ada Obi' } },
    })
  })

  test('rejects a channel or author of another workspace and queues nothing', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const other = await seedWorkspace(server, { name: 'Other' })
    const channel = await server.admin.channels.create({ workspace: other.workspace.id }, { name: 'general' })
    const message = { channel_id: channel.id, author_id: other.member.id, body: 'Hello' }
    await expect(server.admin.messages.create({ workspace: workspace.id }, message)).rejects.toMatchObject({
      code: 'validation',
      errors: {
        channel_id: ['The selected channel_id is not in this workspace.'],
        author_id: ['The selected author_id is not in this workspace.'],
      },
    })
    expect((await server.admin.events.list({ workspace: workspace.id })).data.toReversed()).toEqual([])
  })

  test('about a ticket goes to the channel of its last message, or else to the first channel', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const ticket = await server.admin.tickets.create(at, { title: 'Printer on fire' })
    const post = (message: { channel_id?: number; ticket_id?: number }) =>
      server.admin.messages.create(at, { body: 'On it', ...message })
    await expect(post({})).rejects.toMatchObject({ errors: { channel_id: ['The channel_id field is required.'] } })
    expect((await post({ ticket_id: ticket.id })).channel.name).toBe('general')
    const support = await server.admin.channels.create(at, { name: 'support' })
    await post({ ticket_id: ticket.id, channel_id: support.id })
    expect((await post({ ticket_id: ticket.id })).channel).toEqual(support)
    const { data: events } = await server.admin.events.list(at)
    expect(events.filter(({ body }) => JSON.parse(body).event === 'message.created')).toHaveLength(3)
  })

  test('mentions members by their names, until they have seen or answered it', async () => {
    const server = await start()
    const { workspace, member: ada } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const add = async (name: string, called: string) => {
      const { id, email, token } = await signedIn(server, called)
      await server.admin.members.create(at, { name, email })
      await server.admin.members.update({ ...at, id }, { name })
      const admin = createAdminClient({ baseUrl: `${server.origin}/admin/v1`, token, fetch: server.fetch })
      return { id, admin }
    }
    const people = [await add('Ben', 'One'), await add('Ben Ode', 'Two'), await add('Zoë Obi', 'Three')] as const
    const channel = await server.admin.channels.create(at, { name: 'general' })
    const ticket = await server.admin.tickets.create(at, { title: 'Printer on fire' })
    const post = (body: string, about: { author_id?: number; ticket_id?: number } = {}) =>
      server.admin.messages.create(at, { channel_id: channel.id, author_id: ada.id, body, ...about })
    const seen = () =>
      Promise.all(people.map(async ({ admin }) => (await admin.mentions.list(at)).data.map(({ body }) => body)))
    const [, ode, zoe] = people
    await post('ask zoe@ben.example, ben, @Nobody, @Benjamin, @', {})
    expect(await seen()).toEqual([[], [], []])
    await post('@ben ode and @ZOË OBI: please look', { ticket_id: ticket.id })
    expect(await seen()).toEqual([[], ['@ben ode and @ZOË OBI: please look'], ['@ben ode and @ZOË OBI: please look']])
    // An answer elsewhere leaves the mention, and one about the ticket does not. Authors do not mention themselves.
    await post('Hello @Ben Ode', { author_id: ode.id })
    expect((await seen())[1]).toHaveLength(1)
    await post('Done, @Ben', { author_id: ode.id, ticket_id: ticket.id })
    expect(await seen()).toEqual([['Done, @Ben'], [], ['@ben ode and @ZOË OBI: please look']])
    const [mention] = (await zoe.admin.mentions.list(at)).data
    await expect(ode.admin.mentions.delete({ ...at, id: mention?.id ?? 0 })).rejects.toMatchObject({
      code: 'not_found',
    })
    await zoe.admin.mentions.delete({ ...at, id: mention?.id ?? 0 })
    expect((await seen())[2]).toEqual([])
  })

  test('rejects a second channel with the same name', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    await server.admin.channels.create({ workspace: workspace.id }, { name: 'general' })
    const duplicate = server.admin.channels.create({ workspace: workspace.id }, { name: 'general' })
    await expect(duplicate).rejects.toMatchObject({ code: 'conflict' })
  })
})
