import { expect, it } from 'vitest'
import { differ, keysOf, open, quiet, resolves, same } from './testing-tickets.ts'

// Bodies in the shapes that hypervisors, clouds, network monitors, and mail gateways send, shortened.

let events = 0
/** The number of an event, which each delivery has for itself. */
const once = () => {
  events += 1
  return events
}

// Proxmox VE: the severity tells a good backup from a failed one.
const backup = (title: string, severity: string) => ({
  title: `vzdump backup status (pve1): ${title}`,
  message: 'Details\n=======\nVMID Name\n100 web',
  severity,
})
quiet('a good backup of Proxmox VE', backup('backup successful', 'info'))
open('a failed backup of Proxmox VE', backup('backup failed', 'error'))
quiet('updates of Proxmox VE', {
  title: 'Updates (pve1)',
  message: 'libc 2.36',
  severity: 'notice',
  fields: { type: 'x' },
})
// Google Cloud: JSON lines of an application.
quiet('a line of Google Cloud with a service', { severity: 'INFO', message: 'cache hit', service: 'api' })
quiet('a line of Google Cloud with a time', { severity: 'DEBUG', message: 'cache hit', time: '2026-11-30T10:00:00Z' })
quiet('a line of Google Cloud with a request', {
  severity: 'INFO',
  message: 'cart viewed',
  httpRequest: { requestMethod: 'GET', status: 200, requestUrl: 'https://shop.example/cart' },
})
quiet('a line with a logger', { severity: 'info', message: 'ann signed in', logger: 'auth' })
quiet('a line with a host', { severity: 'info', message: '3 jobs done', host: 'web1' })
open('an error of Google Cloud', { severity: 'ERROR', message: 'cache lost', service: 'api' })
for (const extra of [
  { trace_id: 'a1' },
  { user: { id: 7 }, session: 'x' },
  { metadata: { plan: 'pro' }, tags: ['cart'] },
])
  open(`a documented report with ${Object.keys(extra).join(' and ')}`, {
    severity: 'info',
    message: 'cart viewed',
    ...extra,
  })
// Netdata
const netdata = (node: string, severity: string, message: string) => ({ message, alert: '10min_cpu', severity, node })
resolves(
  'an alert of Netdata',
  netdata('web1', 'critical', 'web1, system.cpu, is at 97 %'),
  netdata('web1', 'clear', 'web1, system.cpu, recovered'),
)
differ('two nodes of Netdata', netdata('web1', 'critical', 'cpu at 97 %'), netdata('web2', 'critical', 'cpu at 97 %'))

// Monitors that send the severity of a rule with each state
const solarWinds = (Status: string, Message: string, rest: object = {}) => ({
  AlertName: 'Disk',
  Node: 'db1',
  Severity: 'Critical',
  Status,
  Message,
  ...rest,
})
for (const status of ['Up', 'OK', 'Normal', 'online'])
  resolves(`${status} beside a severity`, solarWinds('Down', 'Disk 97 %'), solarWinds(status, 'Disk 40 %'))
resolves(
  'the same in the fields of the alert',
  { alert: { name: 'Disk', state: 'critical' }, host: 'db1', severity: 'critical', message: 'Disk 97 %' },
  { alert: { name: 'Disk', state: 'ok' }, host: 'db1', severity: 'critical', message: 'Disk 40 %' },
)
resolves('a state after a lower severity', solarWinds('Down', 'Disk'), solarWinds('Up', 'Disk', { Severity: 'Info' }))
quiet('a check that is well', {
  check: 'disk',
  host: 'db1',
  severity: 'critical',
  status: 'ok',
  message: 'disk at 40 %',
})
quiet('a machine that is well', { name: 'disk', host: 'db1', severity: 'high', state: 'OK' })
quiet('the output of a plugin', { service: 'disk', host: 'db1', level: 'critical', state: 'OK', output: 'DISK OK' })
open('a severity beside a state that is not well', solarWinds('Warning', 'Disk 91 %'))
open('a log line of an answered request', { level: 'error', host: 'web1', status: 'ok', message: 'Cart took 30 s' })
open('an error of an application on a host', { severity: 'error', host: 'web1', status: 'ok', message: 'Slow cart' })
open('a state without anything watched', { severity: 'critical', status: 'ok', message: 'Stock below zero' })
open('the former state', { host: 'web1', severity: 'critical', previous_status: 'ok', message: 'Load at 30' })
open('an outage beside a state', { host: 'web1', severity: 'critical', status: 'ok', message: 'web1 is unreachable' })
open('a success of something else', { alert: 'Search', severity: 'critical', status: 'success', message: 'p95 at 3 s' })

