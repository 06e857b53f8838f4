import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leadNotes } from './captured-lead.ts'
import { readLeads } from './read-lead.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const readJson = (body: unknown, source = 'website') =>
  readLeads({ source, headers: {}, body: encode(JSON.stringify(body)) })
const readForm = (form: Record<string, string> | string) =>
  readLeads({
    source: 'website',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encode(new URLSearchParams(form).toString()),
  })

const person = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
  company: 'Analytical Engines',
  message: 'Please call.\nThanks!',
}
const emailField = { label: 'Email address', response: person.email }
const halves = { first_name: 'Ada', last_name: 'Lovelace' }
const lead = { ...person, answers: [], handle: null, externalId: null, source: 'website' }

describe('a lead from a form', () => {
  it('is read from the documented body, the same in JSON and as a form', () => {
    expect(readJson(person)).toEqual({ leads: [lead], ignored: [], bodyKey: null })
    expect(readForm(person)).toEqual(readJson(person))
  })

  it('knows who has a first name for a person, whatever the objects around are called', () => {
    const consumer = { first_name: 'Ada', last_name: 'Lovelace', email: person.email, phone: person.phone }
    expect(readJson({ Lead: { lead_info: { consumer }, property_info: { city: 'London' } } }).leads).toMatchObject([
      { name: 'Ada Lovelace', email: person.email, phone: person.phone },
    ])
    const record = { fields: { fullName: person.name, primaryEmail: person.email, companyName: person.company } }
    expect(readJson({ request: { record } }).leads).toMatchObject([
      { name: person.name, email: person.email, company: person.company },
    ])
    const firm = { company: { name: person.company, city: 'London' }, first_name: 'Ada', email: person.email }
    expect(readJson({ lead: firm }).leads).toMatchObject([{ name: 'Ada', company: person.company }])
  })

  it('is the same in JSON and as a form whatever is written in it', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    const body = fc.record({ name: text, email: text, phone: text, company: text, message: text, budget: text })
    fc.assert(
      fc.property(body, (filled) => {
        expect(readForm(filled)).toEqual(readJson(filled))
      }),
    )
  })

  it.each([
    ['first and last name', { first_name: 'Ada', last_name: 'Lovelace' }],
    ['camel case', { firstName: 'Ada', lastName: 'Lovelace' }],
    ['full_name', { full_name: 'Ada Lovelace' }],
    ['spaces and stars', { 'Full Name *': 'Ada Lovelace' }],
    ['Contact Form 7', { 'your-name': 'Ada Lovelace' }],
    ['name and surname', { name: 'Ada', surname: 'Lovelace' }],
    ['a split name', { name: { first: 'Ada', last: 'Lovelace' } }],
    ['German', { Vorname: 'Ada', Nachname: 'Lovelace' }],
    ['a wrapper', { data: { contact: { name: 'Ada Lovelace' } } }],
    ['HubSpot properties', { properties: { firstname: { value: 'Ada' }, lastname: { value: 'Lovelace' } } }],
    ['a list of fields', { fields: [{ name: 'full_name', value: 'Ada Lovelace' }] }],
    ['Elementor', { fields: { field_1: { id: 'name', type: 'text', title: 'Your name', value: 'Ada Lovelace' } } }],
  ])('has its name found in %s', (_, body) => {
    expect(readJson(body).leads[0]?.name).toBe('Ada Lovelace')
  })

  it('is read from names with brackets', () => {
    const form = {
      'fields[name]': 'Ada Lovelace',
      'fields[email][value]': 'ada@example.com',
      'form_fields[tel]': '020 7946 0018',
    }
    expect(readForm(form).leads[0]).toMatchObject({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: '020 7946 0018',
    })
  })

  it('is read from JSON that a form carries in one field', () => {
    expect(readForm({ rawRequest: JSON.stringify(person), formID: '7' }).leads).toEqual([lead])
  })

  it("does not take another thing's name for the person's", () => {
    const body = {
      form: { id: 'f1', name: 'Contact us' },
      company: { name: 'ACME' },
      campaign: { name: 'Spring' },
      email: 'ada@example.com',
    }
    expect(readJson(body).leads[0]).toMatchObject({ name: null, company: 'ACME' })
  })

  it('keeps the person when a deal has a name and a value', () => {
    expect(readJson({ name: 'Ada', value: 500 }).leads[0]).toMatchObject({
      name: 'Ada',
      answers: [{ question: 'value', answer: '500' }],
    })
  })

  it('keeps every other question and leaves out what is for machines', () => {
    const body = {
      ...person,
      'Preferred time': 'Morning',
      topics: ['A', 'B'],
      _wpnonce: 'x',
      'g-recaptcha-response': 'y',
      csrf_token: 'z',
      password: 'p',
    }
    const [read] = readJson(body).leads
    expect(read?.answers).toEqual([
      { question: 'Preferred time', answer: 'Morning' },
      { question: 'topics', answer: 'A, B' },
    ])
    expect(leadNotes(read ?? lead)).toBe('Please call.\nThanks!\n\nPreferred time: Morning\ntopics: A, B')
  })

  it('keeps an address or a number that is none as an answer', () => {
    const [read] = readJson({ name: 'Ada', email: 'ask me', phone: 'after six' }).leads
    expect(read).toMatchObject({ email: null, phone: null })
    expect(read?.answers).toEqual([
      { question: 'email', answer: 'ask me' },
      { question: 'phone', answer: 'after six' },
    ])
  })

  it('finds an address under a label nobody knows', () => {
    expect(readJson({ name: 'Ada', 'How can we reach you?': 'ada@example.com' }).leads[0]).toMatchObject({
      email: 'ada@example.com',
      answers: [],
    })
  })

  it('keeps text inert and headers out of it', () => {
    const [read] = readJson({ name: 'Ada\r\nBcc: x@example.com', message: '<script>alert(1)</script>' }).leads
    expect(read).toMatchObject({ name: 'Ada Bcc: x@example.com', message: '<script>alert(1)</script>' })
  })

  it('joins the questions and answers of Typeform', () => {
    const body = {
      event_id: 'e1',
      form_response: {
        token: 't1',
        definition: {
          fields: [
            { id: 'a', title: 'What is your name?' },
            { id: 'b', title: 'Where?' },
            { id: 'c', title: 'Team size' },
          ],
        },
        answers: [
          { type: 'text', text: 'Ada', field: { id: 'a', ref: 'name', type: 'short_text' } },
          { type: 'email', email: 'ada@example.com', field: { id: 'b', ref: 'x1' } },
          { type: 'choice', choice: { label: '2–10' }, field: { id: 'c', ref: 'x2' } },
        ],
      },
    }
    expect(readJson(body).leads[0]).toMatchObject({
      name: 'Ada',
      email: 'ada@example.com',
      externalId: 't1',
      answers: [{ question: 'Team size', answer: '2–10' }],
    })
  })

  it('has the first of several addresses and numbers, and keeps all of them', () => {
    const several = { name: 'Ada', email: [person.email, 'work@example.com'], phone: `${person.phone}; 020 7946 0019` }
    expect(readJson(several).leads).toMatchObject([
      {
        email: person.email,
        phone: person.phone,
        answers: [
          { question: 'email', answer: `${person.email}, work@example.com` },
          { question: 'phone', answer: several.phone },
        ],
      },
    ])
  })

  it('takes no time and no address of the web for a name', () => {
    const body = { 'last contact': '2026-02-04T13:36:55+00:00', first: 'https://a.example', email: person.email }
    expect(readJson(body).leads).toMatchObject([{ name: null, email: person.email }])
  })

  it.each([
    [
      'a contact that is written as a channel',
      {
        channel: { name: 'Support', value: 'support@shop.example', type: 'email' },
        from_contact: { name: person.name, value: person.email, type: 'email' },
      },
    ],
    ['the name beside the address', { session: { email: person.email, name: person.name }, rating: 4 }],
    ['a name of several words where a login may stand', { user_name: person.name, user_email: person.email }],
    [
      'a contact, not the user who talked to them',
      {
        contact: { first_name: 'Ada', last_name: 'Lovelace', email: person.email },
        user: { name: 'Bo Agent', email: 'bo@shop.example' },
      },
    ],
    [
      'a participant, not the one whose meeting it is',
      {
        participants: [
          { isOwner: true, user: { firstName: 'Bo', lastName: 'Agent', email: 'bo@shop.example' } },
          { guest: { firstName: 'Ada', lastName: 'Lovelace', email: person.email } },
        ],
      },
    ],
    [
      'fields of a contact',
      { contact_fields: { FirstName: 'Ada', LastName: 'Lovelace' }, contact_email: person.email },
    ],
    ['labels as people write them', { form: { 'First name': 'Ada', 'Last name': 'Lovelace', Email: person.email } }],
    ['whoever wrote', { from_name: person.name, email: person.email }],
  ])('is read: %s', (_, body) => {
    expect(readJson(body).leads).toMatchObject([{ name: person.name, email: person.email }])
  })

  it('finds no name in the headings and buttons of a form', () => {
    const answers = {
      1: { name: 'heading', order: '1', text: 'Our form', type: 'control_head' },
      2: { name: 'mail', text: 'E-mail', type: 'control_email', answer: person.email },
    }
    expect(readJson({ answers }).leads).toMatchObject([{ name: null, email: person.email }])
  })

  it('finds a number with a plus under any name, but no fax and no machine', () => {
    const { phone } = person
    expect(readJson({ to: phone, widget: 'Call me' }).leads).toMatchObject([{ phone }])
    expect(readJson({ identifiers: [{ type: 'sms', id: phone }] }).leads).toMatchObject([{ phone }])
    expect(readJson({ name: 'Ada', fax: phone, display_number: phone }).leads).toMatchObject([{ phone: null }])
  })

  it.each([
    ['what somebody calls themselves', { nickname: person.name, email: person.email }],
    ['called as the address is', { author_email: person.email, author_name: person.name }],
    ['details of an invitee', { booker_email: person.email, invitee_details: { name: person.name } }],
    ['the answers in a list of their own', { data: [[{ label: 'Full name', response: person.name }, emailField]] }],
    ['a member as it is now', { member: { current: { name: person.name, email: person.email }, previous: {} } }],
    ['variables', { email: person.email, variables: { name: person.name } }],
    ['the node of a graph', { node: { name: '#1001', email: person.email, address: { ...halves } } }],
    ['halves in an address', { billingAddress: { givenName: 'Ada', familyName: 'Lovelace', email: person.email } }],
    [
      'both halves beside the address',
      { order: { items: [{ name: 'Cake' }], customer: { ...halves, email: person.email } } },
    ],
    ['both halves above an address', { email: person.email, ...halves, address: { name: 'Charles Babbage' } }],
  ])('is read where the name is %s', (_, body) => {
    expect(readJson(body).leads).toMatchObject([{ name: person.name, email: person.email }])
  })

  it('finds who called or wrote', () => {
    const [ours, theirs] = ['+1 202 555 0143', person.phone]
    expect(readJson({ message_from: theirs, message_to: ours }).leads).toMatchObject([{ phone: theirs }])
    expect(readJson({ data: { to: [ours], from: theirs, direction: 'incoming' } }).leads).toMatchObject([
      { phone: theirs },
    ])
    const bare = '442079460018'
    expect(readJson({ event: 'sms.received', sender: bare, recipient: '12025550143' }).leads).toMatchObject([
      { phone: bare },
    ])
    expect(readJson({ from_no: bare, text: 'Hello' }).leads).toMatchObject([{ phone: bare, message: 'Hello' }])
    expect(readJson({ to: 'desk@shop.example', from: person.email }).leads).toMatchObject([{ email: person.email }])
    expect(readJson({ phone_number: ours, to_number: ours, from_number: theirs }).leads).toMatchObject([
      { phone: theirs },
    ])
  })

  it('is none where the business called or wrote, whatever says so', () => {
    const [ours, theirs] = ['+1 202 555 0143', person.phone]
    const written = { sender: 'desk@shop.example', senderName: 'Our shop', recipient: person.email }
    const told = { ...written, recipientName: person.name, body: 'It is your turn.' }
    for (const way of [
      { isIncoming: false },
      { direction: 'outbound' },
      { type: 'message.sent' },
      { flags: ['outbound'] },
    ])
      expect(readJson({ data: { ...told, ...way } })).toMatchObject({ leads: [], ignored: [{ reason: 'echo' }] })
    expect(readJson({ direction: 'outbound', fromNumber: ours, toNumber: theirs })).toMatchObject({
      leads: [],
      ignored: [{ reason: 'echo' }],
    })
  })

  it('finds the caller or the customer, not the business that was called', () => {
    const business = { business_name: 'Our shop', business_phone: '+1 202 555 0143' }
    const { name, phone, company } = person
    expect(readJson({ ...business, caller: { name, phone } }).leads).toMatchObject([{ name, phone, company: null }])
    expect(readJson({ ...business, caller_name: name, caller_number: phone }).leads).toMatchObject([{ name, phone }])
    expect(readJson({ businessPhoneNumber: '+1 202 555 0143', customerPhoneNumber: phone }).leads).toMatchObject([
      { phone },
    ])
    expect(readJson({ customerNumber: phone, phoneNumber: '+1 202 555 0143' }).leads).toMatchObject([{ phone }])
    expect(readJson({ name, customer_number: '20260001', phone }).leads).toMatchObject([{ phone }])
    expect(readJson({ calling_number: '442079460018', called_number: '12025550143' }).leads).toMatchObject([
      { phone: '442079460018' },
    ])
    expect(readJson({ caller_id_name: name, caller_id_number: phone }).leads).toMatchObject([{ name, phone }])
    expect(readJson({ did: '+1 202 555 0143', participant: phone }).leads).toMatchObject([{ phone }])
    expect(readJson({ name, phone, business_name: company }).leads).toMatchObject([{ name, phone, company }])
  })

  it('finds whom something is brought to where nobody else is told of', () => {
    const { name, phone, email } = person
    const driver = { name: 'Bo Driver', phone: '+1 202 555 0143' }
    const task = { destination: { name: 'The hall' }, recipients: [{ name, phone, notes: 'Ring twice.' }], driver }
    expect(readJson({ data: { task } }).leads).toMatchObject([{ name, phone, message: 'Ring twice.' }])
    expect(readJson({ email, recipients: [{ name: 'Bo', email: 'bo@shop.example' }] }).leads).toMatchObject([
      { name: null, email },
    ])
    expect(readJson({ status: 'sent', recipients: ['bo@shop.example'] }).leads).toMatchObject([{ email: null }])
  })

  it('takes no day for a number', () => {
    const stay = { from: '2026-01-15', to: '2026-01-20', email: person.email }
    expect(readJson(stay).leads).toMatchObject([{ email: person.email, phone: null }])
    expect(readJson({ ...stay, from: 1_768_435_200 }).leads).toMatchObject([{ phone: null }])
    expect(readJson({ ...stay, from: 1_768_435_200, to: 1_768_867_200 }).leads).toMatchObject([{ phone: null }])
    expect(readJson({ ...stay, from: '20260115', to: '20260120' }).leads).toMatchObject([{ phone: null }])
  })

  it('finds the company beside the address and in the record of a company', () => {
    const { email, company } = person
    expect(readJson({ payments: [{ email, company_name: company }] }).leads).toMatchObject([{ company }])
    expect(readJson({ contactCreated: { email, customAttributes: { company } } }).leads).toMatchObject([{ company }])
    expect(readJson({ name: company, vat_number: 'GB123456789', email }).leads).toMatchObject([{ company, name: null }])
  })

  it('may be one of several in a list', () => {
    expect(readJson([person, { ...person, name: 'Grace Hopper' }]).leads.map(({ name }) => name)).toEqual([
      'Ada Lovelace',
      'Grace Hopper',
    ])
  })
})
