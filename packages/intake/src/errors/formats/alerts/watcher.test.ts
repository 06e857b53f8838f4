import { describe, expect, it } from 'vitest'
import { fingerprint } from '../../fingerprint.ts'
import { readErrorReports } from '../../read-error-reports.ts'
import { type Reading, readings } from '../testing.ts'

// Alerts of products that have no reader of their own, by what they have in common. What is not named is null.

const cases: readonly Reading[] = [
  [
    'a rule by its name',
    {
      alertName: 'Disk',
      appName: 'shop',
      environment: 'production',
      severity: 'Critical',
      message: 'Less than 1 % is left',
      dashboardUrl: 'https://watch.example/d/1',
    },
    'alert',
    {
      exception: 'Disk',
      message: 'Less than 1 % is left',
      severity: 'critical',
      app: 'shop',
      environment: 'production',
      url: 'https://watch.example/d/1',
      fingerprint: ['Disk'],
    },
  ],
  [
    'an alert below its delivery, whose state is a constant',
    {
      eventType: 'ALERT_TRIGGER',
      alert: { ruleName: 'Agent', severity: 'Major', ruleExpression: 'silent ≥ 6 min', host: 'a1' },
    },
    'alert',
    {
      exception: 'Agent',
      message: 'silent ≥ 6 min',
      severity: 'major',
      fingerprint: ['Agent', 'a1'],
      labels: { subject: 'a1' },
    },
  ],
  [
    'a title beside the id of an alert',
    {
      alert_uid: 'u1',
      title: 'All is down',
      state: 'alerting',
      message: 'Oh no',
      image_url: 'https://x.example/cat.png',
    },
    'alert',
    { exception: 'All is down', message: 'Oh no', fingerprint: ['All is down'] },
  ],
  [
    'a monitor that is down, with its address and status',
    { event: 'check.down', check: { monitorUuid: 'm1', url: 'https://api.example/v1/', status: 502 } },
    'alert',
    {
      url: 'https://api.example/v1/',
      status: 502,
      fingerprint: ['m1', 'https://api.example/v1/'],
      labels: { subject: 'https://api.example/v1/' },
    },
  ],
  [
    'a monitor that failed in many places',
    {
      monitor_id: 'm1',
      monitor_name: 'Shop',
      monitor_target: 'https://shop.example/',
      monitor_status: 'offline',
      monitor_errors: { Dallas: 'timeout', London: 'http code 403' },
    },
    'alert',
    {
      exception: 'Shop',
      message: 'timeout',
      url: 'https://shop.example/',
      fingerprint: ['Shop', 'https://shop.example/'],
      labels: { subject: 'https://shop.example/' },
    },
  ],
  [
    'a rank that is a number, which means something else to everybody',
    { event_definition_title: 'Too many 500s', event: { message: 'above 10', priority: 2 } },
    'alert',
    { exception: 'Too many 500s', message: 'above 10', fingerprint: ['Too many 500s'] },
  ],
]

const ends: readonly (readonly [title: string, body: unknown])[] = [
  ['a flag', { alert_id: '1', alert_type: 'Load', item_name: 'web-1', fixed: true }],
  ['an envelope', { payload: { alert: { id: 1, name: 'Load' }, clear: 'normal' } }],
  ['the time when it ended', { incident_id: '1', status: 'x', title: 'Disk', resolved_at: '2026-11-20T10:00:00Z' }],
  ['a state', { event: 'alert.resolved', alert: { id: '1', name: 'Disk', severity: 'critical' } }],
  [
    'the last word of a constant',
    { eventType: 'ALERT_NOTIFICATION_CLEAR', alert: { ruleName: 'Disk', severity: 'Info' } },
  ],
  [
    'where it came to',
    { host: 'web-1', notification_type: 'RECOVERY', event: 'DOWN -> UP', output: 'ping is fine', severity: 'OK' },
  ],
  ['a severity', { rule_id: '13', name: 'Disk', severity: 'ok', msg: 'web-1 is back', state: '0' }],
  ['a title', { incidentId: '7', severity: 'Critical', messageTitle: 'Manually resolved: Disk', status: 'x' }],
  [
    'a monitor',
    { eventType: 'uptime-check-recovered', monitor: { name: 'Shop', url: 'https://shop.example', status: 'Up' } },
  ],
  [
    'a check',
    {
      check: { type: 'uptime', status: 'successful', http_status_code: 200 },
      monitor: { id: 1, url: 'https://shop.example' },
    },
  ],
  ['a plain word', { event: 'uptime.up', trigger: 'up', name: 'Shop', url: 'https://shop.example' }],
]

/** What it is about, how it begins, and how it ends. */
const recoveries: readonly (readonly [name: string, alert: object, begins: object, ends: object])[] = [
  [
    'a service on a host, of which a monitor tells',
    { host_name: 'web-1', service_name: 'http' },
    { notification_type: 'PROBLEM', service_state: 'CRITICAL', service_output: 'timeout' },
    { notification_type: 'RECOVERY', service_state: 'OK', service_output: '200' },
  ],
  [
    'a check whose name is in its metadata',
    { entity: { metadata: { name: 'db-1' } } },
    { check: { metadata: { name: 'disk' }, state: 'failing', output: 'CRITICAL 97 %' } },
    { check: { metadata: { name: 'disk' }, state: 'passing', output: 'OK 20 %' } },
  ],
  [
    'a site with a name in capitals',
    { Name: 'Shop', URL: 'https://shop.example' },
    { Status: 'Down', StatusCode: '0' },
    { Status: 'Up', StatusCode: '200' },
  ],
  [
    'a service in one word',
    { service: 'shop' },
    { status: 'down', message: 'No answer' },
    { status: 'up', message: 'Answers again' },
  ],
  [
    'a key to find it by',
    { dedup_key: 'db-1/disk' },
    { event_action: 'trigger', payload: { summary: 'The disk is full', severity: 'critical' } },
    { event_action: 'resolve' },
  ],
  [
    'the alert of a metric',
    {},
    {
      action: 'critical',
      data: { metric_alert: { alert_rule: { name: 'Rate' } }, description_title: 'Critical: Rate' },
    },
    {
      action: 'resolved',
      data: { metric_alert: { alert_rule: { name: 'Rate' } }, description_title: 'Resolved: Rate' },
    },
  ],
  [
    'a cloud’s oldest alert of a resource by name',
    { context: { conditionType: 'Metric', name: 'CPU', resourceName: 'vm-1' } },
    { status: 'Activated' },
    { status: 'Resolved' },
  ],
]

