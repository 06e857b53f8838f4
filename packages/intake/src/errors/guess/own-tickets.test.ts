import { differ, open, quiet, resolves, same } from './testing-tickets.ts'

// Bodies in the shapes that the documentation of monitors, trackers, and CI describes, shortened: what has another id, name, or place is
// another thing, and what says that nothing is wrong opens no ticket.

let deliveries = 0
/** An id that each delivery has for itself. */
const once = () => {
  deliveries += 1
  return deliveries
}

// 1 GitHub Actions
const gh = (repo: string, concl = 'failure', name = 'CI') => ({
  action: 'completed',
  workflow_run: {
    id: once(),
    name,
    head_branch: 'main',
    conclusion: concl,
    status: 'completed',
    run_number: 5,
    html_url: `https://github.com/${repo}/actions/runs/1`,
    head_commit: { message: 'Tidy' },
    display_title: 'Tidy',
  },
  workflow: { id: 1, name: 'CI' },
  repository: {
    id: 5,
    name: repo.split('/')[1],
    full_name: repo,
    private: true,
    html_url: `https://github.com/${repo}`,
  },
  sender: { login: 'ann' },
})
differ('gh repos', gh('acme/shop'), gh('acme/depot'))
differ('gh same name other org', gh('acme/shop'), gh('other/shop'))
same('gh again', gh('acme/shop'), gh('acme/shop'))
const ga = (repo: string) => ({
  workflow: 'CI',
  status: 'failure',
  repository: repo,
  run_url: 'https://g.example/1',
  ref: 'refs/heads/main',
  event_name: 'push',
})
differ('gh action notify', ga('acme/a'), ga('acme/b'))
const gl = (p: string) => ({
  object_kind: 'pipeline',
  object_attributes: { status: 'failed', id: 4 },
  commit: { message: 'Tidy' },
  project: { id: 1, name: p.split('/')[1], path_with_namespace: p },
})
differ('gitlab pipeline', gl('g/a'), gl('g/b'))
differ('gitlab groups', gl('g/a'), gl('h/a'))
differ(
  'circle',
  {
    type: 'workflow-completed',
    workflow: { id: 'w', name: 'build', status: 'failed' },
    pipeline: { id: 'p' },
    project: { id: '1', name: 'a', slug: 'gh/acme/a' },
  },
  {
    type: 'workflow-completed',
    workflow: { id: 'w', name: 'build', status: 'failed' },
    pipeline: { id: 'p' },
    project: { id: '2', name: 'b', slug: 'gh/acme/b' },
  },
)
differ(
  'buildkite pipelines',
  {
    event: 'build.finished',
    build: { id: 'b', number: 3, state: 'failed', message: 'Tidy' },
    pipeline: { id: 'p', name: 'Fleet' },
  },
  {
    event: 'build.finished',
    build: { id: 'b', number: 3, state: 'failed', message: 'Tidy' },
    pipeline: { id: 'q', name: 'Depot' },
  },
)
differ(
  'error of project',
  { service: 'api', project: 'a', message: 'Cannot pay', level: 'error' },
  { service: 'api', project: 'b', message: 'Cannot pay', level: 'error' },
)
// 2 hosts
for (const k of ['host', 'server', 'device', 'domain', 'NodeName', 'hostname', 'instance', 'site', 'component'])
  differ(
    k,
    { [k]: 'web-a', status: 'down', message: 'Not responding' },
    { [k]: 'web-b', status: 'down', message: 'Not responding' },
  )
for (const k of ['host', 'server', 'device', 'domain', 'NodeName'])
  differ(
    `${k} digit`,
    { [k]: 'web1', status: 'down', message: 'Not responding' },
    { [k]: 'web2', status: 'down', message: 'Not responding' },
  )
for (const k of ['host', 'server', 'device'])
  differ(
    `${k} outage only`,
    { [k]: 'web1', message: 'Host is not responding' },
    { [k]: 'web2', message: 'Host is not responding' },
  )
differ(
  'name',
  { name: 'Shop 1', status: 'down', message: 'timeout' },
  { name: 'Shop 2', status: 'down', message: 'timeout' },
)
differ(
  'data name',
  { event: 'monitor.down', data: { name: 'Shop 1', reason: 'timeout' } },
  { event: 'monitor.down', data: { name: 'Shop 2', reason: 'timeout' } },
)
differ(
  'alert name',
  { alert: { name: 'Disk' }, message: 'Threshold exceeded', status: 'firing' },
  { alert: { name: 'CPU' }, message: 'Threshold exceeded', status: 'firing' },
)
const cf = (pool: string, id: string) => ({
  name: 'LB alerts',
  text: 'Load balancing pool health changed',
  data: {
    pool_name: pool,
    pool_id: id,
    old_health: 'Healthy',
    new_health: 'Unhealthy',
    reason: 'HTTP timeout',
    time: '2026',
  },
  ts: 1,
  account_id: 'a',
  policy_id: 'p',
  alert_type: 'load_balancing_health_alert',
})
differ('cf pool id', cf('eu', '1'), cf('eu', '2'))
differ('cf pool name', cf('eu', undefined as never), cf('us', undefined as never))
differ(
  'tls domains',
  { event: 'certificate.expiring', domain: 'a.example', message: 'The certificate expires in 5 days' },
  { event: 'certificate.expiring', domain: 'b.example', message: 'The certificate expires in 5 days' },
)
// 3 level beside id
for (const k of ['incident_id', 'alert_id', 'monitor_id', 'problem_id', 'IncidentId'])
  for (const extra of [{ level: 'critical' }, { level: 'error' }, { pid: 7 }, { PID: '9' }])
    differ(
      k + JSON.stringify(extra),
      { [k]: '100', title: 'Checkout is slow', ...extra },
      { [k]: '101', title: 'Checkout is slow', ...extra },
    )
