import { expect, it } from 'vitest'
import { isEmailAddress } from './email-address.ts'

it.each([
  'ada@example.com',
  "o'brien+shop#1@mail.example.co.uk",
  '!$%&*/=?^_`{|}~-@example.org',
  'a@b.c',
  '"ada lovelace"@example.org',
  '"a\\\\\\"@b"@example.org',
  'ada@[192.0.2.1]',
  'ada@[IPv6:2001:db8::1]',
  'grüße@bücher.example',
  '用户@例子.广告',
  'उपयोगकर्ता@उदाहरण.भारत',
  'ada@xn--bcher-kva.example',
  'ada@9.example.0',
  `${'a'.repeat(64)}@${'b'.repeat(63)}.example`,
])('takes %j for an address, as RFC 5321, RFC 6531 and IDNA do', (text) => {
  expect(isEmailAddress(text)).toBe(true)
})

it.each([
  '',
  'ada',
  'ada@',
  '@example.com',
  'ada@host',
  'ada @example.com',
  'ada@exam ple.com',
  '.ada@example.com',
  'ada.@example.com',
  'a..b@example.com',
  'a@b@example.com',
  'ada@-a.example',
  'ada@a-.example',
  'ada@a_b.example',
  'ada@example..com',
  'ada@example.com.',
  'Ada <ada@example.com>',
  '[REDACTED]',
  'ada\u0000@example.com',
  `${'a'.repeat(65)}@example.com`,
  `ada@${'b'.repeat(64)}.example`,
  `ada@${`${'b'.repeat(60)}.`.repeat(4)}example`,
])('does not take %j for one', (text) => {
  expect(isEmailAddress(text)).toBe(false)
})
