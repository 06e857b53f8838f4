import type { ErrorReceipt } from '@service/contract'
import { expect, test } from 'vitest'
import { microsPerDay } from '../../src/core/clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { call } from '../workspace.ts'
import { postReport as post, startOpenSite } from './inbound-site.ts'

const postReport = async (site: Parameters<typeof post>[0], body: unknown) => (await post(site, body)) as ErrorReceipt // checked by the contract

/** A body whose cause no reader finds. */
const misreadAs = (text: string) => ({
  ...{ level: 'error', msg: 'Job failed', svc: 'shop', ort: 'live' },
  grund: { inhalt: text },
})
const cure = { fields: { message: 'grund.inhalt', app: 'svc', environment: 'ort' } }

onEveryStore('the replay of a misread error report', (start) => {
  async function openSite() {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace } = site
    const { admin } = server
    return {
      ...site,
      admin,
      workspace,
      setMapping: (mapping: object | null) =>
        admin.integrations.update({ workspace, integration: 'errors' }, { mapping: mapping as never }),
      tickets: async () => (await admin.tickets.list({ workspace })).data,
      errors: async () => (await admin.errorReports.list({ workspace })).data,
      newest: async () => (await admin.inboundDeliveries.list({ workspace })).data[0]?.id ?? 0,
      replay: (id: number) => admin.inboundDeliveries.replay({ workspace, id }),
    }
  }

  test('moves its ticket and its error, and later reports are counted there', async () => {
    const site = await openSite()
    const { ticket_id } = await postReport(site, misreadAs('No stock left'))
    const [before] = await site.tickets()
    const [error] = await site.errors()
    const id = await site.newest()
    const opened = async () => (await site.admin.inboundDeliveries.get({ workspace: site.workspace, id })).opened_ticket
    expect(await opened()).toMatchObject({ id: ticket_id, ticket_number: before?.ticket_number, title: before?.title })
    await site.setMapping(cure)
    const replayed = await site.replay(id)
    expect(await opened()).toMatchObject({ id: ticket_id, title: 'No stock left' })
    expect(replayed).toMatchObject({ ticket_id, lead_id: null, summary: 'error report' })
    expect(replayed.changed).toEqual(
      expect.arrayContaining([
        { resource: 'ticket', id: ticket_id, field: 'title', from: before?.title, to: 'No stock left' },
        { resource: 'error_report', id: error?.id, field: 'app', from: null, to: 'shop' },
        { resource: 'error_report', id: error?.id, field: 'environment', from: null, to: 'live' },
        {
          resource: 'error_report',
          id: error?.id,
          field: 'fingerprint',
          from: error?.fingerprint,
          to: expect.any(String),
        },
      ]),
    )
    expect(await site.tickets()).toMatchObject([{ id: ticket_id, title: 'No stock left' }])
    expect(await postReport(site, misreadAs('No stock left'))).toMatchObject({ ticket_created: false, ticket_id })
    expect(await site.errors()).toMatchObject([{ id: error?.id, count: 2, app: 'shop', ticket_id }])
    expect((await site.replay(id)).changed).toEqual([])
    expect(await site.errors()).toMatchObject([{ count: 2 }])
  })

  test('keeps what a person has changed', async () => {
    const site = await openSite()
    const { ticket_id } = await postReport(site, misreadAs('No stock left'))
    const ticket = { workspace: site.workspace, id: ticket_id ?? 0 }
    await site.admin.tickets.update(ticket, { title: 'Our title', priority: 'low' })
    await site.setMapping({ fields: { ...cure.fields, severity: "'critical'" } })
    const { changed } = await site.replay(await site.newest())
    expect(changed.filter(({ resource }) => resource === 'ticket').map(({ field }) => field)).toEqual(['description'])
    expect(await site.admin.tickets.get(ticket)).toMatchObject({ title: 'Our title', priority: 'low' })
    expect(await site.errors()).toMatchObject([{ message: 'No stock left', severity: 'critical' }])
  })

  test('joins the error that has a ticket already, and closes the misread ticket with a link', async () => {
    const site = await openSite()
    const misread = await postReport(site, misreadAs('No stock left'))
    await postReport(site, misreadAs('No stock left'))
    const [again, first] = (await site.admin.inboundDeliveries.list({ workspace: site.workspace })).data
    await site.setMapping(cure)
    const right = await postReport(site, misreadAs('No stock left'))
    expect(right.ticket_created).toBe(true)
    const { ticket_id, changed } = await site.replay(first?.id ?? 0)
    expect(ticket_id).toBe(right.ticket_id)
    expect(changed).toContainEqual({
      resource: 'ticket',
      id: misread.ticket_id,
      field: 'status',
      from: 'open',
      to: 'closed',
    })
    expect(await site.errors()).toMatchObject([{ count: 3, ticket_id, days: [{ count: 3 }] }])
    const { data } = await site.admin.messages.list(
      { workspace: site.workspace },
      { ticket_id: misread.ticket_id ?? 0 },
    )
    expect(data).toMatchObject([
      { body: expect.stringContaining(`/dashboard/w/${site.workspace}/tickets/${ticket_id}`) },
    ])
    expect(data[0]?.body).toContain(right.ticket_number)
    // The other misread report was joined with the first.
    expect(await site.replay(again?.id ?? 0)).toMatchObject({ ticket_id, changed: [] })
    expect(await site.errors()).toMatchObject([{ count: 3 }])
  })

  test('takes the misread ticket along if the error has none, and reopens a ticket that was resolved', async () => {
    const site = await openSite()
    const { ticket_id } = await postReport(site, misreadAs('No stock left'))
    const id = await site.newest()
    await site.setMapping({ ...cure, opens_when: "grund.inhalt == 'never'" })
    await postReport(site, misreadAs('No stock left'))
    await site.setMapping(cure)
    expect(await site.replay(id)).toMatchObject({ ticket_id })
    expect(await site.errors()).toMatchObject([{ count: 2, ticket_id }])
    expect(await site.tickets()).toMatchObject([{ title: 'No stock left', status: 'open' }])

    await site.setMapping(null)
    const misread = await postReport(site, misreadAs('No stock left'))
    await site.admin.tickets.update({ workspace: site.workspace, id: ticket_id ?? 0 }, { status: 'resolved' })
    site.clock.advance(microsPerDay / 2)
    await site.setMapping(cure)
    await site.replay(await site.newest())
    const states = new Map((await site.tickets()).map((ticket) => [ticket.id, ticket.status]))
    expect([states.get(ticket_id ?? 0), states.get(misread.ticket_id ?? 0)]).toEqual(['open', 'closed'])
  })

  test('of a report that was only counted moves the ticket too, unless other senders are counted there', async () => {
    const site = await openSite()
    const first = await postReport(site, misreadAs('No stock left'))
    await postReport(site, misreadAs('No stock left'))
    await site.setMapping(cure)
    expect(await site.replay(await site.newest())).toMatchObject({ ticket_id: first.ticket_id })
    expect(await site.tickets()).toMatchObject([{ title: 'No stock left' }])

    await site.setMapping(null)
    const documented = await postReport(site, { message: 'Boom', severity: 'error' })
    await postReport(site, { level: 'error', msg: 'Boom', hint: 'Card declined' })
    const id = await site.newest()
    await site.setMapping({ fields: { message: 'hint' } })
    const other = await site.replay(id)
    expect(other.ticket_id).not.toBe(documented.ticket_id)
    expect((await site.tickets()).map(({ title }) => title)).toEqual(['Card declined', 'Boom', 'No stock left'])
  })

  test('counts each of two errors that were misread as one once, in any order', async () => {
    const site = await openSite()
    const [stock, card] = ['No stock left', 'Card declined']
    for (const [first, second] of [
      [1, 0],
      [0, 1],
    ] as const) {
      await site.setMapping(null)
      const app = `shop ${first}`
      for (const text of [stock, card]) await postReport(site, { ...misreadAs(text), app })
      const deliveries = (await site.admin.inboundDeliveries.list({ workspace: site.workspace })).data
      await site.setMapping({ fields: { message: 'grund.inhalt' } })
      await site.replay(deliveries[first]?.id ?? 0)
      const { changed } = await site.replay(deliveries[second]?.id ?? 0)
      expect(changed).toMatchObject([{ resource: 'error_report', field: 'count', from: 2, to: 1 }])
      for (const text of [stock, card, stock, card]) await postReport(site, { ...misreadAs(text), app })
      const errors = (await site.errors()).filter((error) => error.app === app)
      expect(errors.map(({ message }) => message).toSorted()).toEqual([card, stock])
      expect(errors).toMatchObject([
        { count: 3, days: [{ count: 3 }] },
        { count: 3, days: [{ count: 3 }] },
      ])
      for (const { id } of deliveries.slice(0, 2)) expect((await site.replay(id)).changed).toEqual([])
    }
  })

  test('counts each of two entries of one body once, if both of their errors have tickets already', async () => {
    const site = await openSite()
    await postReport(site, [misreadAs('No stock left'), misreadAs('No carrier')])
    const id = await site.newest()
    await site.setMapping(cure)
    for (const text of ['No stock left', 'No carrier']) await postReport(site, misreadAs(text))
    await site.replay(id)
    const counts = async () => (await site.errors()).map(({ message, count }) => [message, count]).toSorted()
    const once = [
      ['No carrier', 2],
      ['No stock left', 2],
    ]
    expect(await counts()).toEqual(once)
    await site.replay(id)
    expect(await counts()).toEqual(once)
  })

  test('corrects each entry of a batch, and leaves an ignored one as it is', async () => {
    const site = await openSite()
    await postReport(site, [misreadAs('No stock left'), misreadAs('Card declined'), { ...misreadAs('x'), test: true }])
    const count = (await site.tickets()).length
    await site.setMapping({ ...cure, ignore_when: 'test' })
    const { changed } = await site.replay(await site.newest())
    expect(changed.length).toBeGreaterThan(0)
    const titles = (await site.tickets()).map(({ title }) => title)
    expect(titles).toEqual(expect.arrayContaining(['No stock left', 'Card declined']))
    expect(titles.length).toBeGreaterThanOrEqual(count)
    const errors = await site.errors()
    expect(
      errors
        .filter(({ app }) => app === 'shop')
        .map(({ message }) => message)
        .toSorted(),
    ).toEqual(['Card declined', 'No stock left'])
  })

  test('is offered only if it can succeed', async () => {
    const site = await openSite()
    const { admin, workspace } = site
    const refusals = async () =>
      (await admin.inboundDeliveries.list({ workspace })).data.map((row) => row.replay_refusal)
    await postReport(site, misreadAs('No stock left'))
    await postReport(site, misreadAs('x'.repeat(70_000)))
    expect(await refusals()).toEqual([expect.stringContaining('not stored'), null])
    await admin.integrations.update({ workspace, integration: 'errors' }, { enabled: false })
    const reason = 'Enable error reports before you replay its deliveries.'
    expect((await refusals()).at(-1)).toBe(reason)
    const [, kept] = (await admin.inboundDeliveries.list({ workspace })).data
    await expect(site.replay(kept?.id ?? 0)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(reason),
    })
    expect(await admin.inboundDeliveries.get({ workspace, id: kept?.id ?? 0 })).toMatchObject({
      replay_refusal: reason,
    })
  })
})

