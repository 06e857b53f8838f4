import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// One small body per shape, written by hand.

const cases: readonly Reading[] = [
  [
    'a Sentry event with a chain, tags as pairs and its own grouping',
    {
      platform: 'javascript',
      level: 'fatal',
      environment: 'production',
      exception: {
        values: [
          { type: 'IoError' },
          { type: 'TypeError', value: 'no cart', stacktrace: { frames: [{ filename: 'cart.js', lineno: 3 }] } },
        ],
      },
      request: { url: 'https://shop.example/pay', method: 'post' },
      fingerprint: ['{{ default }}', 'pay'],
    },
    'sentry › TypeError: no cart · at cart.js:3 · from IoError · POST https://shop.example/pay · in production · by javascript · is fatal · key {{ default }}+pay',
  ],
  [
    'a Sentry event with a message whose parameters are apart',
    { event_id: '1', platform: 'python', logentry: { message: '%s of %s', params: ['one', 2] } },
    'sentry › one of 2 · by python',
  ],
  [
    'a Sentry event with a thread that crashed',
    {
      event_id: '1',
      platform: 'cocoa',
      message: 'stopped',
      threads: { values: [{ crashed: true, stacktrace: { frames: [{ filename: 'Cart.swift', lineno: 3 }] } }] },
    },
    'sentry › stopped · at Cart.swift:3 · by cocoa',
  ],
  [
    "Sentry's alert",
    {
      data: {
        event: {
          platform: 'node',
          exception: {
            values: [
              { type: 'TypeError', value: 'no cart', stacktrace: { frames: [{ filename: 'cart.js', lineno: 3 }] } },
            ],
          },
          web_url: 'https://s.example/1',
        },
      },
    },
    'sentry-webhook › TypeError: no cart · at cart.js:3 · https://s.example/1 · by node',
  ],
  [
    "Sentry's issue",
    {
      data: {
        issue: {
          level: 'error',
          platform: 'node',
          project: { slug: 'shop' },
          metadata: { type: 'TypeError', value: 'no cart', filename: 'cart.js' },
        },
      },
    },
    'sentry-webhook › TypeError: no cart · at cart.js · app shop · by node · is error',
  ],
  [
    "Sentry's older plugin",
    { project_name: 'Shop', level: 'warning', event: { event_id: '1', logentry: { formatted: 'slow' } } },
    'sentry-webhook › slow · app Shop · is warning',
  ],
  [
    'Bugsnag',
    {
      events: [
        {
          exceptions: [
            {
              errorClass: 'RuntimeError',
              message: 'no cart',
              type: 'ruby',
              stacktrace: [{ file: 'app/cart.rb', lineNumber: 3 }],
            },
            { errorClass: 'IOError' },
          ],
          severity: 'warning',
          app: { releaseStage: 'staging' },
          request: { url: 'https://shop.example/', httpMethod: 'GET' },
          groupingHash: 'pay',
        },
      ],
    },
    'bugsnag › RuntimeError: no cart · at app/cart.rb:3 · from IOError · GET https://shop.example/ · in staging · by ruby · is warning · key pay',
  ],
  [
    "Bugsnag's webhook",
    {
      project: { name: 'Shop' },
      error: {
        exceptionClass: 'RuntimeError',
        message: 'no cart',
        releaseStage: 'production',
        requestUrl: 'https://shop.example/pay',
        severity: 'error',
        stackTrace: [{ file: 'app/cart.rb', lineNumber: 3 }],
      },
    },
    'bugsnag-webhook › RuntimeError: no cart · at app/cart.rb:3 · https://shop.example/pay · app Shop · in production · is error',
  ],
  [
    'Rollbar with a trace',
    {
      data: {
        environment: 'production',
        level: 'error',
        language: 'python',
        body: {
          trace: {
            frames: [{ filename: '/srv/cart.py', lineno: 3 }],
            exception: { class: 'KeyError', message: "'cart'" },
          },
        },
      },
    },
    "rollbar › KeyError: 'cart' · at /srv/cart.py:3 · in production · by python · is error",
  ],
  [
    "Rollbar's webhook",
    {
      event_name: 'new_item',
      data: { item: { last_occurrence: { level: 'error', body: { message: { body: 'slow' } } } } },
    },
    'rollbar-webhook › slow · is error',
  ],
  [
    'Airbrake',
    {
      errors: [
        { type: 'KeyError', message: 'no cart', backtrace: [{ file: '/srv/cart.rb', line: 3 }] },
        { type: 'IOError' },
      ],
      context: {
        severity: 'critical',
        environment: 'production',
        url: 'https://shop.example/',
        httpMethod: 'GET',
        language: 'ruby/3.4',
      },
    },
    'airbrake › KeyError: no cart · at /srv/cart.rb:3 · from IOError · GET https://shop.example/ · in production · by ruby/3.4 · is critical',
  ],
  [
    'Honeybadger',
    {
      error: {
        class: 'KeyError',
        message: 'no cart',
        backtrace: [{ number: '3', file: '[PROJECT_ROOT]/app/cart.rb' }],
        fingerprint: 'f',
        causes: [{ class: 'IOError' }],
      },
      request: { url: 'https://shop.example/', cgi_data: { REQUEST_METHOD: 'GET' } },
      server: { environment_name: 'production' },
    },
    'honeybadger › KeyError: no cart · at [PROJECT_ROOT]/app/cart.rb:3 · from IOError · GET https://shop.example/ · in production · key f',
  ],
  [
    "Honeybadger's webhook",
    {
      project: { name: 'Shop' },
      fault: { klass: 'KeyError', message: 'no cart', environment: 'production' },
      notice: { url: 'https://shop.example/' },
    },
    'honeybadger-webhook › KeyError: no cart · https://shop.example/ · app Shop · in production',
  ],
  [
    'Raygun',
    {
      details: {
        error: {
          className: 'System.Exception',
          message: 'no cart',
          stackTrace: [{ lineNumber: 3, fileName: 'Cart.cs' }],
          innerError: { className: 'System.IOException' },
        },
        request: { url: '/pay', httpMethod: 'GET' },
        groupingKey: 'g',
      },
    },
    'raygun › System.Exception: no cart · at Cart.cs:3 · from System.IOException · GET /pay · key g',
  ],
  [
    "Elastic's intake, where the first line speaks for all",
    '{"metadata":{"service":{"name":"shop","environment":"production","language":{"name":"python"}}}}\n{"transaction":{"id":"1"}}\n{"error":{"exception":{"message":"KeyError: x","type":"KeyError","stacktrace":[{"filename":"lib/x.py","lineno":1,"library_frame":true},{"filename":"cart.py","lineno":3,"library_frame":false}]},"context":{"request":{"method":"GET","url":{"full":"https://shop.example/"}},"response":{"status_code":500}}}}',
    'elastic-apm › KeyError: KeyError: x · at cart.py:3 · GET https://shop.example/ · status 500 · app shop · in production · by python',
  ],
  [
    'PostHog with other events around',
    {
      batch: [
        {
          event: '$exception',
          properties: {
            $exception_list: [
              { type: 'TypeError', value: 'no cart', stacktrace: { frames: [{ filename: 'cart.js', lineno: 3 }] } },
            ],
            $exception_level: 'error',
            $exception_fingerprint: 'f',
            $current_url: 'https://shop.example/',
          },
        },
      ],
    },
    'posthog › TypeError: no cart · at cart.js:3 · https://shop.example/ · is error · key f',
  ],
  [
    'Flare v2',
    {
      exceptionClass: 'App\\Boom',
      message: 'no cart',
      stacktrace: [{ file: '/srv/app/Cart.php', lineNumber: 3 }],
      attributes: {
        'service.stage': 'production',
        'service.name': 'shop',
        'url.full': 'https://shop.example/',
        'flare.framework.name': 'Laravel',
      },
    },
    'flare › App\\Boom: no cart · at /srv/app/Cart.php:3 · https://shop.example/ · app shop · in production · by Laravel',
  ],
  [
    'Exceptionless in snake_case',
    {
      '@error': {
        type: 'TypeError',
        message: 'no cart',
        stack_trace: [{ file_name: 'cart.js', line_number: 3 }],
        inner: { type: 'IoError' },
      },
      '@request': { http_method: 'GET', path: '/pay' },
      '@level': 'warn',
    },
    'exceptionless › TypeError: no cart · at cart.js:3 · from IoError · GET /pay · is warning',
  ],
  [
    'Application Insights',
    {
      tags: { 'ai.cloud.role': 'shop' },
      data: {
        baseType: 'ExceptionData',
        baseData: {
          severityLevel: 3,
          exceptions: [
            { typeName: 'System.Exception', message: 'no cart', parsedStack: [{ fileName: 'Cart.cs', line: 3 }] },
          ],
        },
      },
    },
    'application-insights › System.Exception: no cart · at Cart.cs:3 · app shop · is error',
  ],
  [
    'Faro',
    {
      meta: { app: { name: 'shop', environment: 'production' }, page: { url: 'https://shop.example/' } },
      exceptions: [
        {
          type: 'TypeError',
          value: 'no cart',
          stacktrace: { frames: [{ filename: 'https://shop.example/a.js', lineno: 3 }] },
        },
      ],
    },
    'faro › TypeError: no cart · at https://shop.example/a.js:3 · https://shop.example/ · app shop · in production',
  ],
  [
    'a notice of Airbrake v2 in XML',
    '<?xml version="1.0"?>\n<notice version="2.4">\n  <api-key>k</api-key>\n  <framework>Rails: 7.0</framework>\n  <error>\n    <class>NoCart</class>\n    <message>NoCart: no cart &amp; no &quot;user&quot; &#8211; &lt;b&gt;</message>\n    <backtrace>\n      <line number="9" file="/gems/rack-3.0.0/lib/rack.rb" method="call"/>\n      <line number="12" file="[PROJECT_ROOT]/app/cart.rb" method="pay"/>\n    </backtrace>\n  </error>\n  <request><url>https://shop.example/pay</url><cgi-data><var key="REQUEST_METHOD">POST</var></cgi-data></request>\n  <server-environment><environment-name>production</environment-name></server-environment>\n</notice>',
    'airbrake-xml › NoCart: no cart & no "user" – <b> · at [PROJECT_ROOT]/app/cart.rb:12 · https://shop.example/pay · in production · by Rails: 7.0',
  ],
]

describe('error trackers', () => {
  it.each(cases)('are read: %s', (_, body, expected) => {
    expect(readings(body)).toEqual([expected])
  })
})
