import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// One small body per shape, written by hand.

const jsStack = 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)'
const javaStack = 'com.shop.NoFunds: no funds\n\tat com.shop.Cart.pay(Cart.java:48)\n'

const cases: readonly Reading[] = [
  [
    'an event of Kubernetes',
    {
      type: 'Warning',
      reason: 'BackOff',
      message: 'Back-off restarting the container',
      involvedObject: { kind: 'Pod', namespace: 'prod', name: 'shop-1' },
    },
    'kubernetes-event › BackOff: Back-off restarting the container · is warning · key BackOff+Pod+prod+shop-1+Back-off restarting the container · kind=Pod · namespace=prod · name=shop-1',
  ],
  [
    'an event of Kubernetes as it is watched',
    {
      object: { type: 'Normal', reason: 'Pulled', note: 'Image is there', regarding: { kind: 'Pod', name: 'shop-1' } },
    },
    'kubernetes-event › Pulled: Image is there · is info · key Pulled+Pod+shop-1+Image is there · kind=Pod · name=shop-1',
  ],
  [
    "Google's Error Reporting",
    {
      serviceContext: { service: 'shop' },
      message: jsStack,
      context: { httpRequest: { method: 'GET', url: 'https://shop.example/', responseStatusCode: 500 } },
    },
    'google-error-reporting › TypeError: no cart · at /srv/cart.js:3 · GET https://shop.example/ · status 500 · app shop',
  ],
  [
    "Google's log entry",
    {
      severity: 'ERROR',
      resource: { labels: { service_name: 'shop' } },
      httpRequest: { requestMethod: 'GET', requestUrl: 'https://shop.example/', status: 500 },
      jsonPayload: { stack: jsStack },
    },
    'google-log-entry › TypeError: no cart · at /srv/cart.js:3 · GET https://shop.example/ · status 500 · app shop · is error',
  ],
  [
    'Lambda on Node',
    { trace: ['TypeError: no cart', '    at pay (/var/task/cart.js:3:4)'] },
    'generic › TypeError: no cart · at /var/task/cart.js:3',
  ],
  [
    'a policy violation',
    {
      'csp-report': {
        'document-uri': 'https://shop.example/',
        'violated-directive': 'img-src',
        'blocked-uri': 'https://ads.example',
        'source-file': 'https://shop.example/a.js',
        'line-number': 3,
      },
    },
    'csp-report › Content Security Policy: img-src blocked https://ads.example · at https://shop.example/a.js:3 · https://shop.example/',
  ],
  [
    'the Reporting API, in a list',
    [
      {
        type: 'deprecation',
        url: 'https://shop.example/',
        user_agent: 'x',
        body: { message: 'Old is old.', sourceFile: 'https://shop.example/a.js', lineNumber: 3 },
      },
    ],
    'reporting-api › Old is old. · at https://shop.example/a.js:3 · https://shop.example/',
  ],
  [
    'window.onerror',
    { message: 'Uncaught TypeError: no cart', source: 'https://shop.example/a.js', lineno: 3 },
    'window-error › TypeError: no cart · at https://shop.example/a.js:3',
  ],
  [
    'an unhandled rejection',
    { reason: { stack: jsStack }, url: 'https://shop.example/' },
    'window-error › TypeError: no cart · at /srv/cart.js:3 · https://shop.example/',
  ],
  [
    'an announcement in the shape of a chat',
    {
      attachments: [
        {
          title: 'ZeroDivisionError: division by zero',
          title_link: 'https://errors.example/1',
          fields: [
            { title: 'Project', value: 'shop' },
            { title: 'Environment', value: 'production' },
          ],
        },
      ],
    },
    'chat-alert › ZeroDivisionError: division by zero · https://errors.example/1 · app shop · in production',
  ],
  [
    'a worker of Cloudflare from Logpush',
    {
      Event: { Request: { URL: 'https://shop.example/pay', Method: 'GET' }, Response: { Status: 500 } },
      Exceptions: [{ Name: 'TypeError', Message: 'no cart' }],
      Outcome: 'exception',
      ScriptName: 'shop',
    },
    'cloudflare-worker › TypeError: no cart · GET https://shop.example/pay · status 500 · app shop',
  ],
  [
    'a line of a drain of Vercel',
    {
      message: jsStack,
      timestamp: 1,
      projectId: 'p',
      projectName: 'shop',
      environment: 'production',
      level: 'error',
      proxy: { method: 'POST', path: '/api/pay', statusCode: 500 },
    },
    'vercel-log › TypeError: no cart · at /srv/cart.js:3 · POST /api/pay · status 500 · app shop · in production · is error',
  ],
  [
    'Flask',
    { code: 404, name: 'Not Found', description: 'No such page.' },
    'flask › Not Found: No such page. · status 404',
  ],
  [
    'Spring Boot with a trace',
    {
      timestamp: '2026-11-20T19:16:24.945+00:00',
      status: 500,
      error: 'Internal Server Error',
      trace: javaStack,
      path: '/pay',
    },
    'spring-boot › com.shop.NoFunds: no funds · at Cart.java:48 · /pay · status 500',
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
    'problem-details › https://api.example/probs/funds: You have 30, it costs 50. · /a/1 · status 403',
  ],
  [
    "ASP.NET's developer page",
    {
      title: 'System.InvalidOperationException',
      status: 500,
      detail: 'no cart',
      exception: {
        details: 'System.InvalidOperationException: no cart\n   at Shop.Cart.Pay() in /src/Cart.cs:line 12',
        path: '/pay',
      },
    },
    'problem-details › System.InvalidOperationException: no cart · at /src/Cart.cs:12 · /pay · status 500',
  ],
  [
    'GraphQL that hides the error from the caller and shows it to developers',
    { errors: [{ message: 'Unexpected error.', extensions: { originalError: { stack: jsStack } } }] },
    'graphql › TypeError: Unexpected error. · at /srv/cart.js:3',
  ],
  [
    'GraphQL',
    {
      errors: [{ message: 'no cart', extensions: { code: 'INTERNAL', stacktrace: ['    at pay (/srv/cart.js:3:4)'] } }],
    },
    'graphql › INTERNAL: no cart · at /srv/cart.js:3',
  ],
  ['JSON:API', { errors: [{ status: '422', detail: 'No name.' }] }, 'json-api › No name. · status 422'],
  [
    'JSON:API with what a toolkit adds for developers',
    {
      errors: [
        { status: '500', detail: 'no cart', meta: { debug: { class: 'CartError', file: '/srv/cart.php', line: 9 } } },
      ],
    },
    'json-api › CartError: no cart · at /srv/cart.php:9 · status 500',
  ],
]

describe('platforms, browsers, and frameworks', () => {
  it.each(cases)('are read: %s', (_, body, expected) => {
    expect(readings(body)).toEqual([expected])
  })
})
