import { differ, open, quiet, resolves, same } from './testing-tickets.ts'

// Bodies in the shapes that the documentation of monitors, status pages, trackers, and CI describes, shortened.

// Statuspage
const sp = (id: string, name: string, status: string, body: string, extra: object = {}) => ({
  meta: { unsubscribe: 'http://u', documentation: 'http://d' },
  page: { id: 'p', status_indicator: 'major', status_description: 'Partial' },
  incident: {
    id,
    name,
    status,
    impact: 'major',
    shortlink: `https://stspg.example/${id}`,
    created_at: '2026-11-27T10:00:00Z',
    resolved_at: status === 'resolved' ? '2026-11-27T11:00:00Z' : null,
    incident_updates: [{ body, status, id: `u${body.length}` }],
    ...extra,
  },
})
open('statuspage', sp('i1', 'API is down', 'investigating', 'We are investigating.'), {
  title: /API is down/,
  url: /stspg/,
})
resolves(
  'statuspage resolve',
  sp('i1', 'API is down', 'investigating', 'We are investigating.'),
  sp('i1', 'API is down', 'resolved', 'This incident has been resolved.'),
)
quiet('statuspage resolved', sp('i2', 'API is down', 'resolved', 'This incident has been resolved.'))
quiet('statuspage postmortem', sp('i2', 'API is down', 'postmortem', 'We wrote a postmortem'))
quiet(
  'statuspage maintenance',
  sp('m1', 'Database upgrade', 'scheduled', 'We will upgrade', {
    impact: 'maintenance',
    scheduled_for: '2026-12-01T00:00:00Z',
  }),
)
quiet(
  'statuspage maint completed',
  sp('m1', 'Database upgrade', 'completed', 'Done', { impact: 'maintenance', scheduled_for: '2026-12-01T00:00:00Z' }),
)
const comp = (id: string, name: string, n: string, o: string) => ({
  meta: {},
  page: { id: 'p', status_indicator: 'critical', status_description: 'Major' },
  component_update: { created_at: 'x', new_status: n, old_status: o, id: 'cu', component_id: id },
  component: { created_at: 'x', id, name, status: n },
})
open('statuspage component', comp('c1', 'API', 'major_outage', 'operational'), { title: /API/ })
differ(
  'statuspage components',
  comp('c1', 'API', 'major_outage', 'operational'),
  comp('c2', 'Web', 'major_outage', 'operational'),
)
resolves(
  'statuspage component ok',
  comp('c1', 'API', 'major_outage', 'operational'),
  comp('c1', 'API', 'operational', 'major_outage'),
)
// Instatus / other status pages
open(
  'instatus',
  {
    meta: { unsubscribe: 'x' },
    page: { id: 'p', status_indicator: 'MAJOROUTAGE', url: 'https://s.example' },
    incident: {
      id: 'i5',
      name: 'Webhooks delayed',
      url: 'https://s.example/i5',
      status: 'INVESTIGATING',
      impact: 'MAJOROUTAGE',
      incident_updates: [{ id: '1', status: 'INVESTIGATING', markdown: 'Looking' }],
    },
  },
  { title: /Webhooks delayed/ },
)
// Snitches
const sn = (token: string, name: string, type = 'snitch.errored') => ({
  type,
  timestamp: '2026-11-27T10:00:00Z',
  data: {
    snitch: {
      token,
      name,
      notes: '',
      tags: ['prod'],
      status: type.split('.')[1] === 'reporting' ? 'healthy' : 'errored',
      previous_status: 'healthy',
    },
  },
})
differ('DMS snitches', sn('t1', 'Nightly backup'), sn('t2', 'Invoice run'))
open(
  'DMS missing',
  {
    ...sn('t1', 'Nightly backup', 'snitch.missing'),
    data: { snitch: { token: 't1', name: 'Nightly backup', status: 'missing', previous_status: 'healthy' } },
  },
  { title: /Nightly backup/ },
)
resolves('DMS reporting', sn('t1', 'Nightly backup'), sn('t1', 'Nightly backup', 'snitch.reporting'))
// Kibana
const kb = (id: string, name: string) => ({
  rule: { id, name, type: '.es-query', spaceId: 'default', tags: [] },
  alert: { id: 'query matched', actionGroup: 'query matched' },
  context: {
    message: 'Document count is 12 in the last 5m. Alert when greater than 5.',
    date: '2026-11-27T10:00:00Z',
    link: `https://kb.example/r/${id}`,
  },
  date: 'x',
})
differ('Kibana rules', kb('r1', 'Orders fail'), kb('r2', 'Logins fail'))
const kb2 = (id: string, n: string) => ({
  ruleId: id,
  ruleName: n,
  alertId: 'a',
  message: 'Threshold met',
  reason: 'Threshold met',
  url: `https://kb.example/${id}`,
})
differ('Kibana flat', kb2('r1', 'Orders fail'), kb2('r2', 'Logins fail'))
const kb3 = (id: string) => ({
  alertId: id,
  alertInstanceId: 'i',
  alertName: `CPU ${id}`,
  message: 'alert is active',
  group: 'threshold met',
})
differ('Kibana alertName', kb3('a'), kb3('b'))
const kb4 = (id: string) => ({ rule_id: id, message: 'Threshold met: 12 documents', date: '2026-11-27' })
differ('rule id only', kb4('6f1c6b2e-0000-4000-8000-000000000001'), kb4('6f1c6b2e-0000-4000-8000-000000000002'))
// Crashlytics
const cr = (id: string, _t = 'newIssue') => ({
  event: 'issue_impact_change',
  payload_type: 'issue',
  payload: {
    display_id: 3,
    title: 'CartView.swift line 12',
    method: 'CartView.total',
    impact_level: 2,
    crashes_count: 54,
    impacted_devices_count: 16,
    url: `https://crash.example/issues/${id}`,
    id,
  },
})
differ('Crashlytics legacy', cr('aaa111'), cr('bbb222'))
const cr2 = (id: string) => ({
  type: 'com.google.firebase.crashlytics.newFatalIssue',
  data: {
    '@type': 'x',
    issue: { id, title: 'CartView.swift', subtitle: 'Fatal error: index out of range', appVersion: '1.2 (3)' },
  },
  alerttype: 'crashlytics.newFatalIssue',
  appid: '1:2:ios:3',
  project: 'projects/1',
})
differ('Crashlytics firebase alerts', cr2('aaa111'), cr2('bbb222'))
const cr3 = (id: string) => ({
  alertType: 'crashlytics.newFatalIssue',
  appId: '1:2:android:3',
  payload: {
    '@type': 'type.googleapis.com/google.events.firebase.firebasealerts.v1.CrashlyticsNewFatalIssuePayload',
    issue: { id, title: 'MainActivity.kt', subtitle: 'java.lang.IllegalStateException - boom', appVersion: '1' },
  },
})
differ('Crashlytics CloudEvent', cr3('aaa111'), cr3('bbb222'))
// PagerDuty, Opsgenie etc
const pd = (id: string, et: string, title = 'DB is slow') => ({
  event: {
    id: `e${et}`,
    event_type: et,
    resource_type: 'incident',
    occurred_at: 'x',
    data: {
      id,
      type: 'incident',
      title,
      html_url: `https://pd.example/${id}`,
      status: et.endsWith('resolved') ? 'resolved' : 'triggered',
      service: { id: 'S', summary: 'api' },
      urgency: 'high',
      incident_key: null,
    },
  },
})
differ('PD incidents', pd('I1', 'incident.triggered'), pd('I2', 'incident.triggered'))
resolves('PD resolve', pd('I1', 'incident.triggered'), pd('I1', 'incident.resolved'))
quiet('PD ping', {
  event: {
    id: 'x',
    event_type: 'pagey.ping',
    resource_type: 'pagey',
    data: { message: 'Hello from your friend Pagey!', type: 'ping' },
  },
})
const og = (id: string, action: string, msg = 'Disk full') => ({
  action,
  alert: {
    alertId: id,
    message: msg,
    tags: [],
    tinyId: '1',
    entity: '',
    alias: id,
    createdAt: 1,
    username: 'a',
    userId: 'b',
    priority: 'P2',
  },
  source: { name: 'web', type: 'API' },
  integrationName: 'Webhook',
  integrationId: 'i',
  integrationType: 'Webhook',
})
differ('Opsgenie alerts', og('a1', 'Create'), og('a2', 'Create'))
resolves('Opsgenie close', og('a1', 'Create'), og('a1', 'Close'))
quiet('Opsgenie addnote', og('a1', 'AddNote'))
// verbs
open(
  'SolarWinds',
  {
    ActionType: 'Create',
    NodeName: 'CORE-1',
    AlertID: '156',
    AlertMessage: 'EIGRP neighbor 10.0.0.105 on CORE-1 went down.',
    AlertDescription: 'Triggers if',
    Severity: '',
  },
  { title: /went down/ },
)
differ(
  'SolarWinds nodes',
  { ActionType: 'Create', NodeName: 'CORE-1', AlertID: '156', AlertMessage: 'Node went down.' },
  { ActionType: 'Create', NodeName: 'CORE-2', AlertID: '156', AlertMessage: 'Node went down.' },
)
resolves(
  'SolarWinds reset',
  { ActionType: 'Create', NodeName: 'CORE-1', AlertID: '156', AlertMessage: 'Node went down.' },
  { ActionType: 'Close', NodeName: 'CORE-1', AlertID: '156', AlertMessage: 'Node is up.' },
)
open('created offline', { action: 'Create', message: 'Van 9 went offline' })
open(
  'created alert',
  { action: 'created', alert: { id: 5, title: 'Disk is almost full', severity: 'high' } },
  { title: /Disk/ },
)
open(
  'created incident',
  { action: 'created', incident: { id: 5, title: 'Checkout slow', status: 'open', url: 'https://x.example/5' } },
  { title: /Checkout/ },
)
open('event created', { event: 'create', type: 'alert', message: 'Payment gateway unreachable' })
open('added incident', { event_type: 'added', incident: { name: 'Queue backlog grows', id: 'q' } })
open('updated incident', { action: 'updated', incident: { id: 5, title: 'Checkout slow', status: 'investigating' } })
quiet('order created', { action: 'created', order: { id: 5, status: 'new' }, message: 'New order' })
quiet('user created', { event: 'user.created', data: { id: 5, email: 'a@x.example' } })
quiet('comment created', {
  action: 'created',
  comment: { body: 'Looks good' },
  issue: { title: 'Fix the thing', number: 4 },
})
quiet('incident deleted', { action: 'deleted', incident: { id: 5, title: 'Checkout slow' } })
quiet('alert updated resolved', {
  action: 'updated',
  alert: { id: 5, title: 'Disk is almost full', status: 'resolved' },
})
quiet('incident acknowledged', { action: 'acknowledged', incident: { id: 5, title: 'Checkout slow' } })
open('subject went down', { type: 'create', subject: 'Depot printer is down' })
open('submitted', { event: 'submitted', title: 'Server room offline since 10:00' })
// quiet successes
quiet('airbyte ok', {
  data: {
    workspace: { id: 'w', name: 'Acme' },
    connection: { id: 'c', name: 'orders' },
    source: { id: 's', name: 'orders' },
    destination: { id: 'd', name: 'wh' },
    jobId: 10,
    success: true,
    errorMessage: null,
    errorType: null,
    errorOrigin: null,
    recordsEmitted: 89,
    durationInSeconds: 60,
  },
})
open(
  'airbyte failed',
  {
    data: {
      workspace: { id: 'w', name: 'Acme' },
      connection: { id: 'c', name: 'orders' },
      source: { id: 's', name: 'orders' },
      destination: { id: 'd', name: 'wh' },
      jobId: 10,
      success: false,
      errorMessage: 'Checking source connection failed',
      errorType: 'config_error',
      errorOrigin: 'source',
    },
  },
  { title: /Checking source/ },
)
quiet('errorMessage null', { job: 'sync', name: 'nightly', errorMessage: null, rows: 5 })
quiet('error null text', { text: 'Sync of orders', error: null, duration: 4 })
quiet('errors []', { message: 'Import of 20 rows', errors: [], count: 20 })
quiet('error_message empty', { title: 'Export customers', error_message: '', finished_at: 'x' })
quiet('error_count 0', { message: 'Nightly import', error_count: 0, processed: 100 })
quiet('has_error false', { message: 'Nightly import', has_error: false })
quiet('failed 0', { summary: 'Nightly tests', failed: 0, passed: 100 })
quiet('deploy marker appsignal', {
  marker: {
    user: 'deploy',
    site: 'Fleet',
    environment: 'production',
    revision: '3107ddc4',
    repository: 'git@x',
    url: 'https://appsignal.example',
  },
})
quiet('honeybadger deploy', {
  event: 'deployed',
  message: '[Fleet/production] deployed',
  project: { id: 1, name: 'Fleet' },
  deploy: { environment: 'production', revision: 'abc', repository: 'git@x', local_username: 'deploy' },
})
quiet('newrelic deploy', {
  deployment: { revision: 'abc', changelog: 'Fix crash', description: 'Deploy', user: 'x@y', timestamp: 'x' },
})
quiet('rollbar deploy', {
  event_name: 'deploy',
  data: {
    deploy: {
      comment: 'deploying fix for crash',
      user_id: 1,
      finish_time: 1,
      start_time: 1,
      id: 1,
      environment: 'production',
      project_id: 1,
      local_username: 'x',
      revision: 'e',
    },
  },
})
quiet('bugsnag release', {
  account: { id: 'a', name: 'Acme' },
  project: { id: 'p', name: 'Fleet', url: 'https://b.example' },
  trigger: { type: 'release', message: 'A new release was created', rate: null },
  release: { id: 'r', version: '1.2', releaseStage: 'production', sourceControl: { revision: 'x' } },
})
quiet('deploy generic', {
  deploy: { app: 'Fleet', version: '1.2', environment: 'production', deployed_by: 'ann', url: 'https://x' },
})
quiet('release marker', { release: { version: '1.2.3', environment: 'production', commit: 'abc' }, project: 'fleet' })
quiet('test ping', { type: 'test', message: 'This is a test notification' })
quiet('test ping2', { event: 'test', text: 'Test alert from Fleet monitoring' })
quiet('test webhook', { test: true, message: 'Webhook test' })
quiet('test ping 3', { event_type: 'webhook.test', data: { message: 'Hello' } })
quiet('hello', { text: 'This is a test message from Acme. If you can read this, the webhook works.' })
quiet('better uptime test', {
  data: {
    id: '1',
    type: 'incident',
    attributes: { name: 'Test', cause: 'Test alert', status: 'Resolved', resolved_at: 'x' },
  },
})
quiet('status page resolved', {
  event: 'incident.resolved',
  incident: { id: '5', name: 'API is down', status: 'resolved' },
})
quiet('cachet resolved', {
  incident: { id: 5, name: 'API is down', status: 4, human_status: 'Fixed', message: 'It works' },
})
quiet('NEL ok', [
  {
    age: 1,
    type: 'network-error',
    url: 'https://x.example/a',
    body: {
      sampling_fraction: 1,
      referrer: '',
      server_ip: '1.1.1.1',
      protocol: 'h2',
      method: 'GET',
      status_code: 200,
      elapsed_time: 3,
      type: 'ok',
      phase: 'application',
    },
  },
])
open(
  'NEL dns',
  [
    {
      age: 1,
      type: 'network-error',
      url: 'https://x.example/a',
      body: {
        sampling_fraction: 1,
        server_ip: '',
        protocol: '',
        method: 'GET',
        status_code: 0,
        elapsed_time: 3,
        type: 'dns.name_not_resolved',
        phase: 'dns',
      },
    },
  ],
  { title: /dns/, url: /x\.example/ },
)
// CI
quiet('CircleCI success', {
  type: 'workflow-completed',
  id: 'x',
  happened_at: 'x',
  webhook: { id: 'w', name: 'hook' },
  workflow: {
    id: 'wf',
    name: 'build-test',
    status: 'success',
    url: 'https://app.circleci.example/wf',
    created_at: 'x',
  },
  pipeline: {
    id: 'p',
    number: 4,
    vcs: { revision: 'abc', commit: { subject: 'Fix crash when the cart is empty', body: 'Error: fails' } },
  },
  project: { id: 'p', name: 'fleet', slug: 'gh/acme/fleet' },
  organization: { id: 'o', name: 'acme' },
})
open(
  'CircleCI failed',
  {
    type: 'workflow-completed',
    id: 'x',
    happened_at: 'x',
    webhook: { id: 'w', name: 'hook' },
    workflow: {
      id: 'wf',
      name: 'build-test',
      status: 'failed',
      url: 'https://app.circleci.example/wf',
      created_at: 'x',
    },
    pipeline: { id: 'p', number: 4, vcs: { revision: 'abc', commit: { subject: 'Fix crash', body: '' } } },
    project: { id: 'p', name: 'fleet', slug: 'gh/acme/fleet' },
  },
  { url: /circleci/ },
)
quiet('AppVeyor success', {
  eventName: 'build_success',
  eventData: {
    passed: true,
    failed: false,
    status: 'Success',
    projectName: 'fleet-desktop',
    commitMessage: 'Fix error when offline',
    buildUrl: 'https://ci.example/b/3',
    buildVersion: '1.0.4',
    jobs: [],
  },
})
open(
  'AppVeyor fail',
  {
    eventName: 'build_failure',
    eventData: {
      passed: false,
      failed: true,
      status: 'Failed',
      projectId: 1,
      projectName: 'fleet-desktop',
      buildId: 2,
      buildNumber: 3,
      buildVersion: '1.0.3',
      repositoryName: 'acme/fleet-desktop',
      branch: 'main',
      commitId: 'abc',
      commitAuthor: 'Ann',
      commitMessage: 'Draw',
      buildUrl: 'https://ci.example/b/3',
      jobs: [],
    },
  },
  { title: /fleet-desktop|fail/i, url: /ci\.example/ },
)
differ(
  'AppVeyor projects',
  { eventName: 'build_failure', eventData: { failed: true, status: 'Failed', projectName: 'a', commitMessage: 'x' } },
  { eventName: 'build_failure', eventData: { failed: true, status: 'Failed', projectName: 'b', commitMessage: 'x' } },
)
quiet('Travis passed', {
  id: 1,
  number: '4',
  status: 0,
  state: 'passed',
  result: 0,
  status_message: 'Passed',
  result_message: 'Passed',
  message: 'Fix the error: cart crashed',
  build_url: 'https://t.example/1',
  repository: { name: 'fleet' },
})
quiet('Buildkite passed', {
  event: 'build.finished',
  build: {
    id: 'b',
    number: 3,
    state: 'passed',
    message: 'Fix failing deploy: error in cart',
    web_url: 'https://bk.example/3',
  },
  pipeline: { id: 'p', name: 'Fleet' },
})
open(
  'Buildkite failed',
  {
    event: 'build.finished',
    build: { id: 'b', number: 3, state: 'failed', message: 'Tidy up', web_url: 'https://bk.example/3' },
    pipeline: { id: 'p', name: 'Fleet' },
  },
  { url: /bk/ },
)
quiet('Drone success', {
  event: 'build',
  action: 'updated',
  build: { status: 'success', message: 'fixes panic: nil pointer', link: 'https://d.example' },
  repo: { name: 'fleet' },
})
quiet('Semaphore passed', {
  version: '1.0.0',
  pipeline: { name: 'Pipeline', state: 'done', result: 'passed', result_reason: 'test', error_description: '' },
  revision: { commit_message: 'Handle failure of payment' },
  project: { name: 'fleet' },
})
quiet('GH Actions notif', {
  workflow: 'CI',
  status: 'success',
  conclusion: 'success',
  repository: 'acme/fleet',
  commit_message: 'Exception in cart fixed',
  run_url: 'https://g.example/1',
  ref: 'refs/heads/main',
})
open(
  'GH Actions failed',
  {
    workflow: 'CI',
    status: 'failure',
    repository: 'acme/fleet',
    commit_message: 'Tidy',
    run_url: 'https://g.example/1',
  },
  { url: /g\.example/ },
)
quiet('Bitrise ok', {
  build_slug: 'b',
  build_number: 3,
  app_slug: 'a',
  build_status: 1,
  build_triggered_workflow: 'primary',
  git: { commit_message: 'fix error' },
})
quiet('Jenkins success', {
  name: 'fleet',
  url: 'job/fleet/',
  build: {
    full_url: 'https://j.example/1',
    number: 1,
    phase: 'COMPLETED',
    status: 'SUCCESS',
    scm: { commit: 'x', changes: [] },
    log: 'ERROR: none',
  },
})
open('Jenkins fail', {
  name: 'fleet',
  url: 'job/fleet/',
  build: { full_url: 'https://j.example/1', number: 1, phase: 'COMPLETED', status: 'FAILURE' },
})
quiet('passed with message', {
  status: 'passed',
  message: 'fix: TypeError when cart is empty',
  branch: 'main',
  project: 'fleet',
})
quiet('CI commit obj', {
  build: { status: 'passed', commit: { message: 'Error handling for payments failed' }, number: 5 },
  project: { name: 'fleet' },
})
quiet('CI result success', { result: 'SUCCESS', commitMessage: 'Crash fixed: exception in cart', jobName: 'fleet' })
// uptime
const up = (site: string, t: string) => ({
  alias: 'GlitchTip',
  text: 'GlitchTip Uptime Alert',
  attachments: [{ title: site, title_link: `https://e.example/${site.length}`, text: t }],
})
resolves(
  'GlitchTip up',
  up('Depot site', 'The monitored site has gone down.'),
  up('Depot site', 'The monitored site is back up.'),
)
open('GlitchTip down', up('Depot site', 'The monitored site has gone down.'), {
  title: /Depot site|gone down/,
  url: /e\.example/,
})
differ(
  'GlitchTip sites',
  up('Depot site', 'The monitored site has gone down.'),
  up('Shop', 'The monitored site has gone down.'),
)
const hp = (e: string, n: string, _status?: string) => ({
  event: e,
  text: `${n} is ${e.endsWith('down') ? 'down' : 'up'}`,
  check: {
    url: `https://${n}.example`,
    status: e.endsWith('down') ? 500 : 200,
    down: e.endsWith('down'),
    date: 1,
    downtime: 3,
  },
  meta: {},
})
open(
  'Hyperping down',
  {
    event: 'check.down',
    check: { url: 'https://shop.example', status: 503, down: true, date: '2026', ping: {} },
    ping: {},
  },
  { url: /shop\.example/ },
)
resolves('Hyperping up', hp('check.down', 'shop'), hp('check.up', 'shop'))
differ('Hyperping two', hp('check.down', 'shop'), hp('check.down', 'depot'))
const ur = (n: string, type: string) => ({
  monitorID: n,
  monitorURL: 'https://x',
  monitorFriendlyName: `Shop ${n}`,
  alertType: type,
  alertTypeFriendlyName: type === '1' ? 'Down' : 'Up',
  alertDetails: 'HTTP 500',
  alertDuration: '5',
})
resolves('UptimeRobot', ur('7', '1'), ur('7', '2'))
differ('UptimeRobot two', ur('7', '1'), ur('8', '1'))
const pg = (id: number, s: string) => ({
  check_id: id,
  check_name: `Shop ${id}`,
  check_type: 'HTTP',
  check_params: { full_url: 'https://x' },
  previous_state: 'UP',
  current_state: s,
  importance_level: 'HIGH',
  state_changed_timestamp: 1,
  long_description: 'Timeout',
})
resolves('Pingdom', pg(4, 'DOWN'), pg(4, 'UP'))
differ('Pingdom two', pg(4, 'DOWN'), pg(5, 'DOWN'))
const bs = (id: string, st: string, mon: string) => ({
  data: {
    id,
    type: 'incident',
    attributes: {
      name: `Shop ${mon}`,
      url: 'https://x',
      cause: 'Status 500',
      status: st,
      started_at: 'x',
      resolved_at: st === 'Resolved' ? 'x' : null,
      acknowledged_at: null,
    },
    relationships: { monitor: { data: { id: mon, type: 'monitor' } } },
  },
})
resolves('BetterStack', bs('1', 'Started', '5'), bs('1', 'Resolved', '5'))
differ('BetterStack two', bs('1', 'Started', '5'), bs('2', 'Started', '6'))
const ii = (t: string, st: string, cat: string, id = '01F', name = 'Stock database is slow') => ({
  event_type: t,
  [t]: {
    incident: {
      id,
      reference: `INC-${id}`,
      name,
      incident_status: { name: st, category: cat },
      severity: { name: 'Major' },
      permalink: `https://ii.example/${id}`,
    },
    new_status: { name: st, category: cat },
    previous_status: { name: 'Investigating', category: 'live' },
  },
})
quiet('incident.io closed', ii('public_incident.incident_status_updated_v2', 'Closed', 'closed'))
resolves(
  'incident.io',
  {
    event_type: 'public_incident.incident_created_v2',
    'public_incident.incident_created_v2': {
      id: '01F',
      reference: 'INC-1',
      name: 'Stock database is slow',
      incident_status: { name: 'Triage', category: 'triage' },
      permalink: 'https://ii.example/1',
    },
  },
  ii('public_incident.incident_status_updated_v2', 'Closed', 'closed'),
)
open(
  'incident.io created',
  {
    event_type: 'public_incident.incident_created_v2',
    'public_incident.incident_created_v2': {
      id: '01F',
      reference: 'INC-1',
      name: 'Stock database is slow',
      incident_status: { name: 'Triage', category: 'triage' },
      permalink: 'https://ii.example/1',
    },
  },
  { title: /Stock database/ },
)
differ(
  'incident.io two',
  {
    event_type: 'public_incident.incident_created_v2',
    'public_incident.incident_created_v2': {
      id: '01F',
      name: 'Slow',
      incident_status: { name: 'Triage', category: 'triage' },
    },
  },
  {
    event_type: 'public_incident.incident_created_v2',
    'public_incident.incident_created_v2': {
      id: '01G',
      name: 'Slow',
      incident_status: { name: 'Triage', category: 'triage' },
    },
  },
)
const fh = (id: string, ty: string, name = 'Search is slow') => ({
  event: { operation: ty, resource_type: 'incident' },
  data: {
    incident: {
      id,
      name,
      number: 1,
      current_milestone: ty === 'RESOLVED' ? 'resolved' : 'started',
      severity: 'SEV2',
      incident_url: `https://fh.example/${id}`,
    },
  },
})
differ('FireHydrant two', fh('a', 'CREATED'), fh('b', 'CREATED'))
resolves('FireHydrant', fh('a', 'CREATED'), fh('a', 'RESOLVED'))
const rl = (id: string, st: string) => ({
  event: { id: 'e', type: `incident.${st}`, issued_at: 'x' },
  data: {
    id,
    title: 'Search is slow',
    slug: 's',
    status: st === 'resolved' ? 'resolved' : 'started',
    url: `https://rl.example/${id}`,
    severity: { name: 'SEV1' },
  },
})
differ('Rootly two', rl('a', 'created'), rl('b', 'created'))
resolves('Rootly', rl('a', 'created'), rl('a', 'resolved'))
// generic named things
differ(
  'monitor string',
  { monitor: 'api', status: 'down', message: 'timeout' },
  { monitor: 'web', status: 'down', message: 'timeout' },
)
resolves(
  'monitor string',
  { monitor: 'api', status: 'down', message: 'timeout' },
  { monitor: 'api', status: 'up', message: 'ok' },
)
differ(
  'check name',
  { check: { name: 'disk' }, status: 'critical', output: 'threshold exceeded' },
  { check: { name: 'cpu' }, status: 'critical', output: 'threshold exceeded' },
)
differ(
  'alert ids eq text',
  { alert: { id: 'a1', message: 'Threshold exceeded' }, event: 'alert.triggered' },
  { alert: { id: 'a2', message: 'Threshold exceeded' }, event: 'alert.triggered' },
)
differ(
  'incidents eq text',
  { event: 'incident.opened', incident: { id: 1, summary: 'Service unavailable' } },
  { event: 'incident.opened', incident: { id: 2, summary: 'Service unavailable' } },
)
same(
  'incident update',
  { event: 'incident.opened', incident: { id: 1, status: 'open', summary: 'Service unavailable' } },
  { event: 'incident.updated', incident: { id: 1, status: 'open', summary: 'We found the cause' } },
)
same(
  'alert number',
  { alert_name: 'CPU high', message: 'CPU is 93%' },
  { alert_name: 'CPU high', message: 'CPU is 95%' },
)
same(
  'monitor again',
  { monitor: { id: 4, name: 'Shop' }, incident: { id: 1 }, status: 'down', message: 'timeout' },
  { monitor: { id: 4, name: 'Shop' }, incident: { id: 2 }, status: 'down', message: 'HTTP 500' },
)
differ(
  'problems',
  { ProblemID: 'P-1', ProblemTitle: 'Failure rate increase', State: 'OPEN', ProblemURL: 'https://dt.example/1' },
  { ProblemID: 'P-2', ProblemTitle: 'Failure rate increase', State: 'OPEN' },
)
resolves(
  'Dynatrace',
  {
    ProblemID: 'P-1',
    PID: '1',
    ProblemTitle: 'Failure rate increase',
    State: 'OPEN',
    ProblemURL: 'https://dt.example/1',
    ImpactedEntity: 'x',
  },
  {
    ProblemID: 'P-1',
    PID: '1',
    ProblemTitle: 'Failure rate increase',
    State: 'RESOLVED',
    ProblemURL: 'https://dt.example/1',
  },
)
differ(
  'Zabbix triggers',
  {
    event_id: '1',
    trigger_id: '10',
    trigger_name: 'Disk full',
    trigger_status: 'PROBLEM',
    host: 'a',
    message: 'Problem',
  },
  {
    event_id: '2',
    trigger_id: '11',
    trigger_name: 'CPU high',
    trigger_status: 'PROBLEM',
    host: 'a',
    message: 'Problem',
  },
)
differ(
  'healthchecks',
  { check: 'Backup A', status: 'down', code: 'c1', message: 'The check is down' },
  { check: 'Backup B', status: 'down', code: 'c2', message: 'The check is down' },
)
differ(
  'Cronitor',
  {
    id: 'm1',
    name: 'Backup A',
    type: 'Alert',
    rule: 'complete_ping_not_received',
    description: 'Not run',
    monitor: 'Backup A',
    monitor_url: 'https://c',
  },
  {
    id: 'm2',
    name: 'Backup B',
    type: 'Alert',
    rule: 'complete_ping_not_received',
    description: 'Not run',
    monitor: 'Backup B',
    monitor_url: 'https://c',
  },
)
differ(
  'sentry issue alert-like',
  { issue: { id: '1', title: 'Cart crashed' }, action: 'created', message: 'Cart crashed' },
  { issue: { id: '2', title: 'Cart crashed' }, action: 'created', message: 'Cart crashed' },
)
const al = (name: string, inst: string, st = 'firing') => ({
  receiver: 'r',
  status: st,
  alerts: [
    {
      status: st,
      labels: { alertname: name, instance: inst, severity: 'critical' },
      annotations: { summary: 'Threshold exceeded' },
      startsAt: 'x',
      endsAt: 'y',
      generatorURL: 'https://p.example',
      fingerprint: name + inst,
    },
  ],
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'https://am',
  version: '4',
})
differ('Alertmanager', al('A', 'i'), al('B', 'i'))
resolves('Alertmanager', al('A', 'i'), al('A', 'i', 'resolved'))
const dd = (id: string, tr = 'Triggered') => ({
  id: `ev${id}${tr}`,
  event_type: 'metric_alert_monitor',
  alert_transition: tr,
  alert_id: id,
  title: `[${tr}] CPU`,
  body: 'CPU over 90',
  date: 1,
  org: { id: '1', name: 'a' },
  alert_type: tr === 'Recovered' ? 'success' : 'error',
  link: 'https://dd.example',
})
differ('Datadog', dd('1'), dd('2'))
resolves('Datadog', dd('1'), dd('1', 'Recovered'))
// Datadog's default body names the host in the title only; other bodies in a scope or a tag.
const ddDefault = (host: string, state = 'Triggered', extra: object = {}) => ({
  id: `${host}${state}`,
  last_updated: 1,
  event_type: 'query_alert_monitor',
  title: `[${state} on {host:${host}}] CPU high`,
  date: 1,
  org: { id: '1', name: 'a' },
  body: 'CPU over 90',
  ...extra,
})
differ('Datadog, default body', ddDefault('db1'), ddDefault('db2'))
resolves('Datadog, default body', ddDefault('db1'), ddDefault('db1', 'Recovered'))
for (const [name, of] of Object.entries({
  scope: (host: string) => ({ scope: `host:${host}` }),
  tags: (host: string) => ({ tags: `env:x,host:${host}` }),
  host: (host: string) => ({ host }),
}))
  differ(`Datadog, ${name}`, { ...dd('1'), ...of('db1') }, { ...dd('1'), ...of('db2') })
