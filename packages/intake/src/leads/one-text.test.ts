import { describe, expect, it } from 'vitest'
import { readLeads } from './read-lead.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const read = (body: unknown) => readLeads({ source: 'website', headers: {}, body: encode(JSON.stringify(body)) })
const leadsOf = (body: unknown) => read(body).leads

const ada = { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0018' }
const lines = `Name: ${ada.name}\nEmail: ${ada.email}\nPhone: ${ada.phone}\nMessage: Two engines,\nplease`

describe('a form in one text', () => {
  it('is read line by line, where nobody is found elsewhere', () => {
    for (const body of [
      { text: lines },
      { message: { content: lines } },
      { body: lines.replaceAll(/^(\w+):/gm, '*$1:*') },
    ])
      expect(leadsOf(body)).toMatchObject([{ ...ada, message: 'Two engines,\nplease' }])
  })

  it('may have commas between its fields, and in them', () => {
    const pretty = `Name:${ada.name}, Email:${ada.email}, Message:Two engines, please`
    expect(leadsOf({ formID: '1', pretty })).toMatchObject([
      { name: ada.name, email: ada.email, message: 'Two engines, please' },
    ])
  })

  it('is what somebody says who is known otherwise', () => {
    const text = 'Name: Babbage\nEmail: charles@example.org'
    expect(leadsOf({ ...ada, message: text })).toMatchObject([{ ...ada, message: text }])
  })

  it('tells of somebody else than the program that sends it', () => {
    const mail = { from: 'noreply@portal.example', subject: 'New lead', text: lines }
    expect(leadsOf(mail)).toMatchObject([ada])
    const text = `From: ${ada.name} <${ada.email}>\nSubject: Engines\n\nMessage Body:\nTwo, please`
    expect(leadsOf({ sender: 'wordpress@site.example', text })).toMatchObject([
      { name: ada.name, email: ada.email, message: 'Two, please' },
    ])
    expect(leadsOf({ email: 'noreply@portal.example', message: 'Hello' })).toMatchObject([
      { email: 'noreply@portal.example' },
    ])
  })

  it('needs more than one field and a way to reach somebody', () => {
    for (const text of ['Email: soon', 'Name: Ada\nColour: red', 'https://example.com/a:b, c:d'])
      expect(leadsOf({ text })).toMatchObject([{ name: null, email: null, phone: null }])
  })

  it('may stand in one field as a page writes it', () => {
    const data = new URLSearchParams({ 'names[first_name]': 'Ada', 'names[last_name]': 'Lovelace', mail: ada.email })
    expect(leadsOf({ action: 'send', data: data.toString() })).toMatchObject([{ name: ada.name, email: ada.email }])
    expect(leadsOf({ ...ada, data: 'red&blue', values: 'a=b c' })).toMatchObject([ada])
  })
})

describe('a field for all of a contact', () => {
  it.each(['contact', 'name', 'Contact person', 'phone'])('is read part by part, as in %s', (key) => {
    const parts = [ada.name, ada.email, ada.phone]
    for (const separator of [', ', '; ', ' / ', '\n'])
      expect(leadsOf({ [key]: parts.join(separator) })).toMatchObject([ada])
  })

  it('keeps the other parts as an answer', () => {
    const [lead] = leadsOf({ contact: `${ada.name}, London, ${ada.email}` })
    expect(lead).toMatchObject({ name: ada.name, email: ada.email, answers: [{ answer: 'London' }] })
  })

  it('is one name or several addresses, where its parts are of one kind', () => {
    expect(leadsOf({ name: 'Lovelace, Ada', email: ada.email })).toMatchObject([{ name: 'Lovelace, Ada' }])
    expect(leadsOf({ name: ada.name, email: `${ada.email}, other@example.com` })).toMatchObject([
      { name: ada.name, email: ada.email },
    ])
  })
})

describe('a list of labels and values', () => {
  it('is the form whose entries they are', () => {
    const pairs = [
      ['Full name', ada.name],
      ['Email', ada.email],
      ['Colour', 'red'],
    ]
    for (const body of [pairs, { answers: pairs }, { form: { fields: pairs } }])
      expect(leadsOf(body)).toMatchObject([{ name: ada.name, email: ada.email }])
  })

  it('is any other list, where no label says what it is', () => {
    expect(
      leadsOf({
        ...ada,
        tags: [
          ['a', 'b'],
          ['c', 'd'],
        ],
      }),
    ).toMatchObject([ada])
  })
})
