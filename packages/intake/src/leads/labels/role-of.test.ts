import { describe, expect, it } from 'vitest'
import { readLeads } from '../read-leads.ts'
import { plainLabel } from './plain-label.ts'
import { type FieldRole, knownLanguages, type Spellings } from './roles.ts'

const leadOf = (body: Record<string, string>) =>
  readLeads({ source: 'website', headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) }).leads[0]

const roles: readonly FieldRole[] = ['name', 'first', 'last', 'email', 'phone', 'company', 'message']
const spellingsOf = (language: Spellings, role: FieldRole) =>
  (language[role] ?? '').split(',').filter((spelling) => spelling.trim() !== '')

const values: Readonly<Record<FieldRole, string>> = {
  ...{ name: 'Ada Lovelace', first: 'Ada', last: 'Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0018' },
  ...{ company: 'Engines', message: 'Please call' },
}

const otherHalf: Partial<Record<FieldRole, Record<string, string>>> = {
  first: { 'last name': 'Lovelace' },
  last: { 'first name': 'Ada' },
}

/** The lead's value for a role; for one half of a name with the other half, the whole name. */
const found = (role: FieldRole, label: string) => {
  const lead = leadOf({ [label]: values[role], ...otherHalf[role] })
  return role === 'first' || role === 'last' ? lead?.name : lead?.[role]
}

const wanted = (role: FieldRole) => (role === 'first' || role === 'last' ? 'Ada Lovelace' : values[role])

describe('the label of a field', () => {
  it.each(Object.entries(knownLanguages))('is recognized in %s, with a star and a colon', (_, language) => {
    for (const role of roles)
      for (const spelling of spellingsOf(language, role))
        expect([spelling, found(role, `${spelling.trim()}: *`)]).toEqual([spelling, wanted(role)])
  })

  it('has one meaning across all languages', () => {
    const meanings = new Map<string, Set<FieldRole>>()
    for (const language of Object.values(knownLanguages))
      for (const role of roles)
        for (const spelling of spellingsOf(language, role)) {
          const plain = plainLabel(spelling)
          meanings.set(plain, (meanings.get(plain) ?? new Set()).add(role))
        }
    expect([...meanings].filter(([, several]) => several.size > 1)).toEqual([])
  })

  it.each<[FieldRole, string]>([
    ['name', '1. Your full name (as in your passport)'],
    ['name', 'q3_studentsName4'],
    ['name', 'What is your name?'],
    ['name', 'Wie ist Ihr Name?'],
    ['name', 'Nombre del cliente'],
    ['name', '您的姓名 *'],
    ['name', 'お名前（必須）'],
    ['name', 'Customer name'],
    ['first', 'Name (First)'],
    ['first', "What's your first name?"],
    ['last', 'And your last name?'],
    ['email', 'Email 2'],
    ['email', 'email-332'],
    ['email', 'Email / البريد الإلكتروني'],
    ['email', 'Email для связи'],
    ['phone', 'Phone number (optional)'],
    ['phone', 'Best phone number to call you'],
    ['phone', 'เบอร์โทรศัพท์ที่ติดต่อได้'],
    ['phone', 'sender_mobile'],
    ['company', 'What is the name of your company?'],
    ['company', 'Company, if any'],
    ['message', 'Comment or Message'],
    ['message', 'Ihre Nachricht an uns'],
  ])('is %s for %j', (role, label) => {
    expect(found(role, label)).toBe(wanted(role))
  })

  it.each([
    'Company type',
    'Company size',
    'Do you have a company?',
    'User name',
    'Project name',
    'Preferred contact',
    'Question 7',
    'form name',
  ])('is an ordinary question for %j', (label) => {
    expect(leadOf({ [label]: 'Ada' })).toMatchObject({ name: null, company: null, message: null })
    expect(leadOf({ [label]: 'Ada' })?.answers).toHaveLength(1)
  })

  it('is preferred if it matches exactly', () => {
    expect(leadOf({ 'Email of your accountant': 'x@example.com', 'E-Mail': 'ada@example.com' })?.email).toBe(
      'ada@example.com',
    )
    expect(leadOf({ 'Student name': 'Bob', Name: 'Ada' })).toMatchObject({ name: 'Ada', answers: [{ answer: 'Bob' }] })
  })

  it('is half a name only next to the other half', () => {
    expect(leadOf({ Ad: 'Ayşe', Soyad: 'Yılmaz' })?.name).toBe('Ayşe Yılmaz')
    expect(leadOf({ ad: 'Spring sale', email: 'ada@example.com' })?.name).toBeNull()
  })

  it('joins first and last names in the order of their language', () => {
    expect(leadOf({ Nom: 'Dupont', Prénom: 'Jeanne' })?.name).toBe('Jeanne Dupont')
    expect(leadOf({ 姓: '山田', 名: '太郎' })?.name).toBe('山田 太郎')
    expect(leadOf({ Имя: 'Ольга', Фамилия: 'Петрова' })?.name).toBe('Ольга Петрова')
  })

  it('may have a number in the digits of another script', () => {
    expect(leadOf({ 'رقم الجوال': '٠٥٠١٢٣٤٥٦٧' })?.phone).toBe('٠٥٠١٢٣٤٥٦٧')
    expect(leadOf({ 'फ़ोन नंबर': '९८७६५४३२१०' })?.phone).toBe('९८७६५४३२१०')
  })
})