// Without its id or ARN, a name is one within its region, account, or address.
const cwNamed = (Region: string, NewStateValue = 'ALARM') => ({
  AlarmName: 'CPU',
  AWSAccountId: '1',
  Region,
  NewStateValue,
  NewStateReason: 'over 90',
})
differ('CloudWatch without an ARN', cwNamed('EU (Ireland)'), cwNamed('EU (Paris)'))
resolves('CloudWatch without an ARN', cwNamed('EU (Paris)'), cwNamed('EU (Paris)', 'OK'))
const codePipeline = (region: string) => ({
  'detail-type': 'CodePipeline Pipeline Execution State Change',
  source: 'aws.codepipeline',
  account: '1',
  region,
  detail: { pipeline: 'deploy', state: 'FAILED' },
})
differ('EventBridge', codePipeline('eu-west-1'), codePipeline('eu-west-3'))
const robot = (monitorURL: string, alertType = '1') => ({
  monitorFriendlyName: 'Shop',
  monitorURL,
  alertType,
  alertTypeFriendlyName: alertType === '1' ? 'Down' : 'Up',
  alertDetails: 'HTTP 503',
})
differ('UptimeRobot without an id', robot('https://a.example'), robot('https://b.example'))
resolves('UptimeRobot without an id', robot('https://a.example'), robot('https://a.example', '2'))
// files
open(
  'whoops',
  {
    error: {
      type: 'LogicException',
      message: 'Depot must be open',
      code: 0,
      file: '/srv/app/Depot.php',
      line: 51,
      trace: [{ file: '/srv/app/index.php', line: 9, function: 'open', class: 'Depot', args: [] }],
    },
  },
  { file: '/srv/app/Depot.php', line: 51 },
)
open(
  'whoops jsonapi',
  {
    errors: [
      {
        type: 'LogicException',
        message: 'Depot must be open',
        code: 0,
        file: '/srv/app/Depot.php',
        line: 51,
        trace: [{ file: '/srv/app/index.php', line: 9, function: 'open', class: 'Depot', args: [] }],
      },
    ],
  },
  { file: '/srv/app/Depot.php', line: 51 },
)
open(
  'laravel',
  {
    message: 'boom',
    exception: 'RuntimeException',
    file: '/srv/app/Http/Cart.php',
    line: 12,
    trace: [{ file: '/srv/vendor/laravel/framework/src/Router.php', line: 800, function: 'x' }],
  },
  { file: '/srv/app/Http/Cart.php', line: 12 },
)
open(
  'laravel lib file',
  {
    message: 'boom',
    exception: 'QueryException',
    file: '/srv/vendor/laravel/framework/src/Connection.php',
    line: 760,
    trace: [
      { file: '/srv/vendor/laravel/framework/src/B.php', line: 1 },
      { file: '/srv/app/Http/Cart.php', line: 12 },
    ],
  },
  { file: '/srv/app/Http/Cart.php', line: 12 },
)
open(
  'log4j',
  {
    thread: 'main',
    level: 'ERROR',
    loggerName: 'com.acme.Cart',
    message: 'Cannot pay',
    thrown: {
      commonElementCount: 0,
      localizedMessage: 'no card',
      message: 'no card',
      name: 'java.lang.IllegalStateException',
      extendedStackTrace: [
        {
          class: 'java.util.Objects',
          method: 'requireNonNull',
          file: 'Objects.java',
          line: 233,
          exact: true,
          location: '?',
          version: '?',
        },
        {
          class: 'com.acme.Cart',
          method: 'pay',
          file: 'Cart.java',
          line: 15,
          exact: true,
          location: 'classes/',
          version: '?',
        },
      ],
    },
    endOfBatch: false,
    loggerFqcn: 'org.apache',
    threadId: 1,
    threadPriority: 5,
  },
  { exception: 'java.lang.IllegalStateException', file: /Cart\.java/, line: 15 },
)
open(
  'nuxt',
  {
    url: '/cart?x=1',
    statusCode: 500,
    statusMessage: 'Server Error',
    message: 'Cart is empty',
    stack:
      '<pre><span class="stack internal">at a (/srv/node_modules/h3/dist/index.mjs:2:3)</span>\n<span class="stack">at cart (/srv/.output/server/chunks/cart.mjs:10:5)</span></pre>',
    data: null,
  },
  { url: /cart/, file: /cart\.mjs/ },
)
open(
  'nuxt2',
  {
    error: true,
    url: 'https://shop.example/cart',
    statusCode: 500,
    statusMessage: 'Server Error',
    message: 'Cart is empty',
    stack: ['at a (/srv/node_modules/h3/dist/index.mjs:2:3)', 'at cart (/srv/server/api/cart.ts:10:5)'],
  },
  { url: 'https://shop.example/cart', file: /cart\.ts/ },
)
open(
  'title url',
  { title: 'https://shop.example/cart', text: 'Checkout fails for all customers', url: 'https://mon.example/1' },
  { title: /Checkout fails/ },
)
open(
  'msg url',
  { message: 'https://shop.example/cart', description: 'Response time too high, error rate 5%', level: 'error' },
  { title: /Response time/ },
)
open(
  'url only',
  { event: 'build_failed', project: 'fleet', url: 'https://ci.example/3' },
  { title: /build.failed|fleet/i, url: /ci\.example/ },
)
open(
  'tool url',
  { alert: 'Disk full', severity: 'critical', permalink: 'https://tool.example/a/1', host: 'web-1' },
  { url: /tool\.example/ },
)
open(
  'tool url view',
  { title: 'Queue backlog exceeded', status: 'triggered', view_url: 'https://tool.example/a/1' },
  { url: /tool/ },
)
open(
  'site24x7',
  {
    MONITORNAME: 'Shop',
    STATUS: 'DOWN',
    MONITORURL: 'https://shop.example',
    INCIDENT_REASON: 'Timeout',
    MONITOR_DASHBOARD_LINK: 'https://s24.example/1',
    MONITOR_ID: '5',
  },
  {},
)
open(
  'lib jar',
  {
    message: 'boom',
    exception: 'java.lang.NullPointerException',
    stack:
      'java.lang.NullPointerException: boom\n\tat java.base/java.util.Objects.requireNonNull(Objects.java:233)\n\tat org.springframework.web.X.y(X.java:10)\n\tat com.acme.Cart.pay(Cart.java:15)',
  },
  { file: /Cart\.java/, line: 15 },
)
open(
  'library file field',
  {
    message: 'boom',
    exception: 'TypeError',
    file: '/srv/node_modules/express/lib/router.js',
    line: 5,
    stack: 'TypeError: boom\n    at x (/srv/node_modules/express/lib/router.js:5:1)\n    at y (/srv/src/cart.js:7:2)',
  },
  { file: '/srv/src/cart.js', line: 7 },
)

