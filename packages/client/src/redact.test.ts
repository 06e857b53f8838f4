import fc from 'fast-check'
import { expect, it } from 'vitest'
import { redact, secretsIn } from './redact.ts'

const secret = fc.string({ minLength: 5, maxLength: 40 }).filter((text) => text.trim().length >= 5)

it('removes every occurrence of the given secrets', () => {
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1 }), fc.array(fc.string()), (secrets, rest) => {
      const text = secrets.map((each, index) => `${rest[index] ?? ''}${each}`).join('')
      const clean = redact(text, secretsIn([{ deep: [secrets] }]))
      const mask = '[redacted]'
      for (const each of secrets) fc.pre(!mask.includes(each))
      for (const each of secrets) expect(clean.split(mask).some((part) => part.includes(each))).toBe(false)
    }),
  )
})

it.each([
  ['Bearer abc.def-123 is wrong', '[redacted] is wrong'],
  ['token service_abc123 is wrong', 'token [redacted] is wrong'],
  ['ada@example.org is taken', '[redacted] is taken'],
  ['The title field is required.', 'The title field is required.'],
])('redacts %o to %o without given secrets', (text, expected) => {
  expect(redact(text, [])).toBe(expected)
})

it('removes secrets that the platform escapes for JSON or HTML', () => {
  const secrets = secretsIn([], { name: 'Tom & "Jerry"' })
  expect(redact('<b>Tom &amp; &quot;Jerry&quot;</b> {"name":"Tom & \\"Jerry\\""}', secrets)).toBe(
    '<b>[redacted]</b> {"name":"[redacted]"}',
  )
})

it.each([
  ['The name is bad.', { title: 'name' }],
  ['The is_instance_admin field must be a boolean.', { name: 'admin', is_instance_admin: 'maybe' }],
  ['It must be one of: owner, admin.', { role: 'admin' }],
  ['It must be one of: ticket.created, tickets:read.', { events: ['ticket.create'], scopes: ['tickets:read'] }],
])('keeps ordinary words of a body: %s', (text, body) => {
  expect(redact(text, secretsIn([], body))).toBe(text)
})

it.each([
  { password: 'admin' },
  { new: { api_token: ['admin'] } },
  { headers: { 'x-team': 'admin' } },
  { note: 'admin ' },
])('removes words in fields of secrets, and all other texts of a body: %j', (body) => {
  expect(redact('It is admin .', secretsIn([], body))).not.toContain('admin')
})

it('removes words that are credentials', () => {
  expect(redact('It is admin.', secretsIn([{ 'x-key': 'admin' }]))).not.toContain('admin')
})
