import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// One small line per logger, written by hand. What is not named in the expectation is null.

const jsStack = 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)'
const pyStack = 'Traceback (most recent call last):\n  File "/srv/cart.py", line 3, in pay\nKeyError: \'x\''
const javaStack = 'com.shop.NoFunds: no funds\n\tat com.shop.Cart.pay(Cart.java:48)\n'

const cases: readonly Reading[] = [
  [
    'pino',
    {
      level: 50,
      time: 1,
      pid: 1,
      hostname: 'web',
      name: 'shop',
      req: { method: 'GET', url: '/pay' },
      res: { statusCode: 500 },
      err: { type: 'TypeError', message: 'no cart', stack: jsStack },
      msg: 'request failed',
    },
    'pino',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: '/srv/cart.js',
      line: 3,
      url: '/pay',
      method: 'GET',
      status: 500,
      app: 'shop',
      severity: 'error',
    },
  ],
  [
    'bunyan',
    {
      name: 'shop',
      level: 60,
      v: 0,
      time: 'x',
      err: { name: 'TypeError', message: 'no cart', stack: jsStack },
      msg: 'no cart',
    },
    'pino',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, app: 'shop', severity: 'fatal' },
  ],
  [
    'winston',
    { level: 'error', message: 'no cart', stack: jsStack, service: 'shop', timestamp: 'x' },
    'generic',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, app: 'shop', severity: 'error' },
  ],
  [
    'Monolog',
    {
      message: 'no cart',
      context: {
        exception: {
          class: 'App\\Boom',
          message: 'no cart',
          code: 0,
          file: '/srv/vendor/x.php:12',
          trace: ['/srv/app/Cart.php:3', '/srv/public/index.php:9'],
          previous: { class: 'PDOException', message: 'closed', file: '/srv/a.php:1' },
        },
      },
      level: 500,
      level_name: 'CRITICAL',
      channel: 'app',
      extra: { url: '/pay', http_method: 'GET' },
    },
    'monolog',
    {
      message: 'no cart',
      exception: 'App\\Boom',
      file: '/srv/vendor/x.php',
      line: 12,
      url: '/pay',
      method: 'GET',
      severity: 'critical',
      causes: ['PDOException'],
    },
  ],
  [
    'python-json-logger',
    {
      levelname: 'CRITICAL',
      name: 'shop.cart',
      message: 'pay failed',
      exc_info: pyStack,
      pathname: '/srv/cart.py',
      lineno: 9,
    },
    'python-json-logger',
    { message: 'pay failed', exception: 'KeyError', file: '/srv/cart.py', line: 3, severity: 'critical' },
  ],
  [
    'python-json-logger without an exception',
    { levelname: 'ERROR', message: 'pay failed', pathname: '/srv/cart.py', lineno: 9 },
    'python-json-logger',
    { message: 'pay failed', file: '/srv/cart.py', line: 9, severity: 'error' },
  ],
  [
    'structlog with the exception as text',
    { event: 'pay failed', level: 'error', exception: pyStack },
    'structlog',
    { message: 'pay failed', exception: 'KeyError', file: '/srv/cart.py', line: 3, severity: 'error' },
  ],
  [
    'structlog with the exception as dicts',
    {
      event: 'pay failed',
      level: 'error',
      exception: [
        {
          exc_type: 'ValueError',
          exc_value: 'no cart',
          frames: [
            { filename: '/srv/main.py', lineno: 1, name: 'main' },
            { filename: '/srv/cart.py', lineno: 3, name: 'pay' },
          ],
        },
        { exc_type: 'KeyError', exc_value: "'x'", frames: [] },
      ],
    },
    'structlog',
    {
      message: 'no cart',
      exception: 'ValueError',
      file: '/srv/cart.py',
      line: 3,
      severity: 'error',
      causes: ['KeyError'],
    },
  ],
  [
    'loguru',
    {
      text: `2026 | ERROR | pay failed\n${pyStack}`,
      record: {
        elapsed: {},
        level: { name: 'ERROR', no: 40 },
        message: 'pay failed',
        exception: { type: 'KeyError', value: "'x'", traceback: true },
        file: { name: 'main.py', path: '/srv/main.py' },
        line: 9,
      },
    },
    'loguru',
    { message: 'pay failed', exception: 'KeyError', file: '/srv/cart.py', line: 3, severity: 'error' },
  ],
  [
    "Serilog's compact lines",
    {
      '@t': 'x',
      '@mt': 'Pay {Id}',
      '@m': 'Pay 3',
      '@l': 'Fatal',
      '@x': 'System.Exception: no cart\n   at Shop.Cart.Pay() in /src/Cart.cs:line 3',
      Application: 'shop',
      RequestPath: '/pay',
    },
    'serilog',
    {
      message: 'Pay 3',
      exception: 'System.Exception',
      file: '/src/Cart.cs',
      line: 3,
      url: '/pay',
      app: 'shop',
      severity: 'fatal',
    },
  ],
  [
    'logstash-logback',
    {
      '@timestamp': 'x',
      '@version': '1',
      message: 'pay failed',
      logger_name: 'com.shop.Cart',
      thread_name: 'main',
      level: 'ERROR',
      level_value: 40000,
      stack_trace: javaStack,
    },
    'generic',
    { message: 'pay failed', exception: 'com.shop.NoFunds', file: 'Cart.java', line: 48, severity: 'error' },
  ],
  [
    'Log4j',
    {
      thread: 'main',
      level: 'ERROR',
      loggerName: 'x',
      message: 'pay failed',
      thrown: {
        name: 'com.shop.NoFunds',
        message: 'no funds',
        extendedStackTrace: javaStack,
        cause: { name: 'java.io.IOException', message: 'closed' },
      },
    },
    'generic',
    {
      message: 'no funds',
      exception: 'com.shop.NoFunds',
      file: 'Cart.java',
      line: 48,
      severity: 'error',
      causes: ['java.io.IOException'],
    },
  ],
  [
    'GELF',
    {
      version: '1.1',
      host: 'web',
      short_message: 'no cart',
      full_message: jsStack,
      level: 3,
      _app: 'shop',
      _environment: 'production',
    },
    'gelf',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: '/srv/cart.js',
      line: 3,
      app: 'shop',
      environment: 'production',
      severity: 'error',
    },
  ],
  [
    'ECS with nested keys',
    {
      '@timestamp': 'x',
      log: { level: 'error' },
      message: 'pay failed',
      error: { type: 'TypeError', message: 'no cart', stack_trace: jsStack },
      service: { name: 'shop', environment: 'production' },
      http: { request: { method: 'GET' } },
    },
    'ecs',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: '/srv/cart.js',
      line: 3,
      method: 'GET',
      app: 'shop',
      environment: 'production',
      severity: 'error',
    },
  ],
  [
    'ECS with dots in its keys',
    {
      'log.level': 'ERROR',
      'ecs.version': '1.2.0',
      message: 'pay failed',
      'error.type': 'com.shop.NoFunds',
      'error.message': 'no funds',
      'error.stack_trace': javaStack,
      'service.name': 'shop',
    },
    'ecs',
    { message: 'no funds', exception: 'com.shop.NoFunds', file: 'Cart.java', line: 48, app: 'shop', severity: 'error' },
  ],
  [
    'Datadog',
    {
      ddsource: 'nodejs',
      ddtags: 'env:production,team:a',
      service: 'shop',
      status: 'error',
      message: 'pay failed',
      error: { kind: 'TypeError', message: 'no cart', stack: jsStack },
    },
    'datadog',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: '/srv/cart.js',
      line: 3,
      app: 'shop',
      environment: 'production',
      severity: 'error',
    },
  ],
  [
    'zap',
    { level: 'error', ts: 1.5, caller: 'shop/cart.go:12', msg: 'pay failed', error: 'no cart' },
    'generic',
    { message: 'pay failed', file: 'shop/cart.go', line: 12, severity: 'error' },
  ],
  [
    'slog with its source',
    { time: 'x', level: 'ERROR', source: { function: 'main.pay', file: '/srv/cart.go', line: 12 }, msg: 'pay failed' },
    'generic',
    { message: 'pay failed', file: '/srv/cart.go', line: 12, severity: 'error' },
  ],
  [
    'zerolog with frames',
    {
      level: 'error',
      error: 'no cart',
      stack: [{ func: 'pay', line: '12', source: 'cart.go' }],
      message: 'pay failed',
    },
    'generic',
    { message: 'pay failed', file: 'cart.go', line: 12, severity: 'error' },
  ],
  [
    "Rust's tracing",
    {
      timestamp: 'x',
      level: 'ERROR',
      fields: { message: 'pay failed' },
      target: 'shop',
      filename: 'src/cart.rs',
      line_number: 12,
    },
    'generic',
    { message: 'pay failed', file: 'src/cart.rs', line: 12, severity: 'error' },
  ],
  [
    'lograge',
    {
      method: 'GET',
      path: '/pay',
      format: 'html',
      controller: 'Pay',
      action: 'show',
      status: 500,
      exception: ['PaymentError', 'no cart'],
    },
    'generic',
    { message: 'no cart', exception: 'PaymentError', url: '/pay', method: 'GET', status: 500 },
  ],
  [
    'semantic_logger',
    {
      level: 'error',
      application: 'shop',
      environment: 'production',
      message: 'pay failed',
      exception: { name: 'PaymentError', message: 'no cart', stack_trace: ["/srv/cart.rb:12:in `pay'"] },
    },
    'generic',
    {
      message: 'no cart',
      exception: 'PaymentError',
      file: '/srv/cart.rb',
      line: 12,
      app: 'shop',
      environment: 'production',
      severity: 'error',
    },
  ],
]

describe('loggers', () => {
  for (const [title, report, format, expected] of cases) {
    it(`are read: ${title}`, () => {
      expect(readings(report)).toEqual({ formats: [format], records: [expected] })
    })
  }
})