// more unfamiliar kinds
differ(
  'checkly',
  { CHECK_NAME: 'Shop', CHECK_ID: '1', ALERT_TITLE: 'Shop has failed', ALERT_TYPE: 'ALERT_FAILURE' },
  { CHECK_NAME: 'Depot', CHECK_ID: '2', ALERT_TITLE: 'Depot has failed', ALERT_TYPE: 'ALERT_FAILURE' },
)
resolves(
  'checkly',
  { CHECK_NAME: 'Shop', CHECK_ID: '1', ALERT_TITLE: 'Shop has failed', ALERT_TYPE: 'ALERT_FAILURE' },
  { CHECK_NAME: 'Shop', CHECK_ID: '1', ALERT_TITLE: 'Shop has recovered', ALERT_TYPE: 'ALERT_RECOVERY' },
)
resolves(
  'freshping',
  {
    check_id: 1,
    check_name: 'Shop',
    application_name: 'Shop',
    http_status_code: 503,
    check_state_name: 'Not Responding',
    check_state: 'not_responding',
    text: 'Shop is DOWN',
  },
  {
    check_id: 1,
    check_name: 'Shop',
    application_name: 'Shop',
    http_status_code: 200,
    check_state_name: 'Available',
    check_state: 'available',
    text: 'Shop is UP',
  },
)
resolves(
  'statuscake',
  { Name: 'Shop', Token: 't', Status: 'Down', StatusCode: '500', URL: 'https://x', Method: 'Website', Checkrate: '60' },
  { Name: 'Shop', Token: 't', Status: 'Up', StatusCode: '200', URL: 'https://x', Method: 'Website', Checkrate: '60' },
)
differ(
  'statuscake two',
  { Name: 'Shop', Status: 'Down', StatusCode: '0', URL: 'https://x.example' },
  { Name: 'Depot', Status: 'Down', StatusCode: '0', URL: 'https://y.example' },
)
differ(
  'oh dear',
  {
    uuid: '1',
    type: 'uptimeCheckFailedNotification',
    site: { id: 1, url: 'https://a.example', label: 'A' },
    run: {},
    check: { id: 5, type: 'uptime', label: 'Uptime' },
    notification_message: 'The site is down',
  },
  {
    uuid: '2',
    type: 'uptimeCheckFailedNotification',
    site: { id: 2, url: 'https://b.example', label: 'B' },
    check: { id: 6, type: 'uptime', label: 'Uptime' },
    notification_message: 'The site is down',
  },
)
quiet('oh dear recovered', {
  type: 'uptimeCheckRecoveredNotification',
  site: { id: 1, url: 'https://a.example' },
  check: { id: 5, type: 'uptime', label: 'Uptime' },
  notification_message: 'The site is back up',
})
differ(
  'netdata',
  { alert: 'disk_space', chart: 'disk./', host: 'a', status: 'WARNING', message: 'disk space' },
  { alert: 'ram', chart: 'x', host: 'a', status: 'WARNING', message: 'disk space' },
)
resolves(
  'netdata clear',
  { alert: 'disk_space', host: 'a', status: 'CRITICAL', message: 'disk space 95%' },
  { alert: 'disk_space', host: 'a', status: 'CLEAR', message: 'disk space 20%' },
)
differ(
  'splunk',
  { search_name: 'Errors', results_link: 'https://s.example/1', result: { count: '5' }, app: 'search', owner: 'a' },
  { search_name: 'Logins', results_link: 'https://s.example/1', result: { count: '5' }, app: 'search', owner: 'a' },
)
open(
  'splunk url',
  { search_name: 'Errors', results_link: 'https://s.example/1', result: { count: '5' } },
  { title: /Errors/ },
)
differ(
  'logz',
  { alert_title: 'Too many 500s', alert_severity: 'HIGH', alert_event_samples: 'x', alert_definition_id: '1' },
  { alert_title: 'Too many logins', alert_severity: 'HIGH', alert_event_samples: 'x', alert_definition_id: '2' },
)
differ(
  'humio/falcon',
  { alert: { name: 'A', id: '1' }, event_count: 5, url: 'https://h.example' },
  { alert: { name: 'B', id: '2' }, event_count: 5, url: 'https://h.example' },
)
differ(
  'honeycomb',
  {
    id: 'x1',
    name: 'Slow requests',
    status: 'TRIGGERED',
    summary: 'Triggered: value over 5',
    result_url: 'https://hc',
    trigger_id: '1',
  },
  {
    id: 'x2',
    name: 'Errors',
    status: 'TRIGGERED',
    summary: 'Triggered: value over 5',
    result_url: 'https://hc',
    trigger_id: '2',
  },
)
resolves(
  'honeycomb ok',
  {
    id: 'x1',
    name: 'Slow requests',
    status: 'TRIGGERED',
    summary: 'Triggered: value over 5',
    result_url: 'https://hc',
    trigger_id: '1',
  },
  {
    id: 'x1',
    name: 'Slow requests',
    status: 'OK',
    summary: 'Resolved: value under 5',
    result_url: 'https://hc',
    trigger_id: '1',
  },
)
differ(
  'librato/appoptics',
  { alert: { id: 1, name: 'cpu.high', version: 2 }, account: 'a', trigger_time: 1, conditions: [], violations: {} },
  { alert: { id: 2, name: 'mem.high', version: 2 }, account: 'a', trigger_time: 1, conditions: [], violations: {} },
)
open(
  'zendesk-ish incident',
  { incident: { title: 'Checkout down', state: 'open', url: 'https://x.example/i' } },
  { title: /Checkout down/, url: /x\.example/ },
)
resolves(
  'squadcast',
  { event_type: 'incident_triggered', incident: { id: 's1', message: 'Disk full', status: 'triggered' } },
  { event_type: 'incident_resolved', incident: { id: 's1', message: 'Disk full', status: 'resolved' } },
)
differ(
  'squadcast',
  { event_type: 'incident_triggered', incident: { id: 's1', message: 'Disk full', status: 'triggered' } },
  { event_type: 'incident_triggered', incident: { id: 's2', message: 'Disk full', status: 'triggered' } },
)
resolves(
  'victorops',
  { message_type: 'CRITICAL', entity_id: 'disk/a', entity_display_name: 'Disk a', state_message: 'Disk full' },
  { message_type: 'RECOVERY', entity_id: 'disk/a', entity_display_name: 'Disk a', state_message: 'Disk fine' },
)
differ(
  'victorops',
  { message_type: 'CRITICAL', entity_id: 'disk/a', state_message: 'Disk full' },
  { message_type: 'CRITICAL', entity_id: 'disk/b', state_message: 'Disk full' },
)
resolves(
  'grafana oncall',
  {
    event: { type: 'alert group created', time: 'x' },
    alert_group: { id: 'I1', title: 'Disk full', state: 'firing', permalinks: { web: 'https://oc.example/I1' } },
    alert_group_id: 'I1',
    alert_payload: {},
  },
  {
    event: { type: 'resolve', time: 'x' },
    alert_group: { id: 'I1', title: 'Disk full', state: 'resolved' },
    alert_group_id: 'I1',
    alert_payload: {},
  },
)
differ(
  'grafana oncall',
  {
    event: { type: 'alert group created' },
    alert_group: { id: 'I1', title: 'Disk full', state: 'firing' },
    alert_group_id: 'I1',
  },
  {
    event: { type: 'alert group created' },
    alert_group: { id: 'I2', title: 'CPU high', state: 'firing' },
    alert_group_id: 'I2',
  },
)
differ(
  'PRTG',
  { sensorid: '1', sensor: 'Ping A', device: 'a', status: 'Down', message: 'Timeout' },
  { sensorid: '2', sensor: 'Ping B', device: 'b', status: 'Down', message: 'Timeout' },
)
resolves(
  'PRTG up',
  { sensorid: '1', sensor: 'Ping A', device: 'a', status: 'Down', message: 'Timeout' },
  { sensorid: '1', sensor: 'Ping A', device: 'a', status: 'Up', message: 'OK' },
)
differ(
  'Wazuh rules',
  {
    rule: { id: '5710', level: 10, description: 'sshd: attempt' },
    agent: { id: '1', name: 'a' },
    full_log: 'x failed',
    id: '1.1',
  },
  {
    rule: { id: '5712', level: 10, description: 'sshd: attempt' },
    agent: { id: '1', name: 'a' },
    full_log: 'x failed',
    id: '1.2',
  },
)
differ(
  'Falco',
  { rule: 'Terminal shell', priority: 'Error', output: 'A shell was spawned', output_fields: {} },
  { rule: 'Write below etc', priority: 'Error', output: 'A shell was spawned', output_fields: {} },
)
differ(
  'snyk/other issue',
  { event: 'issue.opened', issue: { id: 'i1', title: 'SQL injection', severity: 'high' } },
  { event: 'issue.opened', issue: { id: 'i2', title: 'SQL injection', severity: 'high' } },
)
quiet('issue closed', { event: 'issue.closed', issue: { id: 'i1', title: 'SQL injection', state: 'closed' } })
open(
  'heroku alert',
  { action: 'create', resource: 'incident', data: { id: 5, title: 'Routing errors', state: 'open', upcoming: false } },
  { title: /Routing/ },
)
differ(
  'heroku',
  { action: 'create', resource: 'incident', data: { id: 5, title: 'Increased latency' } },
  { action: 'create', resource: 'incident', data: { id: 6, title: 'Increased latency' } },
)
open(
  'verb insert outage',
  { eventType: 'INSERT', record: { id: 4, message: 'Warehouse scanner is offline' } },
  { title: /offline/ },
)
open('type created + incident text', { type: 'created', title: 'Incident: payments fail for 5 % of customers' })
open(
  'verb opened incident',
  { action: 'opened', incident: { number: 3, title: 'Login page slow' } },
  { title: /Login page slow/ },
)
open('submit alert', { action: 'submit', alert: { summary: 'Pump 3 pressure high' } }, { title: /Pump 3/ })
quiet('created ok alert', { action: 'created', alert: { title: 'Disk', status: 'ok' } })
quiet('success action create', { action: 'create', status: 'success', message: 'Backup created' })
quiet('recovery msg', { action: 'updated', message: 'Van 9 is back online' })
quiet('deploy success', {
  event: 'deploy.succeeded',
  service: { name: 'api' },
  deploy: { id: 'd', status: 'live', commit: { message: 'Fix error' } },
})
open('deploy failed', {
  event: 'deploy.failed',
  service: { name: 'api' },
  deploy: { id: 'd', status: 'build_failed', commit: { message: 'Tidy' } },
})
quiet('vercel ready', {
  type: 'deployment.succeeded',
  payload: {
    deployment: {
      id: 'd',
      name: 'shop',
      url: 'shop.vercel.example',
      meta: { githubCommitMessage: 'fix: crash on error' },
    },
    project: { id: 'p' },
  },
})
open('vercel error', {
  type: 'deployment.error',
  payload: {
    deployment: { id: 'd', name: 'shop', url: 'shop.vercel.example', meta: { githubCommitMessage: 'tidy' } },
    project: { id: 'p' },
  },
})
quiet('netlify ready', {
  id: 'n',
  site_id: 's',
  state: 'ready',
  name: 'shop',
  error_message: null,
  commit_ref: 'abc',
  branch: 'main',
  title: 'Fix TypeError in cart',
  deploy_ssl_url: 'https://n',
})
open(
  'netlify error',
  {
    id: 'n',
    site_id: 's',
    state: 'error',
    name: 'shop',
    error_message: 'Build script returned non-zero exit code: 2',
    branch: 'main',
    title: 'Tidy',
  },
  { title: /Build script/ },
)
quiet('fivetran ok', { event: 'sync_end', data: { status: 'SUCCESSFUL' }, connector_id: 'c', connector_name: 'orders' })
open(
  'fivetran failed',
  {
    event: 'sync_end',
    data: { status: 'FAILURE', reason: 'Cannot connect to the source' },
    connector_id: 'c',
    connector_name: 'orders',
  },
  { title: /Cannot connect/ },
)
quiet('dbt success', {
  eventType: 'job.run.completed',
  data: { jobName: 'nightly', runStatus: 'Success', runStatusMessage: null, runErroredAt: null, runId: '1' },
})
open('dbt fail', {
  eventType: 'job.run.errored',
  data: { jobName: 'nightly', runStatus: 'Errored', runStatusMessage: 'Model failed' },
})
quiet('hightouch', { sync: { id: 1, status: 'success', error: null }, message: 'ok' })
quiet('appsignal deploy 2', {
  marker: {
    user: 'ann',
    site: 'Fleet',
    environment: 'staging',
    revision: '1',
    repository: 'r',
    url: 'https://a.example/deploys/1',
  },
})
open(
  'appsignal exception',
  {
    exception: {
      exception: 'ActionView::Template::Error',
      site: 'Fleet',
      message: "undefined method `encoding'",
      action: 'App::ErrorController#show',
      path: '/errors',
      revision: 'abc',
      user: 'u',
      first_backtrace_line: '/app/x.rb:5:in `y',
      url: 'https://appsignal.example/1',
      environment: 'test',
    },
  },
  { exception: 'ActionView::Template::Error' },
)
open('appsignal performance', {
  performance: {
    site: 'Fleet',
    action: 'Blog#index',
    path: '/b',
    duration: 552.7,
    status: 200,
    hostname: 'h',
    environment: 'test',
    url: 'https://appsignal.example/2',
  },
})
quiet('ping type', { type: 'ping' })
quiet('zen', { zen: 'Keep it simple.', hook_id: 1, hook: { type: 'Repository' } })
quiet('verification', { type: 'url_verification', challenge: 'x', token: 'y' })
quiet('test bool', { test: true, title: 'Hello from Acme' })
open('test suite failed', { type: 'test', status: 'failed', title: 'Checkout e2e failed' })
open('documented test', { message: 'This is a test error', exception: 'TestError' })
open('documented error null', { message: 'Checkout is on fire', severity: 'error', error: null })
open('documented msg + errors', { message: 'Cart', severity: 'info', errors: [] })
open('documented only msg', { message: 'Import of 20 rows' })
quiet('result ok', { result: 'ok', error: null, task: 'cleanup' })
open('result null but failed', { task: 'cleanup', error: null, status: 'failed' })
open('stderr', { task: 'cleanup', error: null, exit_code: 3, stderr: 'disk quota exceeded' })

