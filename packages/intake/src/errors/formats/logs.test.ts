import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// One small body per shape, written by hand. What is not named in the expectation is null.

const jsStack = 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)'
const pyStack = 'Traceback (most recent call last):\n  File "/srv/cart.py", line 3, in pay\nKeyError: \'x\''
const javaStack = 'com.shop.NoFunds: no funds\n\tat com.shop.Cart.pay(Cart.java:48)\n'

const cases: readonly Reading[] = [
  [
    'Monolog for Logstash and Google, which name the level otherwise',
    {
      type: 'shop',
      channel: 'app',
      level: 'ERROR',
      message: 'payment failed',
      context: { exception: { class: 'PaymentFailed', file: '/srv/pay.php:5' } },
      extra: { url: '/pay', http_method: 'POST' },
    },
    'monolog',
    {
      message: 'payment failed',
      exception: 'PaymentFailed',
      file: '/srv/pay.php',
      line: 5,
      url: '/pay',
      method: 'POST',
      app: 'shop',
      severity: 'error',
    },
  ],
  [
    'a trace of Application Insights',
    {
      tags: { 'ai.cloud.role': 'shop' },
      data: { baseType: 'MessageData', baseData: { message: 'stock is negative', severityLevel: 3 } },
    },
    'application-insights',
    { message: 'stock is negative', app: 'shop', severity: 'error' },
  ],
  [
    'pino',
    { level: 50, name: 'shop', req: { method: 'GET', url: '/pay' }, res: { statusCode: 500 }, err: { stack: jsStack } },
    'pino',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: '/srv/cart.js',
      line: 3,
      url: '/pay',
      method: 'GET',
      app: 'shop',
      severity: 'error',
      status: 500,
    },
  ],
  [
    'Monolog',
    {
      message: 'no cart',
      context: { exception: { class: 'App\\Boom', file: '/srv/vendor/x.php:12', previous: { class: 'PDOException' } } },
      level_name: 'CRITICAL',
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
    'Monolog, where an application notes the exception by itself',
    { message: 'no cart', context: { exception_class: 'App\\Boom', file: 'cart.php:42' }, level_name: 'ERROR' },
    'monolog',
    { message: 'no cart', exception: 'App\\Boom', file: 'cart.php', line: 42, severity: 'error' },
  ],
  [
    'python-json-logger',
    { levelname: 'CRITICAL', message: 'pay failed', exc_info: pyStack },
    'python-json-logger',
    { message: 'pay failed', exception: 'KeyError', file: '/srv/cart.py', line: 3, severity: 'critical' },
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
        { exc_type: 'ValueError', exc_value: 'no cart', frames: [{ filename: '/srv/cart.py', lineno: 3 }] },
        { exc_type: 'KeyError' },
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
      text: '2026 | ERROR | pay failed\nTraceback (most recent call last):\n  File "/srv/cart.py", line 3, in pay\nKeyError: \'x\'',
      record: { level: { name: 'ERROR' }, message: 'pay failed' },
    },
    'loguru',
    { message: 'pay failed', exception: 'KeyError', file: '/srv/cart.py', line: 3, severity: 'error' },
  ],
  [
    'structlog with an event that only names what a field says',
    { event: 'query_failed', level: 'error', exc_type: 'DbError', exc_message: 'no such table: carts' },
    'structlog',
    { message: 'no such table: carts', exception: 'DbError', severity: 'error' },
  ],
  [
    "Serilog's compact lines of the level that is left out",
    { '@t': '2026-11-20T10:00:00Z', '@mt': 'Listening on {Address}' },
    'serilog',
    { message: 'Listening on {Address}', severity: 'info' },
  ],
  [
    "Serilog's compact lines",
    {
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
    'Log4j',
    { level: 'ERROR', thrown: { extendedStackTrace: javaStack, cause: { name: 'java.io.IOException' } } },
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
      environment: 'production',
      app: 'shop',
      severity: 'error',
    },
  ],
  [
    'ECS with nested keys',
    {
      log: { level: 'error' },
      error: { stack_trace: jsStack },
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
      environment: 'production',
      app: 'shop',
      severity: 'error',
    },
  ],
  [
    'Datadog',
    { ddtags: 'env:production,team:a', service: 'shop', status: 'error', error: { stack: jsStack } },
    'datadog',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: '/srv/cart.js',
      line: 3,
      environment: 'production',
      app: 'shop',
      severity: 'error',
    },
  ],
  [
    'zap',
    { level: 'error', caller: 'shop/cart.go:12', msg: 'pay failed' },
    'generic',
    { message: 'pay failed', file: 'shop/cart.go', line: 12, severity: 'error' },
  ],
  [
    'slog with its source',
    { level: 'ERROR', source: { file: '/srv/cart.go', line: 12 }, msg: 'pay failed' },
    'generic',
    { message: 'pay failed', file: '/srv/cart.go', line: 12, severity: 'error' },
  ],
  [
    'zerolog with frames',
    { level: 'error', stack: [{ line: '12', source: 'cart.go' }], message: 'pay failed' },
    'generic',
    { message: 'pay failed', file: 'cart.go', line: 12, severity: 'error' },
  ],
  [
    'lograge',
    { method: 'GET', path: '/pay', status: 500, exception: ['PaymentError', 'no cart'] },
    'generic',
    { message: 'no cart', exception: 'PaymentError', url: '/pay', method: 'GET', status: 500 },
  ],
  [
    'the line of an application inside of what its shipper wrote',
    {
      log: '{"level":50,"time":1,"name":"shop","msg":"failed","err":{"type":"TypeError","message":"no cart","stack":"TypeError: no cart\\n    at pay (/srv/cart.js:3:4)"}}',
    },
    'pino',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, app: 'shop', severity: 'error' },
  ],
  [
    'one log of OpenTelemetry alone',
    { severityNumber: 17, body: 'no cart', resource: { 'service.name': 'shop' } },
    'otlp',
    { message: 'no cart', app: 'shop', severity: 'error' },
  ],
  [
    'a span of OpenTelemetry with its exception',
    {
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'shop' } },
              { key: 'deployment.environment', value: { stringValue: 'production' } },
            ],
          },
          scopeSpans: [
            {
              spans: [
                {
                  attributes: [
                    { key: 'http.method', value: { stringValue: 'POST' } },
                    { key: 'http.url', value: { stringValue: 'https://shop.example/pay' } },
                    { key: 'http.status_code', value: { intValue: '500' } },
                  ],
                  events: [
                    {
                      name: 'exception',
                      attributes: [{ key: 'exception.stacktrace', value: { stringValue: jsStack } }],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    'otlp',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: '/srv/cart.js',
      line: 3,
      url: 'https://shop.example/pay',
      method: 'POST',
      environment: 'production',
      app: 'shop',
      status: 500,
    },
  ],
  [
    'a log of OpenTelemetry',
    {
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
          scopeLogs: [
            {
              logRecords: [
                {
                  severityNumber: 17,
                  body: { stringValue: 'no cart' },
                  attributes: [
                    { key: 'code.filepath', value: { stringValue: 'cart.go' } },
                    { key: 'code.lineno', value: { intValue: 3 } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    'otlp',
    { message: 'no cart', file: 'cart.go', line: 3, app: 'shop', severity: 'error' },
  ],
  [
    'a line of Loki',
    { streams: [{ stream: { app: 'shop', env: 'production', level: 'error' }, values: [['1', 'no cart']] }] },
    'loki',
    { message: 'no cart', environment: 'production', app: 'shop', severity: 'error' },
  ],
  [
    'a line of winston in Loki',
    {
      streams: [
        {
          stream: { app: 'shop' },
          values: [['1', 'no cart {"level":"error","stack":"TypeError: no cart\\n    at pay (/srv/cart.js:3:4)"}']],
        },
      ],
    },
    'loki',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, app: 'shop', severity: 'error' },
  ],
  [
    'a batch of New Relic',
    {
      common: { attributes: { 'service.name': 'shop', environment: 'production' } },
      logs: [{ message: 'no cart', attributes: { level: 'error', 'error.stack': jsStack } }],
    },
    'new-relic-logs',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: '/srv/cart.js',
      line: 3,
      environment: 'production',
      app: 'shop',
      severity: 'error',
    },
  ],
  [
    'an error event of New Relic',
    {
      eventType: 'TransactionError',
      'error.class': 'TypeError',
      'error.message': 'no cart',
      appName: 'shop',
      'http.statusCode': 500,
      'request.uri': '/pay',
      'request.method': 'GET',
    },
    'new-relic-logs',
    { message: 'no cart', exception: 'TypeError', url: '/pay', method: 'GET', app: 'shop', status: 500 },
  ],
]

describe('loggers and shippers', () => {
  it.each(cases)('are read: %s', (_, body, format, expected) => {
    expect(readings(body)).toEqual({ formats: [format], records: [expected] })
  })
})
