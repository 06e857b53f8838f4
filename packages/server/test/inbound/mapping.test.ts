import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { microsPerHour } from '../../src/core/clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { call } from '../workspace.ts'
import { enableAll, type InboundSite, postReport, siteIn, startOpenSite } from './inbound-site.ts'

/** A body with names that no reader knows. */
const misread = { svc: { id: 'shop' }, data: { grund: { text: 'No stock left' }, kind: 'page' }, status: 'live' }
const cure = { fields: { message: 'data.grund.text', app: 'svc.id' } }

const post = (site: InboundSite, path: string, secret: string, body: unknown, headers: Record<string, string> = {}) =>
  call(site.server, {
    method: 'POST',
    path: `/api/webhooks/${site.workspaceId}/${path}`,
    headers: { 'x-service-webhook-secret': secret, 'content-type': 'application/json', ...headers },
    body: body as object,
  })

const setErrors = (site: InboundSite, patch: object) =>
  site.server.admin.integrations.update({ workspace: site.workspaceId, integration: 'errors' }, patch)

const deliveriesOf = async ({ server, workspaceId: workspace }: InboundSite) =>
  (await server.admin.inboundDeliveries.list({ workspace })).data

onEveryStore('the mapping of error reports', (start) => {
  test('sets its fields before the title and key are computed, until it is removed', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace } = site
    expect(await setErrors(site, { mapping: cure })).toMatchObject({ mapping: cure, min_level: null })
    await postReport(site, misread)
    await postReport(site, { ...misread, data: { grund: { text: 'Card declined' } } })
    const groups = (await server.admin.errorReports.list({ workspace })).data
    expect(groups.map(({ message, app }) => [message, app])).toEqual([
      ['Card declined', 'shop'],
      ['No stock left', 'shop'],
    ])
    expect((await server.admin.tickets.list({ workspace })).data.map(({ title }) => title)).toContain('No stock left')
    await setErrors(site, { mapping: null })
    await postReport(site, misread)
    expect((await server.admin.errorReports.list({ workspace })).data[0]).toMatchObject({ app: null })
    const { data: audit } = await server.admin.auditLog.list({ workspace }, { operation: 'integrations.update' })
    expect(audit[0]).toMatchObject({ before: { mapping: cure }, after: { mapping: null } })
  })

  test('ignores entries that match ignore_when, and opens tickets by opens_when', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace } = site
    await setErrors(site, {
      min_level: 'error',
      mapping: { ignore_when: "status == 'test'", opens_when: "data.kind == 'page'" },
    })
    expect(await postReport(site, { ...misread, message: 'a', status: 'test' })).toMatchObject({
      ticket_created: false,
    })
    expect((await server.admin.errorReports.list({ workspace })).data).toEqual([])
    expect((await deliveriesOf(site))[0]).toMatchObject({ status: 200, summary: '1 ignored by the mapping' })
    const note = { level: 'info' }
    expect(await postReport(site, { ...note, msg: 'The cart is slow', data: { kind: 'page' } })).toMatchObject({
      ticket_created: true,
    })
    expect(
      await postReport(site, { ...note, level: 'fatal', msg: 'No card was taken', data: { kind: 'x' } }),
    ).toMatchObject({
      ticket_created: false,
    })
    expect((await server.admin.errorReports.list({ workspace })).data).toHaveLength(2)
  })

  test('decides only about the sender it was written for, and never against a documented report', async () => {
    const site = await startOpenSite(start)
    await setErrors(site, { mapping: { opens_when: "ActionType == 'Create'", ignore_when: "mode != 'live'" } })
    const exception = { values: [{ type: 'TypeError', value: 'Cart is null' }] }
    const opened = { ticket_created: true }
    expect(await postReport(site, { event_id: 'e1', platform: 'node', level: 'fatal', exception })).toMatchObject(
      opened,
    )
    await setErrors(site, { mapping: { opens_when: "ActionType == 'Create' || severity == 'fatal'" } })
    expect(await postReport(site, { message: 'No stock', severity: 'low' })).toMatchObject(opened)
    const alert = { ActionType: 'Create', level: 'info', msg: 'The shop is slow' }
    expect(await postReport(site, alert)).toMatchObject(opened)
    expect(await postReport(site, { ...alert, level: 'error', ActionType: 'Close', msg: 'x' })).toMatchObject({
      ticket_created: false,
    })
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
    await expect(site.server.admin.integrations.update(github, { mapping: cure })).rejects.toMatchObject({
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
    await postReport(site, misread)
    const [kept] = await deliveriesOf(site)
    const before = JSON.stringify(await server.admin.auditLog.list({ workspace }))
    const explained = await server.admin.errorReports.explain(
      { workspace },
      { delivery_id: kept?.id ?? 0, mapping: cure },
    )
    expect(explained.data).toMatchObject([
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
    expect(
      await server.admin.errorReports.explain({ workspace }, { body: misread, mapping: { ignore_when: 'svc' } }),
    ).toEqual({ data: [], ignored: 1 })
    const lead = { kontakt: { mail: 'grace@hopper.example' }, type: 'form' }
    const draft = { fields: { email: 'kontakt.mail' }, ignore_when: "type == 'test'" }
    const at = { workspace, source: 'website' }
    const explainLead = async (body: object) =>
      (await server.admin.leadSources.explain(at, { body, mapping: draft })).data
    expect(await explainLead(lead)).toMatchObject([{ outcome: 'created', lead: { email: 'grace@hopper.example' } }])
    expect(await explainLead({ ...lead, type: 'test' })).toMatchObject([
      { outcome: 'skipped', reason: 'ignored_by_mapping', lead: null },
    ])
    const punched = { who: 'E-1', door: 'D-1' }
    const punchDraft = { fields: { employee_code: 'who', external_device_id: 'door' } }
    const explainPunch = async (mapping: object | null, body: unknown = punched) =>
      (await server.admin.attendance.explain({ workspace }, { body, mapping })).data
    for (const body of [true, '"E-1"', [7]])
      expect(await explainPunch(null, body)).toMatchObject([{ outcome: 'invalid', punch: null }])
    expect(await explainPunch(punchDraft)).toMatchObject([{ outcome: 'unmatched', punch: { employee_code: 'E-1' } }])
    expect(await explainPunch(null)).toMatchObject([{ outcome: 'invalid', mapped: [] }])
    expect(JSON.stringify(await server.admin.auditLog.list({ workspace }))).toBe(before)
    expect((await server.admin.leads.list({ workspace })).data).toEqual([])
    expect((await server.admin.attendance.unmatched({ workspace })).data).toEqual([])
    expect(await deliveriesOf(site)).toHaveLength(1)
  })

  test('accepts either a body or a delivery of its own integration', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace } = site
    await postReport(site, misread)
    const delivery_id = (await deliveriesOf(site))[0]?.id ?? 0
    const { explain } = server.admin.errorReports
    const either = { errors: { body: ['Send either the body field or the delivery_id field.'] } }
    await expect(explain({ workspace }, {})).rejects.toMatchObject(either)
    await expect(explain({ workspace }, { body: {}, delivery_id })).rejects.toMatchObject(either)
    await expect(explain({ workspace }, { delivery_id: 999 })).rejects.toMatchObject({ code: 'not_found' })
    await expect(server.admin.attendance.explain({ workspace }, { delivery_id })).rejects.toMatchObject({
      code: 'not_found',
    })
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
          ...(index % 10 === 0 ? [post(site, 'attendance', site.secrets.attendance, {})] : []),
        ]),
      )
    }
    const counts = async () => {
      const read = async (integration: string) => {
        const rows: { has_body: boolean }[] = []
        for (let before: number | null | undefined; before !== null; ) {
          const options = { integration, limit: 200, ...(before === undefined ? {} : { before }) }
          const page = await site.server.admin.inboundDeliveries.list({ workspace: site.workspaceId }, options)
          rows.push(...page.data)
          before = page.next_before
        }
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
    const stored = async (contentType: string, body: string, path = 'leads/website') => {
      await post(site, path, site.secrets.leads['website'] ?? '', body as never, { 'content-type': contentType })
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
      const kept = await stored(contentType, body)
      expect(kept, contentType).not.toContain(secret)
      expect(kept).toContain('grace@hopper.example')
      expect(kept).toContain('MODE=live')
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
    await site.server.admin.leads.list({ workspace: site.workspaceId })
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
    await post(site, 'attendance', site.secrets.attendance, { who: 'E-1' })
    const [refused, long, kept] = await deliveriesOf(site)
    expect([refused, long, kept].map((delivery) => delivery?.has_body)).toEqual([true, false, true])
    const get = async (id = 0) => (await server.admin.inboundDeliveries.get({ workspace, id })).body
    expect(JSON.parse((await get(kept?.id)) ?? '')).toMatchObject({ message: 'a', password: '[masked]' })
    expect(refused).toMatchObject({ integration: 'attendance', status: 422 })
    expect(await get(refused?.id)).toBe('{"who":"E-1"}')
    const google = { lead_id: 'g', google_key: 'hush-hush', user_column_data: [] }
    await post(site, 'leads/google_ads', site.secrets.leads['google_ads'] ?? '', google)
    const packed = new Uint8Array(deflateRawSync(JSON.stringify({ message: 'packed' })))
    const packedHeaders = { 'content-encoding': 'deflate' }
    await post(site, 'errors', site.secrets.errors, packed, packedHeaders)
    const push = { 'x-github-event': 'push', 'x-github-delivery': 'd-1' }
    const path = `/api/webhooks/${workspace}/github`
    expect((await call(server, { method: 'POST', path, headers: push, body: {} })).status).toBe(200)
    const [git, unpacked, lead] = await deliveriesOf(site)
    expect(git).toMatchObject({ integration: 'github', has_body: false })
    expect(await get(unpacked?.id)).toBe('{"message":"packed"}')
    expect(await get(lead?.id)).toContain('"google_key":"[masked]"')
    clock.advance(24 * microsPerHour)
    expect(await get(kept?.id)).toBeNull()
    expect((await deliveriesOf(site)).some(({ has_body }) => has_body)).toBe(false)
    await expect(
      server.admin.errorReports.explain({ workspace }, { delivery_id: kept?.id ?? 0 }),
    ).rejects.toMatchObject({ errors: { delivery_id: [expect.stringContaining('not stored')] } })
    const without = await startOpenSite(start, { inboundBodyHours: 0 })
    await postReport(without, misread)
    expect((await deliveriesOf(without))[0]?.has_body).toBe(false)
  })

  test('uses a mapped address or number only if it is valid, as a reader would', async () => {
    const { server, workspaceId: workspace } = await startOpenSite(start)
    const mapping = { fields: { email: 'contact', phone: 'contact', name: 'who' } }
    const read = async (contact: unknown) => {
      const body = { email: 'ada@example.com', phone: '+49 30 1234567', who: ' Ada ', contact }
      const [explained] = (await server.admin.leadSources.explain({ workspace, source: 'website' }, { body, mapping }))
        .data
      return explained?.lead
    }
    const given = { name: 'Ada', email: 'ada@example.com', phone: '+49 30 1234567' }
    for (const contact of ['by phone', '-', 'n/a', 5, ['x@example.com']])
      expect(await read(contact)).toMatchObject(given)
    expect(await read('Tim <tim@example.com>')).toMatchObject({ ...given, email: 'tim@example.com' })
    expect(await read(' +49 40 7654321 ')).toMatchObject({ ...given, phone: '+49 40 7654321' })
    const body = { contact: { mail: 'none' } }
    const draft = { fields: { email: 'contact.mail' } }
    expect(
      (await server.admin.leadSources.explain({ workspace, source: 'website' }, { body, mapping: draft })).data,
    ).toMatchObject([{ outcome: 'skipped', reason: 'no_contact', mapped: [] }])
  })

  test('is replayed with the current mapping, and opens at most one ticket or lead', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace } = site
    const replay = (id = 0) => server.admin.inboundDeliveries.replay({ workspace, id })
    await setErrors(site, { mapping: { opens_when: "data.kind == 'never'" } })
    await postReport(site, misread)
    await postReport(site, misread)
    const [second, first] = await deliveriesOf(site)
    expect(await replay(first?.id)).toMatchObject({ ticket_id: null })
    expect((await server.admin.errorReports.list({ workspace })).data).toMatchObject([{ count: 2 }])
    await setErrors(site, { mapping: cure })
    const replayed = await replay(first?.id)
    expect(replayed).toMatchObject({ id: first?.id, integration: 'errors', ticket_id: expect.any(Number) })
    expect(await replay(first?.id)).toMatchObject({ ticket_id: replayed.ticket_id, changed: [] })
    expect(await replay(second?.id)).toMatchObject({ ticket_id: replayed.ticket_id })
    expect((await server.admin.tickets.list({ workspace })).data).toMatchObject([{ title: 'No stock left' }])

    const website = { workspace, source: 'website' }
    await server.admin.leadSources.update(website, { mapping: { ignore_when: 'kontakt' } })
    await post(site, 'leads/website', site.secrets.leads['website'] ?? '', {
      kontakt: { mail: 'grace@hopper.example' },
    })
    const [lead] = await deliveriesOf(site)
    expect(lead).toMatchObject({ integration: 'leads', source: 'website' })
    await server.admin.leadSources.update(website, { mapping: { fields: { email: 'kontakt.mail' } } })
    const { lead_id } = await replay(lead?.id)
    expect((await server.admin.leads.list({ workspace })).data).toMatchObject([{ email: 'grace@hopper.example' }])
    expect(await replay(lead?.id)).toMatchObject({ lead_id, changed: [] })
    expect((await server.admin.leads.list({ workspace })).data).toHaveLength(1)

    const punch = { who: 'E-1', door: 'D-1' }
    await post(site, 'attendance', site.secrets.attendance, punch)
    const [misfit] = await deliveriesOf(site)
    const mapping = { fields: { employee_code: 'who', external_device_id: 'door' } }
    await server.admin.integrations.update({ workspace, integration: 'attendance' }, { mapping })
    await replay(misfit?.id)
    expect((await server.admin.attendance.unmatched({ workspace })).data).toMatchObject([
      { reason: 'device_not_found', punch: { employee_code: 'E-1', external_device_id: 'D-1' } },
    ])
    expect((await deliveriesOf(site))[0]).toMatchObject({ id: misfit?.id, summary: 'device_not_found' })
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
    const { server, workspaceId: workspace } = site
    const ticketCount = async () => (await server.admin.tickets.list({ workspace }, { limit: 200 })).data.length
    await postReport(site, batchOf(0, 30))
    expect(await ticketCount()).toBe(20)
    expect((await server.admin.errorReports.list({ workspace }, { limit: 200 })).data).toHaveLength(30)
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
    const titles = async () =>
      (await server.admin.tickets.list({ workspace }, { limit: 200 })).data.map(({ title }) => title)
    expect((await titles())[0]).toMatch(/^More than 200 new errors in an hour/)
    const { data } = await server.admin.tickets.list({ workspace }, { limit: 1 })
    expect(data[0]?.ticket_number).toBe('TKT-00201')
    expect((await server.admin.errorReports.list({ workspace }, { limit: 200 })).next_before).not.toBeNull()
    clock.advance(microsPerHour)
    await postReport(site, batchOf(200, 1))
    expect((await titles())[0]).toMatch(/part a/)
  })
})
