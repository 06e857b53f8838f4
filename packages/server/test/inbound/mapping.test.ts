import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { microsPerHour } from '../../src/core/clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { call } from '../workspace.ts'
import { enableAll, type InboundSite, postReport, siteIn, startOpenSite } from './inbound-site.ts'

/** A report with names that no reader knows, and the mapping for it. */
const report = { svc: { id: 'shop' }, data: { grund: { text: 'No stock left' }, kind: 'page' }, status: 'live' }
const reportMapping = { fields: { message: 'data.grund.text', app: 'svc.id' } }

/** A punch with such names, too. */
const punch = { who: 'E-1', door: 'D-1' }
const punchMapping = { fields: { employee_code: 'who', external_device_id: 'door' } }

type OpenSite = Awaited<ReturnType<typeof startOpenSite>>

const opened = { ticket_created: true }
const unopened = { ticket_created: false }

const post = (site: InboundSite, path: string, secret: string, body: unknown, headers: Record<string, string> = {}) =>
  call(site.server, {
    method: 'POST',
    path: `/api/webhooks/${site.workspaceId}/${path}`,
    headers: { 'x-service-webhook-secret': secret, 'content-type': 'application/json', ...headers },
    body: body as object,
  })

const setErrors = (site: InboundSite, patch: object) =>
  site.server.admin.integrations.update({ workspace: site.workspaceId, integration: 'errors' }, patch)

const postLead = (site: OpenSite, body: unknown, headers?: Record<string, string>) =>
  post(site, 'leads/website', site.secrets.leads['website'] ?? '', body, headers)

const replay = ({ server, workspaceId: workspace }: InboundSite, delivery?: { readonly id: number }) =>
  server.admin.inboundDeliveries.replay({ workspace, id: delivery?.id ?? 0 })

const postPunch = (site: OpenSite, body: unknown) => post(site, 'attendance', site.secrets.attendance, body)

const deliveriesOf = ({ server, workspaceId: workspace }: InboundSite) =>
  server.admin.inboundDeliveries.list({ workspace }).then(({ data }) => data)

const reportsOf = ({ server, workspaceId: workspace }: InboundSite) =>
  server.admin.errorReports.list({ workspace }, { limit: 200 }).then(({ data }) => data)

const ticketsOf = ({ server, workspaceId: workspace }: InboundSite) =>
  server.admin.tickets.list({ workspace }, { limit: 200 }).then(({ data }) => data)

