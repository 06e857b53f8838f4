import { describe, expect, it } from 'vitest'
import { readLeads } from './read-lead.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const readJson = (body: unknown) => readLeads({ source: 'website', headers: {}, body: encode(JSON.stringify(body)) })
const readForm = (form: Record<string, string>) =>
  readLeads({
    source: 'website',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encode(new URLSearchParams(form).toString()),
  })

const ada = { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0018' }

describe('the names that programs give the fields of a form', () => {
  it.each([
    ['written together', 'customername', 'customeremail', 'customerphone'],
    ['written together in capitals', 'SENDERNAME', 'SENDEREMAIL', 'SENDERMOBILE'],
    ['of the person who is asked', 'yourname', 'youremail', 'yourphone'],
    ['with the form’s own word behind them', 'Name-popup', 'Email-popup', 'Phone-popup'],
    ['with several words behind them', 'Name Contact Form', 'Email Contact Form', 'Phone Contact Form'],
    ['by nothing but numbers', 'field_1', 'field_2', 'field_3'],
    ['by the numbers of a plug-in', 'wpforms[fields][0]', 'wpforms[fields][1]', 'wpforms[fields][3]'],
    ['by ids', 'r4b2e0c1d2f3a4b5c', 'r9a0b1c2d3e4f5a6b', 'r0f1e2d3c4b5a6978'],
  ])('are understood %s', (_case, name, email, phone) => {
    expect(readForm({ [name]: ada.name, [email]: ada.email, [phone]: ada.phone }).leads).toMatchObject([ada])
  })

  it('are numbered in a list of people, each with fields of a CRM', () => {
    const contact = 'contacts[add][0]'
    const fields = { [`${contact}[custom_fields][0][code]`]: 'PHONE', [`${contact}[custom_fields][1][code]`]: 'EMAIL' }
    const values = {
      [`${contact}[custom_fields][0][values][0][value]`]: ada.phone,
      [`${contact}[custom_fields][1][values][0][value]`]: ada.email,
    }
    expect(readForm({ [`${contact}[name]`]: ada.name, ...fields, ...values }).leads).toMatchObject([ada])
  })

  it('are the inputs of a Gravity Form as it is posted', () => {
    const posted = { input_1_3: 'Ada', input_1_6: 'Lovelace', input_2: ada.email }
    expect(readForm(posted).leads).toMatchObject([{ name: ada.name, email: ada.email }])
  })

  it('take an account for no name, and among fields without names only what is written as one', () => {
    expect(readForm({ username: 'ada42', useremail: ada.email }).leads).toMatchObject([{ name: null }])
    expect(readForm({ field_1: 'two bedrooms', field_2: ada.email }).leads).toMatchObject([{ name: null }])
    expect(readForm({ field_1: 'Basic', field_2: 'New York', field_3: ada.email }).leads).toMatchObject([
      { name: null },
    ])
  })

  it('number the parts of a name', () => {
    const parts = { 'name-1-first-name': 'Ada', 'name-1-last-name': 'Lovelace', 'email-1': ada.email }
    expect(readForm(parts).leads).toMatchObject([{ name: ada.name, email: ada.email }])
    const nested = { 'wpforms[fields][0][first]': 'Ada', 'wpforms[fields][0][last]': 'Lovelace' }
    expect(readForm({ ...nested, 'wpforms[fields][1]': ada.email }).leads).toMatchObject([{ name: ada.name }])
  })
})

describe('the fields of a form', () => {
  it.each([
    ['name and value', ['name', 'value']],
    ['label and answer', ['label', 'answer']],
    ['fieldTitle and fieldInputValue', ['fieldTitle', 'fieldInputValue']],
  ] as const)('may be a list by themselves, of %s', (_case, [name, value]) => {
    const list = Object.entries({ ...ada, budget: '500' }).map(([key, text]) => ({ [name]: key, [value]: text }))
    expect(readJson(list).leads).toMatchObject([{ ...ada, answers: [{ question: 'budget', answer: '500' }] }])
  })

  it('may have their name and their answer in objects of their own', () => {
    const field = (name: string, value: string) => ({ field: { name }, response: { value } })
    const details = [field('first_name', 'Ada'), field('last_name', 'Lovelace'), field('email', ada.email)]
    expect(readJson({ data: { details } }).leads).toMatchObject([{ name: ada.name, email: ada.email }])
    const values = (variable: string, answer: string) => ({ id: variable, variable, values: [{ answer }] })
    expect(readJson({ fields: [values('firstname', 'Ada'), values('email', ada.email)] }).leads).toMatchObject([
      { name: 'Ada', email: ada.email },
    ])
  })

  it('may be asked in one’s own words under a key that says what they are', () => {
    const body = {
      name: { text: 'Who may we say calls?', answer: ada.name },
      email: { text: 'Mail', answer: ada.email },
    }
    expect(readJson(body).leads).toMatchObject([{ name: ada.name, email: ada.email }])
  })

  it('may be told by their kind alone', () => {
    const fields = [
      { field_type: 'FIRST_NAME', value: 'Ada' },
      { field_type: 'LAST_NAME', value: 'Lovelace' },
      { field_type: 'EMAIL', value: ada.email },
    ]
    expect(readJson({ lead_id: '1', fields }).leads).toMatchObject([{ name: ada.name, email: ada.email }])
  })

  it('may hold an address among other things, which are kept', () => {
    const details = 'Ada Lovelace, ada@example.com, London'
    expect(readJson({ questions: [{ heading: 'Contact details', answer: details }] }).leads).toMatchObject([
      { email: ada.email, message: details },
    ])
    expect(readJson({ phone: ada.phone, cc: 'bob@example.org, eve@example.org' }).leads).toMatchObject([
      { email: null },
    ])
  })

  it('are the contact person’s rather than a director’s, whatever kind of input they are', () => {
    const fields = [
      { key: 'q1', label: 'Номер телефона руководителя', type: 'INPUT_PHONE_NUMBER', value: '+7 700 000 0001' },
      { key: 'q2', label: 'Телефон конт. лица', type: 'INPUT_PHONE_NUMBER', value: ada.phone },
    ]
    expect(readJson({ eventType: 'FORM_RESPONSE', data: { fields } }).leads).toMatchObject([{ phone: ada.phone }])
  })

  it('give a company by its name in an object of its own', () => {
    const body = { given_name: 'Ada', email: ada.email, company: { company_name: 'Analytical Engines' } }
    expect(readJson({ contact: body }).leads).toMatchObject([{ name: 'Ada', company: 'Analytical Engines' }])
  })

  it('give the contact of a deal or a company, and not who sends the mail', () => {
    const record = { name: 'Website request', contact_name: ada.name, email: ada.email }
    expect(readJson(record).leads).toMatchObject([{ name: ada.name }])
    expect(readForm({ from_name: 'Our site', ...ada }).leads).toMatchObject([ada])
    expect(readForm({ from_name: ada.name, from_email: ada.email }).leads).toMatchObject([{ name: ada.name }])
  })

  it('give the parts of a name beside the address, not whoever keeps the form', () => {
    const entry = { Number: 5, User: { Name: 'Form Owner', Email: 'owner@example.org' } }
    const body = { Name: { First: 'Ada', Last: 'Lovelace' }, Email: ada.email, Entry: entry }
    expect(readJson(body).leads).toMatchObject([{ name: ada.name, email: ada.email }])
  })

  it('give a caller’s name from whatever is told of the call', () => {
    const call = { callerNumber: '+442079460018', calleeNumber: '+442070000000', state: { caller_name: 'Ada' } }
    expect(readJson(call).leads).toMatchObject([{ name: 'Ada', phone: '+442079460018' }])
  })

  it('give text as Notion writes it, and the first of two numbers with a slash between them', () => {
    const properties = {
      Name: { type: 'title', title: [{ plain_text: ada.name }] },
      Email: { type: 'email', email: ada.email },
    }
    expect(readJson({ data: { properties } }).leads).toMatchObject([{ name: ada.name, email: ada.email }])
    const phone = '(48) 3093-5880 / (48) 99605-5656'
    expect(readForm({ name: ada.name, phone }).leads).toMatchObject([
      { phone: '(48) 3093-5880', answers: [{ question: 'phone', answer: phone }] },
    ])
    expect(readForm({ name: ada.name, phone: '089 / 12 34 56' }).leads).toMatchObject([{ phone: '089 / 12 34 56' }])
  })

  it('leave out the organiser of a meeting, who says so', () => {
    const host = { email: 'host@example.org', organizer: true, self: true }
    expect(readJson({ attendees: [host, { email: ada.email, displayName: ada.name }] }).leads).toMatchObject([
      { name: ada.name, email: ada.email },
    ])
  })

  it('give what somebody calls themselves in a chat', () => {
    const data = { content: 'Hello', user: { nickname: 'Ada L', user_id: 'u' }, email: ada.email }
    expect(readJson({ event: 'message:send', data }).leads).toMatchObject([{ name: 'Ada L', email: ada.email }])
  })
})

describe('a call of a voice agent', () => {
  const phone = '+442079460018'
  const ours = '+442070000000'

  it('gives the number of the customer, not that of the agent', () => {
    const message = {
      type: 'end-of-call-report',
      phoneNumber: { number: ours },
      customer: { name: 'Ada', number: phone },
    }
    expect(readJson({ message }).leads).toMatchObject([{ name: 'Ada', phone }])
    const call = { id: 'c', phoneNumber: { number: ours }, customer: { number: phone } }
    expect(readJson({ call }).leads).toMatchObject([{ phone }])
  })

  it('gives no number of an account for a telephone', () => {
    expect(readJson({ email: ada.email, customer: { number: 'C-1042' } }).leads).toEqual([
      expect.not.objectContaining({ phone: 'C-1042' }),
    ])
  })

  it('gives who called from what is told beside it', () => {
    const metadata = { phone_call: { direction: 'inbound', agent_number: ours, external_number: phone } }
    expect(readJson({ type: 'post_call_transcription', data: { metadata } }).leads).toMatchObject([{ phone }])
    const meta = { sender: { name: ada.name, email: ada.email }, user: { name: 'Host', email: 'host@example.org' } }
    expect(readJson({ event: 'conversation_created', meta }).leads).toMatchObject([
      { name: ada.name, email: ada.email },
    ])
  })
})

const known = { name: ada.name, email: ada.email }

describe('who is told of around somebody', () => {
  it('is ours as an account is beside two numbers', () => {
    const text = {
      from_number: '+442079460018',
      to_number: '+442070000000',
      content: 'Hello',
      accountEmail: 'us@example.org',
    }
    expect(readJson(text).leads).toMatchObject([{ phone: '+442079460018', email: null }])
    expect(readJson({ accountEmail: ada.email, name: ada.name }).leads).toMatchObject([known])
  })

  it('may have called them', () => {
    const calls = [{ from: '+442070000000', to: '+442079460018' }]
    expect(readJson({ ...ada, phone: '+442079460018', calls }).leads).toMatchObject([{ phone: '+442079460018' }])
  })

  it('may have set the appointment', () => {
    const appointmentSetter = { name: 'Sue', email: 'sue@example.org' }
    expect(readJson({ lead: { id: 'l' }, appointmentSetter }).leads).toMatchObject([{ name: null, email: null }])
  })
})

describe('somebody', () => {
  it('may stand among what a resource has within itself', () => {
    const client = { first_name: 'Ada', last_name: 'Lovelace', email: ada.email }
    expect(readJson({ total: 3, _embedded: { client }, _links: { self: 'x' } }).leads).toMatchObject([known])
  })

  it('may be the contact of a list', () => {
    expect(readForm({ contacts: ada.name, email: ada.email }).leads).toMatchObject([known])
    expect(readForm({ contacts: 'none', email: ada.email }).leads).toMatchObject([{ name: null }])
  })

  it('may answer under the kind of an answer', () => {
    const answers = [
      { type: 'text', block: { id: 'a', type: 'short_text', content: 'Full name' }, text: ada.name },
      { type: 'email', block: { id: 'b', type: 'email', content: 'Where to?' }, email: ada.email },
    ]
    expect(readJson({ event_type: 'response_completed', answers }).leads).toMatchObject([known])
  })

  it('may be asked in Latin letters', () => {
    expect(readForm({ fio: 'Ада Лавлейс', telefon: '+7 900 123-45-67', kommentariy: 'Цена?' }).leads).toMatchObject([
      { name: 'Ада Лавлейс', phone: '+7 900 123-45-67', message: 'Цена?' },
    ])
    expect(readForm({ sei: '山田', mei: '花子', mail: ada.email }).leads).toMatchObject([{ email: ada.email }])
  })
})

describe('somebody who leaves', () => {
  const data = { name: ada.name, email: ada.email }

  it.each(['contact_deleted', 'deleted.person'])('is no enquiry: %s', (event) => {
    expect(readJson({ event, data })).toMatchObject({ leads: [], ignored: [{ reason: 'withdrawn' }] })
  })

  it('is no enquiry in the words of Mailchimp, but a form may be about leaving', () => {
    const unsubscribe = { type: 'unsubscribe', fired_at: '2026-01-01 10:00:00', 'data[list_id]': 'l' }
    expect(readForm({ ...unsubscribe, 'data[email]': ada.email })).toMatchObject({ leads: [] })
    expect(readForm({ type: 'unsubscribe', ...ada }).leads).toMatchObject([ada])
    expect(readForm({ event: 'deleted scenes', ...ada }).leads).toMatchObject([ada])
  })
})
