import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { answerHandshake } from './handshake.ts'

const meta = { 'hub.mode': 'subscribe', 'hub.verify_token': 'open sesame', 'hub.challenge': '1158201444' }
const answer = (query: Record<string, string>, secret: string | null = 'open sesame') =>
  answerHandshake(new URLSearchParams(query), secret)

describe("a platform's handshake", () => {
  it('echoes the challenge of Meta and WhatsApp as plain text', () => {
    expect(answer(meta)).toEqual({ status: 200, contentType: 'text/plain', body: '1158201444' })
  })

  it.each([
    ['a wrong token', { ...meta, 'hub.verify_token': 'open sesam' }],
    ['an empty token', { ...meta, 'hub.verify_token': '' }],
    ['another mode', { ...meta, 'hub.mode': 'unsubscribe' }],
    ['no challenge', { 'hub.mode': 'subscribe', 'hub.verify_token': 'open sesame' }],
    ['a challenge with line breaks', { ...meta, 'hub.challenge': 'a\r\nb' }],
    ['only a challenge', { 'hub.challenge': '1' }],
  ])('refuses %s', (_, query) => {
    expect(answer(query)).toEqual({ status: 403 })
  })

  it('signs LinkedIn’s code', () => {
    const code = '890e4665-4dfe-4ab1-b689-ed553bceeed0'
    const challengeResponse = createHmac('sha256', 'open sesame').update(code).digest('hex')
    expect(answer({ challengeCode: code, applicationId: '1' })).toEqual({
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ challengeCode: code, challengeResponse }),
    })
  })

  it('never signs text that could be a delivery', () => {
    expect(answer({ challengeCode: '{"type":"LEAD_ACTION"}' })).toEqual({ status: 403 })
    expect(answer({ challengeCode: '' })).toEqual({ status: 403 })
    expect(answer({ challengeCode: 'abc-1' })).toEqual({ status: 403 })
  })

  it('refuses every challenge while no secret is set', () => {
    expect(answer({ ...meta, 'hub.verify_token': '' }, null)).toEqual({ status: 403 })
    expect(answer({ ...meta, 'hub.verify_token': '' }, '')).toEqual({ status: 403 })
    expect(answer({ challengeCode: '890e4665-4dfe-4ab1-b689-ed553bceeed0' }, null)).toEqual({ status: 403 })
  })

  it('ignores an ordinary ping', () => {
    expect(answer({})).toBeNull()
    expect(answer({ utm_source: 'x' }, null)).toBeNull()
  })
})
