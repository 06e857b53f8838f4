import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type LeadReading, readLeads } from './read-leads.ts'

// Real bodies with hand-labeled facts, in the directory that CORPUS names. Its INDEX.json is a list of
// entries in the shape of `Entry`. The repository has only the cases below.

type Expected = Readonly<Record<string, unknown>>
type Entry = { file: string; provider: string; headers: Record<string, string>; expected: Expected }
type Case = { file: string; headers: Record<string, string>; body: Uint8Array; expected: Expected }

const corpus = process.env['CORPUS']

const corpusCases = (directory: string): readonly Case[] => {
  const entries = JSON.parse(readFileSync(join(directory, 'INDEX.json'), 'utf8')) as readonly Entry[]
  const ofLeads = entries.filter(({ provider }) => provider === 'leads')
  return ofLeads.map((entry) => ({ ...entry, body: readFileSync(join(directory, entry.file)) }))
}

const ownCases: readonly Case[] = [
  {
    file: 'the documented form',
    headers: {},
    body: new TextEncoder().encode('name=Ada+Lovelace&email=ada%40example.com&phone=%2B13105559811&company=Engines'),
    expected: {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: '+13105559811',
      company: 'Engines',
      message: null,
    },
  },
  {
    file: 'an announcement',
    headers: { 'Content-Type': 'application/json' },
    body: new TextEncoder().encode(
      '{"object":"page","entry":[{"changes":[{"field":"leadgen","value":{"leadgen_id":7}}]}]}',
    ),
    expected: { leads: 1, external_ids: ['7'], has_pii: false, is_lead: true, source: 'facebook' },
  },
]

/** The ids of the leads, including those sent without details. */
const announced = ({ leads, ignored }: LeadReading) => [
  ...leads.map(({ externalId }) => externalId),
  ...ignored.filter(({ reason }) => reason === 'details_not_included').map(({ externalId }) => externalId),
]

const factsOf = (reading: LeadReading): Expected => {
  const { name = null, email = null, phone = null, company = null, message = null } = reading.leads[0] ?? {}
  const ids = announced(reading)
  const about = { leads: ids.length, is_lead: ids.length > 0, external_ids: ids, external_id: ids[0] }
  return { name, email, phone, company, message, has_pii: reading.leads.length > 0, ...about }
}

const judge = ({ file, headers, body, expected }: Case) => {
  const found = factsOf(readLeads({ source: String(expected['source'] ?? 'website'), headers, body }))
  return Object.entries(expected).flatMap(([label, wanted]) => {
    if (!Object.hasOwn(found, label)) return []
    const accepted = expected[`${label}_accept`]
    const right = [wanted, ...(Array.isArray(accepted) ? accepted : [])].map((value) => JSON.stringify(value))
    return [{ file, label, found: found[label], wanted, isRight: right.includes(JSON.stringify(found[label])) }]
  })
}

it('at least 98 of 100 labeled facts are read correctly', () => {
  const facts = [...ownCases, ...(corpus === undefined ? [] : corpusCases(corpus))].flatMap(judge)
  const wrong = facts.filter(({ isRight }) => !isRight)
  expect(facts.length).toBeGreaterThanOrEqual(9)
  expect({ isEnough: wrong.length / facts.length <= 0.02, wrong }).toMatchObject({ isEnough: true })
})