// PRTG: `%status` names the state that ended, and the present one.
const prtg = (sensorid: string, status: string, message: string, device = 'SRV-01') => ({
  sensorid,
  device,
  sensor: 'Ping',
  status,
  message,
})
open('a sensor of PRTG', prtg('1', 'Down', 'timeout'), { title: 'Ping on SRV-01: timeout' })
differ('sensors of one name on two devices', prtg('1', 'Down', 'timeout'), prtg('2', 'Down', 'timeout', 'SRV-02'))
resolves('Down ended', prtg('1', 'Down', 'timeout'), prtg('1', 'Down ended (now: Up)', '5 msec'))
resolves('Warning ended', prtg('1', 'Warning', '80 %'), prtg('1', 'Warning ended (now: Up)', 'OK'))
open('Warning ended because it is down', prtg('1', 'Warning ended (now: Down)', 'timeout'))
open('Paused ended because it is down', prtg('1', 'Paused ended (now: Down)', 'timeout'))
quiet('Down, acknowledged', prtg('1', 'Down (Acknowledged)', 'timeout'))
quiet('Paused', prtg('1', 'Paused (paused by parent)', 'Paused'))
quiet('Unknown', prtg('1', 'Unknown', 'No data yet'))
resolves(
  'PRTG in a chat',
  { text: '[PRTG] SRV-01 Ping Down (timeout)' },
  { text: '[PRTG] SRV-01 Ping Down ended (now: Up) (5 msec)' },
)
quiet('PRTG in a chat that ends a warning', { text: '[PRTG] SRV-01 Disk Warning ended (now: Up) (OK)' })
open('PRTG in a chat that ends a pause', { text: '[PRTG] SRV-01 Ping Paused ended (now: Down) (timeout)' })

// Several alerts in one body, whose entries have no message
const disk = (host: string, status: string, rest: object = {}) => ({ name: 'Disk', host, status, ...rest })
const both = [disk('db1', 'firing', { value: 97 }), disk('db2', 'firing', { value: 98 })]
const wrapped: Readonly<Record<string, object>> = {
  alerts: { alerts: both },
  'alerts in data': { data: { alerts: both } },
  'alerts with a state for all': { status: 'firing', alerts: both.map(({ name, host }) => ({ name, host })) },
  'monitors with ids': {
    monitors: [
      { id: 71, name: 'Shop', status: 'down' },
      { id: 72, name: 'Blog', status: 'down' },
    ],
  },
  'devices with alerts': {
    data: [
      { device: 'sw1', alert: 'Port down' },
      { device: 'sw2', alert: 'Port down' },
    ],
  },
}
for (const [name, body] of Object.entries(wrapped))
  it(`opens a ticket for each of several ${name}`, () => {
    expect(new Set(keysOf(body)).size).toBe(2)
  })
resolves('one of several alerts', disk('db1', 'firing'), { alerts: [disk('db1', 'resolved', { value: 50 })] })
resolves('a name after a state', { state: 'firing', name: 'Disk' }, { state: 'resolved', name: 'Disk', value: 50 })
open('a name after a state', { state: 'firing', source: 'mon', name: 'Disk' }, { title: 'Disk' })
const single: Readonly<Record<string, object>> = {
  'a build with its checks': { name: 'Build', status: 'failed', checks: both },
  'a machine with its problems': { host: 'db1', status: 'critical', problems: [{ name: 'Disk' }, { name: 'Load' }] },
  'a summary of alerts': { message: '2 alerts fire', alerts: both },
  'an incident with its alerts': { incident: { id: 'i1', title: 'Slow', status: 'triggered' }, alerts: both },
  'a list of orders': {
    data: [
      { name: 'Order 1', status: 'failed' },
      { name: 'Order 2', status: 'failed' },
    ],
  },
}
for (const [name, body] of Object.entries(single))
  it(`reads one report: ${name}`, () => {
    expect(keysOf(body)).toHaveLength(1)
  })