differ(
  'dynatrace PID',
  { PID: '1', ProblemID: 'P-1', State: 'OPEN', ProblemTitle: 'Failure rate increase', ImpactedEntity: 'x' },
  { PID: '2', ProblemID: 'P-2', State: 'OPEN', ProblemTitle: 'Failure rate increase', ImpactedEntity: 'x' },
)
differ(
  'dynatrace PID only',
  { PID: '1', State: 'OPEN', ProblemTitle: 'Failure rate increase' },
  { PID: '2', State: 'OPEN', ProblemTitle: 'Failure rate increase' },
)
same(
  'log line',
  { level: 'error', msg: 'cannot notify', incident_id: 5 },
  { level: 'error', msg: 'cannot notify', incident_id: 6 },
)
same(
  'log line logger',
  { level: 'error', message: 'cannot notify', logger: 'a.b', alert_id: 5 },
  { level: 'error', message: 'cannot notify', logger: 'a.b', alert_id: 6 },
)
// 4 digits
differ(
  'monitor digit',
  { monitor: 'web1', status: 'down', message: 'timeout' },
  { monitor: 'web2', status: 'down', message: 'timeout' },
)
const glitchtip = (s: string, t: string) => ({
  alias: 'GlitchTip',
  text: 'GlitchTip Uptime Alert',
  attachments: [{ title: s, title_link: 'https://e.example/1', text: t }],
})
differ(
  'glitchtip',
  glitchtip('Depot 1', 'The monitored site has gone down.'),
  glitchtip('Depot 2', 'The monitored site has gone down.'),
)
resolves(
  'glitchtip',
  glitchtip('Depot 1', 'The monitored site has gone down.'),
  glitchtip('Depot 1', 'The monitored site is back up.'),
)
const cr = (n: string, type = 'Alert') => ({
  type,
  monitor: n,
  rule: 'complete_ping_not_received',
  description: 'Did not run on time',
  monitor_url: 'https://cronitor.io/x',
  timestamp: '2026',
})
differ('cronitor', cr('Backup 1'), cr('Backup 2'))
differ('slack text', { text: '*web1* is down' }, { text: '*web2* is down' })
resolves('slack text', { text: '*web1* is down' }, { text: '*web1* is back up' })
differ('slack 2', { text: 'Backup 1 did not run' }, { text: 'Backup 2 did not run' })
differ('discord', { content: 'web1 is down' }, { content: 'web2 is down' })
const kd = (n: string, up: boolean) => ({
  username: 'Uptime Kuma',
  embeds: [
    up
      ? {
          title: `✅ Your service ${n} is up! ✅`,
          color: 65280,
          timestamp: 'x',
          fields: [
            { name: 'Service Name', value: n },
            { name: 'Service URL', value: 'https://x' },
            { name: 'Time', value: 'x' },
            { name: 'Ping', value: '15 ms' },
          ],
        }
      : {
          title: `❌ Your service ${n} went down. ❌`,
          color: 16711680,
          timestamp: 'x',
          fields: [
            { name: 'Service Name', value: n },
            { name: 'Service URL', value: 'https://x' },
            { name: 'Went Offline', value: 'x' },
            { name: 'Error', value: 'timeout' },
          ],
        },
  ],
})
differ('kuma discord', kd('web1', false), kd('web2', false))
resolves('kuma discord', kd('web1', false), kd('web1', true))
const kt = (t: string) => ({ text: t })
resolves('kuma text', kt('[web1] [🔴 Down] timeout'), kt('[web1] [✅ Up] 200 - OK'))
differ('kuma text', kt('[web1] [🔴 Down] timeout'), kt('[web2] [🔴 Down] timeout'))
const ks = (n: string, st: string) => ({
  text: 'Uptime Kuma Alert',
  username: 'Kuma',
  channel: '#a',
  attachments: [
    {
      color: '#e01e5a',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Uptime Kuma Alert' } },
        {
          type: 'section',
          fields: [
            { type: 'mrkdwn', text: `*Message*\n[${n}] [${st}` },
            { type: 'mrkdwn', text: '*Time*\n2026' },
          ],
        },
      ],
    },
  ],
})
differ('kuma slack', ks('web1', '🔴 Down] timeout'), ks('web2', '🔴 Down] timeout'))
quiet('kuma slack up', ks('web1', '✅ Up] 200 - OK'))
differ(
  'probe',
  { probe: 'eu-1', status: 'down', message: 'timeout' },
  { probe: 'eu-2', status: 'down', message: 'timeout' },
)
differ(
  'probe obj',
  { probe: { name: 'probe 1' }, status: 'down', message: 'timeout' },
  { probe: { name: 'probe 2' }, status: 'down', message: 'timeout' },
)
same(
  'free message',
  { job: 'import', status: 'failed', message: 'Row 5 of 7 is broken' },
  { job: 'import', status: 'failed', message: 'Row 9 of 12 is broken' },
)
differ(
  'incident title',
  { incident: { title: 'web1 unreachable', state: 'open' } },
  { incident: { title: 'web2 unreachable', state: 'open' } },
)
same(
  'incident title %',
  { incident: { title: 'Error rate 5.2 % on api', state: 'open' } },
  { incident: { title: 'Error rate 6.1 % on api', state: 'open' } },
)
// 5
const cl = (d: number, u: string) => ({
  event: 'issue_impact_change',
  payload_type: 'issue',
  payload: {
    display_id: d,
    title: 'CartView.swift line 12',
    method: 'CartView.total',
    impact_level: 2,
    crashes_count: 54,
    impacted_devices_count: 16,
    url: u,
  },
})
differ('crashlytics id', cl(3, 'https://c/x'), cl(4, 'https://c/x'))
differ('crashlytics url', cl(undefined as never, 'https://c/x'), cl(undefined as never, 'https://c/y'))
const ck = (id: string, t = 'ALERT_FAILURE') => ({
  event: 'Shop has failed',
  alert_title: 'Shop has failed',
  alert_type: t,
  check_name: 'Shop',
  check_id: id,
  group_name: '',
  started_at: 'x',
  link: 'https://c',
})
differ('checkly', ck('1'), ck('2'))
resolves('checkly', ck('1'), {
  ...ck('1', 'ALERT_RECOVERY'),
  event: 'Shop has recovered',
  alert_title: 'Shop has recovered',
})
differ(
  'checkly upper',
  { CHECK_NAME: 'Shop', CHECK_ID: '1', ALERT_TITLE: 'Shop has failed', ALERT_TYPE: 'ALERT_FAILURE' },
  { CHECK_NAME: 'Shop', CHECK_ID: '2', ALERT_TITLE: 'Shop has failed', ALERT_TYPE: 'ALERT_FAILURE' },
)
differ(
  'checkly camel',
  { checkName: 'Shop', checkId: '1', title: 'Shop has failed', alertType: 'ALERT_FAILURE' },
  { checkName: 'Shop', checkId: '2', title: 'Shop has failed', alertType: 'ALERT_FAILURE' },
)
differ(
  'alarm.id',
  { alarm: { id: '1', name: 'Disk' }, state: 'ALARM', message: 'Threshold crossed' },
  { alarm: { id: '2', name: 'Disk' }, state: 'ALARM', message: 'Threshold crossed' },
)
differ(
  'alert.id',
  { alert: { id: '1', name: 'Disk' }, state: 'firing', message: 'Threshold crossed' },
  { alert: { id: '2', name: 'Disk' }, state: 'firing', message: 'Threshold crossed' },
)
const s24 = (id: string, n = 'Shop') => ({
  MONITORNAME: n,
  STATUS: 'DOWN',
  MONITORURL: 'https://shop.example',
  INCIDENT_REASON: 'Timeout',
  MONITOR_DASHBOARD_LINK: 'https://s24.example/1',
  MONITOR_ID: id,
  MONITORTYPE: 'URL',
})
differ('site24x7', s24('1'), s24('2'))
resolves('site24x7', s24('1'), { ...s24('1'), STATUS: 'UP' })
const si = (id: string, action = 'created') => ({
  action,
  installation: { uuid: 'u' },
  data: {
    issue: {
      id,
      shortId: `S-${id}`,
      title: 'TypeError: x',
      culprit: 'a',
      level: 'error',
      status: 'unresolved',
      metadata: { type: 'TypeError', value: 'x', filename: 'a.js' },
      project: { id: '1', name: 'p', slug: 'p' },
      count: '1',
    },
  },
  actor: { type: 'application' },
})
differ('sentry issue', si('1'), si('2'))
resolves('sentry issue', si('1'), si('1', 'resolved'))
const se = (id: string) => ({
  action: 'triggered',
  data: {
    event: {
      event_id: `e${once()}`,
      issue_id: id,
      title: 'TypeError: x',
      exception: { values: [{ type: 'TypeError', value: 'x' }] },
      level: 'error',
      platform: 'node',
      project: 1,
    },
    triggered_rule: 'r',
  },
})
differ('sentry event alert', se('1'), se('2'))
same('sentry event alert', se('1'), se('1'))
const sl = (id: string) => ({
  id,
  project: 'p',
  project_name: 'p',
  project_slug: 'p',
  logger: null,
  level: 'error',
  culprit: 'c',
  message: 'x',
  url: 'https://s/1',
  triggering_rules: [],
  event: {
    event_id: 'abc',
    title: 'TypeError: x',
    exception: { values: [{ type: 'TypeError', value: 'x' }] },
    metadata: { type: 'TypeError', value: 'x' },
  },
})
differ('sentry legacy', sl('1'), sl('2'))
const rb = (id: number, e = 'new_item') => ({
  event_name: e,
  data: {
    item: {
      id,
      counter: id,
      environment: 'production',
      title: 'TypeError: x',
      last_occurrence: {
        level: 'error',
        body: { trace: { exception: { class: 'TypeError', message: 'x' }, frames: [] } },
      },
    },
  },
})
differ('rollbar', rb(1), rb(2))
resolves('rollbar', rb(1), rb(1, 'resolved_item'))
same('rollbar', rb(1), rb(1, 'occurrence'))
const hb = (id: number, event = 'occurred') => ({
  event,
  message: '[p] TypeError: x',
  project: { id: 1, name: 'p' },
  fault: {
    id,
    klass: 'TypeError',
    message: 'x',
    component: 'c',
    action: 'a',
    environment: 'production',
    url: `https://h/${id}`,
  },
  notice: { id: once() },
})
differ('honeybadger', hb(1), hb(2))
resolves('honeybadger', hb(1), hb(1, 'resolved'))
const bu = (id: string) => ({
  account: { id: 'a' },
  project: { id: '1', name: 'p' },
  trigger: { type: 'firstException', message: 'New error' },
  error: {
    id: `e${once()}`,
    errorId: id,
    exceptionClass: 'TypeError',
    message: 'x',
    context: 'c',
    requestUrl: 'https://x',
    severity: 'error',
    status: 'open',
  },
})
differ('bugsnag', bu('1'), bu('2'))
same('bugsnag', bu('1'), bu('1'))
const ray = (u: string) => ({
  event: 'error_notification',
  eventType: 'NewErrorOccurred',
  error: {
    url: u,
    message: 'TypeError: x',
    firstOccurredOn: 'x',
    lastOccurredOn: 'y',
    usersAffected: 1,
    totalOccurrences: 1,
  },
  application: { name: 'p', url: 'https://r' },
})
differ('raygun', ray('https://r/e/1'), ray('https://r/e/2'))
same('raygun', ray('https://r/e/1'), { ...ray('https://r/e/1'), eventType: 'ErrorReoccurred' })
const air = (id: number) => ({
  error: {
    id,
    error_message: 'x',
    error_class: 'TypeError',
    file: '/a.rb',
    line_number: 5,
    project: { id: 1, name: 'p' },
    last_notice: { id: once(), request_url: 'https://x', backtrace: ['a:1'] },
    environment: 'production',
    first_occurred_at: 'x',
    last_occurred_at: 'y',
    times_occurred: 5,
  },
  airbrake_error_url: `https://airbrake.io/${id}`,
})
differ('airbrake', air(1), air(2))
same('airbrake', air(1), air(1))
const cs = (n: number, repo = 'acme/a', action = 'created') => ({
  action,
  alert: {
    number: n,
    created_at: 'x',
    url: 'u',
    html_url: `https://github.com/${repo}/security/code-scanning/${n}`,
    state: 'open',
    rule: { id: 'js/xss', severity: 'error', security_severity_level: 'high', description: 'Cross-site scripting' },
    tool: { name: 'CodeQL' },
    most_recent_instance: { ref: 'refs/heads/main', state: 'open' },
  },
  ref: 'refs/heads/main',
  commit_oid: 'a',
  repository: { id: 1, name: repo.split('/')[1], full_name: repo },
  sender: { login: 'x' },
})
differ('code scanning', cs(1), cs(2))
differ('code scanning repos', cs(1), cs(1, 'acme/b'))
same('code scanning', cs(1), cs(1, 'acme/a', 'reopened'))
const as = (n: string) => ({
  exception: {
    exception: 'TypeError',
    site: 'p',
    message: 'x',
    action: 'C#a',
    path: '/a',
    revision: 'r',
    user: 'u',
    first_backtrace_line: '/a.rb:5',
    url: `https://appsignal.com/x/${n}`,
    environment: 'production',
  },
})
differ('appsignal', as('1'), as('2'))
same('appsignal', as('1'), as('1'))
const nr = (id: string, state = 'ACTIVATED') => ({
  id,
  issueUrl: `https://radar-api.service.newrelic.com/accounts/1/issues/${id}`,
  title: 'Apdex is low',
  priority: 'CRITICAL',
  impactedEntities: ['shop'],
  totalIncidents: 1,
  state,
  trigger: 'STATE_CHANGE',
  isCorrelated: false,
  createdAt: 1,
  updatedAt: 2,
  sources: ['newrelic'],
  alertPolicyNames: ['P'],
  alertConditionNames: ['Apdex'],
  workflowName: 'W',
})
differ('new relic', nr('1'), nr('2'))
resolves('new relic', nr('1'), nr('1', 'CLOSED'))
const gcp = (id: string, state = 'open') => ({
  incident: {
    incident_id: id,
    scoping_project_id: 'p',
    url: 'https://g',
    started_at: 1,
    ended_at: null,
    state,
    summary: 'CPU is high',
    resource: { type: 'gce', labels: { instance_id: '1' } },
    resource_name: 'web',
    policy_name: 'CPU',
    condition_name: 'above',
    severity: 'Critical',
  },
  version: '1.2',
})
differ('gcp', gcp('1'), gcp('2'))
resolves('gcp', gcp('1'), gcp('1', 'closed'))

