import { describe, expect, it } from 'vitest'
import { fingerprint } from '../fingerprint.ts'
import { readErrorReports } from '../read-error-reports.ts'
import { overfull, type Reading, readings, unfitFields } from './testing.ts'

// One small alert of each sender, written by hand. What is not named in the expectation is null.

const prometheus = {
  status: 'firing',
  labels: { alertname: 'DiskFull', severity: 'critical', service: 'shop', instance: 'web-1' },
  annotations: { summary: 'The disk is full', description: 'Less than 1 % is left.' },
  startsAt: '2026-11-20T10:00:00Z',
  generatorURL: 'https://prometheus.example/graph?g0',
  fingerprint: 'c0ffee01',
}

const incident = {
  incident_id: '0.abc',
  state: 'open',
  summary: 'CPU of web-1 is above 0.9',
  policy_name: 'CPU',
  condition_name: 'above 0.9',
  severity: 'Critical',
  resource: { labels: { instance_id: 'web-1' } },
  resource_name: 'shop web-1',
  url: 'https://console.example/incidents/0.abc',
}

const alarm = {
  AlarmName: 'queue-depth',
  AlarmDescription: 'The queue is too long',
  NewStateValue: 'ALARM',
  NewStateReason: 'Threshold crossed: 900 above 100',
  AlarmArn: 'arn:aws:cloudwatch:eu-west-1:1:alarm:queue-depth',
  Region: 'EU (Ireland)',
  Trigger: { MetricName: 'Depth', Dimensions: [{ name: 'Queue', value: 'orders' }] },
}
const notification = {
  Type: 'Notification',
  TopicArn: 'arn:aws:sns:eu-west-1:1:alarms',
  Message: JSON.stringify(alarm),
}
const readAlarm = {
  message: 'Threshold crossed: 900 above 100',
  exception: 'queue-depth',
  fingerprint: [alarm.AlarmArn],
  labels: { Queue: 'orders', metric: 'Depth', region: 'EU (Ireland)', description: 'The queue is too long' },
}

const essentials = {
  alertRule: 'cpu',
  severity: 'Sev1',
  monitorCondition: 'Fired',
  description: 'CPU is high',
  alertTargetIDs: ['/vm/web-1'],
  configurationItems: ['web-1'],
  monitoringService: 'Platform',
}

const kuma = {
  heartbeat: { status: 0, msg: 'connect ECONNREFUSED' },
  monitor: { id: 7, name: 'Shop', url: 'https://shop.example', type: 'http' },
  msg: '[Shop] [Down]',
}

const betterStack = {
  name: 'shop.example',
  url: 'https://shop.example/',
  http_method: 'get',
  cause: 'Status 502',
  team_name: 'Web',
  resolved_at: null,
}

