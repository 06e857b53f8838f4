import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// Shapes that have no reader of their own. What is not named in the expectation is null.

const jsStack = 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)'

const cases: readonly Reading[] = [
  [
    'what went well by its own word',
    { success: true, event: 'deployment_success', message: 'version 7 is out', application_name: 'shop' },
    'generic',
    { message: 'version 7 is out', app: 'shop', recovered: true },
  ],
  [
    'a failed run below its delivery',
    {
      type: 'alert.run.failed',
      object: {
        run: { status: 'CRASHED' },
        project: { name: 'Shop' },
        environment: { slug: 'prod' },
        error: { name: 'TypeError', message: 'no cart', stackTrace: jsStack },
      },
    },
    'generic',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, app: 'Shop', environment: 'prod' },
  ],
  [
    'JSON:API with what a toolkit adds for developers',
    {
      errors: [
        {
          status: '500',
          title: 'Internal Server Error',
          detail: 'no cart',
          meta: { debug: { class: 'CartError', file: '/srv/cart.php', line: 9 } },
        },
      ],
    },
    'json-api',
    { message: 'no cart', exception: 'CartError', file: '/srv/cart.php', line: 9, status: 500 },
  ],
  [
    'a message whose name is spelled otherwise',
    { 'Error-Description': 'the amount is not valid', RequestId: 'r1' },
    'generic',
    { message: 'the amount is not valid' },
  ],
  [
    'a stack inside of an object, and an environment with a name',
    { bundle: 'shop', stack_trace: { report: jsStack, name: 'crash' }, environment: { slug: 'prod' } },
    'generic',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, environment: 'prod' },
  ],
  [
    'a job that has only begun, which is no error',
    { event: 'job.started', job: { id: 'j1', name: 'test' } },
    'generic',
    { message: 'job.started', severity: 'info' },
  ],
  [
    'an error among what was handed to a logger',
    {
      message: 'upload failed',
      fields: { error: { name: 'TypeError', message: 'no cart', stack: jsStack } },
      extra: { url: '/pay', http_method: 'POST' },
    },
    'generic',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, url: '/pay', method: 'POST' },
  ],
  [
    'a browser that names the error beside a stack without a title',
    {
      message: '',
      name: 'NS_ERROR_FAILURE',
      stack: 'pay@https://shop.example/cart.js:3:4\n@https://shop.example/:1:1',
    },
    'generic',
    { exception: 'NS_ERROR_FAILURE', file: 'https://shop.example/cart.js', line: 3 },
  ],
  [
    'a message beside the name of an event',
    { level: 'error', event: 'cart.render-failed', message: 'A part of the cart failed' },
    'generic',
    { message: 'A part of the cart failed', severity: 'error' },
  ],
  [
    'the class of the stack before a kind in a list',
    {
      stackTrace: 'StockError: no cart\n    at pay (/srv/cart.js:3:4)',
      siblings: [{ id: 1, kind: 'Error', queue: 'b' }],
    },
    'generic',
    { message: 'no cart', exception: 'StockError', file: '/srv/cart.js', line: 3 },
  ],
  [
    'a stack as a list of lines',
    { statusCode: 503, stack: ['Error: no stock', 'at stock (/srv/stock.js:4:2)'] },
    'generic',
    { message: 'no stock', exception: 'Error', file: '/srv/stock.js', line: 4, status: 503 },
  ],
  [
    'a report below the name of an event',
    {
      event: 'error_occurred',
      application: { name: 'shop' },
      payload: { message: 'no cart', class: 'CartError', file: 'cart.php', line: 9 },
    },
    'generic',
    { message: 'no cart', exception: 'CartError', file: 'cart.php', line: 9, app: 'shop' },
  ],
  [
    'a report below two envelopes',
    {
      data: {
        type: 'error',
        attributes: { error_type: 'NotFound', error_message: 'no cart', application_name: 'shop' },
      },
    },
    'generic',
    { message: 'no cart', exception: 'NotFound', app: 'shop' },
  ],
  [
    'the project and the address inside of the error',
    {
      error: {
        error_class: 'CartError',
        error_message: 'no cart',
        file: 'cart.rb',
        line_number: 3,
        project: { name: 'shop' },
        url: 'https://track.example/1',
      },
    },
    'generic',
    {
      message: 'no cart',
      exception: 'CartError',
      file: 'cart.rb',
      line: 3,
      app: 'shop',
      url: 'https://track.example/1',
    },
  ],
  [
    'a path inside of the error, which may be a file’s',
    { error: { code: 'ENOENT', message: 'no such file', path: '/etc/shop.conf' } },
    'generic',
    { message: 'no such file' },
  ],
  [
    'frames with a mark of whose they are',
    {
      error_type: 'ZeroDivisionError',
      error_message: 'division by zero',
      stack_frames: [{ file: '/srv/avg.js', line: 2, in_app: true }],
    },
    'generic',
    { message: 'division by zero', exception: 'ZeroDivisionError', file: '/srv/avg.js', line: 2 },
  ],
  [
    'a level inside of the error, and one that is a constant',
    { error: { message: 'no cart', level: 'SEVERITY_CRITICAL' } },
    'generic',
    { message: 'no cart', severity: 'critical' },
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
  [
    'what PHP hands to an error handler',
    { errno: 2, errstr: 'Division by zero', errfile: '/srv/cart.php', errline: 12 },
    'generic',
    { message: 'Division by zero', file: '/srv/cart.php', line: 12 },
  ],
  [
    'the last error of PHP, whose type is a number',
    { error: { type: 8, message: 'Undefined index: cart', file: '/srv/cart.php', line: 3 } },
    'generic',
    { message: 'Undefined index: cart', file: '/srv/cart.php', line: 3 },
  ],
  [
    'the last error of PHP, which was not caught',
    { type: 1, message: 'Uncaught Error: Call to undefined function pay() in /srv/cart.php:12' },
    'generic',
    { message: 'Call to undefined function pay()', exception: 'Error', file: '/srv/cart.php', line: 12 },
  ],
  [
    'a line under its Japanese name',
    { メッセージ: '支払いに失敗しました', ファイル: 'pay.rb', 行番号: 12 },
    'generic',
    { message: '支払いに失敗しました', file: 'pay.rb', line: 12 },
  ],
  [
    'a class in front of the message, in the documented shape',
    { message: 'TypeError: no cart', file: 'cart.js', line: 3 },
    'documented',
    { message: 'no cart', exception: 'TypeError', file: 'cart.js', line: 3 },
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
