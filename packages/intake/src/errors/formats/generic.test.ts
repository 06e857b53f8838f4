import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// One small body per shape, written by hand. What is not named in the expectation is null.

const jsStack = 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)'

const cases: readonly Reading[] = [
  ['an empty report', {}, 'documented', {}],
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
    'documented',
    { message: 'boom', exception: 'App\\Boom', file: 'a.php', line: 12, app: 'shop', severity: 'error', status: 500 },
  ],
  [
    'the documented fields with the class inside of the message',
    { message: 'TypeError: no\n    at pay (/srv/cart.js:3:4)', app_name: 'shop' },
    'generic',
    { message: 'no', exception: 'TypeError', file: '/srv/cart.js', line: 3, app: 'shop' },
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
    'generic',
    {
      message: 'No query results',
      exception: 'Illuminate\\Database\\ModelNotFound',
      file: '/srv/vendor/laravel/framework/src/Model.php',
      line: 20,
    },
  ],
  [
    'Rails, debugging',
    {
      status: 500,
      exception: '#<PaymentError: no funds>',
      traces: { 'Application Trace': [{ trace: "app/models/cart.rb:12:in 'pay'" }] },
    },
    'generic',
    { message: 'no funds', exception: 'PaymentError', file: 'app/models/cart.rb', line: 12, status: 500 },
  ],
  [
    'FastAPI with a list of fields',
    { detail: [{ loc: ['body', 'items', 0, 'name'], msg: 'Field required' }] },
    'generic',
    { message: 'body.items.0.name: Field required' },
  ],
  [
    'NestJS with a list of messages',
    { message: ['name must be text', 'qty must be a number'], statusCode: 400 },
    'generic',
    { message: 'name must be text; qty must be a number', status: 400 },
  ],
  [
    'JSON-RPC',
    { error: { message: 'Internal error', data: { exception: 'App\\Boom', file: 'a.php', line: 3 } } },
    'generic',
    { message: 'Internal error', exception: 'App\\Boom', file: 'a.php', line: 3 },
  ],
  [
    'an error among what was handed to a logger',
    { fields: { error: { stack: jsStack } }, extra: { url: '/pay', http_method: 'POST' } },
    'generic',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, url: '/pay', method: 'POST' },
  ],
  [
    'a report below the name of an event',
    { application: { name: 'shop' }, payload: { message: 'no cart', class: 'CartError', file: 'cart.php', line: 9 } },
    'generic',
    { message: 'no cart', exception: 'CartError', file: 'cart.php', line: 9, app: 'shop' },
  ],
  [
    'a logger of Node by its process',
    { level: 'error', name: 'cart', pid: 7, hostname: 'web-1', err: { name: 'TypeError', message: 'no cart' } },
    'generic',
    { message: 'no cart', exception: 'TypeError', app: 'cart', severity: 'error' },
  ],
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
    'an error that was serialised',
    { stack: 'PaymentError: no\n    at a (/srv/a.js:1:2)', cause: { name: 'IoError' } },
    'generic',
    { message: 'no', exception: 'PaymentError', file: '/srv/a.js', line: 1, causes: ['IoError'] },
  ],
  [
    'an error of tRPC',
    { error: { data: { httpStatus: 500, stack: jsStack } } },
    'generic',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, status: 500 },
  ],
  [
    'what PHP hands to an error handler',
    { errstr: 'Division by zero', errfile: '/srv/cart.php', errline: 12 },
    'generic',
    { message: 'Division by zero', file: '/srv/cart.php', line: 12 },
  ],
  [
    'a class in front of the message, in the documented shape',
    { message: 'TypeError: no cart', file: 'cart.js', line: 3 },
    'documented',
    { message: 'no cart', exception: 'TypeError', file: 'cart.js', line: 3 },
  ],
  ['something else entirely', { n: [] }, 'generic', {}],
]

describe('reports of unknown origin', () => {
  it.each(cases)('are read: %s', (_, body, format, expected) => {
    expect(readings(body)).toEqual({ formats: [format], records: [expected] })
  })
})
