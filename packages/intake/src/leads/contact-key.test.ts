import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emailKey, phoneKey } from './contact-key.ts'

describe('the key of an email address', () => {
  it('is the same for every spelling of one address', () => {
    for (const raw of ['ada@example.com', ' Ada@Example.COM ', 'mailto:ADA@example.com'])
      expect(emailKey(raw)).toBe('ada@example.com')
  })

  it('differs for different addresses', () => {
    expect(emailKey('ada+news@example.com')).not.toBe(emailKey('ada@example.com'))
    expect(emailKey('a.da@example.com')).not.toBe(emailKey('ada@example.com'))
  })

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    'a@b@example.com',
    'ada@example.com\nbcc:x@y.zz',
    '[REDACTED]',
  ])('does not exist for %j', (raw) => {
    expect(emailKey(raw)).toBeNull()
  })
})

describe('the key of a phone number', () => {
  it('is the same for every spelling of one number', () => {
    const spellings = [
      '+1 310-555-9811',
      '13105559811',
      '+1 (310) 555-9811',
      '001 310 555 9811',
      'tel:+1.310.555.9811',
      '+1 310-555-9811 ext. 12',
      '＋１３１０５５５９８１１',
    ]
    for (const raw of spellings) expect(phoneKey(raw)).toBe('13105559811')
  })

  it('drops the zero that is only dialed domestically', () => {
    expect(phoneKey('+44 (0)20 7946 0018')).toBe('442079460018')
    expect(phoneKey('020 7946 0018')).toBe('02079460018')
  })

  it.each(['', '12', 'call me', 'ada@example.com', '+', '1'.repeat(30)])('does not exist for %j', (raw) => {
    expect(phoneKey(raw)).toBeNull()
  })

  it('ignores the grouping of the digits', () => {
    const groups = fc.array(fc.stringMatching(/^[1-9]{2,3}$/), { minLength: 3, maxLength: 5 })
    fc.assert(
      fc.property(groups, fc.constantFrom(' ', '-', '.', '/', ''), (parts, separator) => {
        expect(phoneKey(`+${parts.join(separator)}`)).toBe(parts.join(''))
      }),
    )
  })
})
