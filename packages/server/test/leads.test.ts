import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { seedForEveryRoute } from './sample-requests.ts'
import { onDisk, startWithTables } from './tables.ts'
import { call, clientOf, queued, seedWorkspace } from './workspace.ts'

const instant = expect.stringMatching(/^2026-11-20T18:51:53\.\d{6}Z$/)
const taken = { name: 'ConflictError', status: 409, message: expect.stringContaining('An open lead with this email') }

onEveryStore('creating a lead', (start) => {
  test('answers the documented shape with status new and money as text, and queues no event', async () => {
    const server = await start()
    const seeded = await seedForEveryRoute(server)
    const lead = await clientOf(server, seeded).crm.leads.create({
      name: 'Ben Ito',
      source: 'website',
      email: 'Ben@Lead.example',
      phone: '+1 310 555 9811',
      company: 'Ito & Sons',
      notes: 'Call after six',
      estimated_value: 12_500,
    })
    expect(lead).toEqual({
      id: 1,
      name: 'Ben Ito',
      email: 'Ben@Lead.example',
      phone: '+1 310 555 9811',
      company: 'Ito & Sons',
      source: 'website',
      estimated_value: '12500.00',
      status: 'new',
      created_at: instant,
    })
    expect(await queued(server, seeded.workspace)).toEqual([])
  })

  test('requires only a name and a source; other fields are null', async () => {
    const server = await start()
    const seeded = await seedForEveryRoute(server)
    expect(await clientOf(server, seeded).crm.leads.create({ name: 'Ben', source: 'website' })).toEqual({
      id: 1,
      name: 'Ben',
      email: null,
      phone: null,
      company: null,
      source: 'website',
      estimated_value: null,
      status: 'new',
      created_at: instant,
    })
  })

  test('answers 409 while a lead with the e-mail is open, ignoring case', async () => {
    const server = await start()
    const seeded = await seedForEveryRoute(server)
    const leads = clientOf(server, seeded).crm.leads
    await leads.create({ name: 'Ben', source: 'website', email: 'ben@lead.example' })
    for (const email of ['ben@lead.example', 'BEN@Lead.Example']) {
      await expect(leads.create({ name: 'Ben again', source: 'website', email })).rejects.toMatchObject(taken)
    }
    expect((await server.admin.leads.list({ workspace: seeded.workspace.id })).data).toHaveLength(1)
  })

  test('answers 409 with the common error body', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    const request = {
      method: 'POST',
      path: `/api/v1/workspaces/${workspace.id}/crm/leads`,
      token,
      body: { name: 'Ben', source: 'website', email: 'ben@lead.example' },
    }
    await call(server, request)
    const { status, body } = await call(server, request)
    expect({ status, body }).toEqual({
      status: 409,
      body: { message: 'An open lead with this email already exists.' },
    })
  })

  test('have only the documented sources, so that a misspelled one is not set up', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const ref = { workspace: workspace.id, source: 'webiste' }
    const refused = {
      status: 404,
      message: expect.stringContaining('The lead source webiste was not found. There are website, facebook'),
    }
    await expect(server.admin.leadSources.rotateSecret(ref)).rejects.toMatchObject(refused)
    await expect(server.admin.leadSources.update(ref, { enabled: true })).rejects.toMatchObject(refused)
    await expect(server.admin.leadSources.get(ref)).rejects.toMatchObject(refused)
    const entered = server.admin.leads.create({ workspace: workspace.id }, { name: 'Ben', source: 'webiste' })
    await expect(entered).rejects.toMatchObject({
      status: 422,
      errors: { source: [expect.stringContaining('The source field must be one of: website, facebook')] },
    })
    const { data } = await server.admin.leadSources.list({ workspace: workspace.id })
    expect(data.map(({ source }) => source)).not.toContain('webiste')
  })

  test('frees the e-mail when the lead is converted or lost, not when it is contacted or qualified', async () => {
    const server = await start()
    const seeded = await seedForEveryRoute(server)
    const leads = clientOf(server, seeded).crm.leads
    const again = { name: 'Ben', source: 'website', email: 'ben@lead.example' }
    for (const closed of ['converted', 'lost']) {
      const { id } = await leads.create(again)
      const place = { workspace: seeded.workspace.id, id }
      for (const status of ['contacted', 'qualified']) {
        await server.admin.leads.update(place, { status })
        await expect(leads.create(again)).rejects.toMatchObject(taken)
      }
      await server.admin.leads.update(place, { status: closed })
    }
    expect(await leads.create(again)).toMatchObject({ status: 'new' })
  })

  test('accepts leads without an e-mail, and the same e-mail in another workspace', async () => {
    const server = await start()
    const acme = clientOf(server, await seedForEveryRoute(server, { name: 'Acme' }))
    const umbrella = clientOf(server, await seedForEveryRoute(server, { name: 'Umbrella' }))
    const ben = { name: 'Ben', source: 'website', email: 'ben@lead.example' }
    const created = [
      await acme.crm.leads.create({ name: 'No mail', source: 'website' }),
      await acme.crm.leads.create({ name: 'No mail', source: 'website', email: null }),
      await acme.crm.leads.create(ben),
      await umbrella.crm.leads.create(ben),
    ]
    expect(created.map(({ id }) => id)).toEqual([1, 2, 3, 4])
  })

  test('rejects a source that is unknown, disabled, or active only in another workspace', async () => {
    const server = await start()
    const seeded = await seedForEveryRoute(server, { name: 'Acme' })
    const other = await seedForEveryRoute(server, { name: 'Umbrella' })
    await server.admin.leadSources.update({ workspace: seeded.workspace.id, source: 'facebook' }, { enabled: false })
    await server.admin.leadSources.update({ workspace: other.workspace.id, source: 'tiktok' }, { enabled: true })
    const { leads } = clientOf(server, seeded).crm
    for (const source of ['billboard', 'facebook', 'tiktok', 'WEBSITE']) {
      await expect(leads.create({ name: 'Ben', source })).rejects.toMatchObject({
        status: 422,
        errors: { source: ['The selected source is not an active lead source.'] },
      })
    }
    expect((await server.admin.leads.list({ workspace: seeded.workspace.id })).data).toEqual([])
  })

  test('answers one of 50 concurrent requests with the same e-mail with 201', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        call(server, {
          method: 'POST',
          path: `/api/v1/workspaces/${workspace.id}/crm/leads`,
          token,
          body: { name: `Ben ${index}`, source: 'website', email: index % 2 ? 'ben@lead.example' : 'BEN@lead.example' },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 49 }, () => 409)])
    expect((await server.admin.leads.list({ workspace: workspace.id })).data).toHaveLength(1)
  })
})

