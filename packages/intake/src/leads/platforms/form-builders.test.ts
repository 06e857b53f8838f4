import { describe, expect, it } from 'vitest'
import { readLeads } from '../read-lead.ts'

const read = (body: unknown, source = 'website') =>
  readLeads({ source, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) })
const readForm = (fields: Record<string, string>) =>
  readLeads({
    source: 'website',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new TextEncoder().encode(new URLSearchParams(fields).toString()),
  })

const email = 'ada@example.com'

describe('a Webflow form', () => {
  const data = { 'First Name': 'Ada', 'Last Name': 'Lovelace', email, 'Phone Number': 442079460018 }

  it("gives the person of `data`, and the form's name as an answer", () => {
    const payload = { name: 'Contact Us', siteId: 's', data, schema: [{ fieldName: 'email' }], id: 'w1', formId: 'f' }
    expect(read({ triggerType: 'form_submission', payload }).leads).toMatchObject([
      {
        name: 'Ada Lovelace',
        email,
        phone: '442079460018',
        externalId: 'w1',
        answers: [{ question: 'Form', answer: 'Contact Us' }],
      },
    ])
    expect(read({ name: 'Sample Form', site: 's', data: { email }, _id: 'w2' }).leads).toMatchObject([
      { name: null, email, externalId: 'w2' },
    ])
  })
})

describe('a Calendly meeting', () => {
  const hosts = [{ user_email: 'host@example.org', user_name: 'Host' }]
  const payload = {
    uri: 'https://calendly.test/invitees/1',
    name: 'Ada Lovelace',
    email,
    text_reminder_number: null,
    questions_and_answers: [
      { question: 'Company', answer: 'Engines' },
      { question: 'Topic?', answer: 'A demo' },
    ],
    scheduled_event: {
      name: 'Intro',
      start_time: '2026-01-01T09:00:00Z',
      event_memberships: hosts,
      event_guests: [{ email: 'guest@example.org' }],
      location: { type: 'outbound_call', location: '+44 20 7946 0018' },
    },
  }

  it('gives the invitee of version 2, who may be called at the place of the meeting', () => {
    expect(read({ event: 'invitee.created', payload }).leads).toMatchObject([
      {
        name: 'Ada Lovelace',
        email,
        phone: '+44 20 7946 0018',
        company: 'Engines',
        externalId: payload.uri,
        answers: [
          { question: 'Topic?', answer: 'A demo' },
          { question: 'Meeting', answer: 'Intro' },
          { question: 'Time', answer: '2026-01-01T09:00:00Z' },
        ],
      },
    ])
  })

  it('gives the invitee of version 1, and never the host', () => {
    const v1 = {
      event_type: { name: 'Intro' },
      event: { extended_assigned_to: [{ name: 'Host', email: 'host@example.org' }] },
      invitee: {
        uuid: 'u1',
        first_name: 'Ada',
        last_name: 'Lovelace',
        email,
        text_reminder_number: '+44 20 7946 0018',
      },
    }
    expect(read({ event: 'invitee.created', payload: v1 }).leads).toMatchObject([
      { name: 'Ada Lovelace', email, phone: '+44 20 7946 0018', externalId: 'u1' },
    ])
  })

  it('is no enquiry when it was cancelled or missed', () => {
    expect(read({ event: 'invitee.canceled', payload })).toMatchObject({
      leads: [],
      ignored: [{ reason: 'cancelled' }],
    })
    expect(read({ event: 'invitee_no_show.created', payload }).ignored[0]?.reason).toBe('not_a_lead')
  })

  it('has the questions of version 1 within the invitee', () => {
    const invitee = { uuid: 'I1', name: 'Ada Lovelace', email, questions_and_answers: payload.questions_and_answers }
    expect(read({ event: 'invitee.created', payload: { invitee } }).leads).toMatchObject([
      { name: 'Ada Lovelace', email, company: 'Engines', answers: [{ answer: 'A demo' }] },
    ])
  })
})

describe('a Cal.com booking', () => {
  const payload = {
    uid: 'b1',
    type: '60min',
    organizer: { name: 'Host', email: 'host@example.org' },
    attendees: [{ name: 'Ada Lovelace', email }],
    responses: {
      name: { label: 'your_name', value: 'Ada Lovelace' },
      notes: { label: 'additional_notes', value: 'Hello' },
    },
  }

  it('gives the attendee and what was answered, and not the organiser', () => {
    expect(read({ triggerEvent: 'BOOKING_CREATED', payload }).leads).toMatchObject([
      { name: 'Ada Lovelace', email, message: 'Hello', externalId: 'b1' },
    ])
  })

  it('may have nothing but the booking itself, and notes beside it', () => {
    const { organizer, uid } = payload
    const alone = { uid, organizer, name: 'Ada Lovelace', email }
    for (const sent of [alone, { ...alone, attendees: payload.attendees, additionalNotes: 'Hello' }])
      expect(read({ triggerEvent: 'BOOKING_CREATED', payload: sent }).leads).toMatchObject([
        { name: 'Ada Lovelace', email, message: 'additionalNotes' in sent ? 'Hello' : null },
      ])
  })

  it('is no enquiry when it was cancelled', () => {
    expect(read({ triggerEvent: 'BOOKING_CANCELLED', payload }).ignored).toEqual([
      { reason: 'cancelled', externalId: 'b1' },
    ])
    expect(read({ triggerEvent: 'PING', payload: {} }).ignored[0]?.reason).toBe('not_a_lead')
  })
})

