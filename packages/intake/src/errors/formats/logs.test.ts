import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// One small body per shape, written by hand.

const jsStack = 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)'
const pyStack = 'Traceback (most recent call last):\n  File "/srv/cart.py", line 3, in pay\nKeyError: \'x\''
const javaStack = 'com.shop.NoFunds: no funds\n\tat com.shop.Cart.pay(Cart.java:48)\n'

const cases: readonly Reading[] = [
  [
    'a trace of Application Insights',
    {
      tags: { 'ai.cloud.role': 'shop' },
      data: { baseType: 'MessageData', baseData: { message: 'stock is negative', severityLevel: 3 } },
    },
    'application-insights › stock is negative · app shop · is error',
  ],
  [
    'pino',
    { level: 50, name: 'shop', req: { method: 'GET', url: '/pay' }, res: { statusCode: 500 }, err: { stack: jsStack } },
    'pino › TypeError: no cart · at /srv/cart.js:3 · GET /pay · status 500 · app shop · is error',
  ],
  [
    'Monolog',
    {
      message: 'no cart',
      context: { exception: { class: 'App\\Boom', file: '/srv/vendor/x.php:12', previous: { class: 'PDOException' } } },
      level_name: 'CRITICAL',
      extra: { url: '/pay', http_method: 'GET' },
    },
    'monolog › App\\Boom: no cart · at /srv/vendor/x.php:12 · from PDOException · GET /pay · is critical',
  ],
  [
    'Monolog, where an application notes the exception by itself',
    { message: 'no cart', context: { exception_class: 'App\\Boom', file: 'cart.php:42' }, level_name: 'ERROR' },
    'monolog › App\\Boom: no cart · at cart.php:42 · is error',
  ],
  [
    'python-json-logger',
    { levelname: 'CRITICAL', message: 'pay failed', exc_info: pyStack },
    'python-json-logger › KeyError: pay failed · at /srv/cart.py:3 · is critical',
  ],
  [
    'structlog with the exception as text',
    { event: 'pay failed', level: 'error', exception: pyStack },
    'structlog › KeyError: pay failed · at /srv/cart.py:3 · is error',
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
    'structlog › ValueError: no cart · at /srv/cart.py:3 · from KeyError · is error',
  ],
  [
    'loguru',
    {
      text: '2026 | ERROR | pay failed\nTraceback (most recent call last):\n  File "/srv/cart.py", line 3, in pay\nKeyError: \'x\'',
      record: { level: { name: 'ERROR' }, message: 'pay failed' },
    },
    'loguru › KeyError: pay failed · at /srv/cart.py:3 · is error',
  ],
  [
    'structlog with an event that only names what a field says',
    { event: 'query_failed', level: 'error', exc_type: 'DbError', exc_message: 'no such table: carts' },
    'structlog › DbError: no such table: carts · is error',
  ],
  [
    "Serilog's compact lines of the level that is left out",
    { '@t': '2026-11-20T10:00:00Z', '@mt': 'Listening on {Address}' },
    'serilog › Listening on {Address} · is info',
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
    'serilog › System.Exception: Pay 3 · at /src/Cart.cs:3 · /pay · app shop · is fatal',
  ],
  [
    'Log4j',
    { level: 'ERROR', thrown: { extendedStackTrace: javaStack, cause: { name: 'java.io.IOException' } } },
    'generic › com.shop.NoFunds: no funds · at Cart.java:48 · from java.io.IOException · is error',
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
    'gelf › TypeError: no cart · at /srv/cart.js:3 · app shop · in production · is error',
  ],
  [
    'ECS with nested keys',
    {
      log: { level: 'error' },
      error: { stack_trace: jsStack },
      service: { name: 'shop', environment: 'production' },
      http: { request: { method: 'GET' } },
    },
    'ecs › TypeError: no cart · at /srv/cart.js:3 · GET · app shop · in production · is error',
  ],
  [
    'Datadog',
    { ddtags: 'env:production,team:a', service: 'shop', status: 'error', error: { stack: jsStack } },
    'datadog › TypeError: no cart · at /srv/cart.js:3 · app shop · in production · is error',
  ],
  [
    'zap',
    { level: 'error', caller: 'shop/cart.go:12', msg: 'pay failed' },
    'generic › pay failed · at shop/cart.go:12 · is error',
  ],
  [
    'slog with its source',
    { level: 'ERROR', source: { file: '/srv/cart.go', line: 12 }, msg: 'pay failed' },
    'generic › pay failed · at /srv/cart.go:12 · is error',
  ],
  [
    'zerolog with frames',
    { level: 'error', stack: [{ line: '12', source: 'cart.go' }], message: 'pay failed' },
    'generic › pay failed · at cart.go:12 · is error',
  ],
  [
    'lograge',
    { method: 'GET', path: '/pay', status: 500, exception: ['PaymentError', 'no cart'] },
    'generic › PaymentError: no cart · GET /pay · status 500',
  ],
  [
    'the line of an application inside of what its shipper wrote',
    {
      log: '{"level":50,"time":1,"name":"shop","msg":"failed","err":{"type":"TypeError","message":"no cart","stack":"TypeError: no cart\\n    at pay (/srv/cart.js:3:4)"}}',
    },
    'pino › TypeError: no cart · at /srv/cart.js:3 · app shop · is error',
  ],
  [
    'one log of OpenTelemetry alone',
    { severityNumber: 17, body: 'no cart', resource: { 'service.name': 'shop' } },
    'otlp › no cart · app shop · is error',
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
    'otlp › TypeError: no cart · at /srv/cart.js:3 · POST https://shop.example/pay · status 500 · app shop · in production',
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
    'otlp › no cart · at cart.go:3 · app shop · is error',
  ],
  [
    'a line of Loki',
    { streams: [{ stream: { app: 'shop', env: 'production', level: 'error' }, values: [['1', 'no cart']] }] },
    'loki › no cart · app shop · in production · is error',
  ],
  [
    'a batch of New Relic',
    {
      common: { attributes: { 'service.name': 'shop', environment: 'production' } },
      logs: [{ message: 'no cart', attributes: { level: 'error', 'error.stack': jsStack } }],
    },
    'new-relic-logs › TypeError: no cart · at /srv/cart.js:3 · app shop · in production · is error',
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
    'new-relic-logs › TypeError: no cart · GET /pay · status 500 · app shop',
  ],
]

describe('loggers and shippers', () => {
  it.each(cases)('are read: %s', (_, body, expected) => {
    expect(readings(body)).toEqual([expected])
  })
})
