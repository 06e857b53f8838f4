import { expect, it } from 'vitest'
import { formSenders } from './platforms/form.ts'
import type { LeadReading } from './read-leads.ts'
import { parseBody, readJson, readLines } from './testing.ts'

const values: Readonly<Record<string, string>> = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
  company: 'Analytical Engines',
  mobile: '+442079460018',
  digits: '442079460018',
  ours: '+1 202 555 0143',
  oursDigits: '12025550143',
}

const filled = (text: string) => text.replace(/\$(\w+)/g, (name, key: string) => values[key] ?? name)

const emptyPerson = { name: null, email: null, phone: null, company: null, message: null }

const factsOf = (notation: string) => {
  const facts = notation.split('&').filter((fact) => fact !== '-')
  return Object.fromEntries(
    facts.map((fact) => fact.split('=')).map(([key = '', value]) => [key, value ?? values[key]]),
  )
}

const cases = readLines('cases.txt').map(({ heading, text }) => {
  const [body = '', facts = ''] = filled(text).split(' → ')
  return { heading, body, facts }
})

it.each(cases)('$heading: $body', ({ body, facts }) => {
  const { leads } = readJson(parseBody(body))
  const people = leads.map(({ name, email, phone, company, message }) => ({ name, email, phone, company, message }))
  expect(people).toEqual([{ ...emptyPerson, ...factsOf(facts) }])
})

const senders = readLines('form-senders.txt').map(({ text }) => filled(text).split(' → '))

it.each(senders)('finds the person in a body from %s', (_, body = '') => {
  const { name, email, phone } = values
  expect(readJson(parseBody(body)).leads).toMatchObject([{ name, email, phone }])
})

it('tests a body from every documented sender', () => {
  expect(senders.map(([sender]) => sender).toSorted()).toEqual(formSenders.toSorted())
})

/** An inquiry in the notation of platforms.txt. */
const notationOf = (reading: LeadReading): readonly string[] =>
  [
    ...reading.leads.map(({ name, email, phone, company, message, externalId: id, answers }) => {
      const facts = Object.entries({ name, email, phone, company, message, id }).filter(([, value]) => value !== null)
      return [...facts, ...answers.map(({ question, answer }) => ['answer', `${question}: ${answer}`])]
    }),
    ...reading.ignored.map(({ reason, externalId: id }) => [['skipped', reason], ...(id === null ? [] : [['id', id]])]),
  ].map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))

it.each(readLines('platforms.txt'))('$heading: $text', ({ heading, text }) => {
  const [body = '', ...inquiries] = text.split(' → ')
  expect(notationOf(readJson(parseBody(body), heading === 'TikTok' ? 'tiktok' : 'website'))).toEqual(inquiries)
})
