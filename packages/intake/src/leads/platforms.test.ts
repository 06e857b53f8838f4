import { describe, expect, it } from 'vitest'
import { readJson } from './testing.ts'

const read = (source: string, body: unknown) => readJson(body, source)

describe('a Google Ads lead form', () => {
  const column = (column_id: string, string_value: string, column_name = column_id) => ({
    column_id,
    column_name,
    string_value,
  })
  const body = {
    lead_id: 'g1',
    google_key: 'shared',
    is_test: false,
    user_column_data: [
      column('FIRST_NAME', 'Ada'),
      column('LAST_NAME', 'Lovelace'),
      column('WORK_EMAIL', 'ada@example.com'),
      column('PHONE_NUMBER', '+1 310-555-9811'),
      column('COMPANY_NAME', 'Engines'),
      column('CITY', 'London', 'City'),
    ],
  }

  it('is read into a person, the key to check, and all other columns', () => {
    const reading = read('google_ads', body)
    expect(reading.bodyKey).toBe('shared')
    expect(reading.leads).toEqual([
      {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        phone: '+1 310-555-9811',
        company: 'Engines',
        message: null,
        answers: [{ question: 'City', answer: 'London' }],
        handle: null,
        externalId: 'g1',
        scope: expect.any(String),
        source: 'google_ads',
      },
    ])
  })

  it('prefers FULL_NAME and EMAIL', () => {
    const columns = [column('FULL_NAME', 'Ada King'), column('EMAIL', 'ada@around.example')]
    expect(read('google_ads', { ...body, user_column_data: columns }).leads[0]).toMatchObject({
      name: 'Ada King',
      email: 'ada@around.example',
    })
  })

  it('is ignored if it is a test', () => {
    expect(read('google_ads', { ...body, is_test: true })).toMatchObject({
      leads: [],
      ignored: [{ reason: 'test_lead', externalId: 'g1' }],
    })
  })
})

