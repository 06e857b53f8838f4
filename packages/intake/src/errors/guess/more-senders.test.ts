import { expect, it } from 'vitest'
import { differ, keysOf, open, quiet, resolves, same } from './testing-tickets.ts'

// Bodies in the shapes that the documentation of monitors, trackers, and CI describes, shortened.

let deliveries = 0
/** An id that each delivery has for itself. */
const once = () => {
  deliveries += 1
  return deliveries
}

// Zabbix media type webhook
const zb = (e: string, v: string, h = 'db1', t = '10') => ({
  event_id: e,
  event_value: v,
  event_name: 'High CPU',
  event_severity: 'High',
  trigger_id: t,
  trigger_name: 'High CPU',
  host_name: h,
  event_status: v === '1' ? 'PROBLEM' : 'RESOLVED',
  alert_subject: v === '1' ? 'Problem: High CPU' : 'Resolved: High CPU',
})
differ('zabbix hosts', zb('1', '1', 'db1'), zb('2', '1', 'db2'))
resolves('zabbix', zb('1', '1'), zb('1', '0'))
// LibreNMS
const ln = (h: string, s: number) => ({
  title: `Alert for device ${h} - Device down`,
  hostname: h,
  device_id: s + h.length,
  sysName: h,
  severity: 'critical',
  rule: 'Devices up/down',
  state: s,
  timestamp: 'x',
  alert_id: '5',
  msg: `Device ${h} is down`,
})
differ('librenms', ln('sw1', 1), ln('sw2', 1))
// Checkmk
const cm = (h: string, st: string, nt = 'PROBLEM') => ({
  NOTIFICATIONTYPE: nt,
  HOSTNAME: h,
  SERVICEDESC: 'CPU load',
  SERVICESTATE: st,
  SERVICEOUTPUT: '15 min load 12.5',
  WHAT: 'SERVICE',
})
differ('checkmk', cm('web1', 'CRIT'), cm('web2', 'CRIT'))
resolves('checkmk', cm('web1', 'CRIT'), cm('web1', 'OK', 'RECOVERY'))
const nagios = (service: string, state: string) => ({ ...cm('web1', state), SERVICEDESC: service })
differ('nagios services', nagios('HTTP', 'CRITICAL'), nagios('SSH', 'CRITICAL'))
resolves('nagios', nagios('HTTP', 'CRITICAL'), { ...nagios('HTTP', 'OK'), SERVICEOUTPUT: 'HTTP OK' })
const context = (service: string, state: string) => ({ context: nagios(service, state) })
differ('checkmk with a context', context('CPU load', 'CRIT'), context('Disk', 'CRIT'))
quiet('checkmk with a context', { context: cm('web1', 'OK', 'RECOVERY') })
// PRTG
const prtg = (sensor: string, sensorid: number, status: string) => ({
  ...{ sensor, sensorid, device: 'sw1', status, message: 'Timeout (code: PE018)' },
  ...{ group: 'Switches', probe: 'Local Probe' },
})
differ('sensors of one device', prtg('Ping 1', 1001, 'Down'), prtg('Ping 2', 1002, 'Down'))
resolves('a sensor', prtg('Ping 1', 1001, 'Down'), { ...prtg('Ping 1', 1001, 'Up'), message: 'OK' })
// Honeycomb
const honeycomb = (id: string, status: string) => ({
  ...{ version: 'v0.1.0', id, name: 'Errors too high', status, trigger_url: `https://honeycomb.example/${id}` },
  ...{ summary: `${status === 'OK' ? 'Resolved' : 'Triggered'}: Errors too high`, alert_type: 'on_change' },
})
differ('honeycomb', honeycomb('abc', 'TRIGGERED'), honeycomb('abd', 'TRIGGERED'))
resolves('honeycomb', honeycomb('abc', 'TRIGGERED'), honeycomb('abc', 'OK'))
// Icinga2 / Centreon generic
const ic = (h: string, s: string) => ({ host: h, service: 'http', state: s, output: 'HTTP CRITICAL', type: 'PROBLEM' })
differ('icinga', ic('web1', 'CRITICAL'), ic('web2', 'CRITICAL'))
// Consul
const co = (n: string) => ({
  Node: n,
  CheckID: 'service:redis',
  Name: 'Redis alive',
  Status: 'critical',
  Output: 'connection refused',
  ServiceID: 'redis',
  ServiceName: 'redis',
})
differ('consul', co('node1'), co('node2'))
// Sumo Logic
const su = (m: string, t = 'Critical') => ({
  Name: m,
  Description: 'd',
  TriggerType: t,
  MonitorType: 'Logs',
  AlertResponseURL: `https://s/${m}`,
  Query: 'q',
  QueryURL: 'u',
  TriggerCondition: '> 5',
  NumQueryResults: '6',
})
differ('sumo', su('Login errors'), su('Pay errors'))
quiet('sumo resolved', su('Login errors', 'ResolvedCritical'))
// Splunk On-Call outgoing
const vo = (id: string, ph: string) => ({
  ALERT: { entity_id: 'disk/a', message_type: 'CRITICAL', state_message: 'Disk full' },
  INCIDENT: { INCIDENT_ID: id, CURRENT_PHASE: ph, ENTITY_ID: 'disk/a', ENTITY_DISPLAY_NAME: 'disk a' },
  STATE: { CURRENT_ALERT_PHASE: ph },
})
differ('splunk oncall', vo('1', 'UNACKED'), vo('2', 'UNACKED'))
// Jira Service Mgmt / Compass
const js = (k: string) => ({
  webhookEvent: 'jira:issue_created',
  issue: {
    id: k.slice(2),
    key: k,
    fields: { summary: 'Checkout broken', priority: { name: 'High' }, project: { key: 'P' } },
  },
})
differ('jira', js('P-1'), js('P-2'))
// SquaredUp, Freshservice
differ(
  'freshservice',
  { ticket_id: 'INC-1', alert_id: '5', subject: 'Server down', severity: 'critical', resource: 'web1' },
  { ticket_id: 'INC-2', alert_id: '6', subject: 'Server down', severity: 'critical', resource: 'web1' },
)
// Azure DevOps releases
quiet('azdo release succeeded', {
  eventType: 'ms.vss-release.deployment-completed-event',
  message: { text: 'Deployment of release Release-1 on stage Dev succeeded.' },
  resource: { environment: { name: 'Dev', status: 'succeeded' }, project: { name: 'Fab' } },
})
open('azdo release failed', {
  eventType: 'ms.vss-release.deployment-completed-event',
  message: { text: 'Deployment of release Release-1 on stage Dev failed.' },
  resource: { environment: { name: 'Dev', status: 'rejected' }, project: { name: 'Fab' } },
})
// Vercel
const ve = (p: string) => ({
  type: 'deployment.error',
  payload: {
    deployment: { id: `d${p}`, name: p, url: `${p}.vercel.app`, meta: {} },
    project: { id: p },
    team: { id: 't' },
  },
})
differ('vercel', ve('shop'), ve('depot'))
quiet('vercel created', {
  type: 'deployment.created',
  payload: { deployment: { id: 'd', name: 'shop' }, project: { id: 'p' } },
})
// Fly / Railway / Render
const rw = (n: string, s = 'CRASHED') => ({
  type: 'DEPLOY',
  status: s,
  timestamp: 'x',
  project: { id: '1', name: n },
  environment: { id: 'e', name: 'production' },
  deployment: { id: 'd', creator: { name: 'a' }, meta: {} },
  service: { id: 's', name: 'api' },
})
differ('railway', rw('a'), rw('b'))
quiet('railway ok', rw('a', 'SUCCESS'))
quiet('railway building', rw('a', 'BUILDING'))
open('railway failed', rw('a', 'FAILED'))
const re = (s: string) => ({
  type: 'server_failed',
  timestamp: 'x',
  data: { id: 'evt-1', serviceId: s, serviceName: s, serverFailed: { reason: { nonZeroExit: 1 } } },
})
differ('render', re('api1'), re('api2'))
// Bitbucket pipelines status, Jenkins
const bb = (r: string, st = 'FAILED') => ({
  commit_status: { name: 'build', state: st, key: 'k', url: 'https://ci/1' },
  repository: { full_name: r, name: r.split('/')[1] },
  actor: {},
})
differ('bitbucket', bb('a/x'), bb('a/y'))
quiet('bitbucket ok', bb('a/x', 'SUCCESSFUL'))
quiet('bitbucket running', bb('a/x', 'INPROGRESS'))
const jk = (n: string, st = 'FAILURE') => ({
  name: n,
  url: `job/${n}/`,
  build: {
    full_url: `https://j/${n}/1`,
    number: once(),
    phase: 'FINALIZED',
    status: st,
    scm: { commit: 'abc' },
    artifacts: {},
  },
})
differ('jenkins', jk('shop-1'), jk('shop-2'))
same('jenkins', jk('shop'), jk('shop'))
// TeamCity, Drone, Woodpecker
const dr = (s: string) => ({
  event: 'build',
  action: 'completed',
  repo: { slug: s, name: s.split('/')[1] },
  build: { number: 1, status: 'failure', message: 'Tidy', link: 'https://d' },
})
differ('drone', dr('a/x'), dr('a/y'))
differ('drone owner', dr('a/x'), dr('b/x'))
// SonarQube
const sq = (k: string, st = 'ERROR') => ({
  serverUrl: 'http://s',
  taskId: 't',
  status: 'SUCCESS',
  analysedAt: 'x',
  revision: 'c',
  project: { key: k, name: k, url: 'u' },
  branch: { name: 'main' },
  qualityGate: { name: 'SonarQube way', status: st, conditions: [] },
})
differ('sonar', sq('p1'), sq('p2'))
quiet('sonar ok', sq('p1', 'OK'))
// Snyk, Dependabot, secret scanning
const db = (n: number, r = 'a/x') => ({
  action: 'created',
  alert: {
    number: n,
    state: 'open',
    dependency: { package: { name: 'lodash' } },
    security_advisory: { summary: 'Prototype pollution', severity: 'high', ghsa_id: 'G' },
    html_url: 'https://g',
  },
  repository: { full_name: r },
})
differ('dependabot', db(1), db(2))
differ('dependabot repos', db(1, 'a/x'), db(1, 'a/y'))
const ss = (n: number) => ({
  action: 'created',
  alert: { number: n, secret_type: 'aws_key', secret_type_display_name: 'AWS key', html_url: `https://g/${n}` },
  repository: { full_name: 'a/x' },
})
differ('secret scanning', ss(1), ss(2))
quiet('dependabot fixed', { ...db(1), action: 'fixed', alert: { ...db(1).alert, state: 'fixed' } })
// AWS
const bk = (j: string) => ({
  'detail-type': 'Batch Job State Change',
  source: 'aws.batch',
  resources: [`arn:${j}`],
  detail: { jobName: `n${j}`, jobId: `j${j}`, status: 'FAILED', statusReason: 'Essential container exited' },
})
differ('batch', bk('1'), bk('2'))
const gd = (t: string, id: string) => ({
  'detail-type': 'GuardDuty Finding',
  source: 'aws.guardduty',
  detail: { id, type: t, severity: 8, title: 'Failed SSH brute force', description: 'Failed login attempts' },
})
differ('guardduty', gd('x', '1'), gd('x', '2'))
// Monit, Netdata cloud, Prometheus-style raw
const nd = (n: string, st = 'CRITICAL') => ({
  message: 'disk space utilization',
  alert: 'disk_space_usage',
  alert_url: 'https://n',
  chart: 'disk_space._',
  context: 'disk.space',
  space: 's',
  rooms: {},
  family: '/',
  class: 'Utilization',
  severity: st.toLowerCase(),
  date: 'x',
  duration: '5m',
  Node_name: n,
  additional_active_critical_alerts: 0,
})
differ('netdata', nd('n1'), nd('n2'))
const mo = (s: string, e = 'Connection failed') => ({
  monit_host: 'web1',
  service: s,
  event: e,
  action: 'alert',
  description: 'failed protocol test',
  date: 'x',
})
differ('monit', mo('nginx'), mo('mysql'))
// Elastic Watcher, Graylog, OpenSearch
const gr = (id: string) => ({
  event_definition_id: id,
  event_definition_type: 'aggregation-v1',
  event_definition_title: 'Too many errors',
  event_definition_description: '',
  job_definition_id: 'j',
  job_trigger_id: `t${once()}`,
  event: { id: `e${once()}`, event_definition_id: id, message: 'count()=15', priority: 2, alert: true, timestamp: 'x' },
  backlog: [],
})
differ('graylog', gr('1'), gr('2'))
same('graylog', gr('1'), gr('1'))
const os = (m: string) => ({
  monitor_name: m,
  trigger_name: 'T1',
  severity: '1',
  period_start: 'x',
  period_end: 'y',
  message: 'Monitor just entered alert status',
})
differ('opensearch', os('M1'), os('M2'))
// Grafana OnCall, Incident tools
const oc = (id: string, t = 'escalation') => ({
  event: { type: t, time: 'x' },
  user: null,
  alert_group: { id, title: 'Disk full', state: 'firing', created_at: 'x', permalinks: { web: `https://oc/${id}` } },
  alert_group_id: id,
  alert_payload: { message: 'Disk full' },
})
differ('oncall', oc('I1'), oc('I2'))
const zd = (id: string, st = 'triggered') => ({
  alert: { id, number: 5, summary: 'DB slow', status: st, service: { name: 'db' } },
  event: `alert.${st}`,
})
differ('zenduty', zd('1'), zd('2'))
resolves('zenduty', zd('1'), zd('1', 'resolved'))
const ilert = (id: number, t = 'alert-created') => ({
  eventType: t,
  alert: {
    id,
    summary: 'Host unreachable',
    status: t === 'alert-resolved' ? 'RESOLVED' : 'PENDING',
    priority: 'HIGH',
    alertSource: { id: 1, name: 'A' },
  },
})
differ('ilert', ilert(1), ilert(2))
resolves('ilert', ilert(1), ilert(1, 'alert-resolved'))
// status pages
const ca = (id: number, st: number) => ({
  name: 'API slow',
  status: st,
  id,
  message: 'Investigating',
  component_id: 4,
  created_at: 'x',
})
open('cachet', ca(1, 1))
const hb = (id: string, st = 'investigating') => ({
  event: 'incident.created',
  data: { id, title: 'Search degraded', status: st, affected_components: ['api'], url: `https://h/${id}` },
})
differ('hund', hb('1'), hb('2'))
resolves('hund', hb('1'), { ...hb('1', 'resolved'), event: 'incident.resolved' })
// uptime
const hc = (n: string, c: string, st = 'down') => ({
  name: n,
  code: c,
  status: st,
  url: `https://hc-ping.com/${c}`,
  message: `The check "${n}" has gone ${st.toUpperCase()}.`,
})
differ('healthchecks', hc('Backup 1', 'a'), hc('Backup 2', 'b'))
resolves('healthchecks', hc('Backup 1', 'a'), hc('Backup 1', 'a', 'up'))
const fr = (n: string, st = 'NOT_RESPONDING') => ({
  webhook_event_data: {
    check_name: n,
    check_state_name: st === 'AVAILABLE' ? 'Available' : 'Not Responding',
    response_state: st,
    http_status_code: st === 'AVAILABLE' ? 200 : 503,
    check_url: 'https://x',
    error: '',
  },
  webhook_type: 'AL',
})
differ('freshping', fr('Shop 1'), fr('Shop 2'))
quiet('freshping up', fr('Shop 1', 'AVAILABLE'))
const nx = (n: string, e = 'monitor_down') => ({
  event: e,
  monitor: { id: n, name: 'API', url: 'https://a' },
  checked_at: 'x',
  region: 'eu',
})
differ('nixstats', nx('1'), nx('2'))
resolves('nixstats', nx('1'), nx('1', 'monitor_up'))
const ur = (s: string, d: string) => ({ site: d, status: s, code: 503, check_id: undefined, text: `${d} is ${s}` })
differ('updown', ur('down', 'a1.example'), ur('down', 'a2.example'))
// IoT & others
const pk = (d: string) => ({
  device_name: d,
  sensor: 'temperature',
  value: 9.5,
  threshold: 8,
  alarm: 'HIGH_TEMP',
  status: 'active',
})
differ('fridge', pk('Fridge 1'), pk('Fridge 2'))
same('fridge', pk('Fridge 1'), { ...pk('Fridge 1'), value: 9.9 })
const bat = (j: string) => ({ backup_job: j, result: 'Failed', message: 'Unable to connect to the repository' })
differ('veeam', bat('Job 1'), bat('Job 2'))
quiet('veeam ok', { backup_job: 'Job 1', result: 'Success', message: 'Backup completed' })
const px = (n: string) => ({
  type: 'vzdump',
  severity: 'error',
  title: `vzdump backup status (${n}): backup failed`,
  message: 'ERROR: Backup of VM 100 failed',
  hostname: n,
})
differ('proxmox', px('pve1'), px('pve2'))
const tn = (k: string) => ({
  alert: {
    uuid: `u${once()}`,
    key: k,
    klass: 'VolumeStatus',
    level: 'CRITICAL',
    text: `Pool ${k} state is DEGRADED`,
    formatted: `Pool ${k} state is DEGRADED`,
  },
})
differ('truenas', tn('tank1'), tn('tank2'))
const cl = (z: string) => ({
  name: 'Origin errors',
  text: 'Origin error rate',
  data: { zones: [z], zone_name: z },
  alert_type: 'http_alert_origin_error',
  policy_id: 'p',
  ts: 1,
})
differ('cloudflare zone', cl('a.example'), cl('b.example'))
quiet('cloudflare test', {
  text: 'Hello World! This is a test message sent from https://cloudflare.com. If you can see this, your webhook is configured properly.',
})
quiet('teams test', { '@type': 'MessageCard', title: 'Test notification', text: 'Your connector works' })
quiet('mailgun delivered', { 'event-data': { event: 'delivered', recipient: 'a@x.example' } })
quiet('stripe test ping', { type: 'ping', message: 'hello' })
quiet('github release', {
  action: 'published',
  release: { tag_name: 'v1', name: '1.0', body: 'Fixes an error', html_url: 'https://g' },
  repository: { full_name: 'a/x' },
})
quiet('argocd sync ok', { app: 'shop', phase: 'Succeeded', message: 'successfully synced', revision: 'a' })
open('argocd degraded', {
  app: 'shop',
  health: 'Degraded',
  sync: 'OutOfSync',
  message: 'Deployment exceeded its progress deadline',
})
quiet('spinnaker complete', {
  details: { type: 'orca:pipeline:complete', application: 'shop' },
  content: { execution: { status: 'SUCCEEDED', name: 'Deploy' } },
})
open('spinnaker failed', {
  details: { type: 'orca:pipeline:failed', application: 'shop' },
  content: { execution: { status: 'TERMINAL', name: 'Deploy' } },
})
quiet('rollout', { text: 'Rollout of api to production completed' })
quiet('released text', { text: 'ann released v1.2 of shop' })
open('rollback failed', { text: 'Rollback of shop failed' })
open('deploy word', { message: 'Deploy key expired, cannot fetch the repository', service: 'ci' })
open('release error', { level: 'error', message: 'Cannot release lock of order 5', service: 'api' })

