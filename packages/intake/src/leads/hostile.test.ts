import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UnreadableBody } from '../sanitize/decode.ts'
import { readLeads } from './read-leads.ts'

const sources = ['website', 'facebook', 'google_ads', 'linkedin', 'tiktok', 'whatsapp']
const encode = (text: string) => new TextEncoder().encode(text)

const keys = fc.constantFrom(
  ...(
    'name email phone message fields value values field_data user_column_data entry changes field messages contacts object ' +
    'lead data answers formResponse form_response type label interactive __proto__ constructor payload event triggerEvent ' +
    'triggerType eventType questions_and_answers invitee responses rawRequest formID FieldStructure Fields SubFields Title ' +
    'ID FormID UniqueID human_fields properties vid objectTypeId siteId options attendees hosts MessageSid From 1.3 form_id ' +
    'messaging_product first answer title leads id from to direction status sender topic'
  ).split(' '),
)

const hostileJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('leadgen', 'page', 'whatsapp_business_account', 'whatsapp', 'FORM_RESPONSE', 'BOOKING_CREATED'),
      fc.constantFrom('form_submission', 'invitee.created', 'ada@example.com', '+44 20 7946 0018', '{"name":"Ada"}'),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 10 }),
  ),
})).value

const readOrRefuse = (source: string, body: Uint8Array) => {
  try {
    return readLeads({ source, headers: {}, body })
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error
    return null
  }
}

const texts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}

describe('any body posted as a lead', () => {
  it('is read into clean plain data or refused with UnreadableBody', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sources), hostileJson, (source, value) => {
        const reading = readOrRefuse(source, encode(JSON.stringify(value)))
        expect(structuredClone(reading)).toEqual(reading)
        for (const text of texts(reading)) expect(text).not.toMatch(/\0|\p{Surrogate}/u)
        for (const { email } of reading?.leads ?? []) expect(email ?? 'a@b.cc').toMatch(/^[^@\s]+@[^@\s]+$/)
      }),
      { numRuns: 600 },
    )
  })

  it('is read or refused with UnreadableBody if it is not JSON', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (body) => {
        expect(readOrRefuse('website', body)).toSatisfy(
          (reading: unknown) => reading === null || typeof reading === 'object',
        )
      }),
    )
    expect(readOrRefuse('website', encode('just words'))).toBeNull()
    expect(readOrRefuse('website', encode('{"name":'))).toBeNull()
    expect(readOrRefuse('website', encode('["name"]'))).toBeNull()
  })

  it('does not change a prototype, as JSON or as a form', () => {
    readOrRefuse('website', encode('{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}'))
    readOrRefuse('website', encode('__proto__[polluted]=yes&constructor[prototype][polluted]=yes&name=Ada'))
    expect('polluted' in {}).toBe(false)
  })

  it('is limited to 200 fields, and refused with more than 100 leads, so that none is lost', () => {
    const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`question ${index}`, 'x']))
    expect(readOrRefuse('website', encode(JSON.stringify(fields)))?.leads[0]?.answers).toHaveLength(200)
    const people = (length: number) => Array.from({ length }, (_, index) => ({ email: `ada${index}@x.example` }))
    for (const bodyOf of [(leads: object[]) => leads, (leads: object[]) => ({ leads })]) {
      expect(readOrRefuse('website', encode(JSON.stringify(bodyOf(people(100)))))?.leads).toHaveLength(100)
      expect(readOrRefuse('website', encode(JSON.stringify(bodyOf(people(101)))))).toBeNull()
    }
  })
})
