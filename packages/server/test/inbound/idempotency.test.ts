import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { onEveryStore } from '../on-every-store.ts'
import { call } from '../workspace.ts'
import { type InboundSite, startOpenSite } from './inbound-site.ts'

const signed = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex')
const unauthorized = { status: 401, body: { message: 'Invalid webhook secret.' } }

const google = (google_key: string) =>
  JSON.stringify({
    google_key,
    lead_id: 'g-1',
    user_column_data: [{ column_id: 'EMAIL', string_value: 'ana@lead.example' }],
  })
const meta = JSON.stringify({ object: 'page', entry: [{ changes: [{ field: 'leadgen', value: { leadgen_id: 7 } }] }] })
const linkedin = JSON.stringify({ type: 'LEAD_ACTION', leadGenFormResponse: 'urn:li:1', leadAction: 'CREATED' })

/** Deliveries whose credential is in the body or signs it, and the same deliveries with a wrong credential. */
const selfProving = {
  google_ads: (secret: string) => ({ body: google(secret), headers: {} }),
  facebook: (secret: string) => ({
    body: meta,
    headers: { 'x-hub-signature-256': `sha256=${signed(secret, meta)}` },
  }),
  whatsapp: (secret: string) => ({
    body: meta,
    headers: { 'x-hub-signature-256': `sha256=${signed(secret, meta)}` },
  }),
  linkedin: (secret: string) => ({ body: linkedin, headers: { 'x-li-signature': signed(secret, linkedin) } }),
}

