import { expect, test } from 'vitest'
import { manualClock } from '../manual-clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { onDisk, startWithTables } from '../tables.ts'
import { call } from '../workspace.ts'
import { enableAll, encryptionKey, inboundOf, siteIn, startOpenSite, startSite } from './inbound-site.ts'

const grace = {
  name: 'Grace Kim',
  email: 'grace@fabrikam.example',
  phone: '+49 30 5550123',
  company: 'Fabrikam',
  message: 'Please call me.\nThanks',
}
const created = {
  received: true,
  lead_created: true,
  duplicate: false,
  skipped: false,
  reason: null,
  source: 'website',
}

onEveryStore('a lead webhook', (start) => {
  test('is created from the documented body, as JSON or as a form', async () => {
    const json = await startOpenSite(start)
    const form = await startOpenSite(start)
    const receipt = await json.inbound.leads.capture('website', grace)
    expect(receipt).toEqual({ ...created, lead_id: receipt.lead_id })
    const answer = await call(form.server, {
      method: 'POST',
      path: `/api/webhooks/${form.workspaceId}/leads/website`,
      body: new URLSearchParams(grace).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-service-webhook-secret': form.secrets.leads['website'] ?? '',
      },
    })
    expect(answer).toMatchObject({ status: 200, body: created })
    const [one] = (await json.server.admin.leads.list({ workspace: json.workspaceId })).data
    const [other] = (await form.server.admin.leads.list({ workspace: form.workspaceId })).data
    const { message: _, ...person } = grace
    expect(one).toMatchObject({ ...person, source: 'website', status: 'new', estimated_value: null })
    expect({ ...other, id: 0, created_at: '' }).toEqual({ ...one, id: 0, created_at: '' })
  })

  test('is created from a multipart form, whose files are listed and not stored', async () => {
    const { server, workspaceId, secrets } = await startOpenSite(start)
    const form = new FormData()
    for (const [name, value] of Object.entries(grace)) form.append(name, value)
    form.append('plan', new File(['0123456789'], 'plan.pdf'))
    const sent = new Response(form)
    const answer = await call(server, {
      method: 'POST',
      path: `/api/webhooks/${workspaceId}/leads/website`,
      body: new Uint8Array(await sent.clone().arrayBuffer()),
      headers: {
        'content-type': sent.headers.get('content-type') ?? '',
        'x-service-webhook-secret': secrets.leads['website'] ?? '',
      },
    })
    expect(answer).toMatchObject({ status: 200, body: created })
    const { message: _, ...person } = grace
    const { data } = await server.admin.leadEnquiries.list({ workspace: workspaceId }, { lead_id: answer.body.lead_id })
    expect(data).toMatchObject([person])
    expect(data[0]?.notes).toContain('Files left out: plan.pdf (10 bytes)')
  })

  test('of a person with an open lead is a duplicate of that lead', async () => {
    const { server, workspaceId, inbound, token } = await startOpenSite(start)
    const { lead_id } = await inbound.leads.capture('website', grace)
    const duplicate = { ...created, lead_created: false, duplicate: true, reason: 'duplicate', lead_id }
    expect(await inbound.leads.capture('website', { email: ' GRACE@fabrikam.example ' })).toEqual(duplicate)
    expect(await inbound.leads.capture('tiktok', grace)).toEqual({ ...duplicate, source: 'tiktok' })
    const rest = { name: 'G', source: 'website', email: grace.email }
    const path = `/api/v1/workspaces/${workspaceId}/crm/leads`
    expect((await call(server, { method: 'POST', path, token, body: rest })).status).toBe(409)
    await server.admin.leads.update({ workspace: workspaceId, id: lead_id ?? 0 }, { status: 'converted' })
    expect(await inbound.leads.capture('website', grace)).toMatchObject({ lead_created: true })
    expect((await server.admin.leads.list({ workspace: workspaceId })).data).toHaveLength(2)
  })

  test('without an email address is a separate person, even with the phone number of another one', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const office = '+1 310-555-9811'
    const ana = await inbound.leads.capture('website', { name: 'Ana', phone: office })
    const ben = await inbound.leads.capture('website', { name: 'Ben', phone: office })
    expect([ana.lead_created, ben.lead_created, ana.lead_id === ben.lead_id]).toEqual([true, true, false])
    expect((await server.admin.leads.list({ workspace: workspaceId })).data).toHaveLength(2)
  })

  test('of a WhatsApp number is the same WhatsApp person, separate from that phone number in other sources', async () => {
    const { inbound } = await startOpenSite(start)
    const website = await inbound.leads.capture('website', { name: 'Ana', phone: '+1 310-555-9811' })
    const first = await inbound.leads.capture('whatsapp', { name: 'Ana', phone: '+1 310-555-9811' })
    const again = await inbound.leads.capture('whatsapp', { name: 'Ana', phone: '0013105559811' })
    expect([first.lead_created, first.lead_id === website.lead_id]).toEqual([true, false])
    expect(again).toMatchObject({ duplicate: true, lead_id: first.lead_id })
  })

  test('that repeats an inquiry is stored, and can be read with its lead', async () => {
    const { server, workspaceId: workspace_id, inbound } = await startOpenSite(start)
    const { lead_id } = await inbound.leads.capture('website', { ...grace, message: 'First' })
    await inbound.leads.capture('website', { ...grace, message: 'Once more', phone: '+1 310-555-9811' })
    await inbound.leads.capture('website', { name: 'Ben', email: 'ben@example.org', message: 'Another person' })
    expect(
      (await server.admin.leadEnquiries.list({ workspace: workspace_id }, { lead_id: Number(lead_id) })).data,
    ).toMatchObject([
      { lead_id, source: 'website', notes: 'Once more', phone: '+1 310-555-9811' },
      { lead_id, source: 'website', notes: 'First', phone: grace.phone },
    ])
  })

  test('of one person that arrives 50 times at once is created once', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const receipts = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        inbound.leads.capture('website', { ...grace, message: `Enquiry ${index}` }),
      ),
    )
    expect(receipts.filter(({ lead_created }) => lead_created)).toHaveLength(1)
    expect(receipts.filter(({ duplicate }) => duplicate)).toHaveLength(49)
    expect(new Set(receipts.map(({ lead_id }) => lead_id)).size).toBe(1)
    expect((await server.admin.leads.list({ workspace: workspaceId })).data).toHaveLength(1)
  })

  test('is skipped with its reason if it reports a message, a chat, or spam, and opens nothing', async () => {
    const { server, workspaceId: workspace, inbound } = await startOpenSite(start)
    const { email } = grace
    for (const [reason, body] of [
      ['bounced', { sg_event_id: 'e', event: 'bounce', email }],
      ['status_update', { RecordType: 'Delivery', MessageID: 'm', Recipient: email }],
      ['unsubscribed', { type: 'subscriber.unsubscribed', data: { email } }],
      ['echo', { website_id: 'w', event: 'message:received', data: { from: 'operator', content: 'Hi', email } }],
      ['outbound_call', { type: 'call', direction: 'outbound', contact: { email }, duration: 35 }],
      ['chat_ended', { event: 'chat:end', property: { id: 'p' }, visitor: { email } }],
      ['honeypot', { ...grace, _gotcha: 'x' }],
      ['spam', { ...grace, is_spam: true }],
    ] as const)
      expect(await inbound.leads.capture('website', body)).toMatchObject({ skipped: true, reason, lead_id: null })
    expect((await server.admin.leads.list({ workspace })).data).toEqual([])
    const written = { event: 'message.delivered', ...grace, message: 'Please unsubscribe me. Was it delivered?' }
    expect(await inbound.leads.capture('website', written)).toMatchObject({ lead_created: true, reason: null })
  })

  test('without contact details or from a disabled source is skipped', async () => {
    const { server, workspaceId: workspace_id, inbound } = await startOpenSite(start)
    const skipped = { ...created, lead_created: false, skipped: true, lead_id: null }
    expect(await inbound.leads.capture('website', { name: 'Nobody' })).toEqual({ ...skipped, reason: 'no_contact' })
    expect(await inbound.leads.capture('website', {})).toMatchObject({ skipped: true })
    await server.admin.leadSources.update({ workspace: workspace_id, source: 'website' }, { enabled: false })
    expect(await inbound.leads.capture('website', grace)).toEqual({ ...skipped, reason: 'source_inactive' })
    expect((await server.admin.leads.list({ workspace: workspace_id })).data).toEqual([])
  })

  test('gets a 404 response for an unknown source or one without a secret', async () => {
    const site = await startSite(start)
    const website = { workspace: site.workspaceId, source: 'website' }
    await site.server.admin.leadSources.update(website, { mapping: { fields: { email: 'mail' } } })
    const { leads } = inboundOf(site, { secrets: { leads: { website: 'whs_any' } } })
    expect(await leads.capture('website', grace).safe()).toMatchObject({ error: { status: 404 } })
    expect(await leads.capture('pigeon', grace).safe()).toMatchObject({ error: { status: 404 } })
  })

  test('requires the newest secret of its own source', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace_id, secrets } = site
    const statusWith = async (website: string | undefined) =>
      (
        await inboundOf(site, { secrets: website === undefined ? {} : { leads: { website } } })
          .leads.capture('website', grace)
          .safe()
      ).meta.status
    expect(await statusWith(undefined)).toBe(401)
    expect(await statusWith(secrets.leads['tiktok'])).toBe(401)
    expect(await statusWith(secrets.errors)).toBe(401)
    const { secret } = await server.admin.leadSources.rotateSecret({ workspace: workspace_id, source: 'website' })
    expect(await statusWith(secrets.leads['website'])).toBe(401)
    expect((await server.admin.leads.list({ workspace: workspace_id })).data).toEqual([])
    expect(await statusWith(secret)).toBe(200)
  })

  test.each(['{', '"text"', '7', '', '[1]', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`])(
    'with the body %j is refused',
    async (body) => {
      const { server, workspaceId, secrets } = await startOpenSite(start)
      const path = `/api/webhooks/${workspaceId}/leads/website`
      const headers = { 'x-service-webhook-secret': secrets.leads['website'] ?? '' }
      expect((await call(server, { method: 'POST', path, body, headers })).status).toBe(422)
    },
  )

  test('keeps unusual text except characters that a database rejects', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const name = '<script>alert(1)</script>\u0000\uD800 O\u2019Neil'
    const lead = { ...grace, name, message: 'a'.repeat(5_000) }
    expect(await inbound.leads.capture('website', lead)).toMatchObject({ lead_created: true })
    const [recorded] = (await server.admin.leads.list({ workspace: workspaceId })).data
    expect(recorded?.name).toMatch(/^<script>alert\(1\)<\/script>\uFFFD O\u2019Neil$/)
  })

  test('with an external id is one inquiry, regardless of repeats', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const google = { lead_id: 'g-1', form_id: 1, user_column_data: [{ column_id: 'EMAIL', string_value: grace.email }] }
    const first = await inbound.leads.capture('google_ads', google)
    const again = await inbound.leads.capture('google_ads', google)
    expect([first.lead_created, again.duplicate, again.lead_id]).toEqual([true, true, first.lead_id])
    expect((await server.admin.leads.list({ workspace: workspaceId })).data).toHaveLength(1)
  })
})

type Fields = Record<string, unknown>

/** Two deliveries with one identifier, and what they are. */
const repeated: readonly (readonly [
  title: string,
  first: Fields,
  second: Fields,
  result: 'person' | 'inquiry' | 'copy',
])[] = [
  ['a bare id of two people', { id: 5, ...grace }, { id: 5, name: 'Dan', email: 'dan@y.example' }, 'person'],
  ['a hidden id of a form', { id: 'f', phone: '+4930111111' }, { id: 'f', phone: '+4930222222' }, 'person'],
  ['an entry of two people', { entry_id: 5, ...grace }, { entry_id: 5, name: 'Dan', email: 'd@y.example' }, 'person'],
  ['an entry of two forms', { entry_id: 5, form_id: 1, ...grace }, { entry_id: 5, form_id: 2, ...grace }, 'inquiry'],
  [
    'an entry of two sites',
    { entry_id: 5, page_url: 'https://a.example/', ...grace },
    { entry_id: 5, page_url: 'https://b.example/', ...grace },
    'inquiry',
  ],
  ['an entry sent twice', { entry_id: 5, form_id: 1, ...grace }, { entry_id: 5, form_id: 1, ...grace }, 'copy'],
  ['an entry that says more', { entry_id: 5, ...grace }, { entry_id: 5, ...grace, message: 'And a demo' }, 'inquiry'],
  [
    'an entry of one number',
    { entry_id: 5, phone: grace.phone },
    { entry_id: 5, phone: grace.phone, message: 'Hi there' },
    'inquiry',
  ],
  [
    'an entry with another name',
    { entry_id: 5, name: 'Ann', phone: grace.phone },
    { entry_id: 5, name: 'Bo', phone: grace.phone },
    'person',
  ],
  [
    'an entry without anything in common',
    { entry_id: 5, phone: grace.phone },
    { entry_id: 5, email: grace.email },
    'person',
  ],
  [
    'an entry from another address',
    { entry_id: 5, name: 'Ann', email: 'a@x.example', phone: grace.phone },
    { entry_id: 5, name: 'Ann', email: 'b@x.example', phone: grace.phone },
    'person',
  ],
]

onEveryStore('a delivery with the identifier of an earlier one', (start) => {
  test.each(repeated)('is kept unless it is a copy: %s', async (_, first, second, result) => {
    const { server, workspaceId: workspace, inbound } = await startOpenSite(start)
    const one = await inbound.leads.capture('website', first)
    const other = await inbound.leads.capture('website', second)
    const inquiries = (await server.admin.leadEnquiries.list({ workspace })).data
    expect({
      created: other.lead_created,
      isSameLead: other.lead_id === one.lead_id,
      leads: (await server.admin.leads.list({ workspace })).data.length,
      inquiries: inquiries.length,
    }).toEqual({
      created: result === 'person',
      isSameLead: result !== 'person',
      leads: result === 'person' ? 2 : 1,
      inquiries: result === 'copy' ? 1 : 2,
    })
  })

  test('is stored once if its copies arrive at once, also without an email address', async () => {
    const { server, workspaceId: workspace, inbound } = await startOpenSite(start)
    const entry = { submission_id: 's-1', name: 'Grace', phone: grace.phone }
    const receipts = await Promise.all(Array.from({ length: 20 }, () => inbound.leads.capture('website', entry)))
    expect(receipts.filter(({ lead_created }) => lead_created)).toHaveLength(1)
    expect(new Set(receipts.map(({ lead_id }) => lead_id)).size).toBe(1)
    expect((await server.admin.leads.list({ workspace })).data).toHaveLength(1)
    expect((await server.admin.leadEnquiries.list({ workspace })).data).toHaveLength(1)
  })
})

onEveryStore(
  'enquiries',
  (_, store) => {
    test('of one person are all stored on one lead, each once', async () => {
      const clock = manualClock()
      const { server, tables } = await startWithTables(store, { clock, rateLimit: 'off', encryptionKey })
      const site = await siteIn(server, clock)
      const { leads } = inboundOf(site, { secrets: await enableAll(site) })
      const google = (lead_id: string) => ({
        lead_id,
        user_column_data: [{ column_id: 'EMAIL', string_value: grace.email }],
      })
      await leads.capture('website', grace)
      await leads.capture('website', { ...grace, message: 'Once more' })
      await leads.capture('google_ads', google('g-1'))
      await leads.capture('google_ads', google('g-1'))
      await leads.capture('google_ads', google('g-2'))
      const enquiries = await tables.rows('select source, external_id, notes from lead_enquiries order by id')
      expect(enquiries).toEqual([
        { source: 'website', external_id: null, notes: grace.message },
        { source: 'website', external_id: null, notes: 'Once more' },
        { source: 'google_ads', external_id: 'g-1', notes: null },
        { source: 'google_ads', external_id: 'g-2', notes: null },
      ])
      expect((await server.admin.leads.list({ workspace: site.workspaceId })).data).toHaveLength(1)
      expect(
        await server.admin.inboundDeliveries.list({ workspace: site.workspaceId }, { limit: 200 }).all(),
      ).toMatchObject(Array(5).fill({ integration: 'leads', status: 200 }))
    })
  },
  onDisk,
)
