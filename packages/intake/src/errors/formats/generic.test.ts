import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// One small body per shape, written by hand.

const jsStack = 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)'

const cases: readonly Reading[] = [
  ['an empty report', {}, 'documented › '],
  [
    'the documented fields',
    {
      message: 'boom',
      exception: 'App\\Boom',
      file: 'a.php',
      line: '12',
      status_code: '500',
      app_name: 'shop',
      severity: 50,
    },
    'documented › App\\Boom: boom · at a.php:12 · status 500 · app shop · is error',
  ],
  [
    'the documented fields with the class inside of the message',
    { message: 'TypeError: no\n    at pay (/srv/cart.js:3:4)', app_name: 'shop' },
    'generic › TypeError: no · at /srv/cart.js:3 · app shop',
  ],
  [
    'Laravel, debugging',
    {
      message: 'No query results',
      exception: 'Illuminate\\Database\\ModelNotFound',
      file: '/srv/vendor/laravel/framework/src/Model.php',
      line: 20,
      trace: [],
    },
    'generic › Illuminate\\Database\\ModelNotFound: No query results · at /srv/vendor/laravel/framework/src/Model.php:20',
  ],
  [
    'Rails, debugging',
    {
      status: 500,
      exception: '#<PaymentError: no funds>',
      traces: { 'Application Trace': [{ trace: "app/models/cart.rb:12:in 'pay'" }] },
    },
    'generic › PaymentError: no funds · at app/models/cart.rb:12 · status 500',
  ],
  [
    'FastAPI with a list of fields',
    { detail: [{ loc: ['body', 'items', 0, 'name'], msg: 'Field required' }] },
    'generic › body.items.0.name: Field required',
  ],
  [
    'NestJS with a list of messages',
    { message: ['name must be text', 'qty must be a number'], statusCode: 400 },
    'generic › name must be text; qty must be a number · status 400',
  ],
  [
    'JSON-RPC',
    { error: { message: 'Internal error', data: { exception: 'App\\Boom', file: 'a.php', line: 3 } } },
    'generic › App\\Boom: Internal error · at a.php:3',
  ],
  [
    'an error among what was handed to a logger',
    { fields: { error: { stack: jsStack } }, extra: { url: '/pay', http_method: 'POST' } },
    'generic › TypeError: no cart · at /srv/cart.js:3 · POST /pay',
  ],
  [
    'a report below the name of an event',
    { application: { name: 'shop' }, payload: { message: 'no cart', class: 'CartError', file: 'cart.php', line: 9 } },
    'generic › CartError: no cart · at cart.php:9 · app shop',
  ],
  [
    'a logger of Node by its process',
    { level: 'error', name: 'cart', pid: 7, hostname: 'web-1', err: { name: 'TypeError', message: 'no cart' } },
    'generic › TypeError: no cart · app cart · is error',
  ],
  [
    'a class and its message in one text',
    { exception: 'TypeError: no cart', url: '/pay' },
    'generic › TypeError: no cart · /pay',
  ],
  [
    'a name of one’s own beside a message',
    { message: 'no cart', exception: 'Division by zero', file: 'cart.php:12' },
    'generic › Division by zero: no cart · at cart.php:12',
  ],
  [
    'an error that was serialised',
    { stack: 'PaymentError: no\n    at a (/srv/a.js:1:2)', cause: { name: 'IoError' } },
    'generic › PaymentError: no · at /srv/a.js:1 · from IoError',
  ],
  [
    'an error of tRPC',
    { error: { data: { httpStatus: 500, stack: jsStack } } },
    'generic › TypeError: no cart · at /srv/cart.js:3 · status 500',
  ],
  [
    'what PHP hands to an error handler',
    { errstr: 'Division by zero', errfile: '/srv/cart.php', errline: 12 },
    'generic › Division by zero · at /srv/cart.php:12',
  ],
  [
    'a class in front of the message, in the documented shape',
    { message: 'TypeError: no cart', file: 'cart.js', line: 3 },
    'documented › TypeError: no cart · at cart.js:3',
  ],
  ['something else entirely', { n: [] }, 'generic › '],
]

describe('reports of unknown origin', () => {
  it.each(cases)('are read: %s', (_, body, expected) => {
    expect(readings(body)).toEqual([expected])
  })
})