// The same problem, which has another request, value, machine, or run.
same(
  'log host',
  { level: 'error', message: 'Cannot pay', host: 'web1' },
  { level: 'error', message: 'Cannot pay', host: 'web2' },
)
same(
  'sev host',
  { severity: 'error', message: 'Cannot pay', host: 'web1', service: 'api' },
  { severity: 'error', message: 'Cannot pay', host: 'web2', service: 'api' },
)
same(
  'bunyan',
  { level: 50, msg: 'Cannot pay', hostname: 'web1', pid: 1, name: 'api', time: 'x', v: 0 },
  { level: 50, msg: 'Cannot pay', hostname: 'web2', pid: 2, name: 'api', time: 'y', v: 0 },
)
same(
  'jsend url',
  { status: 'error', message: 'Cannot pay', url: '/cart/5' },
  { status: 'error', message: 'Cannot pay', url: '/cart/6' },
)
same(
  'status string',
  { status: '500', message: 'Cannot pay', url: 'https://shop.example/cart/5' },
  { status: '500', message: 'Cannot pay', url: 'https://shop.example/cart/6' },
)
same(
  'status number',
  { status: 500, error: 'Internal Server Error', message: 'Cannot pay', path: '/cart/5' },
  { status: 500, error: 'Internal Server Error', message: 'Cannot pay', path: '/cart/6' },
)
same(
  'job ids',
  { job: 'import', job_id: '1', status: 'failed', message: 'No space' },
  { job: 'import', job_id: '2', status: 'failed', message: 'No space' },
)
same(
  'job object',
  { job: { id: 1, name: 'import' }, state: 'failed', error: 'No space left' },
  { job: { id: 2, name: 'import' }, state: 'failed', error: 'No space left' },
)
same(
  'request id',
  { message: 'Cannot pay', request_id: '1', level: 'error' },
  { message: 'Cannot pay', request_id: '2', level: 'error' },
)
same(
  'order id',
  { event: 'payment.failed', order_id: 1, message: 'Card declined' },
  { event: 'payment.failed', order_id: 2, message: 'Card declined' },
)
same(
  'error id',
  { error: { id: 'req1', code: 'E', message: 'Cannot pay' } },
  { error: { id: 'req2', code: 'E', message: 'Cannot pay' } },
)
same(
  'thrown w host',
  { exception: 'TypeError', message: 'x is null', host: 'web1', stack: 'TypeError: x is null\n at a (/srv/a.js:1:2)' },
  { exception: 'TypeError', message: 'x is null', host: 'web2', stack: 'TypeError: x is null\n at a (/srv/a.js:1:2)' },
)
same(
  'lambda',
  { errorType: 'TypeError', errorMessage: 'x is null', trace: ['at a'], instance: 'i1' },
  { errorType: 'TypeError', errorMessage: 'x is null', trace: ['at a'], instance: 'i2' },
)
same(
  'device crash',
  { exception: { type: 'NPE', message: 'x' }, device: { name: 'Pixel 5' }, app: 'shop' },
  { exception: { type: 'NPE', message: 'x' }, device: { name: 'Pixel 6' }, app: 'shop' },
)
same(
  'browser err',
  { type: 'error', message: 'x is not defined', source: 'https://s/a.js', lineno: 1, url: 'https://s/p/1' },
  { type: 'error', message: 'x is not defined', source: 'https://s/a.js', lineno: 1, url: 'https://s/p/2' },
)
same(
  'webhook event ids',
  { id: 'evt1', type: 'alert.triggered', data: { alert_name: 'Disk', value: 5 } },
  { id: 'evt2', type: 'alert.triggered', data: { alert_name: 'Disk', value: 6 } },
)
same(
  'build numbers',
  { build: { number: 1, status: 'failed', url: 'https://ci/1' }, repository: 'a/b' },
  { build: { number: 2, status: 'failed', url: 'https://ci/2' }, repository: 'a/b' },
)
same(
  'gha ids',
  { workflow: 'CI', run_id: '1', run_number: '5', status: 'failure', repository: 'a/b', sha: 'abc' },
  { workflow: 'CI', run_id: '2', run_number: '6', status: 'failure', repository: 'a/b', sha: 'abd' },
)
same('slack value', { text: 'CPU of api is at 93 %' }, { text: 'CPU of api is at 95 %' })
same(
  'slack count',
  { text: '5 errors in checkout in the last 10 minutes' },
  { text: '7 errors in checkout in the last 10 minutes' },
)
same('slack order', { text: 'Payment for order 4711 failed' }, { text: 'Payment for order 4712 failed' })
same(
  'chat title',
  { embeds: [{ title: 'Error rate 5.2 %', description: 'x' }] },
  { embeds: [{ title: 'Error rate 6.2 %', description: 'x' }] },
)
same(
  'outage free',
  { message: 'Connection to 10.0.0.7 refused', level: 'error' },
  { message: 'Connection to 10.0.0.8 refused', level: 'error' },
)
same(
  'user agents',
  { message: 'Login failed', user: { id: 1, name: 'Ann' }, level: 'warning' },
  { message: 'Login failed', user: { id: 2, name: 'Bob' }, level: 'warning' },
)
same(
  'monitor incidents',
  { monitor: { id: 4 }, incident: { id: 1 }, status: 'down' },
  { monitor: { id: 4 }, incident: { id: 2 }, status: 'down' },
)
same(
  'check latency',
  { check: { id: 1 }, status: 'critical', latency: 5 },
  { check: { id: 1 }, status: 'critical', latency: 9 },
)
same(
  'rule & value',
  { rule_name: 'CPU', value: 93, host: 'web1', state: 'alerting' },
  { rule_name: 'CPU', value: 95, host: 'web1', state: 'alerting' },
)
same(
  'renamed incident',
  { incident: { id: 1, title: 'Slow', status: 'open' } },
  { incident: { id: 1, title: 'Checkout is slow', status: 'investigating' } },
)
same(
  'k8s pods',
  {
    type: 'Warning',
    reason: 'BackOff',
    message: 'Back-off restarting',
    involvedObject: { kind: 'Pod', name: 'shop-7c9f8b6d5-x2xkq' },
  },
  {
    type: 'Warning',
    reason: 'BackOff',
    message: 'Back-off restarting',
    involvedObject: { kind: 'Pod', name: 'shop-7c9f8b6d5-b4fzt' },
  },
)
same(
  'python logging',
  { levelname: 'ERROR', message: 'Cannot notify', name: 'app.alerts', alert_id: 5, process: 1 },
  { levelname: 'ERROR', message: 'Cannot notify', name: 'app.alerts', alert_id: 6, process: 2 },
)
same(
  'logstash',
  {
    '@timestamp': 'x',
    level: 'ERROR',
    logger_name: 'a.b',
    thread_name: 't1',
    message: 'Cannot notify',
    incident_id: 5,
  },
  {
    '@timestamp': 'x',
    level: 'ERROR',
    logger_name: 'a.b',
    thread_name: 't2',
    message: 'Cannot notify',
    incident_id: 6,
  },
)