same(
  'log incident ids',
  { level: 'error', msg: 'failed to notify responders', incident_id: 5 },
  { level: 'error', msg: 'failed to notify responders', incident_id: 6 },
)
same(
  'log alert ids',
  { level: 'error', message: 'Cannot send alert', alert_id: 5, logger: 'x' },
  { level: 'error', message: 'Cannot send alert', alert_id: 6, logger: 'x' },
)
same(
  'thrown with check',
  {
    error: { name: 'TypeError', message: 'x is null', stack: 'TypeError: x is null\n    at a (/srv/a.js:1:2)' },
    check_id: 1,
  },
  {
    error: { name: 'TypeError', message: 'x is null', stack: 'TypeError: x is null\n    at a (/srv/a.js:1:2)' },
    check_id: 2,
  },
)
differ(
  'validation rules',
  { message: 'The name is required', error: 'validation', rule: 'required' },
  { message: 'The name is too long', error: 'validation', rule: 'max' },
)
differ(
  'job fails',
  { job: 'a', status: 'failed', message: 'Disk full' },
  { job: 'a', status: 'failed', message: 'No network' },
)
differ(
  'monitor log diff msgs',
  { level: 'error', monitor: 'x', message: 'A cannot be read' },
  { level: 'error', monitor: 'x', message: 'B was refused' },
)
differ(
  'alerts with one name',
  { alert: { name: 'Disk full', id: '1' }, host: 'a', status: 'firing' },
  { alert: { name: 'Disk full', id: '2' }, host: 'a', status: 'firing' },
)

