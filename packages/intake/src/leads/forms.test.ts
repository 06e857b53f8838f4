import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leadNotes } from './captured-lead.ts'
import { leadReaders, readerFor } from './platforms/index.ts'
import { readLeads } from './read-leads.ts'
import { parseBody, readForm, readJson } from './testing.ts'

const person = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
  company: 'Analytical Engines',
  message: 'Please call.\nThanks!',
}
const lead = { ...person, answers: [], handle: null, externalId: null, scope: null, source: 'website' }
const grace = { name: 'Grace Hopper', email: 'grace@example.com' }

describe('a form', () => {
  it('is read from the documented body, equally from JSON and from a form', () => {
    const entries = [{ reader: 'Any other form', mapped: [], lead }]
    expect(readJson(person)).toEqual({ entries, leads: [lead], ignored: [], bodyKey: null })
    expect(readForm(person)).toEqual(readJson(person))
  })

  it('is read equally from JSON and from a form for any content', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    const body = fc.record({ name: text, email: text, phone: text, company: text, message: text, budget: text })
    fc.assert(
      fc.property(body, (filled) => {
        expect(readForm(filled)).toEqual(readJson(filled))
      }),
    )
  })

  it('may be JSON in one field of a form', () => {
    expect(readForm({ rawRequest: JSON.stringify(person), formID: '7' }).leads).toEqual([lead])
    const { name, email, phone } = person
    const entry = JSON.stringify({ name, email, phone })
    expect(readForm({ entry, note: '[urgent] call me' }).leads).toMatchObject([{ name, message: '[urgent] call me' }])
  })

  it('may be a form in one field of a form', () => {
    const data = new URLSearchParams({ 'names[first_name]': 'Ada', 'names[last_name]': 'Lovelace', mail: person.email })
    expect(readForm({ action: 'send', data: data.toString() }).leads).toMatchObject([
      { name: person.name, email: person.email },
    ])
    expect(readForm({ ...person, data: 'red&blue', values: 'a=b c' }).leads).toMatchObject([person])
  })

  it.each([
    ['name and value', ['name', 'value']],
    ['label and answer', ['label', 'answer']],
    ['fieldTitle and fieldInputValue', ['fieldTitle', 'fieldInputValue']],
  ] as const)('may be a list of %s', (_, [name, value]) => {
    const list = Object.entries({ ...person, budget: '500' }).map(([key, text]) => ({ [name]: key, [value]: text }))
    expect(readJson(list).leads).toMatchObject([{ ...person, answers: [{ question: 'budget', answer: '500' }] }])
  })

  it('may be a list of pairs', () => {
    const pairs = Object.entries({ 'Full name': person.name, Email: person.email, Color: 'red' })
    for (const body of [pairs, { answers: pairs }, { form: { fields: pairs } }])
      expect(readJson(body).leads).toMatchObject([{ name: person.name, email: person.email }])
  })

  it('may contain several people, each of whom gets the message next to the list', () => {
    const names = ['Ada Lovelace', 'Grace Hopper']
    expect(readJson([person, grace]).leads.map(({ name }) => name)).toEqual(names)
    expect(readJson({ leads: [person, grace] }).leads.map(({ name }) => name)).toEqual(names)
    const messages = [{ message: 'Is it free?', at: '2026-01-01T10:00:00Z' }]
    expect(readJson({ people: [{ ...person, message: null }, grace], messages }).leads).toMatchObject([
      { name: person.name, message: 'Is it free?' },
      { name: grace.name, message: 'Is it free?' },
    ])
    const RESPONSE = [person, grace].map(({ name, email }) => ({ SENDER_NAME: name, SENDER_EMAIL: email }))
    expect(readJson({ RESPONSE }).leads).toHaveLength(2)
  })

  it('is refused with more values than a hundred leads have', () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 1]))
    expect(() => readJson(many)).toThrow('more than 10000 values')
  })
})

describe('the answers of a form', () => {
  it('are all fields except technical ones, and are part of the notes', () => {
    const topics = { 'Preferred time': 'Morning', topics: ['A', 'B'] }
    const secrets = { _wpnonce: 'x', 'g-recaptcha-response': 'y', csrf_token: 'z', password: 'p' }
    const [read] = readJson({ ...person, ...topics, ...secrets, source: { name: 'Portal' }, _subject: 'New' }).leads
    expect(read?.answers).toEqual([
      { question: 'Preferred time', answer: 'Morning' },
      { question: 'topics', answer: 'A, B' },
    ])
    expect(leadNotes(read ?? lead)).toBe('Please call.\nThanks!\n\nPreferred time: Morning\ntopics: A, B')
  })

  it('keep values that do not fit their label', () => {
    const [read] = readJson({ name: 'Ada', value: 500, email: 'ask me', phone: 'after six', company: '4711' }).leads
    expect(read).toMatchObject({ name: 'Ada', email: null, phone: null, company: null })
    expect(read?.answers.map(({ answer }) => answer)).toEqual(['500', 'ask me', 'after six', '4711'])
    const [among] = readJson({ contact: `${person.name}, London, ${person.email}` }).leads
    expect(among).toMatchObject({ name: person.name, email: person.email, answers: [{ answer: 'London' }] })
  })

  it('do not repeat an address found under an unknown label', () => {
    expect(readJson({ name: 'Ada', 'How can we reach you?': person.email }).leads).toMatchObject([
      { email: person.email, answers: [] },
    ])
  })

  it('keep all of several addresses and numbers', () => {
    const phone = `${person.phone}; 020 7946 0019`
    expect(readJson({ name: 'Ada', email: [person.email, 'work@example.com'], phone }).leads).toMatchObject([
      {
        email: person.email,
        phone: person.phone,
        answers: [
          { question: 'email', answer: `${person.email}, work@example.com` },
          { question: 'phone', answer: phone },
        ],
      },
    ])
  })

  it('keep markup as text, and names on one line', () => {
    const [read] = readJson({ name: 'Ada\r\nBcc: x@example.com', message: '<script>alert(1)</script>' }).leads
    expect(read).toMatchObject({ name: 'Ada Bcc: x@example.com', message: '<script>alert(1)</script>' })
  })
})

