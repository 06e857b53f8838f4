import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// One small body per shape, written by hand. What is not named in the expectation is null.

const cases: readonly Reading[] = [
  [
    'Sentry’s oldest interfaces, with the stack beside the message',
    {
      project: 'shop',
      event: {
        event_id: 'e1',
        'sentry.interfaces.Message': { message: 'no cart' },
        'sentry.interfaces.Stacktrace': { frames: [{ filename: 'cart.py', lineno: 3 }] },
      },
    },
    'sentry-webhook',
    { message: 'no cart', file: 'cart.py', line: 3, app: 'shop' },
  ],
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
    'sentry',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: 'cart.js',
      line: 3,
      url: 'https://shop.example/pay',
      method: 'POST',
      framework: 'javascript',
      environment: 'production',
      severity: 'fatal',
      fingerprint: ['{{ default }}', 'pay'],
      causes: ['IoError'],
    },
  ],
  [
    'a Sentry event with a message whose parameters are apart',
    { event_id: '1', platform: 'python', logentry: { message: '%s of %s', params: ['one', 2] } },
    'sentry',
    { message: 'one of 2', framework: 'python' },
  ],
  [
    'a Sentry event with a thread that crashed',
    {
      event_id: '1',
      platform: 'cocoa',
      message: 'stopped',
      threads: { values: [{ crashed: true, stacktrace: { frames: [{ filename: 'Cart.swift', lineno: 3 }] } }] },
    },
    'sentry',
    { message: 'stopped', file: 'Cart.swift', line: 3, framework: 'cocoa' },
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
    'sentry-webhook',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: 'cart.js',
      line: 3,
      url: 'https://s.example/1',
      framework: 'node',
    },
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
    'sentry-webhook',
    { message: 'no cart', exception: 'TypeError', file: 'cart.js', framework: 'node', app: 'shop', severity: 'error' },
  ],
  [
    "Sentry's older plugin",
    { project_name: 'Shop', level: 'warning', event: { event_id: '1', logentry: { formatted: 'slow' } } },
    'sentry-webhook',
    { message: 'slow', app: 'Shop', severity: 'warning' },
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
    'bugsnag',
    {
      message: 'no cart',
      exception: 'RuntimeError',
      file: 'app/cart.rb',
      line: 3,
      url: 'https://shop.example/',
      method: 'GET',
      framework: 'ruby',
      environment: 'staging',
      severity: 'warning',
      fingerprint: ['pay'],
      causes: ['IOError'],
    },
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
    'bugsnag-webhook',
    {
      message: 'no cart',
      exception: 'RuntimeError',
      file: 'app/cart.rb',
      line: 3,
      url: 'https://shop.example/pay',
      environment: 'production',
      app: 'Shop',
      severity: 'error',
    },
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
    'rollbar',
    {
      message: "'cart'",
      exception: 'KeyError',
      file: '/srv/cart.py',
      line: 3,
      framework: 'python',
      environment: 'production',
      severity: 'error',
    },
  ],
  [
    'Rollbar with a message',
    { data: { environment: 'production', level: 'warning', body: { message: { body: 'slow' } }, fingerprint: 'f' } },
    'rollbar',
    { message: 'slow', environment: 'production', severity: 'warning', fingerprint: ['f'] },
  ],
  [
    "Rollbar's webhook",
    {
      event_name: 'new_item',
      data: { item: { last_occurrence: { level: 'error', body: { message: { body: 'slow' } } } } },
    },
    'rollbar-webhook',
    { message: 'slow', severity: 'error' },
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
    'airbrake',
    {
      message: 'no cart',
      exception: 'KeyError',
      file: '/srv/cart.rb',
      line: 3,
      url: 'https://shop.example/',
      method: 'GET',
      framework: 'ruby/3.4',
      environment: 'production',
      severity: 'critical',
      causes: ['IOError'],
    },
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
    'honeybadger',
    {
      message: 'no cart',
      exception: 'KeyError',
      file: '[PROJECT_ROOT]/app/cart.rb',
      line: 3,
      url: 'https://shop.example/',
      method: 'GET',
      environment: 'production',
      fingerprint: ['f'],
      causes: ['IOError'],
    },
  ],
  [
    "Honeybadger's webhook",
    {
      project: { name: 'Shop' },
      fault: { klass: 'KeyError', message: 'no cart', environment: 'production' },
      notice: { url: 'https://shop.example/' },
    },
    'honeybadger-webhook',
    { message: 'no cart', exception: 'KeyError', url: 'https://shop.example/', environment: 'production', app: 'Shop' },
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
    'raygun',
    {
      message: 'no cart',
      exception: 'System.Exception',
      file: 'Cart.cs',
      line: 3,
      url: '/pay',
      method: 'GET',
      fingerprint: ['g'],
      causes: ['System.IOException'],
    },
  ],
  [
    "Elastic's intake, where the first line speaks for all",
    '{"metadata":{"service":{"name":"shop","environment":"production","language":{"name":"python"}}}}\n{"transaction":{"id":"1"}}\n{"error":{"exception":{"message":"KeyError: x","type":"KeyError","stacktrace":[{"filename":"lib/x.py","lineno":1,"library_frame":true},{"filename":"cart.py","lineno":3,"library_frame":false}]},"context":{"request":{"method":"GET","url":{"full":"https://shop.example/"}},"response":{"status_code":500}}}}',
    'elastic-apm',
    {
      message: 'KeyError: x',
      exception: 'KeyError',
      file: 'cart.py',
      line: 3,
      url: 'https://shop.example/',
      method: 'GET',
      framework: 'python',
      environment: 'production',
      app: 'shop',
      status: 500,
    },
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
    'posthog',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: 'cart.js',
      line: 3,
      url: 'https://shop.example/',
      severity: 'error',
      fingerprint: ['f'],
    },
  ],
  [
    'Flare v1',
    {
      language: 'PHP',
      exception_class: 'App\\Boom',
      message: 'no cart',
      stacktrace: [{ file: '/srv/app/Cart.php', line_number: 3 }],
      context: { request: { url: 'https://shop.example/', method: 'GET' } },
      stage: 'production',
    },
    'flare',
    {
      message: 'no cart',
      exception: 'App\\Boom',
      file: '/srv/app/Cart.php',
      line: 3,
      url: 'https://shop.example/',
      method: 'GET',
      framework: 'PHP',
      environment: 'production',
    },
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
    'flare',
    {
      message: 'no cart',
      exception: 'App\\Boom',
      file: '/srv/app/Cart.php',
      line: 3,
      url: 'https://shop.example/',
      framework: 'Laravel',
      environment: 'production',
      app: 'shop',
    },
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
    'exceptionless',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: 'cart.js',
      line: 3,
      url: '/pay',
      method: 'GET',
      severity: 'warning',
      causes: ['IoError'],
    },
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
    'application-insights',
    { message: 'no cart', exception: 'System.Exception', file: 'Cart.cs', line: 3, app: 'shop', severity: 'error' },
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
    'faro',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: 'https://shop.example/a.js',
      line: 3,
      url: 'https://shop.example/',
      environment: 'production',
      app: 'shop',
    },
  ],
  [
    'Bugsnag of an app that has an id and no name',
    {
      severity: 'error',
      app: { id: 'example.shop', releaseStage: 'production' },
      exceptions: [{ errorClass: 'SIGSEGV', message: 'no cart' }],
    },
    'bugsnag',
    { message: 'no cart', exception: 'SIGSEGV', environment: 'production', app: 'example.shop', severity: 'error' },
  ],
  [
    'a notice of Airbrake v2 in XML',
    '<?xml version="1.0"?>\n<notice version="2.4">\n  <api-key>k</api-key>\n  <framework>Rails: 7.0</framework>\n  <error>\n    <class>NoCart</class>\n    <message>NoCart: no cart &amp; no &quot;user&quot; &#8211; &lt;b&gt;</message>\n    <backtrace>\n      <line number="9" file="/gems/rack-3.0.0/lib/rack.rb" method="call"/>\n      <line number="12" file="[PROJECT_ROOT]/app/cart.rb" method="pay"/>\n    </backtrace>\n  </error>\n  <request><url>https://shop.example/pay</url><cgi-data><var key="REQUEST_METHOD">POST</var></cgi-data></request>\n  <server-environment><environment-name>production</environment-name></server-environment>\n</notice>',
    'airbrake-xml',
    {
      message: 'no cart & no "user" – <b>',
      exception: 'NoCart',
      file: '[PROJECT_ROOT]/app/cart.rb',
      line: 12,
      url: 'https://shop.example/pay',
      framework: 'Rails: 7.0',
      environment: 'production',
    },
  ],
]

describe('error trackers', () => {
  it.each(cases)('are read: %s', (_, body, format, expected) => {
    expect(readings(body)).toEqual({ formats: [format], records: [expected] })
  })
})
