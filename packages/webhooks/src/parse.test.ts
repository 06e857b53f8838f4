import { describe, expect, it } from 'vitest'
import { parse, WebhookVerificationError } from './index.ts'
import { fixtures } from './testing.ts'

it.each(Object.entries(fixtures))('parses %s', (name, payload) => {
  expect(parse(JSON.stringify(payload))).toEqual({ type: name, name, payload })
})

describe('an unknown event', () => {
  it.each([
    ['a future event', { event: 'ticket.merged', ticket: {} }, 'ticket.merged'],
    ['the name of a method', { event: 'constructor' }, 'constructor'],
    ['a known name without its subject', { event: 'ticket.created' }, 'ticket.created'],
    ['a known name whose subject is not an object', { event: 'task.created', task: 7 }, 'task.created'],
    ['a name that is not a string', { event: 7 }, undefined],
    ['no name', {}, undefined],
    ['an array', [], undefined],
    ['null', null, undefined],
    ['a number', 1, undefined],
    ['with an object under an empty name', { event: 'deal.won', '': {} }, 'deal.won'],
  ])('has the type unknown: %s', (_case, payload, name) => {
    expect(parse(JSON.stringify(payload))).toEqual({ type: 'unknown', name, payload })
  })
})

it('keeps keys that this version does not know', () => {
  const payload = { ...fixtures['ticket.created'], added: { later: true } }
  expect(parse(JSON.stringify(payload)).payload).toEqual(payload)
})

it('refuses invalid JSON with its own error', () => {
  expect(() => parse('{')).toThrow(WebhookVerificationError)
  expect(() => parse(new Uint8Array([0xff]))).toThrow(expect.objectContaining({ code: 'invalid_json', status: 400 }))
})