describe('a Tally form', () => {
  const options = [
    { id: 'o1', text: 'Pro' },
    { id: 'o2', text: 'Free' },
  ]

  it('names choices by their text', () => {
    const fields = [
      { key: 'q1', label: 'Your full name', type: 'INPUT_TEXT', value: 'Ada Lovelace' },
      { key: 'q2', label: 'Where can we write?', type: 'INPUT_EMAIL', value: email },
      { key: 'q3', label: 'Plans', type: 'CHECKBOXES', value: ['o1', 'o2'], options },
      { key: 'q3_o1', label: 'Plans (Pro)', type: 'CHECKBOXES', value: true },
      { key: 'q4', label: 'Company', type: 'DROPDOWN', value: ['c1'], options: [{ id: 'c1', text: 'Engines' }] },
    ]
    expect(
      read({ eventType: 'FORM_RESPONSE', data: { submissionId: 's1', formName: 'Form', fields } }).leads,
    ).toMatchObject([
      {
        name: 'Ada Lovelace',
        email,
        company: 'Engines',
        externalId: 's1',
        answers: [{ question: 'Plans', answer: 'Pro, Free' }],
      },
    ])
  })

  it('is read as well when a relay made its fields an object', () => {
    const body = {
      eventType: 'FORM_RESPONSE',
      data: { formName: 'Form', fields: { 'Your Name': 'Ada', 'Your Email': email } },
    }
    expect(read(body).leads).toMatchObject([{ name: 'Ada', email }])
  })
})

describe('a Typeform', () => {
  it('is read by the titles of its questions, several choices as one answer', () => {
    const definition = {
      fields: [
        { id: 'a', title: "What's your first name?" },
        { id: 'b', title: 'And your last name?' },
        { id: 'c', title: 'What is the name of your company?' },
      ],
    }
    const answer = (id: string, text: string) => ({ type: 'text', text, field: { id, ref: '01H8' } })
    const choices = {
      type: 'choices',
      choices: { labels: ['A', 'B'], other: 'C' },
      field: { id: 'z', title: 'Which?' },
    }
    const answers = [answer('a', 'Ada'), answer('b', 'Lovelace'), answer('c', 'Engines'), choices]
    const body = { form_response: { token: 't', definition, answers, hidden: { email } } }
    expect(read(body).leads).toMatchObject([
      { name: 'Ada Lovelace', company: 'Engines', email, answers: [{ question: 'Which?', answer: 'A, B, C' }] },
    ])
  })
})

describe('a form with numbered fields', () => {
  it('of Wufoo is read by its structure', () => {
    const FieldStructure = JSON.stringify({
      Fields: [
        {
          ID: 'Field1',
          Title: 'Name',
          Type: 'shortname',
          SubFields: [
            { ID: 'Field1', Label: 'First' },
            { ID: 'Field2', Label: 'Last' },
          ],
        },
        { ID: 'Field3', Title: 'Reach you at', Type: 'email' },
        { ID: 'Field5', Title: 'Your Message' },
      ],
    })
    const body = { Field1: 'Ada', Field2: 'Lovelace', Field3: email, Field5: 'Hello', FieldStructure, EntryId: '42' }
    expect(readForm(body).leads).toMatchObject([{ name: 'Ada Lovelace', email, message: 'Hello', externalId: '42' }])
  })

  it('of Gravity Forms is read by its inputs and its values, and an address is no name', () => {
    const body = {
      ...{ id: '12', form_id: '3', source_url: 'https://example.com/', ip: '192.0.2.1', status: 'active' },
      ...{
        '1.3': 'Ada',
        '1.6': 'Lovelace',
        '2': email,
        '3': '(555) 010-0101',
        '4.1': 'Street 1',
        '4.3': 'London',
        '4.6': 'UK',
      },
    }
    const [lead] = read(body).leads
    expect(lead).toMatchObject({ name: 'Ada Lovelace', email, phone: '(555) 010-0101', externalId: '12' })
    expect(lead?.answers.map(({ answer }) => answer)).toEqual(['Street 1', 'London', 'UK'])
    const entry = { '1.3': 'Ada', '1.6': 'Lovelace', '2': email }
    expect(read({ form_id: 3, entry }).leads).toMatchObject([{ name: 'Ada Lovelace', email }])
  })
})

