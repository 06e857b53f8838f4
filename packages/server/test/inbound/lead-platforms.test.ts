import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { onEveryStore } from '../on-every-store.ts'
import { call } from '../workspace.ts'
import { startOpenSite } from './inbound-site.ts'

const hexHmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

const googleLead = (google_key: string) => ({
  google_key,
  lead_id: 'g-1',
  user_column_data: [
    { column_id: 'FULL_NAME', string_value: 'Ana Ruiz' },
    { column_id: 'EMAIL', string_value: 'ana@lead.example' },
  ],
})

const whatsapp = (id: string, contact: object = { profile: { name: 'Ben' }, wa_id: '491705550123' }) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      changes: [
        {
          field: 'messages',
          value: {
            contacts: [contact],
            messages: [{ from: '491705550123', id, type: 'text', text: { body: 'Hello' } }],
          },
        },
      ],
    },
  ],
})

onEveryStore('a lead platform', (start) => {
  async function startPosting(source: string) {
    const site = await startOpenSite(start)
    const secret = site.secrets.leads[source] ?? ''
    const path = `/api/webhooks/${site.workspaceId}/leads/${source}`
    const post = (body: string, headers: Record<string, string> = {}) =>
      call(site.server, { method: 'POST', path, body, headers })
    const leads = () => site.server.admin.leads.list({ workspace: site.workspaceId }).then(({ data }) => data)
    return { ...site, secret, path, post, leads }
  }

  test('such as Google is authenticated by the key in its body', async () => {
    const { post, leads, secret } = await startPosting('google_ads')
    for (const wrong of ['', 'whs_wrong', secret.slice(0, -1)]) {
      expect((await post(JSON.stringify(googleLead(wrong)))).status).toBe(401)
    }
    expect((await post(JSON.stringify({ ...googleLead(secret), google_key: undefined }))).status).toBe(401)
    expect(await leads()).toEqual([])
    expect(await post(JSON.stringify(googleLead(secret)))).toMatchObject({ status: 200, body: { lead_created: true } })
    expect(await leads()).toMatchObject([{ name: 'Ana Ruiz', email: 'ana@lead.example', source: 'google_ads' }])
    const trial = { ...googleLead(secret), lead_id: 'g-2', is_test: true }
    expect(await post(JSON.stringify(trial))).toMatchObject({ body: { skipped: true, reason: 'test_lead' } })
  })

  test('such as WhatsApp is authenticated by its signature', async () => {
    const { post, leads, secret } = await startPosting('whatsapp')
    const body = JSON.stringify(whatsapp('wamid.1'))
    const good = `sha256=${hexHmac(secret, body)}`
    for (const wrong of [
      `sha256=${hexHmac('other', body)}`,
      good.slice(0, -1),
      good.toUpperCase(),
      hexHmac(secret, body),
      '',
    ]) {
      expect([wrong, (await post(body, { 'x-hub-signature-256': wrong })).status]).toEqual([wrong, 401])
    }
    expect((await post(body)).status).toBe(401)
    expect(await leads()).toEqual([])
    expect(await post(body, { 'x-hub-signature-256': good })).toMatchObject({ body: { lead_created: true } })
    expect(await post(body, { 'x-hub-signature-256': good })).toMatchObject({ body: { duplicate: true } })
    expect(await leads()).toMatchObject([{ name: 'Ben', phone: expect.stringContaining('491705550123') }])
  })

  test('such as WhatsApp may hide the sender’s number, and reports statuses, which are not leads', async () => {
    const { post, leads, secret } = await startPosting('whatsapp')
    const signed = (body: string) => post(body, { 'x-hub-signature-256': `sha256=${hexHmac(secret, body)}` })
    const hidden = JSON.stringify(
      whatsapp('wamid.2', { profile: { name: 'Cem' }, user_id: 'US.13491208655302741918' }),
    ).replace('"from":"491705550123",', '"from_user_id":"US.13491208655302741918",')
    expect(await signed(hidden)).toMatchObject({ body: { lead_created: true } })
    const statuses = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ changes: [{ field: 'messages', value: { statuses: [{ id: 'wamid.3', status: 'read' }] } }] }],
    })
    expect(await signed(statuses)).toMatchObject({ status: 200, body: { skipped: true, reason: 'status_update' } })
    expect(await leads()).toHaveLength(1)
  })

  test('such as WhatsApp may report a deleted message, which is not a lead', async () => {
    const { post, leads, secret } = await startPosting('whatsapp')
    const body = JSON.stringify(whatsapp('wamid.4')).replace('"type":"text"', '"type":"revoke"')
    const answer = await post(body, { 'x-hub-signature-256': `sha256=${hexHmac(secret, body)}` })
    expect(answer).toMatchObject({ status: 200, body: { skipped: true, reason: 'message_deleted' } })
    expect(await leads()).toEqual([])
  })

  test('such as Facebook may report a lead without details, which is skipped with a reason', async () => {
    const { post, secret, leads } = await startPosting('facebook')
    const body = JSON.stringify({
      object: 'page',
      entry: [{ changes: [{ field: 'leadgen', value: { leadgen_id: 7 } }] }],
    })
    const answer = await post(body, { 'x-hub-signature-256': `sha256=${hexHmac(secret, body)}` })
    expect(answer).toMatchObject({ status: 200, body: { skipped: true, reason: 'details_not_included' } })
    expect(await leads()).toEqual([])
  })

  test('such as TikTok signs the time and the body, and sends no challenge', async () => {
    const { server, clock, post, leads, secret, path } = await startPosting('tiktok')
    const body = JSON.stringify({ lead_id: 't-1', name: 'Ada', email: 'ada@lead.example' })
    const seconds = Math.floor(clock.now() / 1_000_000)
    const signed = (key: string, at = seconds) => ({ 'tiktok-signature': `t=${at},s=${hexHmac(key, `${at}.${body}`)}` })
    expect((await post(body)).status).toBe(401)
    expect((await post(body, signed('other'))).status).toBe(401)
    expect((await post(body, signed(secret, seconds - 4 * 24 * 60 * 60))).status).toBe(401)
    expect(await leads()).toEqual([])
    expect(await post(body, signed(secret))).toMatchObject({ status: 200, body: { lead_created: true } })
    expect(await post(body, signed(secret))).toMatchObject({ status: 200, body: { duplicate: true } })
    expect(await leads()).toMatchObject([{ name: 'Ada', source: 'tiktok' }])
    expect(await call(server, { path: `${path}?challengeCode=1` })).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    })
  })

  test('such as LinkedIn signs in its own header', async () => {
    const { post, secret } = await startPosting('linkedin')
    const body = JSON.stringify({
      type: 'LEAD_ACTION',
      leadGenFormResponse: 'urn:li:leadGenFormResponse:1',
      leadAction: 'CREATED',
    })
    expect((await post(body, { 'x-li-signature': hexHmac('other', body) })).status).toBe(401)
    for (const signature of [hexHmac(secret, body), `hmacsha256=${hexHmac(secret, body)}`]) {
      expect(await post(body, { 'x-li-signature': signature })).toMatchObject({ status: 200, body: { skipped: true } })
    }
  })
})

