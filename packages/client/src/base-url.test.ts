import { expect, it } from 'vitest'
import { requireBaseUrl } from './base-url.ts'

const expected = { option: 'baseUrl', path: '/api/v1' } as const

it.each([
  ['https://example.com/api/v1', 'https://example.com/api/v1'],
  ['https://example.com/api/v1/', 'https://example.com/api/v1'],
  ['https://example.com', 'https://example.com'],
  ['http://localhost:3000/api/v1//', 'http://localhost:3000/api/v1'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['http://api.localhost/x', 'http://api.localhost/x'],
])('accepts %s', (given, checked) => {
  expect(requireBaseUrl(given, expected)).toBe(checked)
})

it.each(['http://example.com', 'http://127.0.0.1.example.com', 'http://localhost.example.com', 'http://10.0.0.1'])(
  'rejects %s, which would send the token unencrypted, unless allowInsecure is set',
  (url) => {
    expect(() => requireBaseUrl(url, expected)).toThrow('allowInsecure')
    expect(requireBaseUrl(url, expected, true)).toBe(url)
  },
)

it.each(['', 'example.com', '/api/v1', 'ftp://example.com', 'javascript:alert(1)'])(
  'rejects %o, which is not an http(s) URL',
  (url) => {
    expect(() => requireBaseUrl(url, expected)).toThrow('baseUrl must be an http(s) URL string')
  },
)

it('rejects credentials in the URL without repeating them', () => {
  expect(() => requireBaseUrl('https://ada:hunter2@example.com', expected)).toThrow(/^(?!.*hunter2).*token/)
})

it.each(['https://example.com/?a=1', 'https://example.com/#a'])(
  'rejects %s, because no path can be appended to it',
  (url) => {
    expect(() => requireBaseUrl(url, expected)).toThrow('query or a fragment')
  },
)