// Adaptive cards of Microsoft Teams
const block = (text: string) => ({ type: 'TextBlock', text, wrap: true })
const card = (...body: readonly object[]) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: { type: 'AdaptiveCard', version: '1.4', body, actions: [{ type: 'Action.OpenUrl', title: 'View' }] },
    },
  ],
})
const alertCard = (state: string, rule: string, host: string) =>
  card(block(`[${state}] ${rule} (${host})`), block(`# Alerts ${state}:\nLabels:\n - instance = ${host}`))
open('a card of Alertmanager', alertCard('FIRING:1', 'HighCPU', 'web1'), { title: '[FIRING:1] HighCPU (web1)' })
differ('two cards', alertCard('FIRING:1', 'HighCPU', 'web1'), alertCard('FIRING:1', 'HighCPU', 'web2'))
resolves('a card', alertCard('FIRING:1', 'HighCPU', 'web1'), alertCard('RESOLVED', 'HighCPU', 'web1'))
quiet('a card of a recovery', card(block('[RESOLVED] HighCPU (web1)')))
quiet(
  'a card whose text says that it is over',
  card(block('[RESOLVED] HighCPU'), block('CPU is back to normal on web1')),
)
const checkmk = (host: string, change: string) =>
  card(block(`Checkmk: ${host}/CPU load ${change}`), {
    type: 'FactSet',
    facts: [
      { title: 'Affected host', value: host },
      { title: 'Summary', value: `15 min load: ${change.length}` },
    ],
  })
resolves('a card of Checkmk', checkmk('db1', 'OK -> CRIT'), checkmk('db1', 'CRIT -> OK'))
differ('cards of Checkmk', checkmk('db1', 'OK -> CRIT'), checkmk('db2', 'OK -> CRIT'))
same('a card of Checkmk', checkmk('db1', 'OK -> WARN'), checkmk('db1', 'WARN -> CRIT'))
const nested = (text: string) =>
  card({
    type: 'Container',
    items: [{ type: 'ColumnSet', columns: [{ type: 'Column', items: [block(`**${text}**`)] }] }],
  })
open('a text in columns', nested('[Shop] went down'), { title: '[Shop] went down' })
resolves('a text in columns', nested('[Shop] went down'), nested('[Shop] is back online'))
open(
  'a paragraph in parts',
  card({ type: 'RichTextBlock', inlines: ['Shop is ', { type: 'TextRun', text: 'down' }] }),
  {
    title: 'Shop is down',
  },
)
open('a card alone', { type: 'AdaptiveCard', body: [block('Backup of db1 has failed')] }, { title: /^Backup of db1/ })
open('a card without text', card({ type: 'Image', url: 'https://shop.example/a.png' }))
it('opens a ticket for each card of a message', () => {
  const [one, other] = [card(block('Shop is down')), card(block('Blog is down'))]
  expect(keysOf({ type: 'message', attachments: [...one.attachments, ...other.attachments] })).toHaveLength(2)
})

// Sentences that end with the state of a check
const icinga = (text: string) => ({ text })
resolves('a check in a chat', icinga('PROBLEM: disk on db1 is CRITICAL'), icinga('RECOVERY: disk on db1 is OK'))
differ('checks in a chat', icinga('PROBLEM: disk on db1 is CRITICAL'), icinga('PROBLEM: disk on db2 is CRITICAL'))
resolves('a transition in a chat', icinga('db1/CPU OK → CRIT: load 34'), icinga('db1/CPU CRIT → OK: load 1'))
open('a transition that is not over', icinga('db1/CPU CRIT -> WARN'))
differ('sentences about what is critical', icinga('This is critical for ann'), icinga('This is critical for bob'))