// A name in the headline only.
differ('headline', { title: 'Disk web1', message: 'Disk full' }, { title: 'Disk web2', message: 'Disk full' })
differ('headline of a card', ...pairOfCards('Disk web1', 'Disk web2'))
differ('messages below one headline', ...pairOfMessages('Disk full', 'Fan failed'))
same('common headline', { title: 'Alert', message: 'Disk full' }, { title: 'Notification', message: 'Disk full' })
resolves(
  'headline beside a state',
  { title: 'Disk web1', status: 'firing', message: 'Disk full' },
  { title: 'Disk web1', status: 'resolved', message: 'Disk fine' },
)
function pairOfCards(one: string, other: string): [object, object] {
  const card = (title: string) => ({ '@type': 'MessageCard', themeColor: 'FF0000', title, text: 'Disk full' })
  return [card(one), card(other)]
}
function pairOfMessages(one: string, other: string): [object, object] {
  return [
    { title: 'Machine web1', message: one },
    { title: 'Machine web1', message: other },
  ]
}

// What is watched in what.
differ('checks of a monitor', watched({ monitor: 'Backend', check: 'a' }), watched({ monitor: 'Backend', check: 'b' }))
differ('sensors of a probe', watched({ probe: 'eu', sensor: { id: 1 } }), watched({ probe: 'us', sensor: { id: 1 } }))
differ(
  'sensors with an id and a name',
  watched({ probe: 'eu', sensor: { id: 1, name: 'Ping' } }),
  watched({ probe: 'eu', sensor: { id: 2, name: 'Ping' } }),
)
same(
  'runs of a check',
  watched({ monitor: 'Backend', check: { id: 1 } }),
  watched({ monitor: 'Backend', check: { id: 2 } }),
)
function watched(things: object) {
  return { ...things, status: 'down', message: 'Timeout' }
}

