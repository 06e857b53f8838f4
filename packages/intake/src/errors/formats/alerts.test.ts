import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// One small body per shape, written by hand. What is not named in the expectation is null.

const cases: readonly Reading[] = [
  [
    'Alertmanager',
    {
      alerts: [
        {
          labels: { alertname: 'DiskFull', severity: 'critical', service: 'shop', instance: 'web-1' },
          annotations: { summary: 'The disk is full' },
          generatorURL: 'https://prometheus.example/graph?g0',
          fingerprint: 'c0ffee01',
        },
      ],
    },
    'alertmanager',
    {
      message: 'The disk is full',
      exception: 'DiskFull',
      url: 'https://prometheus.example/graph?g0',
      app: 'shop',
      severity: 'critical',
      fingerprint: ['c0ffee01'],
      labels: { alertname: 'DiskFull', severity: 'critical', service: 'shop', instance: 'web-1' },
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
      ruleName: 'Latency',
      ruleUrl: 'https://grafana.example/d/1',
      ruleId: 3,
      message: 'Answers are slow',
      tags: { team: 'web' },
    },
    'grafana-legacy',
    {
      message: 'Answers are slow',
      exception: 'Latency',
      url: 'https://grafana.example/d/1',
      fingerprint: ['Latency', '3'],
      labels: { team: 'web' },
    },
  ],
  [
    'Google Cloud Monitoring',
    {
      incident: {
        summary: 'CPU of web-1 is above 0.9',
        policy_name: 'CPU',
        condition_name: 'above 0.9',
        severity: 'Critical',
        resource: { labels: { instance_id: 'web-1' } },
        resource_name: 'shop web-1',
        url: 'https://console.example/incidents/0.abc',
      },
    },
    'google-monitoring',
    {
      message: 'CPU of web-1 is above 0.9',
      exception: 'CPU',
      url: 'https://console.example/incidents/0.abc',
      severity: 'critical',
      fingerprint: ['CPU', 'above 0.9', 'shop web-1'],
      labels: { instance_id: 'web-1' },
    },
  ],
  [
    'CloudWatch by SNS',
    {
      Type: 'Notification',
      TopicArn: 'arn:aws:sns:eu-west-1:1:alarms',
      Message:
        '{"AlarmName":"queue-depth","AlarmDescription":"The queue is too long","NewStateValue":"ALARM","NewStateReason":"Threshold crossed: 900 above 100","AlarmArn":"arn:aws:cloudwatch:eu-west-1:1:alarm:queue-depth","Region":"EU (Ireland)","Trigger":{"MetricName":"Depth","Dimensions":[{"name":"Queue","value":"orders"}]}}',
    },
    'cloudwatch',
    {
      message: 'Threshold crossed: 900 above 100',
      exception: 'queue-depth',
      fingerprint: ['arn:aws:cloudwatch:eu-west-1:1:alarm:queue-depth'],
      labels: { Queue: 'orders', metric: 'Depth', region: 'EU (Ireland)' },
    },
  ],
  [
    'CloudWatch by EventBridge',
    {
      region: 'eu-west-1',
      resources: ['arn:aws:cloudwatch:eu-west-1:1:alarm:queue-depth'],
      detail: { alarmName: 'queue-depth', state: { value: 'OK', reason: 'Back below 100' } },
    },
    'cloudwatch',
    {
      message: 'Back below 100',
      exception: 'queue-depth',
      fingerprint: ['arn:aws:cloudwatch:eu-west-1:1:alarm:queue-depth'],
      labels: { region: 'eu-west-1' },
      recovered: true,
    },
  ],
  [
    'Azure Monitor',
    {
      data: {
        essentials: {
          alertRule: 'cpu',
          severity: 'Sev1',
          description: 'CPU is high',
          alertTargetIDs: ['/vm/web-1'],
          configurationItems: ['web-1'],
        },
      },
    },
    'azure-monitor',
    {
      message: 'CPU is high',
      exception: 'cpu',
      severity: 'sev1',
      fingerprint: ['cpu', '/vm/web-1'],
      labels: { target: 'web-1' },
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
      url: 'https://datadog.example/monitors/77',
      environment: 'production',
      app: 'shop',
      severity: 'error',
      fingerprint: ['77'],
      labels: { env: 'production', service: 'shop' },
    },
  ],
  [
    'Uptime Kuma',
    {
      heartbeat: { msg: 'connect ECONNREFUSED' },
      monitor: { id: 7, name: 'Shop', url: 'https://shop.example', type: 'http' },
    },
    'uptime-kuma',
    {
      message: 'connect ECONNREFUSED',
      exception: 'Shop',
      url: 'https://shop.example',
      fingerprint: ['Shop', '7'],
      labels: { type: 'http' },
    },
  ],
  [
    'Better Stack',
    {
      data: {
        attributes: {
          name: 'shop.example',
          url: 'https://shop.example/',
          http_method: 'get',
          cause: 'Status 502',
          team_name: 'Web',
        },
      },
    },
    'better-stack',
    {
      message: 'Status 502',
      exception: 'shop.example',
      url: 'https://shop.example/',
      method: 'GET',
      fingerprint: ['shop.example', 'https://shop.example/'],
      labels: { team: 'Web' },
    },
  ],
  [
    'New Relic',
    {
      title: 'Apdex is low',
      issueUrl: 'https://newrelic.example/1',
      priority: 'CRITICAL',
      alertConditionNames: ['Apdex'],
      impactedEntities: ['shop'],
    },
    'new-relic-alert',
    {
      message: 'Apdex is low',
      exception: 'Apdex',
      url: 'https://newrelic.example/1',
      severity: 'critical',
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
      fingerprint: ['c1'],
      labels: { type: 'API' },
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
      event_action: 'trigger',
      dedup_key: 'till-4',
      payload: { summary: 'Till 4 is offline', severity: 'critical', custom_details: { till: 4 } },
      links: [{ href: 'https://tills.example/4' }],
    },
    'pagerduty-events',
    {
      message: 'Till 4 is offline',
      url: 'https://tills.example/4',
      severity: 'critical',
      fingerprint: ['till-4'],
      labels: { till: '4' },
    },
  ],
  [
    "the end of an event for PagerDuty's API",
    { event_action: 'resolve', dedup_key: 'till-4' },
    'pagerduty-events',
    { fingerprint: ['till-4'], recovered: true },
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
      url: 'https://shop.example',
      severity: 'high',
      fingerprint: ['shop', '1'],
    },
  ],
  [
    'a state of whoever else watches',
    { service: 'shop', state: 'ok', description: 'Load is fine' },
    'generic',
    { message: 'Load is fine', app: 'shop', recovered: true },
  ],
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
      message: 'Less than 1 % is left',
      exception: 'Disk',
      url: 'https://watch.example/d/1',
      environment: 'production',
      app: 'shop',
      severity: 'critical',
      fingerprint: ['Disk'],
    },
  ],
  [
    'an alert below its delivery, whose state is a constant',
    { alert: { ruleName: 'Agent', severity: 'Major', ruleExpression: 'silent ≥ 6 min', host: 'a1' } },
    'alert',
    {
      message: 'silent ≥ 6 min',
      exception: 'Agent',
      severity: 'major',
      fingerprint: ['Agent', 'a1'],
      labels: { subject: 'a1' },
    },
  ],
  [
    'a title beside the id of an alert',
    { alert_uid: 'u1', title: 'All is down', message: 'Oh no' },
    'alert',
    { message: 'Oh no', exception: 'All is down', fingerprint: ['All is down'] },
  ],
]

describe('alerts', () => {
  it.each(cases)('are read: %s', (_, body, format, expected) => {
    expect(readings(body)).toEqual({ formats: [format], records: [expected] })
  })
})