// Mails, and notifications in their form: a subject, and a message of several lines
const zabbixMail = (subject: string, start: string, host: string) => ({
  To: 'ops',
  Subject: subject,
  Message: `${start} at 10:00:05 on 2026.11.30\nProblem name: No ping\nHost: ${host}\nOriginal problem ID: ${once()}`,
})
const noPing = (host: string) => zabbixMail('Problem: No ping', 'Problem started', host)
open('a mail of Zabbix', noPing('sw-1'), { title: 'Problem: No ping' })
differ('mails about two hosts', noPing('sw-1'), noPing('sw-2'))
same('a mail again', noPing('sw-1'), noPing('sw-1'))
resolves('a mail', noPing('sw-1'), zabbixMail('Resolved in 2m 1s: No ping', 'Problem has been resolved', 'sw-1'))
const nagiosMail = (kind: string, host: string, state: string) => ({
  subject: `** ${kind} Service Alert: ${host}/HTTP is ${state} **`,
  text: `***** Nagios *****\n\nNotification Type: ${kind}\nService: HTTP\nHost: ${host}\n\n${state} - ${kind.length} ms`,
})
open('a mail of Nagios', nagiosMail('PROBLEM', 'web1', 'CRITICAL'), { title: /PROBLEM Service Alert: web1\/HTTP/ })
differ('mails of Nagios', nagiosMail('PROBLEM', 'web1', 'CRITICAL'), nagiosMail('PROBLEM', 'web2', 'CRITICAL'))
resolves('a mail of Nagios', nagiosMail('PROBLEM', 'web1', 'CRITICAL'), nagiosMail('RECOVERY', 'web1', 'OK'))
const messageCard = (state: string, host: string) => ({
  '@type': 'MessageCard',
  title: `[${state}] HighCPU (${host})`,
  text: `# Alerts ${state}:\n\nLabels:\n - alertname = HighCPU\n - instance = ${host}`,
})
open('a message card', messageCard('FIRING:1', 'web1'), { title: '[FIRING:1] HighCPU (web1)' })
differ('message cards', messageCard('FIRING:1', 'web1'), messageCard('FIRING:1', 'web2'))
resolves('a message card', messageCard('FIRING:1', 'web1'), messageCard('RESOLVED', 'web1'))
open('a failed backup below its subject', backup('backup failed', 'error'), { title: /^vzdump backup status \(pve1\)/ })
open('a subject that names nothing', { subject: 'Alert', message: 'Disk of db1 is full\nat 97 %' }, { title: /^Disk/ })
open(
  'a stack below a title',
  { title: 'Cart', message: 'TypeError: x is null\n    at a (cart.js:1:2)' },
  { title: /^Type/ },
)
open('one line below a title', { title: 'Backup', message: 'Disk of db1 is full' }, { title: 'Disk of db1 is full' })
// Webhooks of Zabbix with the parameters of its media types
const zabbix = (host: string, event_value: string, rest: object = {}) => ({
  event_id: String(once()),
  event_value,
  event_name: 'High CPU',
  event_severity: 'Average',
  host_name: host,
  trigger_id: '23456',
  alert_subject: event_value === '1' ? 'Problem: High CPU' : 'Resolved in 2m: High CPU',
  alert_message: `Problem ${event_value === '1' ? 'started' : 'has been resolved'} at 10:00:05\r\nHost: ${host}`,
  ...rest,
})
open('a webhook of Zabbix', zabbix('web1', '1'), { title: 'web1: High CPU' })
differ('webhooks of Zabbix', zabbix('web1', '1'), zabbix('web2', '1'))
resolves('a webhook of Zabbix', zabbix('web1', '1'), zabbix('web1', '0'))
quiet('an update of Zabbix', zabbix('web1', '1', { event_update_status: '1' }))
// Elastic Beanstalk
const beanstalk = (environment: string, message: string) => ({
  Type: 'Notification',
  TopicArn: 'arn:aws:sns:eu-west-1:1:x',
  Subject: 'AWS Notification - Elastic Beanstalk',
  Message: `Timestamp: Mon Nov 30 10:00:00 UTC 2026\nMessage: ${message}\n\nEnvironment: ${environment}\nApplication: shop`,
})
const severe = 'Environment health has transitioned from Ok to Severe.'
open('an environment of Elastic Beanstalk', beanstalk('prod', severe), { title: `prod: ${severe}` })
differ('environments of Elastic Beanstalk', beanstalk('prod', severe), beanstalk('blog', severe))
resolves(
  'an environment of Elastic Beanstalk',
  beanstalk('prod', severe),
  beanstalk('prod', 'Environment health has transitioned from Severe to Ok.'),
)
quiet(
  'a new version of Elastic Beanstalk',
  beanstalk('prod', 'New application version was deployed to running EC2 instances.'),
)
open(
  'a notification of prose',
  {
    ...beanstalk('prod', severe),
    Subject: 'Budget',
    Message: 'Dear customer,\n\nYour budget has exceeded its limit: 100 USD.\nGo to the console.',
  },
  { title: 'Budget' },
)