onEveryStore('the mapping of error reports', (start) => {
  test('sets its fields before the title and key are computed, until it is removed', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace } = site
    expect(await setErrors(site, { mapping: reportMapping })).toMatchObject({ mapping: reportMapping, min_level: null })
    await postReport(site, report)
    await postReport(site, { ...report, data: { grund: { text: 'Card declined' } } })
    expect((await reportsOf(site)).map(({ message, app }) => [message, app])).toEqual([
      ['Card declined', 'shop'],
      ['No stock left', 'shop'],
    ])
    expect((await ticketsOf(site)).map(({ title }) => title)).toContain('No stock left')
    await setErrors(site, { mapping: null })
    await postReport(site, report)
    expect((await reportsOf(site))[0]).toMatchObject({ app: null })
    const { data: audit } = await server.admin.auditLog.list({ workspace }, { operation: 'integrations.update' })
    expect(audit[0]).toMatchObject({ before: { mapping: reportMapping }, after: { mapping: null } })
  })

  test('ignores entries that match ignore_when, and opens tickets by opens_when', async () => {
    const site = await startOpenSite(start)
    await setErrors(site, {
      min_level: 'error',
      mapping: { ignore_when: "status == 'test'", opens_when: "data.kind == 'page'" },
    })
    expect(await postReport(site, { ...report, message: 'a', status: 'test' })).toMatchObject(unopened)
    expect(await reportsOf(site)).toEqual([])
    expect((await deliveriesOf(site))[0]).toMatchObject({ status: 200, summary: '1 ignored by the mapping' })
    const slow = { level: 'info', msg: 'The cart is slow', data: { kind: 'page' } }
    expect(await postReport(site, slow)).toMatchObject(opened)
    const fatal = { level: 'fatal', msg: 'No card was taken', data: { kind: 'x' } }
    expect(await postReport(site, fatal)).toMatchObject(unopened)
    expect(await reportsOf(site)).toHaveLength(2)
  })

  test('decides only about the sender it was written for, and never against a documented report', async () => {
    const site = await startOpenSite(start)
    await setErrors(site, { mapping: { opens_when: "ActionType == 'Create'", ignore_when: "mode != 'live'" } })
    const exception = { values: [{ type: 'TypeError', value: 'Cart is null' }] }
    const event = { event_id: 'e1', platform: 'node', level: 'fatal', exception }
    expect(await postReport(site, event)).toMatchObject(opened)
    await setErrors(site, { mapping: { opens_when: "ActionType == 'Create' || severity == 'fatal'" } })
    expect(await postReport(site, { message: 'No stock', severity: 'low' })).toMatchObject(opened)
    const alert = { ActionType: 'Create', level: 'info', msg: 'The shop is slow' }
    expect(await postReport(site, alert)).toMatchObject(opened)
    const closed = { ...alert, level: 'error', ActionType: 'Close', msg: 'x' }
    expect(await postReport(site, closed)).toMatchObject(unopened)
  })

  test('is refused with field and reason, and changes nothing', async () => {
    const site = await startOpenSite(start)
    const many = 'items[*].parts[*].name'
    const fourfold = Array.from({ length: 8 }, () => '[@,@,@,@]').join('|')
    const refusal = { code: 'validation', errors: { 'mapping.fields.app': [expect.stringContaining('argument of')] } }
    const multiplying = { fields: { app: `${fourfold}|to_string(@)` } }
    await expect(setErrors(site, { mapping: multiplying })).rejects.toMatchObject(refusal)
    const at = { workspace: site.workspaceId }
    const explain = (body: object) => site.server.admin.errorReports.explain(at, body)
    await expect(explain({ body: { message: 'a' }, mapping: multiplying })).rejects.toMatchObject(refusal)
    await expect(setErrors(site, { mapping: { ignore_when: '!a.b' } })).rejects.toMatchObject({
      errors: { 'mapping.ignore_when': [expect.stringContaining('!(a.b)')] },
    })
    await expect(
      setErrors(site, { mapping: { fields: { message: many, mesage: 'a', app: 'a ==' }, ignore_when: 'max(a)' } }),
    ).rejects.toMatchObject({
      code: 'validation',
      errors: {
        'mapping.fields.message': ['The expression searches more than one list.'],
        'mapping.fields.mesage': [expect.stringContaining('There is no field mesage to map.')],
        'mapping.fields.app': [expect.stringContaining('not valid JMESPath')],
        'mapping.ignore_when': [expect.stringContaining('The function max is not supported.')],
      },
    })
    const mapping = { fields: { email: 'a' }, opens_when: 'a' }
    await expect(site.server.admin.leadSources.update({ ...at, source: 'website' }, { mapping })).rejects.toMatchObject(
      {
        errors: { 'mapping.opens_when': ['The opens_when condition is for error reports only.'] },
      },
    )
    const github = { ...at, integration: 'github' } as const
    await expect(site.server.admin.integrations.update(github, { mapping: reportMapping })).rejects.toMatchObject({
      errors: { mapping: ['The mapping field is for error reports and attendance only.'] },
    })
    expect((await site.server.admin.integrations.get({ ...at, integration: 'errors' })).mapping).toBeNull()
  })

  test('never breaks a delivery, whatever its expressions return', async () => {
    const site = await startOpenSite(start)
    const fields = {
      message: 'length(items)',
      file: 'items[0]',
      line: 'data',
      url: '@',
      stack: 'nothing',
      app: "join(',', x)",
    }
    await setErrors(site, { mapping: { fields, ignore_when: 'length(items)', opens_when: 'to_number(items)' } })
    for (const body of [{ message: 'a' }, { message: 'b', items: 7 }, { message: 'c', items: [{}], x: [1, null] }, []])
      expect((await post(site, 'errors', site.secrets.errors, body)).status, JSON.stringify(body)).toBeLessThan(500)
    expect((await post(site, 'errors', site.secrets.errors, { message: 'a', items: 7 })).status).toBe(200)
  })
})

