import { describe, expect, it } from 'vitest'
import { type Reading, readings } from './testing.ts'

// One small body per shape, written by hand.

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
    'alertmanager › DiskFull: The disk is full · https://prometheus.example/graph?g0 · app shop · is critical · key alertmanager+c0ffee01 · alertname=DiskFull · severity=critical · service=shop · instance=web-1',
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
    'grafana-legacy › Latency: Answers are slow · https://grafana.example/d/1 · key grafana-legacy+Latency+3 · team=web',
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
    'google-monitoring › CPU: CPU of web-1 is above 0.9 · https://console.example/incidents/0.abc · is critical · key google-monitoring+CPU+above 0.9+shop web-1 · instance_id=web-1',
  ],
  [
    'CloudWatch by SNS',
    {
      Type: 'Notification',
      TopicArn: 'arn:aws:sns:eu-west-1:1:alarms',
      Message:
        '{"AlarmName":"queue-depth","AlarmDescription":"The queue is too long","NewStateValue":"ALARM","NewStateReason":"Threshold crossed: 900 above 100","AlarmArn":"arn:aws:cloudwatch:eu-west-1:1:alarm:queue-depth","Region":"EU (Ireland)","Trigger":{"MetricName":"Depth","Dimensions":[{"name":"Queue","value":"orders"}]}}',
    },
    'cloudwatch › queue-depth: Threshold crossed: 900 above 100 · key cloudwatch+arn:aws:cloudwatch:eu-west-1:1:alarm:queue-depth · Queue=orders · metric=Depth · region=EU (Ireland)',
  ],
  [
    'CloudWatch by EventBridge',
    {
      region: 'eu-west-1',
      resources: ['arn:aws:cloudwatch:eu-west-1:1:alarm:queue-depth'],
      detail: { alarmName: 'queue-depth', state: { value: 'OK', reason: 'Back below 100' } },
    },
    'cloudwatch › queue-depth: Back below 100 · key cloudwatch+arn:aws:cloudwatch:eu-west-1:1:alarm:queue-depth · region=eu-west-1 · over',
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
    'azure-monitor › cpu: CPU is high · is sev1 · key azure-monitor+cpu+/vm/web-1 · target=web-1',
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
    'azure-monitor › cpu: CPU is high · is sev3 · key azure-monitor+cpu+/vm · over',
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
    'datadog-monitor › CPU is high: CPU is above 90 % · https://datadog.example/monitors/77 · app shop · in production · is error · key datadog-monitor+77+host:web-1 · env=production · service=shop',
  ],
  [
    'Uptime Kuma',
    {
      heartbeat: { msg: 'connect ECONNREFUSED' },
      monitor: { id: 7, name: 'Shop', url: 'https://shop.example', type: 'http' },
    },
    'uptime-kuma › Shop: connect ECONNREFUSED · https://shop.example · key uptime-kuma+7+Shop · type=http',
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
    'better-stack › shop.example: Status 502 · GET https://shop.example/ · key better-stack+shop.example+https://shop.example/ · team=Web',
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
    'new-relic-alert › Apdex: Apdex is low · https://newrelic.example/1 · is critical · key new-relic-alert+Apdex+shop',
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
    'checkly › Shop: Shop has failed · https://checkly.example/c1 · key checkly+c1 · type=API',
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
    'pagerduty › The shop is down · https://pagerduty.example/P1 · app Shop · is p1 · key pagerduty+P1',
  ],
  [
    "an event for PagerDuty's API",
    {
      event_action: 'trigger',
      dedup_key: 'till-4',
      payload: { summary: 'Till 4 is offline', severity: 'critical', custom_details: { till: 4 } },
      links: [{ href: 'https://tills.example/4' }],
    },
    'pagerduty-events › Till 4 is offline · https://tills.example/4 · is critical · key pagerduty-events+till-4 · till=4',
  ],
  [
    "the end of an event for PagerDuty's API",
    { event_action: 'resolve', dedup_key: 'till-4' },
    'pagerduty-events › key pagerduty-events+till-4 · over',
  ],
  [
    'an alert of Opsgenie that was closed',
    { action: 'Close', alert: { alertId: 'a1', alias: 'disk', message: 'The disk is full', priority: 'P2' } },
    'opsgenie › The disk is full · is p2 · key opsgenie+disk · over',
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
    'uptime-robot › Shop: HTTP 503 · https://shop.example · key uptime-robot+7',
  ],
  [
    'a monitor with a state',
    {
      monitor: { id: 1, name: 'shop', url: 'https://shop.example' },
      status: 'error',
      severity: 'high',
      errorMessage: 'refused',
    },
    'monitor-state › shop: refused · https://shop.example · is high · key monitor+monitor.id 1',
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
    'alert › Disk: Less than 1 % is left · https://watch.example/d/1 · app shop · in production · is critical · key alert+Disk',
  ],
  [
    'a title beside the id of an alert',
    { alert_uid: 'u1', title: 'All is down', message: 'Oh no' },
    'alert › All is down: Oh no · key alert+u1',
  ],
]

describe('alerts', () => {
  it.each(cases)('are read: %s', (_, body, expected) => {
    expect(readings(body)).toEqual([expected])
  })
})