const change = 'Fix TypeError: cart crashed with an error'
quiet('gitlab pipeline', {
  object_kind: 'pipeline',
  object_attributes: { status: 'success', id: 4 },
  commit: { message: change },
  project: { name: 'p' },
})
open('gitlab pipeline failed', {
  object_kind: 'pipeline',
  object_attributes: { status: 'failed', id: 4 },
  commit: { message: 'Tidy' },
  project: { name: 'p' },
})
quiet('gh workflow_run', {
  action: 'completed',
  workflow_run: {
    name: 'CI',
    conclusion: 'success',
    status: 'completed',
    head_commit: { message: change },
    display_title: change,
    html_url: 'https://g',
  },
  repository: { name: 'r' },
})
open('gh workflow_run failed', {
  action: 'completed',
  workflow_run: {
    name: 'CI',
    conclusion: 'failure',
    status: 'completed',
    head_commit: { message: 'Tidy' },
    display_title: 'Tidy',
    html_url: 'https://g',
  },
  repository: { name: 'r' },
})
quiet('gh check_run', {
  action: 'completed',
  check_run: { name: 'test', conclusion: 'success', output: { title: null } },
  repository: { name: 'r' },
})
quiet('teamcity', {
  build: {
    buildStatus: 'Success',
    buildResult: 'success',
    buildName: 'fleet',
    message: `Build passed, ${change}`,
    buildNumber: '3',
    branchName: 'main',
  },
})
quiet('azure devops', {
  eventType: 'build.complete',
  message: { text: 'Build 20261127.3 succeeded' },
  detailedMessage: { text: `Build succeeded. ${change}` },
  resource: { status: 'succeeded', result: 'succeeded', buildNumber: '3', definition: { name: 'fleet' } },
})
open('azure devops fail', {
  eventType: 'build.complete',
  message: { text: 'Build 20261127.3 failed' },
  resource: { status: 'completed', result: 'failed', buildNumber: '3', definition: { name: 'fleet' } },
})
quiet('codeship', {
  build: { build_url: 'https://c', commit_url: 'x', status: 'success', message: change, branch: 'main' },
})
quiet('wercker', { result: 'passed', resultUrl: 'https://w', commitMessage: change, application: { name: 'fleet' } })
quiet('buddy', {
  pipeline: { name: 'Deploy', status: 'SUCCESSFUL' },
  execution: { status: 'SUCCESSFUL', to_revision: { message: change, revision: 'a' } },
})
quiet('cirrus', {
  action: 'updated',
  build: { id: '1', status: 'COMPLETED', changeMessageTitle: change, branch: 'main' },
  repository: { name: 'r' },
})
quiet('argo synced', { app: 'shop', phase: 'Succeeded', message: 'successfully synced', revision: 'abc' })
quiet('render', { type: 'deploy_ended', data: { serviceName: 'shop', status: 'succeeded' } })
quiet('xcode cloud', {
  ciBuildRun: {
    attributes: { executionProgress: 'COMPLETE', completionStatus: 'SUCCEEDED', sourceCommit: { message: change } },
  },
  metadata: { type: 'metadata', attributes: { eventType: 'BUILD_COMPLETED' } },
})
quiet('jenkins notif msg', { job: 'fleet', buildStatus: 'SUCCESS', message: change, gitBranch: 'main' })
quiet('passed list', { status: 'passed', commits: [{ message: change }], branch: 'main' })
quiet('passed state title', { state: 'passed', title: change, ref: 'main', sha: 'abc' })
quiet('outcome success', { outcome: 'success', commit_subject: change, branch: 'main', repo: 'r' })
quiet('circleci v1', {
  payload: {
    outcome: 'success',
    status: 'success',
    subject: change,
    body: 'error',
    branch: 'main',
    build_url: 'https://c',
    reponame: 'r',
  },
})

