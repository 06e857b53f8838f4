import { describe, expect, it } from 'vitest'
import { readLeads } from './read-lead.ts'

const read = (source: string, body: unknown) =>
  readLeads({
    source,
    headers: { 'Content-Type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(body)),
  })

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

  it('gives the person, the key to check and every other column', () => {
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

  it('is no lead when it is a test', () => {
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

  it('gives the sender, the text and the id of the message', () => {
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

  it('finds somebody who hides the number by the user id', () => {
    const hidden = {
      contacts: [{ profile: { name: 'Ada' }, user_id: 'US.1' }],
      messages: [{ ...text, from: undefined, from_user_id: 'US.1' }],
    }
    expect(deliver(hidden).leads[0]).toMatchObject({ name: 'Ada', phone: null, handle: 'whatsapp:US.1' })
    const alone = { messages: [{ ...text, from: 'US.2' }] }
    expect(deliver(alone).leads[0]).toMatchObject({ name: null, phone: null, handle: 'whatsapp:US.2' })
  })

  it('gives each of several senders their own name', () => {
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

  it('does not take a shared contact card for the sender', () => {
    const card = {
      ...text,
      type: 'contacts',
      text: undefined,
      contacts: [{ name: { formatted_name: 'Bob' }, phones: [{ phone: '+1 555' }] }],
    }
    expect(deliver({ contacts: [contact], messages: [card] }).leads[0]).toMatchObject({ name: 'Ada', message: null })
  })

  it('reads the answer to a flow out of its JSON string', () => {
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

  it('keeps the ad that somebody came from', () => {
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
  ])('is no enquiry when its message is %s', (_, message, reason) => {
    const messages = [{ from: '13105559811', id: 'wamid.2', ...message }]
    expect(deliver({ contacts: [contact], messages })).toMatchObject({
      leads: [],
      ignored: [{ reason, externalId: 'wamid.2' }],
    })
  })

  it('gives the other messages beside one that is none', () => {
    const reaction = { ...text, id: 'wamid.2', type: 'reaction', text: undefined, reaction: { emoji: '👍' } }
    expect(deliver({ contacts: [contact], messages: [reaction, text] })).toMatchObject({
      leads: [{ externalId: 'wamid.1' }],
      ignored: [{ reason: 'not_a_message' }],
    })
  })

  it('is read as well without what stands around its value', () => {
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
  ])('is no lead when it is %s', (_, value, field, reason) => {
    expect(deliver(value, field)).toMatchObject({ leads: [], ignored: [{ reason }] })
  })
})

describe('a Meta lead', () => {
  const field_data = [
    { name: 'full_name', values: ['Ada Lovelace'] },
    { name: 'email', values: ['ada@example.com'] },
    { name: 'favourite_colours', values: ['red', 'blue'] },
  ]
  const notify = (...values: object[]) =>
    read('facebook', { object: 'page', entry: [{ changes: values.map((value) => ({ field: 'leadgen', value })) }] })

  it('is read with its custom questions when the details were fetched', () => {
    expect(read('facebook', { id: 'l1', created_time: '2026-01-02T03:04:05+0000', field_data }).leads).toMatchObject([
      {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        externalId: 'l1',
        answers: [{ question: 'favourite colours', answer: 'red, blue' }],
      },
    ])
    expect(
      read('facebook', {
        data: [
          { id: 'l1', field_data },
          { id: 'l2', field_data },
        ],
      }).leads.map(({ externalId }) => externalId),
    ).toEqual(['l1', 'l2'])
    expect(notify({ leadgen_id: 'l3', field_data }).leads[0]).toMatchObject({ name: 'Ada Lovelace', externalId: 'l3' })
  })

  it('is read when a relay put the details beside the ids', () => {
    const details = { full_name: 'Ada Lovelace', email: 'ada@example.com', phone_number: '+442079460018' }
    expect(notify({ leadgen_id: 'l4', page_id: '7', created_time: 1_700_000_000, ...details }).leads).toMatchObject([
      { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+442079460018', answers: [], externalId: 'l4' },
    ])
  })

  it('is announced without details, once for each', () => {
    expect(notify({ leadgen_id: 444 }, { leadgen_id: '555' })).toMatchObject({
      leads: [],
      ignored: [
        { reason: 'details_not_included', externalId: '444' },
        { reason: 'details_not_included', externalId: '555' },
      ],
    })
  })

  it('is no lead when the test tool made it, or when something else happened on the page', () => {
    const dummy = [{ name: 'full_name', values: ['<test lead: dummy data for full_name>'] }]
    expect(notify({ leadgen_id: 'l1', field_data: dummy }).ignored).toEqual([{ reason: 'test_lead', externalId: 'l1' }])
    expect(read('facebook', { object: 'page', entry: [{ messaging: [] }] }).ignored).toEqual([
      { reason: 'not_a_lead', externalId: null },
    ])
  })
})

describe('a LinkedIn lead', () => {
  const notice = { type: 'LEAD_ACTION', leadAction: 'CREATED', leadGenFormResponse: 'urn:li:leadGenFormResponse:1' }

  it('is announced by its URN only', () => {
    expect(read('linkedin', notice)).toMatchObject({
      leads: [],
      ignored: [{ reason: 'details_not_included', externalId: notice.leadGenFormResponse }],
    })
  })

  it('is withdrawn by the member', () => {
    expect(read('linkedin', { ...notice, leadAction: 'DELETED' }).ignored[0]?.reason).toBe('withdrawn')
  })

  it('is read when somebody fetched the answers', () => {
    const answer = (predefinedField: string, value: string) => ({
      predefinedField,
      answerDetails: { textQuestionAnswer: { answer: value } },
    })
    const answers = [
      answer('FIRST_NAME', 'Ada'),
      answer('LAST_NAME', 'Lovelace'),
      answer('EMAIL', 'ada@example.com'),
      answer('COMPANY_NAME', 'Engines'),
    ]
    expect(read('linkedin', { ...notice, formResponse: { answers } }).leads).toMatchObject([
      { name: 'Ada Lovelace', email: 'ada@example.com', company: 'Engines', externalId: notice.leadGenFormResponse },
    ])
  })
})

describe('a TikTok lead', () => {
  it.each([
    ['flat', { lead_id: 't1', name: 'Ada', email: 'ada@example.com' }],
    ['under lead', { lead: { lead_id: 't1', full_name: 'Ada', email: 'ada@example.com' } }],
    [
      'as a list',
      {
        lead_id: 't1',
        changes: [
          { field: 'Name', value: 'Ada' },
          { field: 'Email', value: 'ada@example.com' },
        ],
      },
    ],
    [
      'per entry',
      {
        entry: [
          {
            lead_id: 't1',
            changes: [
              { field: 'name', value: 'Ada' },
              { field: 'email', value: 'ada@example.com' },
            ],
          },
        ],
      },
    ],
  ])('is read %s', (_, body) => {
    expect(read('tiktok', body).leads).toMatchObject([
      { name: 'Ada', email: 'ada@example.com', externalId: 't1', answers: [] },
    ])
  })

  it('may be announced by its id only', () => {
    expect(read('tiktok', { lead_id: 't1', page_id: 'p1', create_time: 1 }).ignored).toEqual([
      { reason: 'details_not_included', externalId: 't1' },
    ])
  })
})