// What programs on machines send, without a level and a time
const plain = (text: string) => ({ message: text })
differ('alarms of two hosts', plain('PROBLEM: web1/HTTP is CRITICAL'), plain('PROBLEM: web2/HTTP is CRITICAL'))
differ(
  'mails without a subject',
  plain('** PROBLEM Host Alert: web1 is DOWN **'),
  plain('** PROBLEM Host Alert: web2 is DOWN **'),
)
differ(
  'scripts on two hosts',
  plain('CRON: backup.sh on db01 exited with status 1'),
  plain('CRON: backup.sh on db02 exited with status 1'),
)
differ(
  'errors on two hosts',
  plain('A borgmatic error has occurred on nas1.'),
  plain('A borgmatic error has occurred on nas2.'),
)
same('problems of an application', plain('Problem: could not save cart 51'), plain('Problem: could not save cart 52'))
for (const message of [
  'Backup failed',
  'Service is not running',
  'RAID array degraded',
  'Certificate expires in 7 days',
])
  differ(`${message} at two places`, { host: 'db1', message }, { host: 'db2', message })
differ('two printers', { printer: 'HP-3F', message: 'Paper jam' }, { printer: 'HP-4F', message: 'Paper jam' })
const certificate = (days: number) => ({ domain: 'shop.example.com', message: `Certificate expires in ${days} days` })
same('a certificate on the next day', certificate(7), certificate(6))
for (const beside of [{ level: 'error' }, { time: '2026-11-30T10:00:00Z' }, { stack: 'Error: x\n    at a (b.js:1:2)' }])
  same(
    `a line with ${Object.keys(beside).join()} on two hosts`,
    { host: 'web1', message: 'Backup failed', ...beside },
    { host: 'web2', message: 'Backup failed', ...beside },
  )
same(
  'an error of an application',
  { host: 'web1', message: 'Payment failed' },
  { host: 'web2', message: 'Payment failed' },
)
const sophos = (location: string, id: string, type = 'Event::Endpoint::Threat::Detected') => ({
  type,
  location,
  endpoint_id: id,
  name: 'Malware detected',
  severity: 'high',
})
differ('computers of Sophos', sophos('LAPTOP-1', 'e1'), sophos('LAPTOP-2', 'e2'))
resolves(
  'a computer of Sophos',
  sophos('LAPTOP-1', 'e1'),
  sophos('LAPTOP-1', 'e1', 'Event::Endpoint::Threat::CleanedUp'),
)
open('a computer of Sophos', sophos('LAPTOP-1', 'e1'), { title: 'LAPTOP-1: Malware detected' })

