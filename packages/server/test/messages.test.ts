import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
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

  test('rejects a second channel with the same name', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    await server.admin.channels.create({ workspace: workspace.id }, { name: 'general' })
    const duplicate = server.admin.channels.create({ workspace: workspace.id }, { name: 'general' })
    await expect(duplicate).rejects.toMatchObject({ code: 'conflict' })
  })
})