onEveryStore('explaining a body', (start) => {
  test('shows each field before and after a draft, and the outcome, without storing anything', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace } = site
    await postReport(site, report)
    const delivery_id = (await deliveriesOf(site))[0]?.id ?? 0
    const before = JSON.stringify(await server.admin.auditLog.list({ workspace }))
    const { explain } = server.admin.errorReports
    expect((await explain({ workspace }, { delivery_id, mapping: reportMapping })).data).toMatchObject([
      {
        title: 'No stock left',
        opens_ticket: true,
        opens_because: 'min_level',
        mapped: [
          { field: 'message', to: 'No stock left', expression: 'data.grund.text' },
          { field: 'app', to: 'shop', expression: 'svc.id' },
        ],
      },
    ])
    const ignored = await explain({ workspace }, { body: report, mapping: { ignore_when: 'svc' } })
    expect(ignored).toEqual({ data: [], ignored: 1 })
    const lead = { kontakt: { mail: 'grace@hopper.example' }, type: 'form' }
    const draft = { fields: { email: 'kontakt.mail' }, ignore_when: "type == 'test'" }
    const at = { workspace, source: 'website' }
    const explainLead = async (body: object) =>
      (await server.admin.leadSources.explain(at, { body, mapping: draft })).data
    expect(await explainLead(lead)).toMatchObject([{ outcome: 'created', lead: { email: 'grace@hopper.example' } }])
    expect(await explainLead({ ...lead, type: 'test' })).toMatchObject([
      { outcome: 'skipped', reason: 'ignored_by_mapping', lead: null },
    ])
    const explainPunch = async (mapping: object | null, body: unknown = punch) =>
      (await server.admin.attendance.explain({ workspace }, { body, mapping })).data
    for (const body of [true, '"E-1"', [7]])
      expect(await explainPunch(null, body)).toMatchObject([{ outcome: 'invalid', punch: null }])
    expect(await explainPunch(punchMapping)).toMatchObject([{ outcome: 'unmatched', punch: { employee_code: 'E-1' } }])
    expect(await explainPunch(null)).toMatchObject([{ outcome: 'invalid', mapped: [] }])
    expect(JSON.stringify(await server.admin.auditLog.list({ workspace }))).toBe(before)
    expect((await server.admin.leads.list({ workspace })).data).toEqual([])
    expect((await server.admin.attendance.unmatched({ workspace })).data).toEqual([])
    expect(await deliveriesOf(site)).toHaveLength(1)
  })

  test('accepts either a body or a delivery of its own integration', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace } = site
    await postReport(site, report)
    const delivery_id = (await deliveriesOf(site))[0]?.id ?? 0
    const { explain } = server.admin.errorReports
    const either = { errors: { body: ['Send either the body field or the delivery_id field.'] } }
    await expect(explain({ workspace }, {})).rejects.toMatchObject(either)
    await expect(explain({ workspace }, { body: {}, delivery_id })).rejects.toMatchObject(either)
    await expect(explain({ workspace }, { delivery_id: 999 })).rejects.toMatchObject({ code: 'not_found' })
    const byPunch = server.admin.attendance.explain({ workspace }, { delivery_id })
    await expect(byPunch).rejects.toMatchObject({ code: 'not_found' })
  })
})

