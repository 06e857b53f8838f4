import { describe, expect, it } from 'vitest'
import { overfull, type Reading, readings, unfitFields } from './testing.ts'

// One small body per shape, written by hand. What is not named in the expectation is null.

const sentryException = {
  type: 'TypeError',
  value: 'no cart',
  stacktrace: {
    frames: [
      { filename: 'app.js', lineno: 1, in_app: true },
      { filename: 'cart.js', lineno: 3, in_app: true },
      { filename: 'node_modules/x.js', lineno: 9, in_app: false },
    ],
  },
}

const cases: readonly Reading[] = [
  [
    'a tracker that borrows Sentry’s shape and prints the stack',
    {
      level: 'err',
      platform: 'node',
      exception: {
        type: 'TypeError',
        value: 'no cart',
        stacktrace: 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)',
      },
    },
    'sentry',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, severity: 'error', framework: 'node' },
  ],
  [
    'Sentry’s oldest interfaces, with the stack beside the message',
    {
      project: 'shop',
      event: {
        event_id: 'e1',
        'sentry.interfaces.Message': { message: 'no cart' },
        'sentry.interfaces.Stacktrace': { frames: [{ filename: 'cart.py', lineno: 3, in_app: true }] },
      },
    },
    'sentry-webhook',
    { message: 'no cart', file: 'cart.py', line: 3, app: 'shop' },
  ],
  [
    'Sentry, an exception without a stack beside one of the event',
    {
      exception: { values: [{ type: 'UndefinedFunctionError', value: 'no pay/0' }] },
      stacktrace: {
        frames: [
          { filename: 'lib/cart.ex', lineno: 3, in_app: false },
          { function: 'Cart.pay/0', in_app: false },
        ],
      },
    },
    'sentry',
    { message: 'no pay/0', exception: 'UndefinedFunctionError', file: 'lib/cart.ex', line: 3 },
  ],
  [
    'a Sentry event with a chain, tags as pairs and its own grouping',
    {
      event_id: '1',
      platform: 'javascript',
      level: 'fatal',
      environment: 'production',
      exception: { values: [{ type: 'IoError', value: 'closed' }, sentryException] },
      request: { url: 'https://shop.example/pay', method: 'post' },
      tags: [['environment', 'elsewhere']],
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
      threads: {
        values: [
          { id: 0 },
          { id: 1, crashed: true, stacktrace: { frames: [{ filename: 'Cart.swift', lineno: 3, in_app: true }] } },
        ],
      },
    },
    'sentry',
    { message: 'stopped', framework: 'cocoa', file: 'Cart.swift', line: 3 },
  ],
  [
    'a Sentry transaction, which is no error',
    { event_id: '1', type: 'transaction', platform: 'node', spans: [] },
    'sentry',
    {},
  ],
  [
    "Sentry's alert",
    {
      action: 'triggered',
      data: {
        event: {
          event_id: '1',
          platform: 'node',
          project: 7,
          exception: { values: [sentryException] },
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
      framework: 'node',
      url: 'https://s.example/1',
    },
  ],
  [
    "Sentry's issue",
    {
      action: 'created',
      data: {
        issue: {
          id: '1',
          title: 'TypeError: no cart',
          level: 'error',
          platform: 'node',
          project: { slug: 'shop' },
          metadata: { type: 'TypeError', value: 'no cart', filename: 'cart.js' },
        },
      },
    },
    'sentry-webhook',
    { message: 'no cart', exception: 'TypeError', file: 'cart.js', framework: 'node', severity: 'error', app: 'shop' },
  ],
  [
    "Sentry's older plugin",
    {
      project_name: 'Shop',
      project: 'shop',
      level: 'warning',
      culprit: 'pay',
      event: { event_id: '1', logentry: { formatted: 'slow' } },
    },
    'sentry-webhook',
    { message: 'slow', severity: 'warning', app: 'Shop' },
  ],
  [
    'Bugsnag',
    {
      notifier: { name: 'Bugsnag Ruby' },
      events: [
        {
          exceptions: [
            {
              errorClass: 'RuntimeError',
              message: 'no cart',
              type: 'ruby',
              stacktrace: [
                { file: 'gems/x.rb', lineNumber: 1, method: 'x', inProject: false },
                { file: 'app/cart.rb', lineNumber: 3, method: 'pay', inProject: true },
              ],
            },
            { errorClass: 'IOError', message: 'closed' },
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
      trigger: { type: 'firstException' },
      project: { name: 'Shop' },
      error: {
        errorId: '1',
        exceptionClass: 'RuntimeError',
        message: 'no cart',
        releaseStage: 'production',
        requestUrl: 'https://shop.example/pay',
        severity: 'error',
        stackTrace: [{ file: 'app/cart.rb', lineNumber: 3, inProject: true }],
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
      access_token: 'x',
      data: {
        environment: 'production',
        level: 'error',
        language: 'python',
        body: {
          trace: {
            frames: [
              { filename: '/srv/main.py', lineno: 1 },
              { filename: '/srv/cart.py', lineno: 3 },
            ],
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
      data: { item: { title: 'KeyError', last_occurrence: { level: 'error', body: { message: { body: 'slow' } } } } },
    },
    'rollbar-webhook',
    { message: 'slow', severity: 'error' },
  ],
  [
    'Airbrake',
    {
      errors: [
        {
          type: 'KeyError',
          message: 'no cart',
          backtrace: [
            { file: '/srv/vendor/x.rb', line: 1 },
            { file: '/srv/cart.rb', line: 3 },
          ],
        },
        { type: 'IOError', message: 'closed', backtrace: [] },
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
      notifier: { name: 'honeybadger-ruby' },
      error: {
        class: 'KeyError',
        message: 'no cart',
        backtrace: [
          { number: '1', file: '[GEM_ROOT]/gems/x.rb', method: 'x', context: 'all' },
          { number: '3', file: '[PROJECT_ROOT]/app/cart.rb', method: 'pay', context: 'app' },
        ],
        fingerprint: 'f',
        causes: [{ class: 'IOError', message: 'closed' }],
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
      event: 'occurred',
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
      occurredOn: '2026-11-20T19:16:29Z',
      details: {
        error: {
          className: 'System.Exception',
          message: 'no cart',
          stackTrace: [{ lineNumber: 3, fileName: 'Cart.cs', methodName: 'Pay', className: 'Shop.Cart' }],
          innerError: { className: 'System.IOException', message: 'closed' },
        },
        request: { url: '/pay', hostName: 'shop.example', httpMethod: 'GET' },
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
    [
      { metadata: { service: { name: 'shop', environment: 'production', language: { name: 'python' } } } },
      { transaction: { id: '1' } },
      {
        error: {
          exception: {
            message: 'KeyError: x',
            type: 'KeyError',
            stacktrace: [
              { filename: 'lib/x.py', lineno: 1, library_frame: true },
              { filename: 'cart.py', lineno: 3, library_frame: false },
            ],
          },
          context: {
            request: { method: 'GET', url: { full: 'https://shop.example/' } },
            response: { status_code: 500 },
          },
        },
      },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
    'elastic-apm',
    {
      message: 'KeyError: x',
      exception: 'KeyError',
      file: 'cart.py',
      line: 3,
      url: 'https://shop.example/',
      method: 'GET',
      status: 500,
      framework: 'python',
      environment: 'production',
      app: 'shop',
    },
  ],
  [
    "Elastic's browsers",
    '{"m":{"se":{"n":"shop","en":"production"}}}\n{"e":{"ex":{"mg":"no cart","ty":"Error","st":[{"f":"https://shop.example/a.js","li":3}]},"c":{"p":{"url":"https://shop.example/"}}}}',
    'elastic-rum',
    {
      message: 'no cart',
      exception: 'Error',
      file: 'https://shop.example/a.js',
      line: 3,
      url: 'https://shop.example/',
      environment: 'production',
      app: 'shop',
    },
  ],
  [
    'PostHog with other events around',
    {
      api_key: 'x',
      batch: [
        { event: '$pageview', properties: {} },
        {
          event: '$exception',
          properties: {
            $exception_list: [
              {
                type: 'TypeError',
                value: 'no cart',
                stacktrace: {
                  frames: [
                    { filename: 'a.js', lineno: 1, in_app: true },
                    { filename: 'cart.js', lineno: 3, in_app: true },
                  ],
                },
              },
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
      notifier: 'Flare',
      language: 'PHP',
      exception_class: 'App\\Boom',
      message: 'no cart',
      stacktrace: [
        { file: '/srv/vendor/x.php', line_number: 1, method: 'x' },
        { file: '/srv/app/Cart.php', line_number: 3, method: 'pay' },
      ],
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
      seenAtUnixNano: 1,
      stacktrace: [{ file: '/srv/app/Cart.php', lineNumber: 3, method: 'pay', isApplicationFrame: true }],
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
      type: 'error',
      '@error': {
        type: 'TypeError',
        message: 'no cart',
        stack_trace: [{ file_name: 'cart.js', line_number: 3, name: 'pay' }],
        inner: { type: 'IoError', message: 'closed' },
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
      name: 'Microsoft.ApplicationInsights.Exception',
      tags: { 'ai.cloud.role': 'shop' },
      data: {
        baseType: 'ExceptionData',
        baseData: {
          severityLevel: 3,
          exceptions: [
            {
              typeName: 'System.Exception',
              message: 'no cart',
              parsedStack: [{ level: 0, method: 'Shop.Cart.Pay', fileName: 'Cart.cs', line: 3 }],
            },
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
          stacktrace: { frames: [{ filename: 'https://shop.example/a.js', lineno: 3, function: 'pay' }] },
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
    'a deploy that Rollbar tells of, which is no error',
    { event_name: 'deploy', data: { deploy: { comment: 'new prices', environment: 'production', revision: 'a1' } } },
    'rollbar-webhook',
    {},
  ],
  [
    'Bugsnag of an app that has an id and no name',
    {
      severity: 'error',
      app: { id: 'example.shop', releaseStage: 'production' },
      exceptions: [{ errorClass: 'SIGSEGV', message: 'no cart', stacktrace: [] }],
    },
    'bugsnag',
    { message: 'no cart', exception: 'SIGSEGV', severity: 'error', app: 'example.shop', environment: 'production' },
  ],
]

describe('error trackers', () => {
  it.each(cases)('fit into their columns, however much is said: %s', (_, report) => {
    expect(unfitFields(overfull(report))).toEqual([])
  })

  for (const [title, report, format, expected] of cases) {
    it(`are read: ${title}`, () => {
      const records = Object.keys(expected).length === 0 ? [] : [expected]
      expect(readings(report)).toEqual({ formats: [format], records })
    })
  }

  it('give one record for each error of a batch', () => {
    const events = ['a', 'b', 'c'].map((message) => ({
      exceptions: [{ errorClass: 'Error', message, stacktrace: [] }],
    }))
    expect(readings({ events }).records.map((record) => 'message' in record && record.message)).toEqual(['a', 'b', 'c'])
  })
})
