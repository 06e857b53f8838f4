import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CapturedLead } from './captured-lead.ts'
import { type LeadReading, readLeads } from './read-lead.ts'

// Real bodies with the facts that a person reads in them, in the directory that CORPUS names. The repository has only the
// cases below.
const corpus = process.env['CORPUS']

type Labels = Readonly<Record<string, unknown>>
type Case = {
  readonly file: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly expected: Labels
}

const ownCases: readonly Case[] = [
  {
    file: 'own: the documented form',
    headers: {},
    body: new TextEncoder().encode(
      'name=Ada+Lovelace&email=ada%40example.com&phone=%2B13105559811&company=Engines&message=Hi',
    ),
    expected: {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: '13105559811',
      phone_accept: ['+13105559811'],
      company: 'Engines',
      message: 'Hi',
      source: 'website',
      is_lead: true,
    },
  },
  {
    file: 'own: an announcement',
    headers: { 'Content-Type': 'application/json' },
    body: new TextEncoder().encode(
      '{"object":"page","entry":[{"changes":[{"field":"leadgen","value":{"leadgen_id":7}}]}]}',
    ),
    expected: { leads: 1, external_ids: ['7'], has_pii: false, source: 'facebook' },
  },
]

type Entry = { file: string; provider: string; headers: Record<string, string>; expected: Labels }

const corpusCases = (): readonly Case[] => {
  if (corpus === undefined) return []
  // INDEX.json is a list of entries in this shape.
  const entries = JSON.parse(readFileSync(join(corpus, 'INDEX.json'), 'utf8')) as readonly Entry[]
  return entries
    .filter(({ provider }) => provider === 'leads')
    .map(({ file, headers, expected }) => ({ file, headers, body: readFileSync(join(corpus, file)), expected }))
}

const announced = ({ leads, ignored }: LeadReading) => [
  ...leads.map(({ externalId }) => externalId),
  ...ignored.filter(({ reason }) => reason === 'details_not_included').map(({ externalId }) => externalId),
]

const ofPerson = (field: 'name' | 'email' | 'phone' | 'company' | 'message') => (reading: LeadReading) => {
  const first: CapturedLead | undefined = reading.leads[0]
  return first?.[field] ?? null
}

const readings: Readonly<Record<string, (reading: LeadReading) => unknown>> = {
  name: ofPerson('name'),
  email: ofPerson('email'),
  phone: ofPerson('phone'),
  company: ofPerson('company'),
  message: ofPerson('message'),
  is_lead: (reading) => announced(reading).length > 0,
  has_pii: (reading) => reading.leads.length > 0,
  leads: (reading) => announced(reading).length,
  external_ids: announced,
  external_id: (reading) => announced(reading)[0],
}

const judge = ({ headers, body, expected }: Case) => {
  const reading = readLeads({ source: String(expected['source'] ?? 'website'), headers, body })
  return Object.entries(expected).flatMap(([label, wanted]) => {
    const found = readings[label]?.(reading)
    if (found === undefined) return []
    const accepted = expected[`${label}_accept`]
    const right = [wanted, ...(Array.isArray(accepted) ? accepted : [])].map((value) => JSON.stringify(value))
    return [{ label, found, wanted, right: right.includes(JSON.stringify(found)) }]
  })
}

const cases = [...ownCases, ...corpusCases()]

describe(`reading what lead platforms really send (${cases.length} bodies)`, () => {
  it('finds at least 98 of 100 labelled fields as a person does', () => {
    const verdicts = cases.flatMap((one) => judge(one).map((decision) => ({ file: one.file, ...decision })))
    const wrong = verdicts.filter(({ right }) => !right)
    expect(verdicts.length).toBeGreaterThanOrEqual(9)
    expect({ enough: wrong.length / verdicts.length <= 0.02, wrong }).toMatchObject({ enough: true })
  })
})