describe('a WhatsApp delivery', () => {
  const contact = { profile: { name: 'Ada' }, wa_id: '13105559811', user_id: 'US.1' }
  const text = { from: '13105559811', id: 'wamid.1', timestamp: '1697044621', type: 'text', text: { body: 'Hello' } }
  const deliver = (value: object, field = 'messages') =>
    read('whatsapp', { object: 'whatsapp_business_account', entry: [{ changes: [{ field, value }] }] })

  it('is read into the sender, the text, and the id of the message', () => {
    expect(deliver({ contacts: [contact], messages: [text] }).leads).toMatchObject([
      {
        name: 'Ada',
        phone: '+13105559811',
        message: 'Hello',
        handle: 'whatsapp:US.1',
        externalId: 'wamid.1',
        source: 'whatsapp',
      },
    ])
  })

  it('identifies a person with a hidden number by the user id', () => {
    const hidden = {
      contacts: [{ profile: { name: 'Ada' }, user_id: 'US.1' }],
      messages: [{ ...text, from: undefined, from_user_id: 'US.1' }],
    }
    expect(deliver(hidden).leads[0]).toMatchObject({ name: 'Ada', phone: null, handle: 'whatsapp:US.1' })
    const alone = { messages: [{ ...text, from: 'US.2' }] }
    expect(deliver(alone).leads[0]).toMatchObject({ name: null, phone: null, handle: 'whatsapp:US.2' })
  })

  it('gives each sender their own name', () => {
    const other = { profile: { name: 'Grace' }, wa_id: '12025550123' }
    const reading = deliver({
      contacts: [other, contact],
      messages: [text, { ...text, from: '12025550123', id: 'wamid.2' }],
    })
    expect(reading.leads.map(({ name, phone }) => [name, phone])).toEqual([
      ['Ada', '+13105559811'],
      ['Grace', '+12025550123'],
    ])
  })

  it('does not use a shared contact card as the sender', () => {
    const card = {
      ...text,
      type: 'contacts',
      text: undefined,
      contacts: [{ name: { formatted_name: 'Bob' }, phones: [{ phone: '+1 555' }] }],
    }
    expect(deliver({ contacts: [contact], messages: [card] }).leads[0]).toMatchObject({ name: 'Ada', message: null })
  })

  it('reads the answers of a flow from its JSON string', () => {
    const response_json = JSON.stringify({ flow_token: 't', email: 'ada@example.com', company: 'Engines', size: '10' })
    const reply = {
      ...text,
      type: 'interactive',
      text: undefined,
      interactive: { type: 'nfm_reply', nfm_reply: { response_json } },
    }
    expect(deliver({ contacts: [contact], messages: [reply] }).leads[0]).toMatchObject({
      name: 'Ada',
      email: 'ada@example.com',
      company: 'Engines',
      answers: [{ question: 'size', answer: '10' }],
    })
    const broken = { ...reply, interactive: { nfm_reply: { response_json: '{oops' } } }
    expect(deliver({ contacts: [contact], messages: [broken] }).leads[0]?.message).toBe('{oops')
  })

  it('keeps the source ad', () => {
    const referral = { headline: 'Spring sale', source_url: 'https://fb.me/x', source_id: '1' }
    expect(deliver({ contacts: [contact], messages: [{ ...text, referral }] }).leads[0]?.answers).toEqual([
      { question: 'Ad', answer: 'Spring sale' },
      { question: 'Ad link', answer: 'https://fb.me/x' },
    ])
  })

  it.each([
    ['a deleted message', { type: 'revoke', revoke: { original_message_id: 'wamid.0' } }, 'message_deleted'],
    [
      'one that is said to be deleted',
      { type: 'unsupported', unsupported: { type: 'message_deleted' } },
      'message_deleted',
    ],
    [
      'one with the error that it was deleted',
      { type: 'unsupported', errors: [{ title: 'Message deleted' }] },
      'message_deleted',
    ],
    ['a reaction', { type: 'reaction', reaction: { emoji: '👍', message_id: 'wamid.0' } }, 'not_a_message'],
    ['an edit', { type: 'unsupported', unsupported: { type: 'edit' } }, 'not_a_message'],
  ])('is ignored if its message is %s', (_, message, reason) => {
    const messages = [{ from: '13105559811', id: 'wamid.2', ...message }]
    expect(deliver({ contacts: [contact], messages })).toMatchObject({
      leads: [],
      ignored: [{ reason, externalId: 'wamid.2' }],
    })
  })

  it('is read into its other messages if one is ignored', () => {
    const reaction = { ...text, id: 'wamid.2', type: 'reaction', text: undefined, reaction: { emoji: '👍' } }
    expect(deliver({ contacts: [contact], messages: [reaction, text] })).toMatchObject({
      leads: [{ externalId: 'wamid.1' }],
      ignored: [{ reason: 'not_a_message' }],
    })
  })

  it('is read without its envelope', () => {
    const value = { messaging_product: 'whatsapp', contacts: [contact], messages: [text] }
    expect(read('whatsapp', [value]).leads).toMatchObject([{ name: 'Ada', message: 'Hello', externalId: 'wamid.1' }])
    const changes = [{ value: { contacts: [contact], messages: [text] } }]
    expect(read('whatsapp', { entry: [{ changes }] }).leads).toMatchObject([{ name: 'Ada', message: 'Hello' }])
  })

  it.each([
    ['a status', { statuses: [{ id: 'wamid.1', status: 'read' }] }, 'messages', 'status_update'],
    ['an echo', { message_echoes: [text] }, 'smb_message_echoes', 'echo'],
    ['history', { history: [] }, 'history', 'echo'],
    ['a system message', { contacts: [contact], messages: [{ ...text, type: 'system' }] }, 'messages', 'not_a_lead'],
    ['a change of the account', { event: 'x' }, 'account_update', 'not_a_lead'],
  ])('is ignored if it is %s', (_, value, field, reason) => {
    expect(deliver(value, field)).toMatchObject({ leads: [], ignored: [{ reason }] })
  })
})

describe('a Gravity Forms entry', () => {
  it('is read by its input numbers, and an address is not a name', () => {
    const names = { '1.3': 'Ada', '1.6': 'Lovelace', '2': 'ada@example.com' }
    const address = { '4.1': 'Street 1', '4.3': 'London', '4.6': 'UK' }
    const body = { id: '12', form_id: '3', source_url: 'https://example.com/', status: 'active', ...names, ...address }
    const [lead] = read('website', { ...body, '3': '(555) 010-0101' }).leads
    expect(lead).toMatchObject({ name: 'Ada Lovelace', phone: '(555) 010-0101', externalId: '12' })
    expect(lead?.answers.map(({ answer }) => answer)).toEqual(['Street 1', 'London', 'UK'])
    expect(read('website', { form_id: 3, entry: names }).leads).toMatchObject([{ name: 'Ada Lovelace' }])
  })
})