onEveryStore('the estimated value of a lead', (start) => {
  test('is rounded half up to two decimals, from 0 to 10^12', async () => {
    const server = await start()
    const { leads } = clientOf(server, await seedForEveryRoute(server)).crm
    const shown = async (estimated_value: number) =>
      (await leads.create({ name: 'Ben', source: 'website', estimated_value })).estimated_value
    const amounts = [0, 0.004, 0.005, 1.005, 2.675, 1234.5, 99.995, 999_999_999_999.99, 1_000_000_000_000]
    const texts: (string | null)[] = []
    for (const amount of amounts) texts.push(await shown(amount))
    expect(texts).toEqual([
      '0.00',
      '0.00',
      '0.01',
      '1.01',
      '2.68',
      '1234.50',
      '100.00',
      '999999999999.99',
      '1000000000000.00',
    ])
  })

  test('is rejected if it is negative, above 10^12, or text', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    const refusal = async (estimated_value: unknown) => {
      const { status, body } = await call(server, {
        method: 'POST',
        path: `/api/v1/workspaces/${workspace.id}/crm/leads`,
        token,
        body: { name: 'Ben', source: 'website', estimated_value },
      })
      return [status, body.errors.estimated_value]
    }
    expect(await refusal(-0.01)).toEqual([422, ['The estimated_value field must be at least 0.']])
    const tooMuch = 'The estimated_value field must not be greater than 1000000000000.'
    expect(await refusal(1_000_000_000_000.01)).toEqual([422, [tooMuch]])
    expect(await refusal('12.50')).toEqual([422, ['The estimated_value field must be a number.']])
    expect((await server.admin.leads.list({ workspace: workspace.id })).data).toEqual([])
  })
})

onEveryStore(
  'a created lead',
  (_start, store) => {
    test('stores its notes, which the answer does not contain', async () => {
      const { server, tables } = await startWithTables(store)
      const seeded = await seedForEveryRoute(server)
      const notes = 'Call after six'
      const lead = await clientOf(server, seeded).crm.leads.create({ name: 'Ben', source: 'website', notes })
      expect(lead).not.toHaveProperty('notes')
      expect(await tables.rows('select notes from leads')).toEqual([{ notes }])
    })
  },
  onDisk,
)