const cases: readonly Reading[] = [
  [
    'an alert of nobody known whose kind sounds like a monitor of Datadog',
    { alert_name: 'checkout', event_type: 'prometheus_alert', service: 'shop', message: 'too many 500s' },
    'alert',
    { message: 'too many 500s', exception: 'checkout', app: 'shop', fingerprint: ['checkout'] },
  ],
  [
    'Grafana’s legacy alert with tags of the service',
    { ruleName: 'CPU', state: 'alerting', message: 'high', tags: { service: 'shop', environment: 'staging' } },
    'grafana-legacy',
    {
      message: 'high',
      exception: 'CPU',
      app: 'shop',
      environment: 'staging',
      labels: { service: 'shop', environment: 'staging' },
      fingerprint: ['CPU'],
    },
  ],
  [
    'a monitor with an incident',
    {
      check: 'uptime',
      status: 'down',
      incident: { reason: 'HTTP status 500', severity: 'critical' },
      monitor: { id: 'm1', label: 'Shop', url: 'https://shop.example' },
    },
    'monitor-state',
    {
      message: 'HTTP status 500',
      exception: 'Shop',
      severity: 'critical',
      url: 'https://shop.example',
      fingerprint: ['m1'],
    },
  ],
  [
    'Azure, the oldest alert',
    {
      status: 'Activated',
      context: {
        conditionType: 'Metric',
        name: 'requests',
        description: 'Too many requests',
        resourceId: '/sites/shop',
        portalLink: 'https://portal.example/shop',
      },
    },
    'azure-monitor',
    {
      message: 'Too many requests',
      exception: 'requests',
      url: 'https://portal.example/shop',
      fingerprint: ['requests', '/sites/shop'],
    },
  ],
  [
    'Alertmanager',
    { version: '4', status: 'firing', receiver: 'r', alerts: [prometheus] },
    'alertmanager',
    {
      message: 'The disk is full',
      exception: 'DiskFull',
      url: 'https://prometheus.example/graph?g0',
      severity: 'critical',
      app: 'shop',
      fingerprint: ['c0ffee01'],
      labels: prometheus.labels,
    },
  ],
  [
    'an alert that leaves everything to the labels in common',
    {
      status: 'resolved',
      commonLabels: { alertname: 'Down' },
      commonAnnotations: { summary: 'Nobody answers' },
      alerts: [{ labels: {}, startsAt: 'x', fingerprint: 'f' }],
    },
    'alertmanager',
    {
      message: 'Nobody answers',
      exception: 'Down',
      fingerprint: ['f'],
      labels: { alertname: 'Down' },
      recovered: true,
    },
  ],
  [
    'Grafana before it took over that webhook',
    {
      title: '[Alerting] Latency',
      ruleName: 'Latency',
      ruleUrl: 'https://grafana.example/d/1',
      ruleId: 3,
      state: 'alerting',
      message: 'Answers are slow',
      tags: { team: 'web' },
    },
    'grafana-legacy',
    {
      message: 'Answers are slow',
      exception: 'Latency',
      url: 'https://grafana.example/d/1',
      labels: { team: 'web' },
      fingerprint: ['Latency', '3'],
    },
  ],
  [
    'Google Cloud Monitoring',
    { version: '1.2', incident },
    'google-monitoring',
    {
      message: 'CPU of web-1 is above 0.9',
      exception: 'CPU',
      url: 'https://console.example/incidents/0.abc',
      severity: 'critical',
      labels: { instance_id: 'web-1' },
      fingerprint: ['CPU', 'above 0.9', 'shop web-1'],
    },
  ],
  ['CloudWatch by SNS', notification, 'cloudwatch', readAlarm],
  [
    'CloudWatch by SNS inside of a Lambda event',
    { Records: [{ EventSource: 'aws:sns', Sns: notification }] },
    'cloudwatch',
    readAlarm,
  ],
  [
    'CloudWatch by EventBridge',
    {
      'detail-type': 'CloudWatch Alarm State Change',
      region: 'eu-west-1',
      resources: [alarm.AlarmArn],
      detail: { alarmName: 'queue-depth', state: { value: 'OK', reason: 'Back below 100' } },
    },
    'cloudwatch',
    {
      message: 'Back below 100',
      exception: 'queue-depth',
      fingerprint: [alarm.AlarmArn],
      labels: { region: 'eu-west-1' },
      recovered: true,
    },
  ],
  [
    'Azure Monitor',
    { schemaId: 'azureMonitorCommonAlertSchema', data: { essentials } },
    'azure-monitor',
    {
      message: 'CPU is high',
      exception: 'cpu',
      severity: 'sev1',
      labels: { service: 'Platform', target: 'web-1' },
      fingerprint: ['cpu', '/vm/web-1'],
    },
  ],
  [
    'Azure Monitor in the older schema of metrics',
    {
      schemaId: 'AzureMonitorMetricAlert',
      data: {
        status: 'Deactivated',
        context: { name: 'cpu', description: 'CPU is high', severity: '3', resourceId: '/vm' },
      },
    },
    'azure-monitor',
    { message: 'CPU is high', exception: 'cpu', severity: 'sev3', fingerprint: ['cpu', '/vm'], recovered: true },
  ],
  [
    'a monitor of Datadog',
    {
      title: '[Triggered on {host:web-1}] CPU is high',
      body: '%%%\nCPU is above 90 %\n%%%',
      event_type: 'query_alert_monitor',
      last_updated: '1',
      org: { id: '1', name: 'shop' },
      alert_transition: 'Triggered',
      alert_id: '77',
      alert_type: 'error',
      tags: 'env:production, service:shop',
      link: 'https://datadog.example/monitors/77',
    },
    'datadog-monitor',
    {
      message: 'CPU is above 90 %',
      exception: 'CPU is high',
      severity: 'error',
      app: 'shop',
      environment: 'production',
      url: 'https://datadog.example/monitors/77',
      labels: { env: 'production', service: 'shop' },
      fingerprint: ['77'],
    },
  ],
  [
    'Uptime Kuma',
    kuma,
    'uptime-kuma',
    {
      message: 'connect ECONNREFUSED',
      exception: 'Shop',
      url: 'https://shop.example',
      labels: { type: 'http' },
      fingerprint: ['Shop', '7'],
    },
  ],
  [
    'Better Stack',
    { data: { id: '1', type: 'incident', attributes: betterStack } },
    'better-stack',
    {
      message: 'Status 502',
      exception: 'shop.example',
      url: 'https://shop.example/',
      method: 'GET',
      labels: { team: 'Web' },
      fingerprint: ['shop.example', 'https://shop.example/'],
    },
  ],
  [
    'dash0',
    {
      type: 'alert.ongoing',
      data: {
        issue: {
          id: '1',
          issueIdentifier: '42',
          status: 'critical',
          summary: 'Too many errors',
          url: 'https://dash0.example/1',
          labels: [{ key: 'service.name', value: { stringValue: 'shop' } }],
          checkrules: [{ name: 'Error rate' }],
        },
      },
    },
    'dash0',
    {
      message: 'Too many errors',
      exception: 'Error rate',
      severity: 'critical',
      app: 'shop',
      url: 'https://dash0.example/1',
      labels: { 'service.name': 'shop' },
      fingerprint: ['42'],
    },
  ],
  [
    'Axiom',
    { action: 'Open', event: { monitorID: 'm1', title: 'Triggered: Errors', body: 'More than ten errors', value: 0 } },
    'axiom',
    { message: 'More than ten errors', exception: 'Errors', fingerprint: ['m1'] },
  ],
  [
    'Coralogix',
    {
      alert_action: 'trigger',
      alert_id: 'a1',
      name: 'Errors',
      description: 'Too many errors',
      alert_url: 'https://coralogix.example/1',
      fields: [
        { key: 'application', value: 'shop' },
        { key: 'severity', value: 'CRITICAL' },
        { key: 'team', value: '$TEAM' },
      ],
    },
    'coralogix',
    {
      message: 'Too many errors',
      exception: 'Errors',
      severity: 'critical',
      app: 'shop',
      url: 'https://coralogix.example/1',
      labels: { application: 'shop', severity: 'CRITICAL' },
      fingerprint: ['a1'],
    },
  ],
  [
    'New Relic',
    {
      title: 'Apdex is low',
      issueUrl: 'https://newrelic.example/1',
      state: 'ACTIVATED',
      priority: 'CRITICAL',
      alertConditionNames: ['Apdex'],
      impactedEntities: ['shop'],
    },
    'new-relic-alert',
    {
      message: 'Apdex is low',
      exception: 'Apdex',
      severity: 'critical',
      url: 'https://newrelic.example/1',
      fingerprint: ['Apdex', 'shop'],
    },
  ],
  [
    'Checkly',
    {
      event: 'Shop has failed',
      alert_type: 'ALERT_FAILURE',
      check_name: 'Shop',
      check_id: 'c1',
      result_link: 'https://checkly.example/c1',
      check_type: 'API',
    },
    'uptime-check',
    {
      message: 'Shop has failed',
      exception: 'Shop',
      url: 'https://checkly.example/c1',
      labels: { type: 'API' },
      fingerprint: ['c1'],
    },
  ],
  [
    'an incident of PagerDuty',
    {
      event: {
        event_type: 'incident.triggered',
        data: {
          id: 'P1',
          title: 'The shop is down',
          html_url: 'https://pagerduty.example/P1',
          service: { summary: 'Shop' },
          priority: { summary: 'P1' },
        },
      },
    },
    'pagerduty',
    {
      message: 'The shop is down',
      url: 'https://pagerduty.example/P1',
      app: 'Shop',
      severity: 'p1',
      fingerprint: ['P1'],
    },
  ],
  [
    "an event for PagerDuty's API",
    {
      routing_key: 'r',
      event_action: 'trigger',
      dedup_key: 'till-4',
      payload: { summary: 'Till 4 is offline', severity: 'critical', source: 'tills', custom_details: { till: 4 } },
      links: [{ href: 'https://tills.example/4' }],
    },
    'pagerduty-events',
    {
      message: 'Till 4 is offline',
      severity: 'critical',
      url: 'https://tills.example/4',
      labels: { till: '4' },
      fingerprint: ['till-4'],
    },
  ],
  [
    "the end of an event for PagerDuty's API",
    { routing_key: 'r', event_action: 'resolve', dedup_key: 'till-4' },
    'pagerduty-events',
    { fingerprint: ['till-4'], recovered: true },
  ],
  [
    "an event for PagerDuty's API that somebody took up",
    { routing_key: 'r', event_action: 'acknowledge', dedup_key: 'till-4' },
    'pagerduty-events',
    { severity: 'info', fingerprint: ['till-4'] },
  ],
  [
    'an alert of Opsgenie that was closed',
    { action: 'Close', alert: { alertId: 'a1', alias: 'disk', message: 'The disk is full', priority: 'P2' } },
    'opsgenie',
    { message: 'The disk is full', severity: 'p2', fingerprint: ['disk'], recovered: true },
  ],
  [
    'UptimeRobot',
    {
      monitorID: '7',
      monitorURL: 'https://shop.example',
      monitorFriendlyName: 'Shop',
      alertType: '1',
      alertDetails: 'HTTP 503',
    },
    'uptime-robot',
    { message: 'HTTP 503', exception: 'Shop', url: 'https://shop.example', fingerprint: ['7'] },
  ],
  [
    'the uptime of Honeybadger',
    {
      event: 'up',
      message: 'Back up',
      project: { name: 'Shop' },
      site: { id: 's', name: 'Home', url: 'https://shop.example' },
      outage: { status: 500, reason: 'Got 500' },
    },
    'honeybadger-uptime',
    {
      message: 'Got 500',
      exception: 'Home',
      url: 'https://shop.example',
      app: 'Shop',
      status: 500,
      fingerprint: ['s'],
      recovered: true,
    },
  ],
  [
    'a monitor with a state',
    {
      monitor: { id: 1, name: 'shop', url: 'https://shop.example' },
      status: 'error',
      severity: 'high',
      errorMessage: 'refused',
    },
    'monitor-state',
    {
      message: 'refused',
      exception: 'shop',
      severity: 'high',
      url: 'https://shop.example',
      fingerprint: ['shop', '1'],
    },
  ],
  [
    'a state of whoever else watches',
    { host: 'web-1', service: 'shop', state: 'ok', description: 'Load is fine' },
    'generic',
    { message: 'Load is fine', app: 'shop', recovered: true },
  ],
]