// Without any text, the place decides.
differ(
  'sites of Oh Dear',
  { type: 'uptimeCheckFailed', site: { id: 1, url: 'https://a.example' } },
  { type: 'uptimeCheckFailed', site: { id: 2, url: 'https://b.example' } },
)
differ('hosts of Atlas', atlas('h1:27017', 'CPU'), atlas('h2:27017', 'CPU'))
differ('metrics of Atlas', atlas('h1:27017', 'CPU'), atlas('h1:27017', 'DISK'))
function atlas(hostnameAndPort: string, metricName: string) {
  return {
    id: once(),
    eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
    status: 'OPEN',
    clusterName: 'prod',
    hostnameAndPort,
    metricName,
  }
}
differ('DAGs of Airflow', airflow('load'), airflow('export'))
function airflow(dag: string) {
  return { dag_id: dag, task_id: 'run', state: 'failed', exception: 'Exit code 1' }
}
differ('databases of RDS', rds('db1', 'DB instance shutdown'), rds('db2', 'DB instance shutdown'))
differ('events of RDS', rds('db1', 'DB instance shutdown'), rds('db1', 'Storage is full'))
function rds(source: string, text: string) {
  const message = { 'Event Source': 'db-instance', 'Source ID': source, 'Event Message': text }
  return {
    Type: 'Notification',
    TopicArn: 'arn:aws:sns:eu-west-1:1:rds',
    Subject: 'RDS Notification Message',
    Message: JSON.stringify(message),
  }
}