onEveryStore('the body of a delivery', (start) => {
  test('is one of the newest 100 of its integration, whatever others send, also at once', async () => {
    const site = await startOpenSite(start)
    const other = await siteIn(site.server, site.clock, 'Other')
    const secrets = await enableAll(other)
    const send = async (count: number) => {
      const numbers = Array.from({ length: count }, (_, index) => index)
      await Promise.all(
        numbers.flatMap((index) => [
          postReport(site, { message: `Report ${index}` }),
          post({ ...other, secrets } as typeof site, 'errors', secrets.errors, { message: 'a' }),
          ...(index % 10 === 0 ? [postPunch(site, {})] : []),
        ]),
      )
    }
    const counts = async () => {
      const read = async (integration: 'errors' | 'attendance') => {
        const { inboundDeliveries } = site.server.admin
        const rows = await inboundDeliveries.list({ workspace: site.workspaceId }, { integration, limit: 200 }).all()
        return [rows.length, rows.filter(({ has_body }) => has_body).length]
      }
      return { errors: await read('errors'), attendance: await read('attendance') }
    }
    for (const count of [95, 10, 20]) await send(count)
    expect(await counts()).toEqual({ errors: [125, 100], attendance: [13, 13] })
    await send(370)
    expect(await counts()).toEqual({ errors: [495, 100], attendance: [50, 50] })
    await send(12)
    expect(await counts()).toEqual({ errors: [500, 100], attendance: [52, 52] })
  })

  test('has no secret of a form, in URL encoding or in parts', async () => {
    const site = await startOpenSite(start)
    const secret = 'hunter2-0815'
    const stored = async (contentType: string, body: string) => {
      await postLead(site, body, { 'content-type': contentType })
      const [delivery] = await deliveriesOf(site)
      return (await site.server.admin.inboundDeliveries.get({ workspace: site.workspaceId, id: delivery?.id ?? 0 }))
        .body
    }
    const part = (disposition: string, content: string, head = '') =>
      `--B\r\n${head}Content-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
    const parts = [
      part('name="email"', 'grace@hopper.example'),
      part('name="password"', secret),
      part('name="user[api_key]"', secret),
      part('name="settings.pin"', secret),
      part('name="passwords[]"', secret),
      part('name=token', secret, 'X-Note: a\r\n'),
      part('name="data"', JSON.stringify({ otp: secret })),
      part('name="fields[0][name]"', 'authorization') + part('name="fields[0][value]"', secret),
      part('name="env"; filename=".env"', `API_KEY=${secret}\nMODE=live`, 'Content-Type: text/plain\r\n'),
      part('name="key"; filename="key.json"', JSON.stringify({ client_secret: secret })),
      part('name="token"; filename="t"', secret),
      part("name*=utf-8''password", secret),
      part('NAME="Session"', secret).replace('Content-Disposition', 'CONTENT-DISPOSITION'),
      part('name="form"', `user%5Bpin%5D=${secret}&b=2`),
    ]
    const whole = `${secret}\r\n${parts.join('')}--B--\r\n${secret}`
    const forms: readonly (readonly [string, string])[] = [
      ['multipart/form-data; boundary=B', whole],
      ['Multipart/Form-Data; charset=utf-8; BOUNDARY="B"', whole],
      ['multipart/form-data', whole.slice(secret.length + 2)],
      ['text/plain', whole.slice(secret.length + 2)],
      ['multipart/form-data; boundary=B', whole.replaceAll('\r\n', '\n')],
      ['multipart/form-data; boundary=B', parts.join('')],
      ['multipart/form-data; boundary="a b(1)+\'?"', whole.replaceAll('--B', "--a b(1)+'?")],
    ]
    for (const [contentType, body] of forms) {
      const text = await stored(contentType, body)
      expect(text, contentType).not.toContain(secret)
      expect(text).toContain('grace@hopper.example')
      expect(text).toContain('MODE=live')
    }
    for (const unreadable of ['', `a\r\n${part('name="password"', secret)}`])
      expect((await stored('multipart/form-data; boundary=C', `${secret}\r\n${unreadable}`)) ?? '').not.toContain(
        secret,
      )
    const form = `email=grace%40hopper.example&user%5Bpassword%5D=${secret}&pin=${secret}&a.otp=${secret}&data=%7B%22ssn%22%3A%22${secret}%22%7D`
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      expect(await stored(type, form)).not.toContain(secret)
      expect(await stored(type, form)).toMatch(/^email=grace%40hopper.example&/)
    }
    const [delivery] = await deliveriesOf(site)
    const { data } = await site.server.admin.leadSources.explain(
      { workspace: site.workspaceId, source: 'website' },
      { delivery_id: delivery?.id ?? 0 },
    )
    expect(data).toMatchObject([{ lead: { email: 'grace@hopper.example' } }])
  })

  test('is stored for a day with secrets masked, unless it is too long or storage is off', async () => {
    const site = await startOpenSite(start)
    const { server, clock, workspaceId: workspace } = site
    await postReport(site, { message: 'a', password: 'hunter2' })
    await postReport(site, { message: 'x'.repeat(70_000) })
    await postPunch(site, { who: 'E-1' })
    const [punched, long, masked] = await deliveriesOf(site)
    expect([punched, long, masked].map((delivery) => delivery?.has_body)).toEqual([true, false, true])
    const get = async (id = 0) => (await server.admin.inboundDeliveries.get({ workspace, id })).body
    expect(JSON.parse((await get(masked?.id)) ?? '')).toMatchObject({ message: 'a', password: '[masked]' })
    expect(punched).toMatchObject({ integration: 'attendance', status: 422 })
    expect(await get(punched?.id)).toBe('{"who":"E-1"}')
    const google = { lead_id: 'g', google_key: 'hush-hush', user_column_data: [] }
    await post(site, 'leads/google_ads', site.secrets.leads['google_ads'] ?? '', google)
    const packed = new Uint8Array(deflateRawSync(JSON.stringify({ message: 'packed' })))
    await post(site, 'errors', site.secrets.errors, packed, { 'content-encoding': 'deflate' })
    const push = { 'x-github-event': 'push', 'x-github-delivery': 'd-1' }
    const path = `/api/webhooks/${workspace}/github`
    expect((await call(server, { method: 'POST', path, headers: push, body: {} })).status).toBe(200)
    const [git, unpacked, lead] = await deliveriesOf(site)
    expect(git).toMatchObject({ integration: 'github', has_body: false })
    expect(await get(unpacked?.id)).toBe('{"message":"packed"}')
    expect(await get(lead?.id)).toContain('"google_key":"[masked]"')
    clock.advance(24 * microsPerHour)
    expect(await get(masked?.id)).toBeNull()
    expect((await deliveriesOf(site)).some(({ has_body }) => has_body)).toBe(false)
    const delivery_id = masked?.id ?? 0
    await expect(server.admin.errorReports.explain({ workspace }, { delivery_id })).rejects.toMatchObject({
      errors: { delivery_id: [expect.stringContaining('not stored')] },
    })
    const without = await startOpenSite(start, { inboundBodyHours: 0 })
    await postReport(without, report)
    expect((await deliveriesOf(without))[0]?.has_body).toBe(false)
  })

  test('uses a mapped address or number only if it is valid, as a reader would', async () => {
    const { server, workspaceId: workspace } = await startOpenSite(start)
    const explain = async (body: object, fields: Record<string, string>) =>
      (await server.admin.leadSources.explain({ workspace, source: 'website' }, { body, mapping: { fields } })).data
    const read = async (contact: unknown) => {
      const body = { email: 'ada@example.com', phone: '+49 30 1234567', who: ' Ada ', contact }
      return (await explain(body, { email: 'contact', phone: 'contact', name: 'who' }))[0]?.lead
    }
    const given = { name: 'Ada', email: 'ada@example.com', phone: '+49 30 1234567' }
    for (const contact of ['by phone', '-', 'n/a', 5, ['x@example.com']])
      expect(await read(contact)).toMatchObject(given)
    expect(await read('Tim <tim@example.com>')).toMatchObject({ ...given, email: 'tim@example.com' })
    expect(await read(' +49 40 7654321 ')).toMatchObject({ ...given, phone: '+49 40 7654321' })
    expect(await explain({ contact: { mail: 'none' } }, { email: 'contact.mail' })).toMatchObject([
      { outcome: 'skipped', reason: 'no_contact', mapped: [] },
    ])
  })

  test('of a report is replayed with the current mapping, and opens at most one ticket', async () => {
    const site = await startOpenSite(start)
    await setErrors(site, { mapping: { opens_when: "data.kind == 'never'" } })
    await postReport(site, report)
    await postReport(site, report)
    const [second, first] = await deliveriesOf(site)
    expect(await replay(site, first)).toMatchObject({ ticket_id: null })
    expect(await reportsOf(site)).toMatchObject([{ count: 2 }])
    await setErrors(site, { mapping: reportMapping })
    const replayed = await replay(site, first)
    expect(replayed).toMatchObject({ id: first?.id, integration: 'errors', ticket_id: expect.any(Number) })
    expect(await replay(site, first)).toMatchObject({ ticket_id: replayed.ticket_id, changed: [] })
    expect(await replay(site, second)).toMatchObject({ ticket_id: replayed.ticket_id })
    expect(await ticketsOf(site)).toMatchObject([{ title: 'No stock left' }])
  })

  test('of a lead is replayed with the current mapping, and creates at most one lead', async () => {
    const site = await startOpenSite(start)
    const { leads, leadSources } = site.server.admin
    const at = { workspace: site.workspaceId }
    const website = { ...at, source: 'website' }
    await leadSources.update(website, { mapping: { ignore_when: 'kontakt' } })
    await postLead(site, { kontakt: { mail: 'grace@hopper.example' } })
    const [delivery] = await deliveriesOf(site)
    expect(delivery).toMatchObject({ integration: 'leads', source: 'website' })
    await leadSources.update(website, { mapping: { fields: { email: 'kontakt.mail' } } })
    const { lead_id } = await replay(site, delivery)
    expect((await leads.list(at)).data).toMatchObject([{ email: 'grace@hopper.example' }])
    expect(await replay(site, delivery)).toMatchObject({ lead_id, changed: [] })
    expect((await leads.list(at)).data).toHaveLength(1)
  })

  test('of a punch is replayed with the current mapping', async () => {
    const site = await startOpenSite(start)
    const { attendance, integrations } = site.server.admin
    const at = { workspace: site.workspaceId }
    await postPunch(site, punch)
    const [delivery] = await deliveriesOf(site)
    await integrations.update({ ...at, integration: 'attendance' }, { mapping: punchMapping })
    await replay(site, delivery)
    expect((await attendance.unmatched(at)).data).toMatchObject([
      { reason: 'device_not_found', punch: { employee_code: 'E-1', external_device_id: 'D-1' } },
    ])
    expect(await deliveriesOf(site)).toMatchObject([{ id: delivery?.id, summary: 'device_not_found' }])
  })
})

onEveryStore('a flood of new errors', (start) => {
  const batchOf = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      message: `Failure of part ${'abcdefghij'.charAt(index % 10)}`,
      file: `/app/f${from + index}.js`,
      line: 1,
      exception: `E${'x'.repeat((from + index) % 7)}Error`,
    }))

  test('opens the configured number of tickets per delivery, and the others when they occur again', async () => {
    const site = await startOpenSite(start)
    const ticketCount = async () => (await ticketsOf(site)).length
    await postReport(site, batchOf(0, 30))
    expect(await ticketCount()).toBe(20)
    expect(await reportsOf(site)).toHaveLength(30)
    expect((await deliveriesOf(site))[0]?.summary).toBe('30 error reports, 20 tickets opened, 10 new errors held back')
    await setErrors(site, { max_new_tickets: 3 })
    await postReport(site, batchOf(0, 30))
    expect(await ticketCount()).toBe(23)
    await expect(setErrors(site, { max_new_tickets: 101 })).rejects.toMatchObject({ code: 'validation' })
  })

  test('opens at most 200 tickets and one notice per hour, and loses no report', async () => {
    const site = await startOpenSite(start)
    const { server, clock, workspaceId: workspace } = site
    await setErrors(site, { max_new_tickets: 100 })
    for (let sent = 0; sent < 3; sent += 1) await postReport(site, batchOf(sent * 100, 100))
    const [notice] = await ticketsOf(site)
    expect(notice).toMatchObject({
      ticket_number: 'TKT-00201',
      title: expect.stringMatching(/^More than 200 new errors in an hour/),
    })
    expect((await server.admin.errorReports.list({ workspace }, { limit: 200 })).next_before).not.toBeNull()
    clock.advance(microsPerHour)
    await postReport(site, batchOf(200, 1))
    expect((await ticketsOf(site))[0]?.title).toMatch(/part a/)
  })
})
