import { describe, expect, it } from 'vitest'
import { DecodeError } from '../decode.ts'
import { type Reading, readings } from './testing.ts'

// One small body of each sender, written by hand. What is not named in the expectation is null.

const stack = 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)'
const thrown = { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3 }

const notice = `<?xml version="1.0"?>
<notice version="2.4">
  <api-key>k</api-key>
  <framework>Rails: 7.0</framework>
  <error>
    <class>NoCart</class>
    <message>NoCart: no cart &amp; no &quot;user&quot; &#8211; &lt;b&gt;</message>
    <backtrace>
      <line number="9" file="/gems/rack-3.0.0/lib/rack.rb" method="call"/>
      <line number="12" file="[PROJECT_ROOT]/app/cart.rb" method="pay"/>
    </backtrace>
  </error>
  <request><url>https://shop.example/pay</url><cgi-data><var key="REQUEST_METHOD">POST</var></cgi-data></request>
  <server-environment><environment-name>production</environment-name></server-environment>
</notice>`

const cases: readonly Reading[] = [
  [
    'a worker of Cloudflare from Logpush',
    {
      Event: { Request: { URL: 'https://shop.example/pay', Method: 'GET' }, Response: { Status: 500 } },
      Exceptions: [{ Name: 'TypeError', Message: 'no cart' }],
      Logs: [],
      Outcome: 'exception',
      ScriptName: 'shop',
    },
    'cloudflare-worker',
    {
      message: 'no cart',
      exception: 'TypeError',
      url: 'https://shop.example/pay',
      method: 'GET',
      status: 500,
      app: 'shop',
    },
  ],
  [
    'a line of a drain of Vercel',
    {
      id: '1',
      message: stack,
      timestamp: 1,
      source: 'lambda',
      projectId: 'p',
      projectName: 'shop',
      environment: 'production',
      level: 'error',
      proxy: { method: 'POST', path: '/api/pay', statusCode: 500 },
    },
    'vercel-log',
    {
      ...thrown,
      url: '/api/pay',
      method: 'POST',
      status: 500,
      app: 'shop',
      environment: 'production',
      severity: 'error',
    },
  ],
  [
    'a line of a drain of Netlify',
    { message: stack, level: 'error', site_name: 'shop', function_name: 'pay', deploy_context: 'production' },
    'netlify-log',
    { ...thrown, app: 'shop', environment: 'production', severity: 'error' },
  ],
  [
    'a line of Loki',
    { streams: [{ stream: { app: 'shop', env: 'production', level: 'error' }, values: [['1', 'no cart']] }] },
    'loki',
    { message: 'no cart', app: 'shop', environment: 'production', severity: 'error' },
  ],
  [
    'a line of winston in Loki',
    {
      streams: [
        { stream: { app: 'shop' }, values: [['1', `no cart {"level":"error","stack":${JSON.stringify(stack)}}`]] },
      ],
    },
    'loki',
    { ...thrown, app: 'shop', severity: 'error' },
  ],
  [
    'a batch of New Relic',
    {
      common: { attributes: { 'service.name': 'shop', environment: 'production' } },
      logs: [{ message: 'no cart', attributes: { level: 'error', 'error.class': 'TypeError', 'error.stack': stack } }],
    },
    'new-relic-logs',
    { ...thrown, app: 'shop', environment: 'production', severity: 'error' },
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
    { message: 'no cart', exception: 'TypeError', app: 'shop', status: 500, url: '/pay', method: 'GET' },
  ],
  [
    'the line of an application inside of what its shipper wrote',
    {
      log: `{"level":50,"time":1,"name":"shop","msg":"failed","err":{"type":"TypeError","message":"no cart","stack":${JSON.stringify(stack)}}}`,
      stream: 'stderr',
      kubernetes: { pod_name: 'shop-1' },
    },
    'pino',
    { ...thrown, app: 'shop', severity: 'error' },
  ],
  [
    'a notice of Airbrake v2 in XML',
    notice,
    'airbrake-xml',
    {
      message: 'no cart & no "user" – <b>',
      exception: 'NoCart',
      file: '[PROJECT_ROOT]/app/cart.rb',
      line: 12,
      url: 'https://shop.example/pay',
      method: 'POST',
      framework: 'Rails: 7.0',
      environment: 'production',
    },
  ],
  [
    'an event of Bugsnag alone',
    {
      exceptions: [{ errorClass: 'TypeError', message: 'no cart', stacktrace: [{ file: 'a.js', lineNumber: 3 }] }],
      severity: 'error',
      app: { releaseStage: 'production' },
    },
    'bugsnag',
    {
      message: 'no cart',
      exception: 'TypeError',
      file: 'a.js',
      line: 3,
      severity: 'error',
      environment: 'production',
    },
  ],
  [
    'an error of Feathers',
    { name: 'NotFound', message: 'no cart', code: 404, className: 'not-found' },
    'feathers',
    { message: 'no cart', exception: 'NotFound', status: 404 },
  ],
  [
    'a message of Sentry with parameters by name',
    { event_id: '1', platform: 'python', logentry: { message: 'no %(what)s of %(who)s', params: { what: 'cart' } } },
    'sentry',
    { message: 'no cart of %(who)s', framework: 'python' },
  ],
  [
    'an error of Elastic from a browser, with frames that have a class alone',
    {
      m: { se: { n: 'shop' } },
      e: { ex: { mg: 'no cart', t: 'TypeError', st: [{ cn: 'Cart', f: 'cart.js', li: 3 }] } },
    },
    'elastic-rum',
    { message: 'no cart', exception: 'TypeError', file: 'cart.js', line: 3, app: 'shop' },
  ],
  [
    'an error of Elastic whose frames name no file',
    { error: { exception: { message: 'no cart', stacktrace: [{ classname: 'Shop::Cart' }] } } },
    'elastic-apm',
    { message: 'no cart' },
  ],
]

describe('shippers of logs and older clients', () => {
  for (const [title, report, format, expected] of cases) {
    it(`are read: ${title}`, () => {
      expect(readings(report)).toEqual({ formats: [format], records: [expected] })
    })
  }

  const types = '<!DOCTYPE notice [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
  const refused = {
    'a document type': `<?xml version="1.0"?>${types}<notice><error><message>&b;</message></error></notice>`,
    'elements nested without end': `<notice>${'<a>'.repeat(1_000)}`,
    'more than XML may have': `<notice><error><message>${'a'.repeat(200_000)}</message></error></notice>`,
  }
  it.each(Object.entries(refused))('refuse XML with %s', (_, body) => {
    expect(() => readings(body)).toThrow(DecodeError)
  })

  it('have nothing of XML that is no notice', () => {
    expect(() => readings('<html><body>502 Bad Gateway</body></html>')).toThrow(DecodeError)
  })
})
