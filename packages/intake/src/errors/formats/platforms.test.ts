import { describe, expect, it } from 'vitest'
import { overfull, type Reading, readings, tooMuch, unfitFields } from './testing.ts'

// One small body per shape, written by hand. What is not named in the expectation is null.

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
const jsStack = 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)'

const cases: readonly Reading[] = [
  [
    'a failure under the names of Lambda with the status of an answer',
    { errorType: 'HttpError', errorMessage: 'no answer', httpStatusCode: 504 },
    'aws-lambda',
    { message: 'no answer', exception: 'HttpError', status: 504 },
  ],
  [
    'one log of OpenTelemetry alone',
    {
      severityText: 'ERROR',
      severityNumber: 17,
      body: 'no cart',
      resource: { 'service.name': 'shop' },
      attributes: { description: 'where carts are kept', 'http.route': '/pay' },
    },
    'otlp',
    { message: 'no cart', severity: 'error', app: 'shop' },
  ],
  [
    'an event of Kubernetes',
    {
      metadata: { name: 'shop-1.17a' },
      type: 'Warning',
      reason: 'BackOff',
      message: 'Back-off restarting the container',
      source: { component: 'kubelet' },
      involvedObject: { kind: 'Pod', namespace: 'prod', name: 'shop-1' },
    },
    'kubernetes-event',
    {
      message: 'Back-off restarting the container',
      exception: 'BackOff',
      severity: 'warning',
      labels: { kind: 'Pod', name: 'shop-1', namespace: 'prod', component: 'kubelet' },
    },
  ],
  [
    'an event of Kubernetes as it is watched',
    {
      type: 'ADDED',
      object: { type: 'Normal', reason: 'Pulled', note: 'Image is there', regarding: { kind: 'Pod', name: 'shop-1' } },
    },
    'kubernetes-event',
    { message: 'Image is there', exception: 'Pulled', severity: 'info', labels: { kind: 'Pod', name: 'shop-1' } },
  ],
  [
    'an event of Flux, which says how bad it is',
    {
      severity: 'error',
      reason: 'ValidationFailed',
      message: 'no such type',
      reportingController: 'kustomize-controller',
      involvedObject: { kind: 'Kustomization', name: 'shop', namespace: 'apps' },
    },
    'kubernetes-event',
    {
      message: 'no such type',
      exception: 'ValidationFailed',
      severity: 'error',
      labels: { kind: 'Kustomization', name: 'shop', namespace: 'apps', component: 'kustomize-controller' },
    },
  ],
  [
    'a span of OpenTelemetry with its exception',
    {
      resourceSpans: [
        {
          resource: { attributes: [text('service.name', 'shop'), text('deployment.environment', 'production')] },
          scopeSpans: [
            {
              spans: [
                {
                  name: 'POST /pay',
                  attributes: [
                    text('http.method', 'POST'),
                    text('http.url', 'https://shop.example/pay'),
                    { key: 'http.status_code', value: { intValue: '500' } },
                  ],
                  events: [
                    { name: 'log', attributes: [] },
                    {
                      name: 'exception',
                      attributes: [
                        text('exception.type', 'TypeError'),
                        text('exception.message', 'no cart'),
                        text('exception.stacktrace', jsStack),
                      ],
                    },
                  ],
                },
                { name: 'GET /fine', status: {}, events: [] },
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
      status: 500,
      environment: 'production',
      app: 'shop',
    },
  ],
  [
    'a log of OpenTelemetry',
    {
      resourceLogs: [
        {
          resource: { attributes: [text('service.name', 'shop')] },
          scopeLogs: [
            {
              logRecords: [
                {
                  severityNumber: 17,
                  body: { stringValue: 'no cart' },
                  attributes: [text('code.filepath', 'cart.go'), { key: 'code.lineno', value: { intValue: 3 } }],
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
    "Google's Error Reporting",
    {
      eventTime: 'x',
      serviceContext: { service: 'shop', version: '1' },
      message: jsStack,
      context: { httpRequest: { method: 'GET', url: 'https://shop.example/', responseStatusCode: 500 } },
    },
    'google-error-reporting',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: '/srv/cart.js',
      line: 3,
      url: 'https://shop.example/',
      method: 'GET',
      status: 500,
      app: 'shop',
    },
  ],
  [
    "Google's Error Reporting with a place",
    {
      serviceContext: { service: 'shop' },
      message: 'no cart',
      context: { reportLocation: { filePath: 'cart.js', lineNumber: 3, functionName: 'pay' } },
    },
    'google-error-reporting',
    { message: 'no cart', file: 'cart.js', line: 3, app: 'shop' },
  ],
  [
    "Google's log entry",
    {
      severity: 'ERROR',
      insertId: '1',
      resource: { type: 'cloud_run_revision', labels: { service_name: 'shop' } },
      httpRequest: { requestMethod: 'GET', requestUrl: 'https://shop.example/', status: 500 },
      jsonPayload: { message: 'no cart', stack: jsStack },
    },
    'google-log-entry',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: '/srv/cart.js',
      line: 3,
      url: 'https://shop.example/',
      method: 'GET',
      status: 500,
      app: 'shop',
      severity: 'error',
    },
  ],
  [
    "Google's notification",
    {
      version: '1.0',
      group_info: {},
      exception_info: { type: 'TypeError', message: 'no cart' },
      event_info: { request_method: 'GET', request_url: '/pay', service: 'shop', response_status: '500' },
    },
    'google-error-notification',
    { message: 'no cart', exception: 'TypeError', url: '/pay', method: 'GET', status: 500, app: 'shop' },
  ],
  [
    'Lambda on Node',
    {
      errorType: 'TypeError',
      errorMessage: 'no cart',
      trace: ['TypeError: no cart', '    at pay (/var/task/cart.js:3:4)'],
    },
    'aws-lambda',
    { message: 'no cart', exception: 'TypeError', file: '/var/task/cart.js', line: 3 },
  ],
  [
    'Lambda on Python',
    {
      errorMessage: 'no cart',
      errorType: 'KeyError',
      requestId: '1',
      stackTrace: [
        '  File "/var/task/main.py", line 1, in handler\n    pay()\n',
        '  File "/var/task/cart.py", line 3, in pay\n    raise\n',
      ],
    },
    'aws-lambda',
    { message: 'no cart', exception: 'KeyError', file: '/var/task/cart.py', line: 3 },
  ],
  [
    'Lambda on Java',
    {
      errorMessage: 'no cart',
      errorType: 'com.shop.NoFunds',
      stackTrace: ['com.shop.Cart.pay(Cart.java:48)'],
      cause: { errorType: 'java.io.IOException', errorMessage: 'closed' },
    },
    'aws-lambda',
    { message: 'no cart', exception: 'com.shop.NoFunds', file: 'Cart.java', line: 48, causes: ['java.io.IOException'] },
  ],
  [
    'Lambda on an old Node',
    { errorMessage: 'no cart', errorType: 'Error', stackTrace: ['exports.handler (/var/task/cart.js:18:18)'] },
    'aws-lambda',
    { message: 'no cart', exception: 'Error', file: '/var/task/cart.js', line: 18 },
  ],
  [
    'a function that ended before it could throw',
    {
      version: '1.0',
      responseContext: { statusCode: 200, functionError: 'Unhandled' },
      responsePayload: { errorMessage: 'Process exited before completing request' },
    },
    'aws-lambda',
    { message: 'Process exited before completing request' },
  ],
  [
    'what a page sends in names like those of Lambda',
    { errorMessage: 'no cart', stackTrace: 'TypeError: no cart', url: 'https://shop.example/cart' },
    'aws-lambda',
    { message: 'no cart', exception: 'TypeError', url: 'https://shop.example/cart' },
  ],
  [
    'what applications send in names like those of Lambda',
    {
      appName: 'shop',
      environmentName: 'prod',
      errorType: 'StockError',
      errorMessage: 'none left',
      sourceFile: 'stock.js',
      lineNumber: 9,
      severityLevel: 'ERROR',
      requestUrl: 'https://shop.example/pay',
      httpMethod: 'POST',
      httpStatus: 500,
    },
    'aws-lambda',
    {
      message: 'none left',
      exception: 'StockError',
      app: 'shop',
      environment: 'prod',
      file: 'stock.js',
      line: 9,
      severity: 'error',
      url: 'https://shop.example/pay',
      method: 'POST',
      status: 500,
    },
  ],
  [
    'what a destination of Lambda is told',
    { version: '1.0', requestContext: {}, responsePayload: { errorMessage: 'no cart', errorType: 'Error', trace: [] } },
    'aws-lambda',
    { message: 'no cart', exception: 'Error' },
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
    'csp-report',
    {
      message: 'Content Security Policy: img-src blocked https://ads.example',
      file: 'https://shop.example/a.js',
      line: 3,
      url: 'https://shop.example/',
    },
  ],
  [
    'the Reporting API, in a list',
    [
      {
        type: 'deprecation',
        age: 1,
        url: 'https://shop.example/',
        user_agent: 'x',
        body: { id: 'old', message: 'Old is old.', sourceFile: 'https://shop.example/a.js', lineNumber: 3 },
      },
    ],
    'reporting-api',
    {
      message: 'Old is old.',
      file: 'https://shop.example/a.js',
      line: 3,
      url: 'https://shop.example/',
      severity: 'warning',
    },
  ],
  [
    'a policy violation that does not say where, in a report that does',
    [
      {
        type: 'csp-violation',
        age: 1,
        url: 'https://shop.example/',
        body: { effectiveDirective: 'img-src', blockedURL: 'data' },
      },
    ],
    'reporting-api',
    { message: 'Content Security Policy: img-src blocked data', url: 'https://shop.example/' },
  ],
  [
    'window.onerror',
    { message: 'Uncaught TypeError: no cart', source: 'https://shop.example/a.js', lineno: 3, colno: 4, error: null },
    'window-error',
    { message: 'no cart', exception: 'TypeError', file: 'https://shop.example/a.js', line: 3 },
  ],
  [
    'an error of another origin, which says nothing',
    { message: 'Script error.', source: '', lineno: 0, colno: 0 },
    'window-error',
    { message: 'Script error.' },
  ],
  [
    'a rejection that nobody handled',
    {
      type: 'unhandledrejection',
      reason: { name: 'TypeError', message: 'no cart', stack: jsStack },
      url: 'https://shop.example/',
    },
    'window-error',
    { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, url: 'https://shop.example/' },
  ],
  [
    'an announcement in the shape of a chat',
    {
      text: 'Alert',
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
    'chat-alert',
    {
      message: 'division by zero',
      exception: 'ZeroDivisionError',
      url: 'https://errors.example/1',
      app: 'shop',
      environment: 'production',
    },
  ],
]

describe('platforms and browsers', () => {
  it.each(cases)('fit into their columns, however much is said: %s', (_, report) => {
    expect(unfitFields(overfull(report))).toEqual([])
  })

  for (const [title, report, format, expected] of cases) {
    it(`are read: ${title}`, () => {
      expect(readings(report)).toEqual({ formats: [format], records: [expected] })
    })
  }

  it('fit into their columns, however long the address of a violation is', () => {
    const violation = { type: 'csp-violation', age: 1, url: `https://shop.example/${tooMuch}`, body: {} }
    expect(unfitFields(JSON.stringify([violation]))).toEqual([])
  })
})