quiet('event deploy', { event: 'deploy', app: 'shop', version: '1.2', user: 'ann' })
quiet('event deploy msg', { event: 'deploy', app: 'shop', message: 'Deployed 1.2 to production' })
quiet('action deploy', { action: 'deploy', project: 'shop', environment: 'production', revision: 'abc' })
quiet('action deploy 2', { action: 'deploy', message: 'ann deployed shop', project: 'shop' })
quiet('type deployment', { type: 'deployment', service: 'shop', version: '12' })
quiet('Deployment finished', { message: 'Deployment 12 of shop finished', project: 'shop', extra: 1 })
quiet('Deployment finished text', { text: 'Deployment of shop to production finished' })
quiet('Deployment finished title', { title: 'Deployment of shop finished', status: 'finished', url: 'https://d/1' })
quiet('Deploy succeeded text', { text: 'Deploy of shop succeeded' })
quiet('heroku release', {
  action: 'create',
  resource: 'release',
  actor: { email: 'a@x.example' },
  data: {
    id: '1',
    app: { id: '2', name: 'shop' },
    status: 'succeeded',
    version: 12,
    description: 'Deploy abc123',
    created_at: 'x',
    current: true,
    slug: { id: 's', commit: 'abc' },
  },
  previous_data: {},
  published_at: 'x',
  sequence: '1',
  version: 'application/vnd.heroku+json; version=3',
  webhook_metadata: { attempt: { id: 'a' }, event: { include: 'api:release' } },
})
quiet('heroku release pending', {
  action: 'create',
  resource: 'release',
  data: { id: '1', app: { name: 'shop' }, status: 'pending', version: 12, description: 'Deploy abc123' },
})
quiet('heroku hook form', {
  app: 'shop',
  user: 'a@x.example',
  url: 'https://shop.herokuapp.com',
  head: 'abc',
  head_long: 'abcdef',
  git_log: '  * Ann: fix error',
  release: 'v7',
})
quiet('heroku build ok', {
  action: 'update',
  resource: 'build',
  data: { id: '1', app: { name: 'shop' }, status: 'succeeded', release: { version: 5 } },
})
open('heroku build failed', {
  action: 'update',
  resource: 'build',
  data: { id: '1', app: { name: 'shop' }, status: 'failed', release: null },
})
open('heroku release failed', {
  action: 'update',
  resource: 'release',
  data: {
    id: '1',
    app: { name: 'shop' },
    status: 'failed',
    version: 12,
    description: 'Deploy abc: release command failed',
  },
})
quiet('octopus succeeded', {
  Timestamp: 'x',
  EventType: 'SubscriptionPayload',
  Payload: {
    ServerUri: 'https://o',
    Event: {
      Id: 'Events-1',
      RelatedDocumentIds: ['Deployments-1'],
      Category: 'DeploymentSucceeded',
      Username: 'system',
      Message: 'Deploy to Production succeeded for shop release 1.0.3 to Production',
      Occurred: 'x',
      Comments: null,
      Details: null,
    },
  },
})
open('octopus failed', {
  Timestamp: 'x',
  EventType: 'SubscriptionPayload',
  Payload: {
    ServerUri: 'https://o',
    Event: {
      Id: 'Events-1',
      RelatedDocumentIds: ['Deployments-1'],
      Category: 'DeploymentFailed',
      Username: 'system',
      Message: 'Deploy to Production failed for shop release 1.0.3 to Production',
      Occurred: 'x',
    },
  },
})
quiet('honeybadger deploy', {
  event: 'deployed',
  message: '[p] ann deployed abc',
  project: { id: 1, name: 'p' },
  deploy: {
    id: 1,
    environment: 'production',
    revision: 'abc',
    repository: 'git@x',
    local_username: 'ann',
    created_at: 'x',
  },
})
quiet('rollbar deploy', {
  event_name: 'deploy',
  data: {
    deploy: { id: 1, environment: 'production', comment: 'x', revision: 'abc', project_id: 1, status: 'succeeded' },
  },
})
quiet('bugsnag release', {
  account: { id: 'a' },
  project: { id: 'p', name: 'p' },
  trigger: { type: 'release', message: 'New release' },
  release: { id: 'r', version: '1.2', releaseTime: 'x', releaseStage: 'production', url: 'https://b' },
})
quiet('sentry deploy/release', { event: 'release.deployed', release: { version: '1.2' }, project: 'p' })
quiet('new relic deployment', {
  event: 'deployment',
  deployment: { revision: '1.2', changelog: 'Fix error', user: 'a' },
  application: { name: 'shop' },
})
quiet('github deployment_status', {
  action: 'created',
  deployment_status: { state: 'success', description: 'Deployed', environment: 'production', target_url: 'https://x' },
  deployment: { id: 1, sha: 'abc', ref: 'main', task: 'deploy', environment: 'production' },
  repository: { full_name: 'a/b' },
})
open('github deployment failure', {
  action: 'created',
  deployment_status: {
    state: 'failure',
    description: 'Deploy failed',
    environment: 'production',
    target_url: 'https://x',
  },
  deployment: { id: 1, sha: 'abc', ref: 'main', task: 'deploy', environment: 'production' },
  repository: { full_name: 'a/b' },
})
open('deploy failed event', { event: 'deploy', status: 'failed', app: 'shop', message: 'Deploy failed: exit 1' })
open('deploy event error', { action: 'deploy', app: 'shop', error: 'Timeout while waiting for pods' })
// tests
quiet('grafana test', {
  receiver: '',
  status: 'firing',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'TestAlert', instance: 'Grafana' },
      annotations: { summary: 'Notification test' },
      startsAt: 'x',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: '',
      fingerprint: '57c6d9296de2ad39',
      silenceURL: 'https://g',
      dashboardURL: '',
      panelURL: '',
      values: null,
      valueString: "[ metric='foo' labels={instance=bar} value=10 ]",
    },
  ],
  groupLabels: { alertname: 'TestAlert', instance: 'Grafana' },
  commonLabels: { alertname: 'TestAlert', instance: 'Grafana' },
  commonAnnotations: { summary: 'Notification test' },
  externalURL: 'http://localhost:3000/',
  version: '1',
  groupKey: 'test-57c6d9296de2ad39-1653995839',
  truncatedAlerts: 0,
  orgId: 1,
  title: '[FIRING:1] TestAlert Grafana ',
  state: 'alerting',
  message: '**Firing**...',
})
quiet('grafana legacy test', {
  ruleName: 'Test notification',
  ruleId: 0,
  ruleUrl: 'https://g',
  title: '[Alerting] Test notification',
  state: 'alerting',
  message: 'Someone is testing the alert notification within Grafana.',
  evalMatches: [],
  orgId: 0,
  panelId: 1,
  dashboardId: 1,
  tags: {},
})
quiet('datadog test', {
  id: '1',
  title: '[Test] [Triggered] CPU is high',
  last_updated: '1',
  event_type: 'metric_alert_monitor',
  alert_transition: 'Triggered',
  body: '%%%\nThis is a test notification\n%%%',
  org: { id: '1', name: 'a' },
  alert_type: 'error',
  date: 1,
})
quiet('datadog test 2', {
  title: '[Test] CPU is high',
  event_type: 'metric_alert_monitor',
  last_updated: '1',
  body: 'CPU over 90',
  org: { id: '1', name: 'a' },
})
quiet('new relic test', {
  id: 'TEST',
  issueUrl: 'https://radar-api.service.newrelic.com/accounts/1/issues/0ea2df1c',
  title: 'Memory Used % > 90 for at least 2 minutes on "Some-Entity"',
  priority: 'HIGH',
  impactedEntities: ['logs.itg.cloud', 'MonitorTTFB query'],
  totalIncidents: 42,
  state: 'ACTIVATED',
  trigger: 'INCIDENT_ADDED',
  isCorrelated: true,
  createdAt: 1,
  updatedAt: 2,
  sources: ['newrelic'],
  alertPolicyNames: ['Policy1', 'Policy2'],
  alertConditionNames: ['condition1', 'condition2'],
  workflowName: 'DBA Team workflow test',
  issueId: '00000000-0000-0000-0000-000000000000',
  isTest: true,
})
quiet('new relic test 2', {
  issueUrl: 'https://radar-api.service.newrelic.com/accounts/1/issues/1',
  title: 'Test notification',
  priority: 'HIGH',
  impactedEntities: ['a'],
  alertPolicyNames: ['p'],
  alertConditionNames: ['Test condition'],
  state: 'ACTIVATED',
  workflowName: 'Test workflow',
})
quiet('new relic legacy test', {
  account_id: 1,
  account_name: 'a',
  condition_id: 0,
  condition_name: 'New Relic Alert - Test Condition',
  current_state: 'test',
  details: 'New Relic Alert - Channel Test',
  event_type: 'NOTIFICATION',
  incident_acknowledge_url: 'https://x',
  incident_id: 0,
  incident_url: 'https://x',
  policy_name: 'New Relic Alert - Test Policy',
  severity: 'INFO',
  timestamp: 1,
})
quiet('better stack test', {
  data: {
    id: '1',
    type: 'incident',
    attributes: {
      name: 'Test incident',
      url: 'https://x',
      cause: 'This is a test incident',
      status: 'Started',
      started_at: 'x',
      resolved_at: null,
    },
  },
})
quiet('better stack test 2', {
  data: {
    id: '25',
    type: 'incident',
    attributes: {
      name: 'uptime homepage',
      url: 'https://uptime.betterstack.com/',
      http_method: 'get',
      cause: 'Status 404',
      incident_group_id: null,
      started_at: 'x',
      acknowledged_at: null,
      resolved_at: null,
      status: 'Started',
      test: true,
    },
  },
})
quiet('uptimerobot test', {
  monitorID: '777',
  monitorURL: 'http://test.com',
  monitorFriendlyName: 'Test monitor',
  alertType: '1',
  alertTypeFriendlyName: 'Down',
  alertDetails: 'This is a test alert',
  alertDuration: '0',
})
quiet('uptimerobot test 2', {
  monitorID: '*monitorID*',
  monitorURL: '*monitorURL*',
  monitorFriendlyName: 'Test',
  alertType: '1',
  alertTypeFriendlyName: 'Down',
  alertDetails: 'Connection timeout (test)',
})
quiet('kuma test', { heartbeat: null, monitor: null, msg: 'Uptime Kuma Test' })
quiet('kuma test 2', { msg: 'My Webhook Testing' })
quiet('pagerduty test', { event: { event_type: 'pagey.ping', data: { message: 'Hello from your friend Pagey!' } } })
quiet('opsgenie test', {
  action: 'Create',
  alert: { alertId: '1', message: 'Test Alert', tags: [], alias: 't' },
  source: { name: 'x' },
})
quiet('betteruptime heartbeat ok', { data: { type: 'heartbeat', attributes: { name: 'x', status: 'up' } } })
quiet('statuspage test', {
  meta: {},
  page: { id: 'p', status_indicator: 'none' },
  incident: {
    id: '1',
    name: 'Test incident',
    status: 'investigating',
    impact: 'none',
    incident_updates: [{ body: 'This is a test' }],
  },
})
quiet('test title', { title: 'Test alert from Acme', status: 'triggered' })
quiet('test alert name', { alert_name: 'Test alert', message: 'Test', state: 'firing' })
quiet('sentry test', {
  action: 'triggered',
  data: {
    event: {
      event_id: '1',
      title: 'This is an example JavaScript exception',
      message: 'This is an example JavaScript exception',
      platform: 'javascript',
      tags: [['sample_event', 'yes']],
    },
  },
})
open('TestRunner', { message: 'TestRunner crashed: out of memory', type: 'test' })
open('test typed failed', { type: 'test', message: 'Checkout test failed: timeout' })
open('test type sev', { type: 'test', severity: 'critical', message: 'Suite aborted' })
quiet('type test', { type: 'test', message: 'Hello from Acme' })
open('test in name', { alert_name: 'Load test errors', message: 'Error rate above 5 %', state: 'firing' })
open('testing in msg', { level: 'error', message: 'Testing connection failed' })
quiet('netlify building', {
  id: 'n',
  site_id: 's',
  state: 'building',
  name: 'shop',
  error_message: null,
  branch: 'main',
  commit_ref: null,
  title: null,
})
quiet('netlify building 2', {
  id: 'n',
  site_id: 's',
  state: 'building',
  name: 'shop',
  branch: 'main',
  title: 'Fix TypeError',
  commit_url: 'https://g',
  deploy_url: 'https://d',
})
quiet('monitor active 200', {
  monitor: { name: 'Shop', url: 'https://x' },
  status: 'active',
  statusCode: 200,
  latency: 30,
})
quiet('openstatus recovered', {
  monitor: { id: 1, name: 'Shop', url: 'https://x' },
  cronTimestamp: 1,
  status: 'recovered',
  statusCode: 200,
  latency: 100,
})
quiet('openstatus active', {
  monitor: { id: 1, name: 'Shop', url: 'https://x' },
  cronTimestamp: 1,
  status: 'active',
  statusCode: 200,
})
open('openstatus error', {
  monitor: { id: 1, name: 'Shop', url: 'https://x' },
  cronTimestamp: 1,
  status: 'error',
  statusCode: 500,
  errorMessage: 'boom',
})
const kibana = (ag: string) => ({
  rule: { id: 'r1', name: 'Orders fail', type: '.es-query' },
  alert: { id: 'host-a', actionGroup: ag, uuid: 'u' },
  context: { message: 'Document count is 12', date: 'x' },
  date: 'x',
})
resolves('kibana', kibana('query matched'), kibana('recovered'))
resolves(
  'kibana flat',
  { ruleId: 'r', ruleName: 'Orders', alertId: 'a', alertActionGroup: 'threshold met', message: 'x is 12' },
  { ruleId: 'r', ruleName: 'Orders', alertId: 'a', alertActionGroup: 'recovered', message: 'Recovered' },
)
resolves(
  'kibana nested only alert',
  { alert: { id: 'a', actionGroup: 'threshold met' }, message: 'Threshold met', ruleName: 'Orders' },
  { alert: { id: 'a', actionGroup: 'recovered' }, message: 'Orders recovered', ruleName: 'Orders' },
)
quiet('kuma discord up', { embeds: [{ title: '✅ Your service web1 is up! ✅' }] })
quiet('slack RESOLVED', { text: '[RESOLVED] Disk full on web1' })
quiet('slack RESOLVED 2', { text: 'RESOLVED: Disk full on web1' })
quiet('slack RESOLVED 3', { text: 'RESOLVED Disk full on web1' })
quiet('slack RESOLVED 4', { text: ':white_check_mark: *RESOLVED* Disk full on web1' })
quiet('slack RESOLVED 5', { attachments: [{ title: 'RESOLVED Disk full on web1', text: 'Disk at 95 %' }] })
quiet('slack RESOLVED 6', { attachments: [{ color: 'good', title: '[RESOLVED] Disk full', text: 'x' }] })
resolves('slack resolves', { text: '[FIRING] Disk full on web1' }, { text: '[RESOLVED] Disk full on web1' })
resolves(
  'alertmanager slack',
  { attachments: [{ title: '[FIRING:1] DiskFull web1', text: 'Disk full', color: 'danger' }] },
  { attachments: [{ title: '[RESOLVED] DiskFull web1', text: 'Disk full', color: 'good' }] },
)
open('resolve failure', { text: 'RESOLVED hosts could not be reached' })
open('slack plain', { text: 'Deploy failed for shop' })
quiet('teams ok', { '@type': 'MessageCard', themeColor: '00ff00', title: '[RESOLVED] Disk full', text: 'x' })