// Findings have a number or a word for a severity.
open('GuardDuty', guardDuty('f1'), { title: /SSH brute force/ })
differ('GuardDuty', guardDuty('f1'), guardDuty('f2'))
function guardDuty(id: string) {
  return {
    'detail-type': 'GuardDuty Finding',
    source: 'aws.guardduty',
    detail: { id, severity: 8, type: 'UnauthorizedAccess:EC2/SSHBruteForce', title: 'SSH brute force' },
  }
}
const hub = (Id: string, label: string, status = 'NEW') => ({
  'detail-type': 'Security Hub Findings - Imported',
  detail: { findings: [{ Id, Title: 'Bucket is public', Severity: { Label: label }, Workflow: { Status: status } }] },
})
resolves('Security Hub', hub('f1', 'HIGH'), hub('f1', 'HIGH', 'RESOLVED'))
quiet('Security Hub, for information', hub('f1', 'INFORMATIONAL'))

const bugsnag = (stateChange: string) => ({
  trigger: { type: 'errorStateManualChange', stateChange },
  error: { errorId: '1', exceptionClass: 'TypeError', message: 'no cart' },
  project: { name: 'shop' },
})
resolves('Bugsnag', bugsnag('reopened'), bugsnag('fixed'))
const mackerel = (status: string) => ({
  orgName: 'acme',
  event: 'alert',
  alert: { id: 'a1', monitorName: 'CPU', status, isOpen: status !== 'ok' },
  host: { name: 'web1' },
})
resolves('Mackerel', mackerel('critical'), mackerel('ok'))
const updown = (event: string, url = 'https://a.example') => ({ event, check: { url }, downtime: { error: '503' } })
resolves('updown.io', updown('check.down'), updown('check.up'))
differ('updown.io', updown('check.down'), updown('check.down', 'https://b.example'))
resolves(
  'a green attachment',
  { attachments: [{ color: 'danger', title: 'CPU web1', text: 'CPU load' }] },
  { attachments: [{ color: 'good', title: 'CPU web1', text: 'CPU load' }] },
)
resolves('a volume', { text: 'Volume 1 is unhealthy on NAS' }, { text: 'Volume 1 is healthy again on NAS' })
open('testing as a word', { title: 'Gate', message: 'Someone is testing passwords', status: 'firing' })

