import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// Shapes that have no reader of their own. What is not named in the expectation is null.

const jsStack = 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)'

const cases: readonly Reading[] = [
  [
    'a class and its message in one text',
    { exception: 'TypeError: no cart', url: '/pay' },
    'generic',
    { message: 'no cart', exception: 'TypeError', url: '/pay' },
  ],
  [
    'a name of one’s own beside a message',
    { message: 'no cart', exception: 'Division by zero', file: 'cart.php:12' },
    'generic',
    { message: 'no cart', exception: 'Division by zero', file: 'cart.php', line: 12 },
  ],
  [
    'a stack beside the documented fields',
    { message: 'no cart', exception: 'TypeError', stack: jsStack, app_name: 'shop' },
    'generic',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, app: 'shop' },
  ],
  [
    'a whole traceback as the exception',
    {
      exception: 'Traceback (most recent call last):\n  File "/srv/cart.py", line 3, in pay\nKeyError: 1\n',
      level: 'ERROR',
    },
    'generic',
    { message: '1', exception: 'KeyError', file: '/srv/cart.py', line: 3, severity: 'error' },
  ],
  [
    'an error that was serialised',
    {
      name: 'PaymentError',
      message: 'no',
      stack: 'PaymentError: no\n    at a (/srv/a.js:1:2)',
      cause: { name: 'IoError', message: 'closed' },
    },
    'generic',
    { message: 'no', exception: 'PaymentError', file: '/srv/a.js', line: 1, causes: ['IoError'] },
  ],
  [
    'an error inside of a message object',
    { error: { message: { lang: 'en', value: 'no cart' }, status: '502' } },
    'generic',
    { message: 'no cart', status: 502 },
  ],
  [
    'an error of tRPC',
    { error: { message: 'no cart', code: -32603, data: { httpStatus: 500, stack: jsStack } } },
    'generic',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, status: 500 },
  ],
  [
    'an error of Phoenix',
    { errors: { detail: 'Internal Server Error' } },
    'generic',
    { message: 'Internal Server Error' },
  ],
  [
    'a report inside of a report',
    { id: 7, payload: { message: 'no cart', level: 'warn' }, environment: 'production' },
    'generic',
    { message: 'no cart', severity: 'warning', environment: 'production' },
  ],
  [
    'a Java throwable as JSON',
    {
      cause: null,
      message: 'no cart',
      localizedMessage: 'no cart',
      stackTrace: [
        { className: 'java.util.Optional', methodName: 'get', fileName: 'Optional.java', lineNumber: 143 },
        { className: 'shop.Cart', methodName: 'pay', fileName: 'Cart.java', lineNumber: 12 },
      ],
    },
    'generic',
    { message: 'no cart', file: 'Cart.java', line: 12 },
  ],
  [
    'a worker at the edge',
    {
      outcome: 'exception',
      scriptName: 'shop',
      exceptions: [{ name: 'TypeError', message: 'no cart' }],
      event: { request: { url: 'https://shop.example/', method: 'GET' } },
    },
    'cloudflare-worker',
    { message: 'no cart', exception: 'TypeError', url: 'https://shop.example/', method: 'GET', app: 'shop' },
  ],
  ['something else entirely', { hello: 'world', n: [1, { a: 2 }] }, 'generic', {}],
]

describe('reports of unknown origin', () => {
  for (const [title, report, format, expected] of cases) {
    it(`are read: ${title}`, () => {
      expect(readings(report)).toEqual({ formats: [format], records: [expected] })
    })
  }
})