// Chats have one headline for everything. Facts and further lines tell what an alert is about.
const chats: Readonly<Record<string, (host: string) => object>> = {
  'lines of Slack': (host) => ({ text: `Alert: CPU high\n*Host:* ${host}` }),
  'fields of Slack': (host) => ({
    text: 'CPU high',
    attachments: [{ color: 'danger', fields: [{ title: 'Host', value: host, short: true }] }],
  }),
  'blocks of Slack': (host) => ({
    text: 'CPU high',
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: '*CPU high*' } },
      { type: 'section', fields: [{ type: 'mrkdwn', text: `*Host:*\n${host}` }] },
    ],
  }),
  'fields of Discord': (host) => ({
    embeds: [{ title: 'Alert', description: 'CPU high', fields: [{ name: 'Host', value: host }] }],
  }),
  'facts of a message card': (host) => ({
    '@type': 'MessageCard',
    title: 'CPU high',
    sections: [{ facts: [{ name: 'Host', value: host }] }],
  }),
  'facts of an adaptive card': (host) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          body: [
            { type: 'TextBlock', text: 'CPU high' },
            { type: 'FactSet', facts: [{ title: 'Host', value: host }] },
          ],
        },
      },
    ],
  }),
  'widgets of Google Chat': (host) => ({
    cards: [
      {
        header: { title: 'CPU high' },
        sections: [{ widgets: [{ keyValue: { topLabel: 'Host', content: host } }] }],
      },
    ],
  }),
}
for (const [title, body] of Object.entries(chats)) {
  differ(`the host in ${title}`, body('web1'), body('web2'))
  same(`the same host in ${title}`, body('web1'), body('web1'))
}
const discord = (description: string) => ({ embeds: [{ title: 'Alert', description }] })
differ('what stands below a common headline', discord('The disk of db1 is full'), discord('The fan of db1 failed'))
const nas = (head: string, alert: string) => ({ text: `TrueNAS @ depot\n\n${head}:\n* ${alert}` })
differ('alerts below the name of a server', nas('New alert', 'Pool a is DEGRADED'), nas('New alert', 'Fan 3 failed'))
resolves(
  'alerts below the name of a server',
  nas('New alert', 'Pool a is DEGRADED'),
  nas('The following alert has been cleared', 'Pool a is DEGRADED'),
)