onEveryStore('an idempotency key of an inbound webhook', (start) => {
  const postTo = (site: InboundSite, place: string) => (body: string | object, headers: Record<string, string>) =>
    call(site.server, { method: 'POST', path: `/api/webhooks/${site.workspaceId}/${place}`, body, headers })

  test.each(Object.keys(selfProving) as (keyof typeof selfProving)[])(
    'has no effect before the credential of %s is verified',
    async (source) => {
      const site = await startOpenSite(start)
      const post = postTo(site, `leads/${source}`)
      const key = { 'idempotency-key': 'k-1' }
      const right = selfProving[source](site.secrets.leads[source] ?? '')
      const first = await post(right.body, { ...right.headers, ...key })
      expect(first).toMatchObject({ status: 200, body: { received: true } })
      const again = await post(right.body, { ...right.headers, ...key })
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])

      const receipts = () =>
        site.server.admin.inboundDeliveries.list({ workspace: site.workspaceId }, { limit: 200 }).all()
      const before = await receipts()
      const wrong = selfProving[source]('not the secret')
      for (const given of ['k-1', 'k-2', 'two words', 'x'.repeat(256)]) {
        const header = { 'idempotency-key': given }
        expect(await post(wrong.body, { ...wrong.headers, ...header })).toMatchObject(unauthorized)
        expect(await post(wrong.body, header)).toMatchObject(unauthorized)
        expect(await post('no body of theirs', header)).toMatchObject(unauthorized)
      }
      expect(await receipts()).toEqual(before)
      // The rejected request did not use up the key.
      const fresh = await post(right.body, { ...right.headers, 'idempotency-key': 'k-2' })
      expect([fresh.status, fresh.headers.get('idempotency-replayed')]).toEqual([200, null])
      expect((await post(right.body, { ...right.headers, 'idempotency-key': 'two words' })).status).toBe(422)
    },
  )

  test('belongs to one device, so devices with equal keys lose no punch', async () => {
    const site = await startOpenSite(start)
    const { admin } = site.server
    const workspace_id = site.workspaceId
    const secrets: string[] = []
    const people: string[] = []
    for (const name of ['ada', 'ben']) {
      const { id } = await admin.devices.create(
        { workspace: workspace_id },
        { source_type: 'zkteco', device_name: name, external_device_id: name },
      )
      secrets.push((await admin.devices.rotateSecret({ workspace: workspace_id, id })).secret)
      const user = await admin.members.create({ workspace: workspace_id }, { name, email: `${name}@site.example` })
      await admin.employees.create({ workspace: workspace_id }, { user_id: user.id, employee_code: name })
      people.push(name)
    }
    const punch = (secret: string, employee_code: string) =>
      postTo(site, 'attendance')(
        { employee_code, direction: 'in' },
        { 'x-device-secret': secret, 'idempotency-key': '1' },
      )
    const answers = [
      await punch(secrets[0] ?? '', people[0] ?? ''),
      await punch(secrets[1] ?? '', people[1] ?? ''),
      await punch(secrets[0] ?? '', people[0] ?? ''),
    ]
    expect(answers.map(({ status, body }) => [status, body.recorded, body.punch_id])).toEqual([
      [200, true, 1],
      [200, true, 2],
      [200, true, 1],
    ])
  })

  test('is free again after a punch of an unknown employee, so that it can be repeated with its key', async () => {
    const site = await startOpenSite(start)
    const at = { workspace: site.workspaceId }
    const device = await site.server.admin.devices.create(at, { source_type: 'zkteco', device_name: 'Door' })
    const headers = { 'x-service-webhook-secret': site.secrets.attendance, 'idempotency-key': 'punch-17' }
    const body = { employee_code: 'Z1', device_id: device.id, direction: 'in', timestamp: '2026-11-20T08:00:00Z' }
    const punch = () => postTo(site, 'attendance')(body, headers)
    const unknown = { status: 422, body: { recorded: false, reason: 'employee_not_found' } }
    expect([await punch(), await punch()]).toMatchObject([unknown, unknown])
    expect((await site.server.admin.attendance.unmatched(at)).data).toHaveLength(1)
    const { id: user_id } = await site.server.admin.members.create(at, { name: 'Zoe', email: 'zoe@site.example' })
    await site.server.admin.employees.create(at, { user_id, employee_code: 'Z1' })
    const [recorded, again] = [await punch(), await punch()]
    expect(recorded).toMatchObject({ status: 200, body: { recorded: true } })
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([recorded.body, 'true'])
  })

  test('is free again after a punch of an unknown device, also where that is answered with 200', async () => {
    const site = await startOpenSite(start, { deviceNotFoundStatus: 200 })
    const at = { workspace: site.workspaceId }
    const user = await site.server.admin.members.create(at, { name: 'Zoe', email: 'zoe@site.example' })
    await site.server.admin.employees.create(at, { user_id: user.id, employee_code: 'Z1' })
    const headers = { 'x-service-webhook-secret': site.secrets.attendance, 'idempotency-key': 'punch-17' }
    const body = { employee_code: 'Z1', device_id: 'D-1', direction: 'in', timestamp: '2026-11-20T08:00:00Z' }
    const punch = () => postTo(site, 'attendance')(body, headers)
    expect(await punch()).toMatchObject({ status: 200, body: { recorded: false, reason: 'device_not_found' } })
    const device = { source_type: 'zkteco', device_name: 'Door', external_device_id: 'D-1' }
    await site.server.admin.devices.create(at, device)
    expect(await punch()).toMatchObject({ status: 200, body: { recorded: true } })
  })

  test('belongs to one route, so an error reporter and a lead form may use equal keys', async () => {
    const site = await startOpenSite(start)
    const { errors, leads } = site.secrets
    const key = (secret: string) => ({ 'x-service-webhook-secret': secret, 'idempotency-key': '1' })
    const report = await postTo(site, 'errors')({ message: 'boom' }, key(errors))
    const lead = await postTo(site, 'leads/website')({ name: 'Ana', email: 'a@b.example' }, key(leads['website'] ?? ''))
    const other = await postTo(site, 'leads/tiktok')({ name: 'Ben', email: 'b@b.example' }, key(leads['tiktok'] ?? ''))
    expect([report.body.ticket_created, lead.body.lead_created, other.body.lead_created]).toEqual([true, true, true])
  })

  test('belongs to one credential, so a token and the secret may use equal keys', async () => {
    const site = await startOpenSite(start)
    const report = postTo(site, 'errors')
    const key = { 'idempotency-key': '1' }
    await report({ message: 'one' }, { ...key, 'x-service-webhook-secret': site.secrets.errors })
    const answer = await report({ message: 'two' }, { ...key, authorization: `Bearer ${site.token}` })
    expect([answer.status, answer.body.ticket_created]).toEqual([200, true])
  })

  test('is ignored for Git, whose deliveries have their own ids', async () => {
    const site = await startOpenSite(start)
    const push = postTo(site, 'github')
    for (const body of [{ action: 'a' }, { action: 'b' }]) {
      const answer = await push(body, { 'x-github-event': 'ping', 'idempotency-key': 'two words' })
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null])
    }
    expect(await site.server.admin.activities.list({ workspace: site.workspaceId }, { limit: 200 }).all()).toHaveLength(
      2,
    )
  })
})
