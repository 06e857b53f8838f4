import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { answerHandshake } from './handshake.ts'

const meta = { 'hub.mode': 'subscribe', 'hub.verify_token': 'open sesame', 'hub.challenge': '1158201444' }
const answerOf =
  (source: string) =>
  (query: Record<string, string>, secret: string | null = 'open sesame') =>
    answerHandshake({ source, query: new URLSearchParams(query), secret })
const answer = answerOf('facebook')
const answerLinkedIn = answerOf('linkedin')

describe("a platform's handshake", () => {
  it('echoes the challenge of Meta and WhatsApp as plain text', () => {
    expect(answer(meta)).toEqual({ status: 200, contentType: 'text/plain', body: '1158201444' })
  })

  it.each([
    ['a wrong token', { ...meta, 'hub.verify_token': 'open sesam' }, 'The verify token is wrong.'],
    ['an empty token', { ...meta, 'hub.verify_token': '' }, 'The verify token is wrong.'],
    ['another mode', { ...meta, 'hub.mode': 'unsubscribe' }, 'hub.mode must be subscribe'],
    ['no challenge', { 'hub.mode': 'subscribe', 'hub.verify_token': 'open sesame' }, 'hub.challenge 1 to 512'],
    ['a challenge with line breaks', { ...meta, 'hub.challenge': 'a\r\nb' }, 'hub.challenge 1 to 512'],
    ['only a challenge', { 'hub.challenge': '1' }, 'hub.mode must be subscribe'],
  ])('refuses %s', (_, query, message) => {
    expect(answer(query)).toEqual({ status: 403, message: expect.stringContaining(message) })
  })

  it.each(['890e4665-4dfe-4ab1-b689-ed553bceeed0', 'abc-1', 'x'.repeat(255)])('signs LinkedIn’s code %s', (code) => {
    const challengeResponse = createHmac('sha256', 'open sesame').update(code).digest('hex')
    expect(answerLinkedIn({ challengeCode: code, applicationId: '1' })).toEqual({
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ challengeCode: code, challengeResponse }),
    })
  })

  it('never signs text that could be a delivery', () => {
    const refused = { status: 403, message: expect.stringContaining('challengeCode must be 1 to 255 letters') }
    for (const challengeCode of ['{"type":"LEAD_ACTION"}', '', ' {}', '[1]', 'x'.repeat(256)])
      expect(answerLinkedIn({ challengeCode })).toEqual(refused)
  })

  it('refuses every challenge while no secret is set', () => {
    const refused = { status: 403, message: expect.stringContaining('no secret') }
    expect(answer({ ...meta, 'hub.verify_token': '' }, null)).toEqual(refused)
    expect(answer({ ...meta, 'hub.verify_token': '' }, '')).toEqual(refused)
    expect(answerLinkedIn({ challengeCode: '890e4665-4dfe-4ab1-b689-ed553bceeed0' }, null)).toEqual(refused)
  })

  it('ignores an ordinary ping, and the challenge of another platform', () => {
    expect(answer({})).toBeNull()
    expect(answer({ utm_source: 'x' }, null)).toBeNull()
    for (const source of ['facebook', 'whatsapp', 'tiktok', 'website', 'constructor'])
      expect(answerOf(source)({ challengeCode: 'abc' })).toBeNull()
    expect(answerLinkedIn(meta)).toBeNull()
  })
})
