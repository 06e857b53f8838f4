import { describe, expect, it } from 'vitest'
import { fingerprint } from '../fingerprint.ts'
import { readErrorReports, readFormattedReports } from '../read-error-reports.ts'
import type { ErrorRecord } from '../record.ts'
import { formatOf, formats, rows } from './index.ts'
import { compileRow, type Row, toList } from './table-format.ts'

const encode = (body: unknown) => ({ body: new TextEncoder().encode(JSON.stringify(body)), headers: new Headers() })

/** The shortest body that satisfies a condition, with one value at the end of each path. */
const bodyFor = (condition: string, value: string): Record<string, unknown> => {
  const body: Record<string, unknown> = {}
  for (const term of condition.split(' & ').filter((one) => !one.startsWith('!'))) {
    const [path = ''] = (term.split(' | ')[0] ?? '').split(/~|:(?:object|list|text|number)$/, 1)
    const steps = path.replace('^', '').replaceAll('[]', '.0').split('.')
    let holder = body
    for (const step of steps.slice(0, -1)) {
      holder[step] ??= {}
      holder = holder[step] as Record<string, unknown> // made above
    }
    holder[steps.at(-1) ?? ''] = term.endsWith(':object') ? { value } : value
  }
  return body
}

/** Every expression of a row leads to this text. */
const filled = (row: Row, value: string): Record<string, unknown> => {
  const expressions = Object.entries(row).flatMap(([name, given]) =>
    ['name', 'title', 'guess', 'harmless', 'first', 'scale', 'labels'].includes(name)
      ? []
      : toList(given as string | string[]),
  )
  const paths = expressions.flatMap((expression) => expression.split(/ \| | & /)).filter((path) => !/^[!=]/.test(path))
  return Object.assign({}, ...paths.map((path) => bodyFor(path, value)), bodyFor(toList(row.when)[0] ?? '', value))
}

const hostile: Readonly<Record<string, string>> = {
  blanks: ' '.repeat(200_000),
  brackets: '['.repeat(200_000),
  words: 'a '.repeat(100_000),
  colons: 'a: '.repeat(70_000),
  titles: '[a] '.repeat(50_000),
  classes: 'A.B:'.repeat(50_000),
  percents: '%%% '.repeat(50_000),
}
/** An expression that retries at every position of such a text would take minutes. */
const maxMs = 3_000

const longest = { message: 65_535, exception: 255, file: 1_024, url: 2_048, app: 255, environment: 255, severity: 255 }
const isFit = (record: ErrorRecord): boolean =>
  Object.entries(longest).every(([field, most]) => {
    const text = record[field as keyof typeof longest] ?? '' // an entry's name is one of its object's
    return text.length <= most && !text.includes('\0')
  })

describe('the table of formats', () => {
  it.each(rows.map((row) => [row.title, row] as const))('reads hostile text in linear time: %s', (_, row) => {
    const reader = compileRow(row)
    for (const [name, text] of Object.entries(hostile)) {
      const body = filled(row, text)
      const start = performance.now()
      reader.recognizes(body)
      for (const entry of reader.split?.(body) ?? [body]) reader.read(entry, body)
      expect(performance.now() - start, name).toBeLessThan(maxMs)
    }
  })

  it.each(rows.map((row) => [row.title, row] as const))('reads values that fit the columns: %s', (_, row) => {
    const records = readErrorReports(encode(filled(row, `\0${'x'.repeat(3_000)}`)))
    expect(records.filter((record) => !isFit(record))).toEqual([])
  })

  it('finds by first keys the same row as a search through all rows', () => {
    const keys = rows.flatMap(({ when }) => toList(when).flatMap((condition) => Object.keys(bodyFor(condition, '1'))))
    const values = [1, 'error', null, [{ message: 'x', type: 'Y' }], { name: 'x', message: 'y', type: 'Y', kind: 'Z' }]
    for (let round = 0; round < 3_000; round += 1) {
      const report = Object.fromEntries(
        keys.flatMap((name, index) => {
          const draw = (round * (index + 7) * 2_654_435_761) % 97
          return draw < 90 ? [] : [[name, values[draw % values.length]]]
        }),
      )
      expect(formatOf(report).name).toBe(formats.find((format) => format.recognizes(report))?.name)
    }
  })
})