const slack = (t: string, x: string) => ({ text: `*${t}* ${x}` })
open('slack text', slack('Shop', 'is down'))
quiet('slack up', slack('Shop', 'is back up'))
quiet('teams up', { '@type': 'MessageCard', title: 'Shop', text: 'The site is back up.' })
open(
  'teams down',
  { '@type': 'MessageCard', title: 'Shop', text: 'The site has gone down.' },
  { title: /Shop|gone down/ },
)
quiet('discord up', { embeds: [{ title: 'Shop', description: 'The service has recovered.' }] })
open('discord down', { embeds: [{ title: 'Shop', description: 'The service went down.' }] })
quiet('gt resolved slack', { attachments: [{ title: 'Resolved: Checkout fails', title_link: 'https://x' }] })
open('not recovered', { attachments: [{ title: 'Shop', text: 'The database could not be recovered.' }] })
open(
  'chat title url',
  { attachments: [{ title: 'https://shop.example', text: 'Checkout fails for everyone' }] },
  { title: /Checkout fails/ },
)
open('message contains word', { message: 'User could not be restored', action: 'created' })
open('http 500', { status: 500, error: 'Internal Server Error', message: 'Cart failed', path: '/cart' })
open('success false', { success: false, title: 'Nightly import' })
quiet('success true', { success: true, title: 'Nightly import' })
open('errorMessage text', { success: true, errorMessage: 'Could not write 3 rows', job: 'import' })
open('severity + created', { action: 'created', severity: 'critical', title: 'Order stuck' })
open(
  'opened incident nested',
  { type: 'incident.opened', data: { object: { id: 'i', title: 'Payments fail', status: 'open' } } },
  { title: /Payments/ },
)
open(
  'file null own',
  { error: { message: 'x failed', file: null, line: null, trace: [{ file: '/srv/app/a.php', line: 3 }] } },
  { file: '/srv/app/a.php', line: 3 },
)
open(
  'php error fatal',
  { error: { type: 1, message: 'Call to undefined', file: '/srv/app/x.php', line: 4 } },
  { file: '/srv/app/x.php', line: 4 },
)
open(
  'js fileName',
  {
    error: {
      name: 'TypeError',
      message: 'x',
      fileName: 'https://s.example/app.js',
      lineNumber: 3,
      stack: 'a@https://s.example/vendor.js:1:2\nb@https://s.example/app.js:3:4',
    },
  },
  { line: 3 },
)
open(
  'ci failed msg',
  { status: 'failed', message: 'fix: add tests', branch: 'main', project: 'fleet', build_url: 'https://ci.example/1' },
  { url: /ci/ },
)
quiet('gitlab-like pipeline ok', {
  object_kind: 'pipeline',
  object_attributes: { status: 'success', id: 4 },
  commit: { message: 'Fix error' },
  project: { name: 'p' },
})
open('deployment context', { title: 'Cart crashed', deployment: { version: '1.2' }, release: { version: '1.2' } })
open('release key error', { text: 'Out of memory in worker', release: { version: '1', commit: 'x' } })
differ(
  'two issues numbers',
  { issue: { number: 4, title: 'x failed' }, event: 'error' },
  { issue: { number: 5, title: 'x failed' }, event: 'error' },
)
open('test class', { text: 'Test of invoices failed: total mismatch' })
open('type test.failed', { event: 'test.failed', name: 'login works' })
differ(
  'two problems',
  { problem: { id: '1', title: 'High load' }, state: 'OPEN' },
  { problem: { id: '2', title: 'High load' }, state: 'OPEN' },
)
resolves(
  'incident number',
  { incident: { number: 1, title: 'High load', state: 'triggered' } },
  { incident: { number: 1, title: 'High load', state: 'resolved' } },
)