describe('other forms', () => {
  it('of Netlify say everything twice and are read once', () => {
    const data = { name: 'Ada', email, comments: 'Hello', ip: '192.0.2.1' }
    const body = {
      id: 'n1',
      title: 'Ada',
      summary: 'Hello',
      human_fields: { 'Name:': 'Ada' },
      data,
      form_name: 'contact',
    }
    expect(read(body).leads).toMatchObject([
      { name: 'Ada', email, message: 'Hello', externalId: 'n1', answers: [{ question: 'Form', answer: 'contact' }] },
    ])
  })

  it('of Formstack may hold a name in one text', () => {
    const body = { FormID: '1', UniqueID: '2', Name: 'first = Ada\n\nlast = Lovelace', Email: email }
    expect(readForm(body).leads).toMatchObject([{ name: 'Ada Lovelace', email, externalId: '2' }])
  })

  it("of HubSpot tell a company's name from the contact's", () => {
    const fields = [
      { objectTypeId: '0-1', name: 'firstname', value: 'Ada' },
      { objectTypeId: '0-1', name: 'email', value: email },
      { objectTypeId: '0-2', name: 'name', value: 'Engines' },
    ]
    expect(read({ fields }).leads).toMatchObject([{ name: 'Ada', email, company: 'Engines' }])
    const contact = { vid: 7, properties: { firstname: { value: 'Ada' }, email: { value: email } } }
    expect(read(contact).leads).toMatchObject([{ name: 'Ada', email, externalId: null }])
    expect(read([{ subscriptionType: 'contact.creation', objectId: 123 }]).ignored).toEqual([
      { reason: 'details_not_included', externalId: '123' },
    ])
  })

  it('may be nested and written with hyphens', () => {
    const body = { profile: { 'first-name': 'Ada', 'last-name': 'Lovelace', email }, organization: { name: 'Engines' } }
    expect(read(body).leads).toMatchObject([{ name: 'Ada Lovelace', email, company: 'Engines' }])
  })

  it('do not take hosts, owners and agents for the person', () => {
    const others = { hosts: [{ name: 'Host', email: 'host@example.org' }], contact_owner_email: 'owner@example.org' }
    expect(read({ ...others, attendees: [{ name: 'Ada', email }] }).leads).toMatchObject([{ name: 'Ada', email }])
    expect(read({ name: 'Ada', ...others }).leads[0]?.email).toBeNull()
  })

  it('may bring several people in one list', () => {
    const people = [
      { name: 'Ada', email },
      { name: 'Grace', email: 'grace@example.com' },
    ]
    expect(read({ leads: people }).leads.map(({ name }) => name)).toEqual(['Ada', 'Grace'])
    expect(
      read({ RESPONSE: people.map(({ name, email }) => ({ SENDER_NAME: name, SENDER_EMAIL: email })) }).leads,
    ).toHaveLength(2)
  })

  it('with more values than a hundred leads have are refused', () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 1]))
    expect(() => read(many)).toThrow('more than 10000 values')
  })
})

describe('Meta leads by relays', () => {
  it('may hold their fields in an object, and those of the test tool are none', () => {
    expect(read({ id: '1', field_data: { full_name: 'Ada', email } }).leads).toMatchObject([
      { name: 'Ada', email, externalId: '1' },
    ])
    expect(
      read({ leadId: '1', full_name: '<test lead: dummy data for full_name>', email: 'test@meta.com' }),
    ).toMatchObject({
      leads: [],
      ignored: [{ reason: 'test_lead', externalId: '1' }],
    })
  })
})

describe('a message by Twilio', () => {
  const message = {
    MessageSid: 'SM1',
    AccountSid: 'AC1',
    From: 'whatsapp:+442079460018',
    ProfileName: 'Ada',
    Body: 'Hello',
  }

  it('gives the sender and the text', () => {
    expect(readForm({ ...message, SmsStatus: 'received' }).leads).toMatchObject([
      { name: 'Ada', phone: '+442079460018', message: 'Hello', externalId: 'SM1' },
    ])
  })

  it('is no enquiry when only its status changed', () => {
    expect(readForm({ ...message, MessageStatus: 'delivered' }).ignored).toEqual([
      { reason: 'status_update', externalId: 'SM1' },
    ])
  })
})

describe('an event of the TikTok portal', () => {
  it('that tells of a video is no lead', () => {
    expect(read({ event: 'video.publish.completed', content: '{}' }, 'tiktok').ignored[0]?.reason).toBe('not_a_lead')
  })
})