const read = (body: unknown) =>
  readErrorReports({ body: new TextEncoder().encode(JSON.stringify(body)), headers: new Headers() })

describe('alerts', () => {
  it.each(cases)('fit into their columns, however much is said: %s', (_, report) => {
    expect(unfitFields(overfull(report))).toEqual([])
  })

  for (const [title, report, format, expected] of cases) {
    it(`are read: ${title}`, () => {
      expect(readings(report)).toEqual({ formats: [format], records: [expected] })
    })
  }

  it('are read below data, as Prometheus itself lists them', () => {
    const { status: _, ...listed } = prometheus
    expect(read({ status: 'success', data: { alerts: [{ ...listed, state: 'firing' }] } })).toMatchObject([
      { exception: 'DiskFull', severity: 'critical', recovered: false },
    ])
  })

  it('of a metric in Sentry say how bad it is, and not that they were triggered', () => {
    const metric = (status?: string) => ({ action: 'triggered', data: { metric_alert: { title: 'Errors', status } } })
    expect([metric('critical'), metric()].flatMap(read).map(({ severity }) => severity)).toEqual(['critical', null])
  })

  it('that are published are no notes of something well', () => {
    const issue = { title: 'Cart.kt line 42', subtitle: 'none left', appVersion: '1.4' }
    const type = 'google.firebase.firebasealerts.alerts.v1.published'
    expect(read({ type, data: { payload: { issue } } })).toMatchObject([{ recovered: false }])
  })

  it('of one body are as many reports', () => {
    const second = { ...prometheus, fingerprint: 'c0ffee02', status: 'resolved' }
    expect(read({ alerts: [prometheus, second] }).map(({ recovered }) => recovered)).toEqual([false, true])
  })

  const pairs: Readonly<Record<string, readonly [fires: object, isOver: object]>> = {
    alertmanager: [
      { alerts: [prometheus] },
      { alerts: [{ ...prometheus, status: 'resolved', annotations: { summary: 'Fine again' } }] },
    ],
    'google-monitoring': [
      { incident },
      { incident: { ...incident, incident_id: '0.def', state: 'closed', summary: 'Fine' } },
    ],
    cloudwatch: [alarm, { ...alarm, NewStateValue: 'OK', NewStateReason: 'Fine' }],
    'azure-monitor': [
      { data: { essentials } },
      { data: { essentials: { ...essentials, monitorCondition: 'Resolved' } } },
    ],
    'datadog-monitor': [
      { alert_transition: 'Triggered', title: '[Triggered] CPU' },
      { alert_transition: 'Recovered', title: '[Recovered] CPU' },
    ],
    'uptime-kuma': [kuma, { ...kuma, heartbeat: { status: 1, msg: '200 - OK' }, msg: '[Shop] [Up]' }],
    'better-stack': [
      { data: { type: 'incident', attributes: betterStack } },
      { data: { type: 'incident', attributes: { ...betterStack, resolved_at: '2026-11-20T10:00:00Z' } } },
    ],
    dash0: [
      { type: 'alert.ongoing', data: { issue: { issueIdentifier: '4', status: 'critical' } } },
      { type: 'alert.resolved', data: { issue: { issueIdentifier: '4', status: 'resolved' } } },
    ],
    axiom: [
      { action: 'Open', event: { monitorID: 'm', title: 'Triggered: M' } },
      { action: 'Closed', event: { monitorID: 'm', title: 'Resolved: M' } },
    ],
  }

  for (const [name, [fires, isOver]] of Object.entries(pairs)) {
    it(`have the key of the note that they are over: ${name}`, () => {
      const [first, second] = [read(fires), read(isOver)]
      expect([first, second].map((records) => records.map(({ recovered }) => recovered))).toEqual([[false], [true]])
      expect(first.map(fingerprint)).toEqual(second.map(fingerprint))
    })
  }

  it('of a topic that wants to be confirmed are none', () => {
    expect(read({ Type: 'SubscriptionConfirmation', TopicArn: 'arn', Message: 'You have chosen', Token: 't' })).toEqual(
      [],
    )
  })

  it('that a topic carries as a sentence are read as one', () => {
    const sentence = { Type: 'Notification', TopicArn: 'arn', Subject: 'Backup', Message: 'The backup did not finish' }
    expect(read(sentence)).toMatchObject([{ message: 'The backup did not finish' }])
  })

  it('reads each message of PagerDuty’s second webhook', () => {
    const message = (type: string) => ({
      type,
      data: { incident: { id: 'i1', trigger_summary_data: { subject: 'no cart' } } },
    })
    const body = { messages: ['incident.trigger', 'incident.acknowledge', 'incident.resolve'].map(message) }
    const records = readErrorReports({ body: new TextEncoder().encode(JSON.stringify(body)), headers: new Headers() })
    expect(records.map(({ message, severity, recovered }) => [message, severity, recovered])).toEqual([
      ['no cart', null, false],
      ['no cart', 'info', false],
      ['no cart', null, true],
    ])
  })
})