// The sentence of an alert names things by numbers, addresses, and quotes.
for (const [one, other] of [
  ['Line 1 stopped', 'Line 2 stopped'],
  ['Room 101: smoke detected', 'Room 102: smoke detected'],
  ['10.0.0.5 is unreachable', '10.0.0.6 is unreachable'],
  ['Sensor "T1" too hot', 'Sensor "T2" too hot'],
  ['https://a.example/ is down', 'https://b.example/ is down'],
  ['Camera 00:11:22:33:44:55 offline', 'Camera 00:11:22:33:44:66 offline'],
  ['mailbox ann@a.example is full', 'mailbox bob@b.example is full'],
] as const)
  differ(one, { message: one, state: 'alarm' }, { message: other, state: 'alarm' })
same(
  'amounts in a sentence',
  { message: 'The disk is 91 % full', state: 'alarm' },
  { message: 'The disk is 97 % full', state: 'alarm' },
)
for (const place of [
  'tenant',
  'bucket',
  'printer_name',
  'vehicle',
  'device_id',
  'ip_address',
  'lambda',
  'tunnel',
  'anlage',
])
  differ(
    `places under ${place}`,
    { alert: 'Sync failed', status: 'firing', [place]: 'alpha' },
    { alert: 'Sync failed', status: 'firing', [place]: 'beta' },
  )