// The documented format has no field for a machine.
const documented = (message: string, fields = {}) => ({ message, severity: 'critical', ...fields })
const outages: readonly (readonly [string, string])[] = [
  ['web1 is down', 'web2 is down'],
  ['web-01 went offline.', 'web-02 went offline.'],
  ['Host web1 unreachable', 'Host web2 unreachable'],
  ['No response from db1:5432', 'No response from db2:5432'],
  ['1.2.3.4 refused', '5.6.7.8 refused'],
  ['10.0.0.1:80 is not responding', '10.0.0.2:80 is not responding'],
  ['web-1.shop.example is down', 'web-2.shop.example is down'],
  ['https://shop.example/cart is unavailable', 'https://mail.example/cart is unavailable'],
]
for (const [one, other] of outages) differ(`a documented outage: ${one}`, documented(one), documented(other))
differ(
  'a documented outage at the root of another host',
  documented('Disk full', { url: 'https://web1/' }),
  documented('Disk full', { url: 'https://web2/' }),
)
const failures: readonly (readonly [string, string])[] = [
  ['Timeout after 123 ms', 'Timeout after 456 ms'],
  ['User 42 not found', 'User 43 not found'],
  ['user42 not found', 'user43 not found'],
  ['10.0.0.7 failed 3 times', '10.0.0.8 failed 4 times'],
  ['failed to call api1.example.com', 'failed to call api2.example.com'],
  ['User 42 is offline', 'User 43 is offline'],
  ['web1:8080 is down since 10:30', 'web1:8081 is down since 10:45'],
  ['https://shop.example/pay/17 is unavailable', 'https://shop.example/pay/18?id=7 is unavailable'],
  [
    'Session 5f0e1d2c-0000-4000-8000-000000000001 is unavailable',
    'Session 0a0b0c0d-1111-4111-9111-0123456789ab is unavailable',
  ],
  ['pod shop-7c9f8b6d5-x2xkq is down', 'pod shop-5d4c7f9b8-9zzlp is down'],
]
for (const [one, other] of failures) same(`a documented failure: ${one}`, documented(one), documented(other))
same(
  'a documented outage that a request finds',
  documented('Service unavailable', { url: 'https://a.example/pay', method: 'GET' }),
  documented('Service unavailable', { url: 'https://b.example/pay', method: 'GET' }),
)
same(
  'a documented outage that the application throws',
  documented('db1 is unavailable', { exception: 'DatabaseError' }),
  documented('db2 is unavailable', { exception: 'DatabaseError' }),
)

