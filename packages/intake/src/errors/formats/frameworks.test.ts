import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// One small body per shape, written by hand. What is not named in the expectation is null.

const cases: readonly Reading[] = [
  [
    'GraphQL that hides the error from the caller and shows it to developers',
    {
      errors: [
        {
          message: 'Unexpected error.',
          path: ['pay'],
          extensions: {
            code: 'INTERNAL_SERVER_ERROR',
            originalError: { message: 'no cart', stack: 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)' },
          },
        },
      ],
    },
    'graphql',
    { message: 'Unexpected error.', exception: 'TypeError', file: '/srv/cart.js', line: 3 },
  ],
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
    { message: 'boom', exception: 'App\\Boom', file: 'a.php', line: 12, status: 500, app: 'shop', severity: 'error' },
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
      trace: [{ file: '/srv/app/Cart.php', line: 7, function: 'find', class: 'Model', type: '::' }],
    },
    'laravel',
    {
      message: 'No query results',
      exception: 'Illuminate\\Database\\ModelNotFound',
      file: '/srv/vendor/laravel/framework/src/Model.php',
      line: 20,
      framework: 'laravel',
    },
  ],
  ['Laravel in production', { message: 'Server Error' }, 'documented', { message: 'Server Error' }],
  [
    'a validation of Laravel',
    { message: 'The name field is required.', errors: { name: ['The name field is required.'] } },
    'generic',
    { message: 'The name field is required.' },
  ],
  [
    'Rails, debugging',
    {
      status: 500,
      error: 'Internal Server Error',
      exception: '#<PaymentError: no funds>',
      traces: {
        'Application Trace': [{ id: 1, trace: "app/models/cart.rb:12:in 'pay'" }],
        'Framework Trace': [{ id: 0, trace: "actionpack (8.0) lib/x.rb:1:in 'y'" }],
        'Full Trace': [],
      },
    },
    'rails-debug',
    {
      message: 'no funds',
      exception: 'PaymentError',
      file: 'app/models/cart.rb',
      line: 12,
      status: 500,
      framework: 'rails',
    },
  ],
  [
    'exception_notification',
    {
      server: 'web-1',
      rails_root: '/srv',
      exception: {
        error_class: 'ZeroDivisionError',
        message: '"divided by 0"',
        backtrace: ["/srv/app/cart.rb:5:in `/'", "/srv/app/main.rb:1:in `go'"],
      },
      request: { url: 'https://shop.example/pay', http_method: 'POST' },
      data: {},
    },
    'rails-exception-notification',
    {
      message: 'divided by 0',
      exception: 'ZeroDivisionError',
      file: '/srv/app/cart.rb',
      line: 5,
      url: 'https://shop.example/pay',
      method: 'POST',
      framework: 'rails',
    },
  ],
  ['Django REST framework', { detail: 'Not found.' }, 'generic', { message: 'Not found.' }],
  [
    'a validation of Django REST framework',
    { email: ['Enter a valid address.'], name: ['Required.'] },
    'generic',
    { message: 'email: Enter a valid address.; name: Required.' },
  ],
  [
    'Flask',
    { code: 404, name: 'Not Found', description: 'No such page.' },
    'flask',
    { message: 'No such page.', exception: 'Not Found', status: 404 },
  ],
  ['FastAPI with a text', { detail: 'No such item' }, 'generic', { message: 'No such item' }],
  [
    'FastAPI with a list of fields',
    { detail: [{ type: 'missing', loc: ['body', 'items', 0, 'name'], msg: 'Field required', input: {} }] },
    'fastapi-validation',
    { message: 'body.items.0.name: Field required', framework: 'fastapi' },
  ],
  [
    'Spring Boot with a trace',
    {
      timestamp: '2026-11-20T19:16:24.945+00:00',
      status: 500,
      error: 'Internal Server Error',
      trace: 'com.shop.NoFunds: no funds\n\tat com.shop.Cart.pay(Cart.java:48)\n',
      message: '',
      path: '/pay',
    },
    'spring-boot',
    { message: 'no funds', exception: 'com.shop.NoFunds', file: 'Cart.java', line: 48, status: 500, url: '/pay' },
  ],
  [
    'Spring Boot in production',
    { timestamp: '2026-11-20T19:16:24.945+00:00', status: 404, error: 'Not Found', path: '/nope' },
    'spring-boot',
    { message: 'Not Found', status: 404, url: '/nope' },
  ],
  [
    'RFC 9457',
    {
      type: 'https://api.example/probs/funds',
      title: 'No funds.',
      detail: 'You have 30, it costs 50.',
      instance: '/a/1',
      status: 403,
    },
    'problem-details',
    { message: 'You have 30, it costs 50.', exception: 'https://api.example/probs/funds', url: '/a/1', status: 403 },
  ],
  [
    'RFC 9457 with members of the wrong type',
    { type: 7, title: 'No funds.', status: 'high', detail: ['a'], instance: { a: 1 }, traceId: '00-1' },
    'problem-details',
    { message: 'No funds.' },
  ],
  [
    "ASP.NET's developer page",
    {
      type: 'https://tools.ietf.org/html/rfc9110#section-15.6.1',
      title: 'System.InvalidOperationException',
      status: 500,
      detail: 'no cart',
      traceId: '00-1',
      exception: {
        details: 'System.InvalidOperationException: no cart\n   at Shop.Cart.Pay() in /src/Cart.cs:line 12',
        headers: {},
        path: '/pay',
      },
    },
    'problem-details',
    {
      message: 'no cart',
      exception: 'System.InvalidOperationException',
      file: '/src/Cart.cs',
      line: 12,
      status: 500,
      url: '/pay',
    },
  ],
  [
    'ASP.NET Web API',
    {
      Message: 'An error has occurred.',
      ExceptionMessage: 'no cart',
      ExceptionType: 'System.NullReferenceException',
      StackTrace: '   at Shop.Cart.Pay() in c:\\src\\Cart.cs:line 12',
    },
    'aspnet-web-api',
    { message: 'no cart', exception: 'System.NullReferenceException', file: 'c:\\src\\Cart.cs', line: 12 },
  ],
  [
    'an error handler of Express',
    { error: { message: 'no cart', stack: 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)', status: 500 } },
    'generic',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, status: 500 },
  ],
  [
    'NestJS with a list of messages',
    { message: ['name must be text', 'qty must be a number'], error: 'Bad Request', statusCode: 400 },
    'generic',
    { message: 'name must be text; qty must be a number', status: 400 },
  ],
  [
    "NestJS's own filter",
    { statusCode: 500, timestamp: '2026-11-20T19:16:24.945Z', path: '/pay', message: 'no cart' },
    'generic',
    { message: 'no cart', status: 500, url: '/pay' },
  ],
  [
    'Next.js',
    {
      error: {
        name: 'TypeError',
        message: 'no cart',
        digest: '123',
        stack: 'TypeError: no cart\n    at Page (/app/page.tsx:3:4)',
      },
      request: { path: '/pay?x=1', method: 'GET', headers: {} },
      context: { routerKind: 'App Router', routePath: '/pay', routeType: 'render' },
    },
    'next-on-request-error',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: '/app/page.tsx',
      line: 3,
      url: '/pay?x=1',
      method: 'GET',
      framework: 'nextjs',
    },
  ],
  [
    'Fastify with a code',
    { statusCode: 500, code: 'FST_ERR', error: 'Internal Server Error', message: 'no cart' },
    'generic',
    { message: 'no cart', status: 500 },
  ],
  [
    'hapi',
    { statusCode: 404, error: 'Not Found', message: 'Not Found' },
    'generic',
    { message: 'Not Found', status: 404 },
  ],
  [
    'a Boom handed on whole',
    {
      isBoom: true,
      message: 'no cart',
      output: { statusCode: 500, payload: { statusCode: 500, error: 'Internal Server Error' } },
    },
    'boom',
    { message: 'no cart', status: 500 },
  ],
  [
    'GraphQL',
    {
      errors: [
        {
          message: 'no cart',
          path: ['pay'],
          extensions: { code: 'INTERNAL', stacktrace: ['Error: no cart', '    at pay (/srv/cart.js:3:4)'] },
        },
      ],
      data: null,
    },
    'graphql',
    { message: 'no cart', exception: 'INTERNAL', file: '/srv/cart.js', line: 3 },
  ],
  [
    'JSON:API',
    { errors: [{ status: '422', title: 'Invalid', detail: 'No name.', source: { pointer: '/data' } }] },
    'json-api',
    { message: 'No name.', status: 422 },
  ],
  [
    'JSON-RPC',
    {
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'Internal error', data: { exception: 'App\\Boom', file: 'a.php', line: 3 } },
    },
    'json-rpc',
    { message: 'Internal error', exception: 'App\\Boom', file: 'a.php', line: 3 },
  ],
]

describe('frameworks', () => {
  for (const [title, report, format, expected] of cases) {
    it(`are read: ${title}`, () => {
      expect(readings(report)).toEqual({ formats: [format], records: [expected] })
    })
  }
})