// No verb silences or ends an outage.
for (const ActionType of ['start', 'scheduled', 'queued', 'registered', 'published', 'completed', 'finished', 'done'])
  open(`an outage that is ${ActionType}`, { ActionType, service: 'shop', message: 'Server web1 went down' })
open('a completed check that is critical', {
  event: 'check.completed',
  check: { name: 'disk', output: 'CRITICAL: disk 99%', status: 2 },
})
quiet('a release whose notes name an error', { action: 'published', release: { name: 'v2', body: 'Fixes an error' } })

// Small numbers of two senders.
const started = { event: { type: 'incident.created' }, data: { id: '42', title: 'Payments down', status: 'started' } }
const ended = { source: 'Scanner', action: 'incident_resolved', incident: { id: 42, status: 'RESOLVED' } }
const page = (id: string, name: string) => ({ page: { id }, incident: { id: '7', name, status: 'investigating' } })
it('does not resolve the incident 42 of another sender', () => {
  expect(keysOf(ended)).not.toEqual(keysOf(started))
})
differ('pages of Statuspage', page('p1', 'Slow'), page('p2', 'Slow'))

// What is checked on a machine, and what runs, is one thing, whatever it prints.
const icinga = (type: string, state: string, output: string) => ({ type, host: 'h1', service: 'http', state, output })
same('Icinga', icinga('PROBLEM', 'CRITICAL', 'HTTP 503'), icinga('PROBLEM', 'CRITICAL', 'Refused'))
resolves('Icinga', icinga('PROBLEM', 'CRITICAL', 'HTTP 503'), icinga('RECOVERY', 'OK', 'HTTP 200'))
const reported = (text: string) => ({ service: 'checkout', host: 'web-1', status: 'error', text })
const titled = (text: string) => ({ title: 'Checkout', status: 'error', text })
differ('two errors below one headline', titled('Payment declined'), titled('The database timed out'))
differ('two errors of a service on one host', reported('Payment declined'), reported('The database timed out'))
const connector = (status: string, reason: string) => ({
  event: 'sync_end',
  connector_name: 'shop',
  data: { status, reason },
})
resolves('Fivetran', connector('FAILURE', 'Connection refused'), connector('SUCCESSFUL', ''))
const flow = (name: string) => ({ scenarioName: name, error: { message: 'It failed', type: 'RuntimeError' } })
differ('scenarios with one error', flow('Orders'), flow('Refunds'))
resolves('a backup', { text: 'Backup of srv1 has failed' }, { text: 'Backup of srv1 has finished successfully.' })
resolves('a card', card('Monitor is DOWN: Shop'), card('Monitor is UP: Shop'))
function card(summary: string) {
  return { '@type': 'MessageCard', summary, sections: [{ activityTitle: summary }] }
}
resolves(
  'a flag',
  { agent: 'pc1', severity: 'error', description: 'CPU check failed', resolved: false, alert_id: 1 },
  { agent: 'pc1', severity: 'error', description: 'CPU check failed', resolved: true, alert_id: 1 },
)
resolves('Kapacitor', kapacitor('CRITICAL'), kapacitor('OK'))
function kapacitor(level: string) {
  return { id: 'cpu:host=a', message: `cpu:host=a is ${level}`, level, previousLevel: 'OK', data: {} }
}
const sensu = (name: string, status: number) => ({
  check: { name: 'disk', output: 'disk 99%', status },
  client: { name },
})
resolves('Sensu before Go', { ...sensu('c1', 2), action: 'create' }, { ...sensu('c1', 0), action: 'resolve' })
differ('clients of Sensu', { ...sensu('c1', 2), action: 'create' }, { ...sensu('c2', 2), action: 'create' })
const semaphore = (project: string, result: string) => ({
  project: { name: project },
  pipeline: { state: 'done', result, result_reason: 'test', name: 'CI' },
  blocks: [{ name: 'Test', result }],
})
resolves('Semaphore CI', semaphore('shop', 'failed'), semaphore('shop', 'passed'))
differ('projects of Semaphore CI', semaphore('shop', 'failed'), semaphore('blog', 'failed'))
const thingsBoard = (originatorName: string, status: string) => ({
  type: 'Too hot',
  originatorName,
  status,
  severity: 'MAJOR',
})
resolves('ThingsBoard', thingsBoard('T1', 'ACTIVE_UNACK'), thingsBoard('T1', 'CLEARED_ACK'))
differ('devices of ThingsBoard', thingsBoard('T1', 'ACTIVE_UNACK'), thingsBoard('T2', 'ACTIVE_UNACK'))
const threat = (agentComputerName: string, incidentStatus = 'unresolved') => ({
  data: { threatInfo: { threatName: 'evil.exe', incidentStatus }, agentRealtimeInfo: { agentComputerName } },
})
resolves('SentinelOne', threat('pc1'), threat('pc1', 'resolved'))
differ('computers of SentinelOne', threat('pc1'), threat('pc2'))
const duplicati = (name: string, ParsedResult: string) => ({
  Data: { ParsedResult, Errors: ParsedResult === 'Fatal' ? ['Access denied'] : [] },
  Extra: { 'backup-name': name, 'machine-name': 'nas' },
})
resolves('Duplicati', duplicati('Docs', 'Fatal'), duplicati('Docs', 'Success'))
differ('backups of Duplicati', duplicati('Docs', 'Fatal'), duplicati('Photos', 'Fatal'))
const ohDear = (type: string, url: string, failure_reason: string | null) => ({
  type,
  site: { url },
  run: { failure_reason },
})
resolves(
  'Oh Dear',
  ohDear('uptimeCheckFailedNotification', 'https://a.example', 'Timeout'),
  ohDear('uptimeCheckRecoveredNotification', 'https://a.example', null),
)
quiet('a summary without failures', { text: 'All systems operational' })
quiet('information by its type', { alert_type: 'info', title: 'New login' })
quiet('a challenge', { challenge: 'abc' })