/** Two that are about different things. */
const strangers: readonly (readonly [name: string, one: object, other: object])[] = [
  [
    'hosts that are objects',
    { alert_name: 'Disk', state: 'alerting', host: { name: 'db-1' } },
    { alert_name: 'Disk', state: 'alerting', host: { name: 'db-2' } },
  ],
  [
    'services on one host',
    { host_name: 'web-1', service_name: 'http', notification_type: 'PROBLEM', service_output: 'timeout' },
    { host_name: 'web-1', service_name: 'disk', notification_type: 'PROBLEM', service_output: 'timeout' },
  ],
  [
    'incidents of one service',
    { incident_id: 'a', status: 'open', service_name: 'shop', message: 'The cart failed' },
    { incident_id: 'b', status: 'open', service_name: 'shop', message: 'The search failed' },
  ],
  [
    'alerts of one service, which have no name',
    { alert: { severity: 'high', message: 'The database is slow' }, service: 'shop', state: 'firing' },
    { alert: { severity: 'high', message: 'The disk is full' }, service: 'shop', state: 'firing' },
  ],
  [
    'alerts of one kind and service, which have no name',
    { alert_type: 'error', state: 'firing', service: 'shop', message: 'The cart failed' },
    { alert_type: 'error', state: 'firing', service: 'shop', message: 'The search failed' },
  ],
  [
    'alerts whose state stands where a name could',
    { alert: 'firing', service: 'shop', summary: 'The CPU is busy' },
    { alert: 'firing', service: 'shop', summary: 'The disk is full' },
  ],
  [
    'addresses with one finding',
    { check: { url: 'https://a.example', status: 'failing', output: 'timeout' } },
    { check: { url: 'https://b.example', status: 'failing', output: 'timeout' } },
  ],
  ['services that are down', { service: 'shop', status: 'down' }, { service: 'blog', status: 'down' }],
]

const read = (body: unknown) =>
  readErrorReports({ body: new TextEncoder().encode(JSON.stringify(body)), headers: new Headers() })

describe('an alert of any product', () => {
  it.each(cases)('reads %s', (_, body, format, expected) => {
    expect(readings(body)).toEqual({ formats: [format], records: [expected] })
  })

  it.each(ends)('sees that it is over by %s', (_, body) => {
    expect(read(body).map(({ recovered }) => recovered)).toEqual([true])
  })

  it('has one key while it fires and when it is over', () => {
    const alert = { id: 'a', name: 'Disk', severity: 'critical', host: 'web-1' }
    const [fired] = read({ event: 'alert.fired', alert, timestamp: 1 })
    const [over] = read({ event: 'alert.resolved', alert, timestamp: 2 })
    expect([fired?.recovered, over?.recovered]).toEqual([false, true])
    expect(fired && fingerprint(fired)).toBe(over && fingerprint(over))
  })

  it.each(recoveries)('is found again by %s', (_, alert, begins, ends) => {
    const [fired] = read({ ...alert, ...begins })
    const [over] = read({ ...alert, ...ends })
    expect([fired?.recovered, over?.recovered]).toEqual([false, true])
    expect(fired && fingerprint(fired)).toBe(over && fingerprint(over))
  })

  it.each(strangers)('is another one for other %s', (_, one, other) => {
    const [first, second] = [...read(one), ...read(other)].map(fingerprint)
    expect(first).not.toBe(second)
  })

  it('has one key whatever state stands in front of its name', () => {
    const keyOf = (title: string) => read({ title, monitor_id: 'm1', value: 91 }).map(fingerprint)
    expect(keyOf('Triggered: disk is full')).toEqual(keyOf('Resolved: disk is full'))
    expect(keyOf('[FIRING:1] disk is full')).toEqual(keyOf('[RESOLVED] disk is full'))
    expect(keyOf('Triggered: disk is full')).not.toEqual(keyOf('Triggered: disk is slow'))
  })

  it('reads labels that are written as text', () => {
    const alert = { monitor_id: 'm1', title: 'CPU', type: 'alert', priority: 'P3' }
    const labels = { env: 'production', team: 'shop' }
    const expected = { environment: 'production', labels }
    expect(read({ ...alert, tags: 'env:production, team:shop' })).toMatchObject([expected])
    expect(read({ ...alert, tags: ['env=production', 'team:shop', 'vip'] })).toMatchObject([expected])
  })

  it('knows a rule by its name in any spelling', () => {
    const alert = { monitorFriendlyName: 'Shop', alertDetails: 'Connection timeout' }
    expect(read(alert)).toMatchObject([{ exception: 'Shop', message: 'Connection timeout' }])
  })

  it('is no alert when something was thrown, or when nothing watches', () => {
    expect(readings({ alert_id: 1, status: 'x', error: { message: 'no cart', type: 'TypeError' } }).formats).toEqual([
      'generic',
    ])
    expect(readings({ name: 'PaymentError', message: 'no', status: 'failed to pay' }).formats).toEqual(['generic'])
  })
})