describe('rows with special conditions', () => {
  it.each([
    ['a transaction of Sentry', { event_id: '1', type: 'transaction', platform: 'node' }],
    ['a deploy of Rollbar', { event_name: 'deploy', data: { deploy: { comment: 'new prices' } } }],
    ['a page view of PostHog', { batch: [{ event: '$pageview', properties: {} }] }],
    ['a notifier of Bugsnag without events', { payloadVersion: '4', notifier: { name: 'Bugsnag' } }],
    ['a session of Exceptionless', { type: 'session', date: '2026-11-20' }],
    ['a topic of SNS that wants to be confirmed', { Type: 'SubscriptionConfirmation', TopicArn: 'arn', Message: 'm' }],
  ])('read nothing of %s', (_, body) => {
    expect(readFormattedReports(encode(body)).reports).toEqual([])
  })

  it('do not match bodies that only resemble New Relic', () => {
    const formatsOf = (body: unknown) => readFormattedReports(encode(body)).reports.map(({ format }) => format)
    expect(formatsOf({ issueUrl: 'https://errors.example/1', state: 'open', priority: 'high', title: 'a b' })).toEqual([
      'generic',
    ])
    expect(formatsOf({ eventType: 'order', error: { message: 'no cart' } })).toEqual(['generic'])
  })

  it('match AWS events about a failure, and its recovery', () => {
    const event = (type: string, detail: object) => ({ 'detail-type': type, source: 'aws.x', detail })
    const run = (state: string) => event('CodePipeline Pipeline Execution State Change', { pipeline: 'shop', state })
    const records = [
      ...['FAILED', 'STARTED', 'SUCCEEDED'].map(run),
      event('EC2 Instance Launch Unsuccessful', { StatusCode: 'Failed', StatusMessage: 'no capacity left' }),
      event('ECS Task State Change', { lastStatus: 'STOPPED', stoppedReason: 'Out of memory' }),
      event('Shop Order Placed', { message: 'The card was refused' }),
      event('Tag Change on Resource', { name: 'shop' }),
    ].flatMap((body) => readErrorReports(encode(body)))
    const opens = records.map(({ recovered, severity }) => !recovered && severity !== 'info')
    expect(opens).toEqual([true, false, false, true, true, true, false])
    expect(records[0]).toMatchObject({ message: 'shop FAILED', app: 'shop' })
    expect(records[0]?.fingerprint).toEqual(records[2]?.fingerprint)
  })

  const labels = { alertname: 'DiskFull', severity: 'critical' }
  const alertOf = (status: string, summary: string) => ({ alerts: [{ status, labels, annotations: { summary } }] })
  it.each([
    ['Alertmanager', alertOf('firing', 'full'), alertOf('resolved', 'fine')],
    [
      'Google',
      { incident: { policy_name: 'CPU', state: 'open' } },
      { incident: { policy_name: 'CPU', state: 'closed' } },
    ],
    ['CloudWatch', { AlarmName: 'q', NewStateValue: 'ALARM' }, { AlarmName: 'q', NewStateValue: 'OK' }],
    [
      'Datadog',
      { alert_transition: 'Triggered', title: '[Triggered] CPU' },
      { alert_transition: 'Recovered', title: '[Recovered] CPU' },
    ],
    [
      'Uptime Kuma',
      { heartbeat: { status: 0, msg: 'refused' }, monitor: { id: 7, name: 'Shop' } },
      { heartbeat: { status: 1, msg: '200' }, monitor: { id: 7, name: 'Shop' } },
    ],
    [
      'any alert that names its rule',
      { alert_name: 'Disk', state: 'alerting', host: { name: 'db-1' }, message: 'full' },
      { alert_name: 'Disk', state: 'ok', host: { name: 'db-1' }, message: 'fine' },
    ],
    [
      'Nagios',
      { host_name: 'web-1', service_name: 'http', notification_type: 'PROBLEM', service_output: 'timeout' },
      { host_name: 'web-1', service_name: 'http', notification_type: 'RECOVERY', service_output: '200' },
    ],
    [
      'any alert with an id',
      { title: 'Triggered: disk is full', monitor_id: 'm1' },
      { title: 'Resolved: disk is full', monitor_id: 'm1' },
    ],
  ])('give the note that it is over the key of the alert: %s', (_, fires, isOver) => {
    const [first, second] = [fires, isOver].map((body) => readErrorReports(encode(body)))
    expect([first, second].map((records) => records?.map(({ recovered }) => recovered))).toEqual([[false], [true]])
    expect(first?.map(fingerprint)).toEqual(second?.map(fingerprint))
  })

  it.each([
    [
      { alert_name: 'Disk', host: { name: 'db-1' } },
      { alert_name: 'Disk', host: { name: 'db-2' } },
    ],
    [
      { check: { url: 'https://a.example', output: 'timeout' } },
      { check: { url: 'https://b.example', output: 'timeout' } },
    ],
    [
      { alert_type: 'error', service: 'shop', message: 'No cart' },
      { alert_type: 'error', service: 'shop', message: 'No till' },
    ],
    [
      { service: 'shop', status: 'down' },
      { service: 'blog', status: 'down' },
    ],
  ])('keep alerts about different things apart: %j', (one, other) => {
    const [first, second] = [one, other].map((body) => readErrorReports(encode(body)).map(fingerprint))
    expect(first).not.toEqual(second)
  })

  it('read each message of PagerDuty’s version 2 webhook', () => {
    const message = (type: string) => ({ type, data: { incident: { id: 'i1', title: 'no cart' } } })
    const body = { messages: ['incident.trigger', 'incident.acknowledge', 'incident.resolve'].map(message) }
    expect(readErrorReports(encode(body)).map(({ severity, recovered }) => [severity, recovered])).toEqual([
      [null, false],
      ['info', false],
      [null, true],
    ])
  })
})