quiet('a summary that counts nothing', { title: 'Daily summary', message: 'Daily summary: 0 errors, 0 warnings' })
open('a summary that counts a failure', { title: 'Daily summary', message: 'Daily summary: 0 warnings, 2 errors' })
open('an acknowledgment that did not come', { message: 'Ack timeout on queue orders' })
quiet('an acknowledgment in a chat', { text: '[ACKNOWLEDGEMENT] web1/http is CRITICAL' })
quiet('a push of Azure DevOps', {
  eventType: 'git.push',
  resource: { repository: { name: 'shop' } },
  message: { text: 'Jo pushed to shop: Fix error' },
})
const snyk = (newIssues: readonly object[]) => ({ project: { name: 'shop' }, newIssues, removedIssues: [] })
quiet('Snyk without new issues', snyk([]))
open('a new issue of Snyk', snyk([{ id: 'SNYK-1', issueData: { title: 'XSS in a library', severity: 'high' } }]))
const policy = (eventType: string) => ({ eventType, name: 'CPU policy', application: 'shop', message: 'CPU policy' })
resolves('a policy of AppDynamics', policy('POLICY_OPEN_CRITICAL'), policy('POLICY_CLOSE_CRITICAL'))
const blocking = (Status: string) => ({ AlertType: 'Blocking', Status, Severity: 'High', AlertId: 771_234_567 })
resolves('an alert that ended', blocking('Raised'), blocking('Ended'))
const moved = (name: string) => ({ incident: { _id: 'i9', title: 'API down', currentIncidentState: { name } } })
resolves('the present state of an incident', moved('Created'), moved('Resolved'))