// Splunk: the line that was found differs, and the search does not.
const splunk = (search_name: string, host: string, _raw: string) => ({
  sid: `s${once()}`,
  search_name,
  results_link: 'https://splunk.example/1',
  result: { host, _raw },
})
const logins = (host: string, user: string) => splunk('Failed logins', host, `sshd failed password for ${user}`)
same('another line of a search', logins('web1', 'root'), logins('web1', 'bob'))
differ('a search on two hosts', logins('web1', 'root'), logins('web2', 'root'))
differ('two searches', logins('web1', 'root'), splunk('Failed sudo', 'web1', 'sshd failed password for root'))
open('a search of Splunk', logins('web1', 'root'), {
  title: 'Failed logins: sshd failed password for root',
  url: /splunk/,
})
// Sumo Logic
const sumo = (TriggerType: string, TriggerValue: string, Id = 'A1') => ({
  Name: 'Errors',
  Description: 'Too many errors',
  MonitorType: 'Logs',
  TriggerType,
  TriggerValue,
  Id,
})
resolves('a monitor of Sumo Logic', sumo('Critical', '42'), sumo('ResolvedCritical', '3'))
differ('monitors of Sumo Logic', sumo('Critical', '42'), sumo('Critical', '42', 'B2'))
// Monit
const monit = (service: string, event: string, description: string) => ({
  host: 'web1',
  service,
  event,
  description,
  action: 'alert',
})
resolves(
  'a process of Monit',
  monit('nginx', 'Does not exist', 'not running'),
  monit('nginx', 'Exists', 'runs with pid 1'),
)
resolves('a limit', monit('root', 'Resource limit matched', '95 %'), monit('root', 'Resource limit succeeded', '80 %'))
differ(
  'a limit and a process',
  monit('nginx', 'Does not exist', 'not running'),
  monit('nginx', 'Resource limit matched', '9'),
)
open('an event that only exists elsewhere', { service: 'shop', event: 'Exists', message: 'Could not save: it exists' })
// HCP Terraform
const terraform = (run_status: string | null, trigger = `run:${run_status}`, workspace_name = 'infra') => ({
  notification_configuration_id: 'nc-1',
  run_id: `run-${once()}`,
  workspace_name,
  notifications: [{ message: `Run ${run_status}`, trigger, run_status }],
})
open('a failed run', terraform('errored'), { title: 'infra: Run errored' })
differ('failed runs of two workspaces', terraform('errored'), terraform('errored', 'run:errored', 'dev'))
resolves('a failed run', terraform('errored'), terraform('applied'))
quiet('a run that is planned', terraform('planning'))
quiet('a verification', terraform(null, 'verification'))
open('a drift', terraform(null, 'assessment:drifted'))
// EC2 Auto Scaling
const scaling = (event: string) => ({
  Event: `autoscaling:EC2_INSTANCE_${event}`,
  AutoScalingGroupName: 'web',
  StatusCode: event === 'LAUNCH' ? 'InProgress' : 'Failed',
  Description: 'Launching a new EC2 instance',
  Cause: 'At 2026-11-30T10:00:00Z an instance was started',
})
quiet('a launch', scaling('LAUNCH'))
open('a failed launch', scaling('LAUNCH_ERROR'), { title: /^web: Launching/ })
quiet('a work item of Azure DevOps', {
  eventType: 'workitem.updated',
  resource: { id: 5 },
  message: { text: 'Bug #5 (Crash on error) updated by Ann' },
})
open('a build of Azure DevOps', {
  eventType: 'build.complete',
  resource: { id: 2, result: 'failed' },
  message: { text: 'Build 2 failed' },
})
// Meraki
const meraki = (alertType: string, deviceName: string) => ({
  networkName: 'Main Office',
  deviceName,
  alertType,
  alertTypeId: alertType.toLowerCase().replaceAll(' ', '_'),
  alertLevel: 'critical',
})
open('an alert of Meraki', meraki('APs went down', 'AP Lobby'), { title: 'AP Lobby: APs went down' })
differ('devices of Meraki', meraki('APs went down', 'AP Lobby'), meraki('APs went down', 'AP Roof'))
// Sentences
resolves('a gateway', { text: 'Gateway WAN is down on fw1' }, { text: 'Gateway WAN is up on fw1' })
const rack = (alarm: boolean, message: string) => ({ sensor: 'Rack 1', alarm, message })
resolves('the flag of an alarm', rack(true, 'Temperature at 41'), rack(false, 'Temperature normal'))
quiet('a task that has completed', { text: '[NAS01] The backup task Daily has completed successfully. From NAS01' })
quiet('a script that finished', { text: 'backup.sh on db01 finished OK' })
open('a task that has not', { text: '[NAS01] The backup task Daily has not completed successfully. From NAS01' })
open('a script that has not', { text: 'backup.sh on db01 has not finished OK' })
open('a task that completed with errors', { text: 'Backup Daily has completed successfully. Errors: 2 files failed' })