const kinds = ['type', 'event', 'event_type', 'eventType', 'action', 'kind']
const verbs = ['ping', 'pong', 'heartbeat', 'keep-alive', 'app.ping', 'test', 'webhook.test', 'session', 'usage']
const outageTexts = ['Host web1 is unreachable', 'Ping to 10.0.0.1 failed', 'No heartbeat from worker for 10 minutes']
const told = (kind: string, verb: string, fields = {}) => ({ [kind]: verb, date: '2026-01-01', ...fields })
for (const [index, verb] of verbs.entries()) {
  const [kind = '', message = ''] = [kinds[index % kinds.length], outageTexts[index % outageTexts.length]]
  for (const fields of [{}, { severity: 'critical' }, { severity: 'critical', host: 'web1' }])
    open(`${kind}: ${verb}, ${message}, ${Object.keys(fields)}`, told(kind, verb, { message, ...fields }), { message })
}
open('a ping that is only critical', told('event', 'ping', { message: 'Latency of 900 ms', severity: 'critical' }))
for (const verb of ['ping', 'heartbeat', 'keep-alive']) {
  quiet(`${verb} alone`, told('event', verb))
  quiet(`${verb} with a greeting`, told('type', verb, { message: 'Hello from web1', severity: 'info' }))
}
// Alerts have a level, too. A log line has one without a state, and its host is where it was written.
const leveled = (host: string, extra: object) => ({ message: 'Host is down', host, level: 'error', ...extra })
for (const [begun, over] of [
  [{ status: 'firing' }, { status: 'resolved' }],
  [{ status: 'down' }, { status: 'up' }],
  [{ state: 'critical' }, { state: 'recovered' }],
] as const) {
  const words = Object.values(begun).join()
  differ(`a level and ${words}`, leveled('db1', begun), leveled('db2', begun))
  resolves(`a level and ${words}`, leveled('db1', begun), leveled('db1', over))
}
same('the log lines of two hosts', leveled('web1', {}), leveled('web2', {}))
same('failed jobs on two hosts', leveled('web1', { status: 'failed' }), leveled('web2', { status: 'failed' }))
differ(
  'a level and a name in the sentence',
  { message: 'db1 is down', level: 'error' },
  { message: 'db2 is down', level: 'error' },
)
for (const message of ['Disk full', 'Disk full on root volume', 'Connection refused', 'Host unreachable'])
  differ(`two hosts: ${message}`, { message, host: 'db1' }, { message, host: 'db2' })