/** What the platforms are recognized by, without a person, in the notation of a form. */
const marks = [
  'object=whatsapp_business_account',
  'messaging_product=whatsapp',
  'type=LEAD_ACTION',
  'leadGenFormResponse=urn:li:1',
  'formResponse[answers][0][question]=Size',
  'form_response[answers][0][text]=L',
  'FieldStructure[Fields][0][ID]=Field1',
  'MessageSid=M1&From=desk',
  'MessageSid=M1&From=%2B442079460019',
  'CallSid=C1&AccountSid=A1&From=desk',
  'user_column_data[0][column_id]=CITY&user_column_data[0][string_value]=London',
  'object=page',
  'field_data[size]=3',
  'data[0][field_data][size]=3',
  'entry[0][changes][0][field]=leadgen',
  'event=invitee.created&payload[rooms]=3',
  'triggerEvent=form&payload[rooms]=3',
  'eventType=FORM_RESPONSE&data[fields]=3',
  'rawRequest[rooms]=3&formID=7',
  'payload[data][rooms]=3&payload[formId]=7&payload[name]=Rooms',
  'data[utm]=spring&site=main',
  'data[utm]=spring&human_fields[utm]=Campaign',
  'form_id=3&entry[page]=/contact',
  'form_id=3&source_url=/contact',
  'input_1_3=a&input_1_6=b',
  'fields[0][objectTypeId]=0-1',
  'subscriptionType=premium&objectId=A-12',
  'properties[rooms]=3&vid=visitor-81',
]

describe('the documented fields', () => {
  const optional = { phone: person.phone, company: person.company, message: person.message }
  const documented = fc.subarray(Object.keys(optional) as (keyof typeof optional)[]).map((keys) => ({
    ...{ name: person.name, email: person.email },
    ...Object.fromEntries(keys.map((key) => [key, optional[key]])),
  }))

  it('are read next to the fields of every platform, in any order', () => {
    fc.assert(
      fc.property(documented, fc.constantFrom(...marks), fc.boolean(), (fields, mark, isFirst) => {
        const form = isFirst ? [mark, new URLSearchParams(fields)] : [new URLSearchParams(fields), mark]
        expect(readForm(form.join('&')).leads).toMatchObject([fields])
        const [before, after] = isFirst ? [parseBody(mark), fields] : [fields, parseBody(mark)]
        expect(readJson({ ...(before as object), ...(after as object) }).leads).toMatchObject([fields])
      }),
    )
  })

  it('are read next to what each platform that has a reader is recognized by', () => {
    const readers = new Set(marks.map((mark) => readerFor({ ...person, ...(parseBody(mark) as object) }, 'website')))
    const known = leadReaders.filter(({ name, isGuess }) => isGuess !== true && name !== 'TikTok')
    expect([...readers].map(({ name }) => name).toSorted()).toEqual(known.map(({ name }) => name).toSorted())
  })

  it.each([
    ['JSON', { payload: '{"rooms":3}' }],
    ['a list of people', { contacts: [{ email: 'b@example.com' }, { email: 'c@example.com' }] }],
    ['a list of events', { events: [{ event: 'visit', email: 'b@example.com' }] }],
  ])('are read next to %s', (_, field) => {
    expect(readJson({ ...person, ...field }).leads).toMatchObject([person])
  })

  it('do not replace the leads of a list if they only name its sender', () => {
    const contacts = [{ email: 'b@example.com' }, { email: 'c@example.com' }]
    expect(readJson({ name: 'An agency', email: 'desk@agency.example', contacts }).leads).toMatchObject(contacts)
  })

  it('are stored with the other fields', () => {
    expect(readJson({ ...person, object: 'page', budget: '500' }).leads[0]?.answers).toContainEqual({
      question: 'budget',
      answer: '500',
    })
  })
})

describe('a form in another encoding', () => {
  const encoded = (body: string, type: string) => {
    const headers = { 'content-type': type }
    return readLeads({ source: 'website', headers, body: Buffer.from(body, 'latin1') }).leads.map(({ name }) => name)
  }
  const urlencoded = 'application/x-www-form-urlencoded'

  it.each([
    ['latin-1, labeled', 'name=Jos%E9&email=j@x.example', `${urlencoded}; charset=ISO-8859-1`, 'José'],
    ['latin-1, not labeled', 'name=Jos%E9&email=j@x.example', urlencoded, 'José'],
    ['latin-1, not escaped', 'name=Jos\xe9&email=j@x.example', urlencoded, 'José'],
    ['windows-1252', 'name=Ann+O%92Neil&email=j@x.example', urlencoded, 'Ann O’Neil'],
    ['UTF-8, labeled as latin-1', 'name=Jos%C3%A9&email=j@x.example', `${urlencoded}; charset=ISO-8859-1`, 'José'],
    ['Shift_JIS', 'name=%93%63%92%86&email=j@x.example', `${urlencoded}; charset=Shift_JIS`, '田中'],
    ['latin-1, as JSON', '{"name":"Jos\xe9","email":"j@x.example"}', 'application/json', 'José'],
    ['an unknown one', 'name=Jos%C3%A9&email=j@x.example', `${urlencoded}; charset=x-none`, 'José'],
  ])('is read: %s', (_, body, type, name) => {
    expect(encoded(body, type)).toEqual([name])
  })
})