onEveryStore('a lead in administration', (start) => {
  test('is created by hand from any source, once per e-mail while it is open', async () => {
    const server = await start()
    const { workspace } = await seedForEveryRoute(server)
    const at = { workspace: workspace.id }
    const grace = { name: 'Grace', source: 'whatsapp', email: 'grace@lead.example' }
    expect(await server.admin.leads.create(at, grace)).toMatchObject({ ...grace, status: 'new' })
    await expect(server.admin.leads.create(at, grace)).rejects.toMatchObject(taken)
    const noAddress = { email: 'no address' }
    const refusal = { status: 422, errors: { email: [expect.stringContaining('email')] } }
    await expect(server.admin.leads.create(at, { ...grace, ...noAddress })).rejects.toMatchObject(refusal)
    const [{ id = 0 } = {}] = (await server.admin.leads.list(at)).data
    await expect(server.admin.leads.update({ ...at, id }, noAddress)).rejects.toMatchObject(refusal)
    expect(await server.admin.leads.update({ ...at, id }, { email: null })).toMatchObject({ email: null })
  })

  test('is converted to one deal with a new or an existing account, and queues no event', async () => {
    const server = await start()
    const { workspace, member } = await seedForEveryRoute(server)
    const { admin } = server
    const at = { workspace: workspace.id }
    const before = (await admin.deals.list(at)).data
    const [grace, ben] = [
      await admin.leads.create(at, { name: 'Grace', source: 'website', company: 'Fabrikam' }),
      await admin.leads.create(at, { name: 'Ben', source: 'website' }),
    ]
    const conversion = { title: 'Storage', amount: 18_000, owner_id: member.id, expected_close_at: '2026-12-24' }
    const [first, second] = await Promise.allSettled([
      admin.leads.convert({ ...at, id: grace.id }, { ...conversion, account_name: 'Fabrikam' }),
      admin.leads.convert({ ...at, id: grace.id }, { ...conversion, account_name: 'Fabrikam' }),
    ])
    expect([first, second].map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [account, ...otherAccounts] = (await admin.accounts.list(at)).data
    const [deal, ...otherDeals] = (await admin.deals.list(at)).data
    expect([otherAccounts, otherDeals]).toEqual([[], before])
    expect(deal).toMatchObject({
      title: 'Storage',
      stage: 'prospecting',
      amount: '18000.00',
      account: { id: account?.id, name: 'Fabrikam' },
      owner: { id: member.id },
      expected_close_at: '2026-12-24',
    })
    expect(await admin.leads.get({ ...at, id: grace.id })).toMatchObject({ status: 'converted' })

    const account_id = account?.id ?? 0
    const refused = (fields: object) => admin.leads.convert({ ...at, id: ben.id }, { title: 'Vans', ...fields })
    await expect(refused({ account_id, account_name: 'Contoso' })).rejects.toMatchObject({ status: 422 })
    await expect(refused({ account_name: 'Contoso', owner_id: 4711 })).rejects.toMatchObject({ status: 422 })
    expect((await admin.accounts.list(at)).data).toHaveLength(1)
    expect(await admin.leads.get({ ...at, id: ben.id })).toMatchObject({ status: 'new' })
    expect(await refused({ account_id })).toMatchObject({ account_id, amount: null })
    const { id } = await admin.leads.create(at, { name: 'Carla', source: 'website' })
    const ofSameAccount = { title: 'Boats', account_name: 'FABRIKAM' }
    expect(await admin.leads.convert({ ...at, id }, ofSameAccount)).toMatchObject({ account_id })
    expect((await admin.accounts.list(at)).data).toHaveLength(1)
    const entries = await admin.auditLog.list(at, { operation: 'leads.convert' })
    expect(entries.data.map(({ resource }) => resource)).toEqual([id, ben.id, grace.id].map(String))
    expect(await queued(server, workspace)).toEqual([])
  })

  test.each([
    ['Žižek & Möller GmbH', '  ŽIŽEK & MÖLLER gmbh '],
    ['Fabrikam', ' fabrikam'],
  ])('is converted to a deal of the account %s, found as %j', async (name, written) => {
    const { admin } = await start()
    const at = { workspace: (await admin.workspaces.create({ name: 'Acme' })).id }
    await admin.leadSources.update({ ...at, source: 'website' }, { enabled: true })
    const account = await admin.accounts.create(at, { name })
    await admin.accounts.create(at, { name: `${name} Holding` })
    const { id } = await admin.leads.create(at, { name: 'Grace', source: 'website' })
    const deal = await admin.leads.convert({ ...at, id }, { title: 'Boats', account_name: written })
    expect(deal.account_id).toBe(account.id)
  })
})