onEveryStore('the signature of a LinkedIn challenge', (start) => {
  test('authenticates no delivery', async () => {
    const { server, workspaceId, secrets } = await startOpenSite(start)
    const path = `/api/webhooks/${workspaceId}/leads/linkedin`
    const code = '890e4665-4dfe-4ab1-b689-ed553bceeed0'
    const { body } = await call(server, { path: `${path}?challengeCode=${code}` })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const post = (headers: Record<string, string>) =>
      call(server, { method: 'POST', path, body: code, headers: { ...form, ...headers } })
    for (const signature of [body.challengeResponse, `hmacsha256=${body.challengeResponse}`])
      expect((await post({ 'x-li-signature': signature })).status).toBe(401)
    // It is not a lead with the secret, either.
    expect((await post({ 'x-service-webhook-secret': secrets.leads['linkedin'] ?? '' })).status).toBe(422)
    expect((await server.admin.leads.list({ workspace: workspaceId })).data).toEqual([])
  })

  test('is computed for no code that could be a delivery', async () => {
    const { server, workspaceId } = await startOpenSite(start)
    for (const code of ['', ' {}', '{"type":"LEAD_ACTION"}', 'x'.repeat(256)]) {
      const query = new URLSearchParams({ challengeCode: code })
      const { status, body } = await call(server, { path: `/api/webhooks/${workspaceId}/leads/linkedin?${query}` })
      const message = 'challengeCode must be 1 to 255 letters, digits, hyphens, dots, underscores, and tildes.'
      expect([code, status, body]).toEqual([code, 403, { message }])
    }
  })
})

onEveryStore(
  'the challenge of a lead platform',
  (start) => {
    async function startAsking(source: string) {
      const site = await startOpenSite(start)
      const { url } = await site.server.listen()
      const ask = async (query: Record<string, string>) => {
        const response = await fetch(
          `${url}/api/webhooks/${site.workspaceId}/leads/${source}?${new URLSearchParams(query)}`,
        )
        return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
      }
      return { secret: site.secrets.leads[source] ?? '', ask }
    }

    test.each(['facebook', 'whatsapp'])(
      'is echoed to %s as plain text if the verify token is correct',
      async (source) => {
        const { secret, ask } = await startAsking(source)
        const challenge = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444' }
        const answer = await ask({ ...challenge, 'hub.verify_token': secret })
        expect(answer).toEqual({ status: 200, type: expect.stringMatching(/^text\/plain/), text: '1158201444' })
        for (const wrong of ['', 'whs_wrong', secret.slice(0, -1)]) {
          expect((await ask({ ...challenge, 'hub.verify_token': wrong })).status).toBe(403)
        }
        expect((await ask(challenge)).status).toBe(403)
        const script = { ...challenge, 'hub.challenge': '<script> alert(1)', 'hub.verify_token': secret }
        expect((await ask(script)).status).toBe(403)
      },
    )

    test('from LinkedIn is signed with its secret', async () => {
      const { secret, ask } = await startAsking('linkedin')
      for (const challengeCode of ['890e4665-4dfe-4ab1-b689-ed553bceeed0', '7f_3.A~']) {
        const { status, text } = await ask({ challengeCode, applicationId: '7' })
        expect([status, JSON.parse(text)]).toEqual([
          200,
          { challengeCode, challengeResponse: hexHmac(secret, challengeCode) },
        ])
      }
      expect((await ask({ challengeCode: '{"type":"LEAD_ACTION"}' })).status).toBe(403)
    })

    test('is an ordinary ping for other sources', async () => {
      const { ask } = await startAsking('website')
      const { status, text } = await ask({ 'hub.mode': 'subscribe', 'hub.challenge': '1', challengeCode: '1' })
      expect([status, JSON.parse(text).source_hint]).toEqual([200, 'website'])
    })
  },
  ['memory'],
)
