import { expect, it } from 'vitest'
import { onEveryFace } from './on-every-face.ts'

onEveryFace('administration', (open) => {
  it('goes from an empty platform to a first API call, and a revoked token is refused', async () => {
    const { admin, fetch } = await open()
    const { id: workspace } = await admin.workspaces.create({ name: 'Northwind', time_zone: 'Europe/Berlin' })
    const member = await admin.members.create({ workspace }, { name: 'Ada Obi', email: 'ada@northwind.test' })
    expect(member).toMatchObject({ name: 'Ada Obi', email: 'ada@northwind.test', role: 'member' })
    const scopes = ['tickets:read', 'tickets:write'] as const
    const token = await admin.tokens.create({ workspace }, { user_id: member.id, scopes: [...scopes], name: 'Shop' })
    const call = () =>
      fetch(`/api/v1/workspaces/${workspace}/tickets`, { headers: { authorization: `Bearer ${token.token}` } })
    expect((await call()).status).toBe(200)
    expect(await admin.tokens.list({ workspace })).toMatchObject({ data: [{ id: token.id, name: 'Shop', scopes }] })
    expect(await admin.tokens.revoke({ workspace, id: token.id })).toMatchObject({ revoked_at: expect.any(String) })
    expect((await call()).status).toBe(401)
    expect(await admin.workspaces.update({ workspace }, { name: 'Northwind Traders' })).toMatchObject({
      name: 'Northwind Traders',
      time_zone: 'Europe/Berlin',
    })
  })

  it('keeps the currency of a workspace until it is set to null, and refuses what is not a currency', async () => {
    const { admin } = await open()
    expect(await admin.workspaces.create({ name: 'Northwind' })).toMatchObject({ currency: null })
    const { id: workspace } = await admin.workspaces.create({ name: 'Northwind', currency: 'EUR' })
    for (const currency of ['eur', 'Euro', 'ZZZ'])
      await refused(admin.workspaces.update({ workspace }, { currency }), 422, 'ValidationError')
    expect(await admin.workspaces.update({ workspace }, { name: 'Traders' })).toMatchObject({ currency: 'EUR' })
    expect(await admin.workspaces.update({ workspace }, { currency: null })).toMatchObject({ currency: null })
  })

  it('issues the secrets of an integration, a lead source and a device, each shown once', async () => {
    const { admin, fetch } = await open()
    const { id: workspace } = await admin.workspaces.create({ name: 'Northwind' })
    const { secret } = await admin.integrations.rotateSecret({ workspace, integration: 'errors' })
    expect(await admin.integrations.get({ workspace, integration: 'errors' })).toEqual(
      expect.not.objectContaining({ secret }),
    )
    const reported = await fetch(`/api/webhooks/${workspace}/errors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-webhook-secret': secret },
      body: JSON.stringify({ message: 'Out of paper', exception: 'PrinterError', app: 'shop' }),
    })
    expect(reported.status).toBe(200)
    const device = await admin.devices.create({ workspace }, { source_type: 'zkteco', device_name: 'Door' })
    const rotated = await admin.devices.rotateSecret({ workspace, id: device.id })
    expect(rotated.secret).not.toBe(device.secret)
    const source = await admin.leadSources.rotateSecret({ workspace, source: 'website' })
    expect(source).toMatchObject({ source: 'website', secret: expect.any(String) })
    expect(await admin.integrations.update({ workspace, integration: 'github' }, { open_tickets: true })).toMatchObject(
      { open_tickets: true },
    )
  })

  it('creates, lists and changes a webhook, and replaces its secret', async () => {
    const { admin } = await open()
    const { id: workspace } = await admin.workspaces.create({ name: 'Northwind' })
    const created = await admin.webhooks.create(
      { workspace },
      { url: 'https://hooks.example.com/platform', events: ['ticket.*', 'task.created'] },
    )
    expect(created).toMatchObject({ events: ['task.created', 'ticket.*'], secret: expect.any(String) })
    const rotated = await admin.webhooks.rotateSecret({ workspace, id: created.id }, { overlap_hours: 1 })
    expect(rotated.secret).not.toBe(created.secret)
    await admin.webhooks.update({ workspace, id: created.id }, { rate_per_minute: 60 })
    expect((await admin.webhooks.list({ workspace })).data).toMatchObject([
      { id: created.id, rate_per_minute: 60, enabled: true },
    ])
  })

  it('refuses with the same status and sentence: 404, 409 and 422', async () => {
    const { admin } = await open()
    const { id: workspace } = await admin.workspaces.create({ name: 'Northwind' })
    const ada = { name: 'Ada Obi', email: 'ada@northwind.test', role: 'owner' } as const
    const owner = await admin.members.create({ workspace }, ada)
    await refused(admin.tokens.get({ workspace, id: 999 }), 404, 'NotFoundError')
    await refused(admin.members.list({ workspace: 999 }), 404, 'NotFoundError')
    await refused(admin.members.create({ workspace }, ada), 409, 'ConflictError')
    await refused(admin.members.delete({ workspace, id: owner.id }), 409, 'ConflictError')
    await refused(admin.members.list({ workspace }, { limit: 1000 }), 422, 'ValidationError')
    const wrong = await admin.tokens
      .create({ workspace }, { user_id: owner.id, scopes: ['tickets:eat' as 'tickets:read'] })
      .catch((fault: unknown) => fault)
    expect(wrong).toMatchObject({ status: 422, errors: { 'scopes.0': [expect.stringMatching(/scopes/)] } })
  })
})

const refused = (call: PromiseLike<unknown>, status: number, name: string) =>
  expect(Promise.resolve(call)).rejects.toMatchObject({ status, name, message: expect.stringMatching(/\w/) })
