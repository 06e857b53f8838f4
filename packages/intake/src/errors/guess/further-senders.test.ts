import { expect, it } from 'vitest'
import { differ, keysOf, open, quiet, resolves, same } from './testing-tickets.ts'

// Bodies in the shapes that hypervisors, clouds, network monitors, and mail gateways send, shortened.

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
