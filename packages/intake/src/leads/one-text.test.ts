import { describe, expect, it } from 'vitest'
import { readLeads } from './read-lead.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const read = (body: unknown) => readLeads({ source: 'website', headers: {}, body: encode(JSON.stringify(body)) })
const leadsOf = (body: unknown) => read(body).leads

const ada = { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0018' }
describe('a form in one text', () => {
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