onEveryStore('the replay of an inquiry', (start) => {
  async function openSite() {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace } = site
    const { admin } = server
    return {
      admin,
      workspace,
      send: (body: object) =>
        call(server, {
          method: 'POST',
          path: `/api/webhooks/${workspace}/leads/website`,
          headers: { 'x-service-webhook-secret': site.secrets.leads['website'] ?? '' },
          body,
        }),
      setMapping: (fields: Record<string, string>) =>
        admin.leadSources.update({ workspace, source: 'website' }, { mapping: { fields } }),
      /** The newest delivery is 0. */
      replay: async (index: number) => {
        const { data } = await admin.inboundDeliveries.list({ workspace })
        return admin.inboundDeliveries.replay({ workspace, id: data[index]?.id ?? 0 })
      },
      leads: async () => (await admin.leads.list({ workspace })).data,
      enquiries: async () => (await admin.leadEnquiries.list({ workspace })).data,
    }
  }

  /** The shop's own address is read as that of the person. */
  const misread = (kunde: string, wer: string) => ({ email: 'shop@example.org', kunde, wer, haus: 'Navy' })
  const cure = { email: 'kunde', name: 'wer' }

  test('corrects what was misread, fills what is missing, and keeps what a person has changed', async () => {
    const site = await openSite()
    const { admin, workspace } = site
    await site.send(misread('kunde1@example.org', 'Grace Hopper'))
    const [lead] = await site.leads()
    const [enquiry] = await site.enquiries()
    expect(lead).toMatchObject({ name: 'shop@example.org', email: 'shop@example.org', company: null })
    await admin.leads.update({ workspace, id: lead?.id ?? 0 }, { company: 'Our note' })
    await site.setMapping({ ...cure, company: 'haus' })
    const { lead_id, changed } = await site.replay(0)
    const ofLead = { resource: 'lead', id: lead?.id, from: 'shop@example.org' }
    const ofEnquiry = { resource: 'lead_enquiry', id: enquiry?.id }
    expect(lead_id).toBe(lead?.id)
    expect(changed).toEqual([
      { ...ofEnquiry, field: 'name', from: null, to: 'Grace Hopper' },
      { ...ofEnquiry, field: 'email', from: 'shop@example.org', to: 'kunde1@example.org' },
      { ...ofEnquiry, field: 'company', from: null, to: 'Navy' },
      { ...ofLead, field: 'name', to: 'Grace Hopper' },
      { ...ofLead, field: 'email', to: 'kunde1@example.org' },
    ])
    expect(await site.leads()).toMatchObject([
      { name: 'Grace Hopper', email: 'kunde1@example.org', company: 'Our note', status: 'new' },
    ])
    expect((await site.replay(0)).changed).toEqual([])
    await site.setMapping({ email: "'other@example.org'" })
    await admin.leads.update({ workspace, id: lead?.id ?? 0 }, { email: 'ours@example.org' })
    expect((await site.replay(0)).changed.map(({ resource }) => resource)).toEqual(['lead_enquiry'])
    expect(await site.leads()).toMatchObject([{ email: 'ours@example.org' }])
    await admin.leadSources.update({ workspace, source: 'website' }, { enabled: false })
    const reason = 'Enable the lead source website before you replay its deliveries.'
    expect((await admin.inboundDeliveries.list({ workspace })).data[0]?.replay_refusal).toBe(reason)
  })

  test('stays what created its lead, and a preview says so', async () => {
    const site = await openSite()
    const { admin, workspace } = site
    await site.send(misread('kunde1@example.org', 'Kunde 1'))
    await site.send(misread('kunde2@example.org', 'Kunde 2'))
    const deliveries = async () => (await admin.inboundDeliveries.list({ workspace })).data
    const summaries = ['website: duplicate', 'website: lead created']
    expect((await deliveries()).map(({ summary }) => summary)).toEqual(summaries)
    const outcomes = async () => {
      const previews = (await deliveries()).map(({ id }) =>
        admin.leadSources.explain({ workspace, source: 'website' }, { delivery_id: id }),
      )
      return (await Promise.all(previews)).map(({ data }) => data[0]?.outcome)
    }
    expect(await outcomes()).toEqual(['duplicate', 'created'])
    // Of another source, the same body would repeat the inquiry.
    const [, first] = await deliveries()
    const elsewhere = { workspace, source: 'tiktok' }
    const { data } = await admin.leadSources.explain(elsewhere, { delivery_id: first?.id ?? 0 })
    expect(data[0]?.outcome).toBe('duplicate')
    const [lead] = await site.leads()
    for (const _ of ['once', 'again'])
      expect(await site.replay(1)).toMatchObject({ summary: 'website: lead created', lead_id: lead?.id, changed: [] })
    await site.replay(0)
    expect((await deliveries()).map(({ summary }) => summary)).toEqual(summaries)
    expect(await outcomes()).toEqual(['duplicate', 'created'])

    // An inquiry of another person than the first creates a lead, too.
    await site.setMapping(cure)
    expect(await outcomes()).toEqual(['created', 'created'])
    expect(await site.leads()).toHaveLength(1)
    expect(await site.replay(0)).toMatchObject({ summary: 'website: lead created' })
    expect(await site.leads()).toHaveLength(2)
  })

  test.each([
    ['the first before the others', [2, 1, 0]],
    ['the last before the others', [0, 1, 2]],
  ])('gives each of the people who were read as one a lead of their own: %s', async (_, order) => {
    const site = await openSite()
    for (const number of [1, 2, 3]) await site.send(misread(`kunde${number}@example.org`, `Kunde ${number}`))
    expect(await site.leads()).toHaveLength(1)
    await site.setMapping(cure)
    await site.send(misread('kunde4@example.org', 'Kunde 4'))
    for (const index of order) {
      const { lead_id, changed } = await site.replay(index + 1)
      expect(changed).toContainEqual(expect.objectContaining({ resource: 'lead_enquiry', field: 'email' }))
      expect((await site.enquiries()).find((each) => each.lead_id === lead_id)?.name).toBe(`Kunde ${3 - index}`)
    }
    const people = [4, 3, 2, 1].map((number) => `Kunde ${number} kunde${number}@example.org`)
    const found = (await site.leads()).map(({ id, name, email }) => ({ id, person: `${name} ${email}` }))
    expect(found.map(({ person }) => person).toSorted()).toEqual(people.toSorted())
    const enquiries = await site.enquiries()
    expect(enquiries.map(({ name, email }) => `${name} ${email}`)).toEqual(people)
    expect(enquiries.map(({ lead_id }) => found.find(({ id }) => id === lead_id)?.person)).toEqual(people)
    expect(await site.send(misread('Kunde1@example.org', 'Kunde 1'))).toMatchObject({ body: { duplicate: true } })
  })

  test('moves to the open lead of its person, and says so on the lead that it leaves', async () => {
    const site = await openSite()
    await site.send(misread('kunde1@example.org', 'Kunde 1'))
    await site.setMapping(cure)
    await site.send(misread('kunde1@example.org', 'Kunde 1'))
    const [right, wrong] = await site.leads()
    const { lead_id, changed } = await site.replay(1)
    expect(lead_id).toBe(right?.id)
    expect(changed).toContainEqual({ resource: 'lead', id: wrong?.id, field: 'status', from: 'new', to: 'lost' })
    expect((await site.enquiries()).map((enquiry) => enquiry.lead_id)).toEqual([right?.id, right?.id])
    const left = await site.admin.leads.get({ workspace: site.workspace, id: wrong?.id ?? 0 })
    expect(left).toMatchObject({ status: 'lost', notes: expect.stringContaining(`belongs to lead ${right?.id}.`) })
  })

  test('does not replace a text by one whose secrets are masked', async () => {
    const site = await openSite()
    await site.send({ email: 'shop@example.org', kunde: 'kunde1@example.org', pin: '4711' })
    const [lead] = await site.leads()
    const notes = async () => (await site.admin.leads.get({ workspace: site.workspace, id: lead?.id ?? 0 })).notes
    expect(await notes()).toContain('4711')
    await site.setMapping({ email: 'kunde' })
    await site.replay(0)
    expect(await notes()).toContain('4711')
  })
})
