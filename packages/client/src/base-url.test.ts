import { expect, it } from 'vitest'
import { requireBaseUrl } from './base-url.ts'

it.each([
  ['https://example.com/api/v1', 'https://example.com/api/v1'],
  ['https://example.com/api/v1/', 'https://example.com/api/v1'],
  ['https://example.com', 'https://example.com'],
  ['http://localhost:3000/api/v1//', 'http://localhost:3000/api/v1'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['http://api.localhost/x', 'http://api.localhost/x'],
])('takes %s', (given, expected) => {
  expect(requireBaseUrl(given)).toBe(expected)
})

it.each(['http://example.com', 'http://127.0.0.1.example.com', 'http://localhost.example.com', 'http://10.0.0.1'])(
  'refuses %s, where the token would travel in the clear, unless told otherwise',
  (url) => {
    expect(() => requireBaseUrl(url)).toThrow('allowInsecure')
    expect(requireBaseUrl(url, true)).toBe(url)
  },
)

it.each(['', 'example.com', '/api/v1', 'ftp://example.com', 'javascript:alert(1)'])(
  'refuses %o, which is no web address',
  (url) => {
    expect(() => requireBaseUrl(url)).toThrow('baseUrl must be an absolute')
  },
)

it('refuses user information without repeating it', () => {
  expect(() => requireBaseUrl('https://ada:hunter2@example.com')).toThrow(/^(?!.*hunter2).*token/)
})

it.each(['https://example.com/?a=1', 'https://example.com/#a'])('refuses %s, behind which no path can stand', (url) => {
  expect(() => requireBaseUrl(url)).toThrow('query or a fragment')
})
