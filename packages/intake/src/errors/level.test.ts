import { describe, expect, it } from 'vitest'
import { isCounted, levelOf, opensTicket } from './level.ts'
import { readErrorReports, readFormattedReports } from './read-error-reports.ts'
import { type RecordDraft, toRecord } from './record.ts'

const levelFor = (found: RecordDraft) => levelOf(toRecord(found))
const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body))
const read = (body: unknown) => readErrorReports({ body: bytesOf(body), headers: new Headers() })

describe('the level of a report', () => {
  it('is its severity on one scale', () => {
    const words = ['debug', 'INFO', 'notice', 'warn', 'err', 'crit', 'alert', 'emerg', 'fatal', 'none', 'ok', 'p1']
    expect(words.map((severity) => levelFor({ severity }))).toEqual([
      'debug',
      'info',
      'notice',
      'warning',
      'error',
      'critical',
      'alert',
      'emergency',
      'fatal',
      'info',
      'info',
      'critical',
    ])
  })

  it('is an error without a severity, or with only an urgency', () => {
    const drafts = [{}, { message: 'm' }, { severity: 'page' }, { severity: 'low' }, { status: 404 }, { status: 500 }]
    expect(drafts.map(levelFor)).toEqual(drafts.map(() => 'error'))
  })

  it('is information for a successful request without an exception', () => {
    expect([{ status: 200 }, { status: 304, message: 'GET /' }].map(levelFor)).toEqual(['info', 'info'])
    expect(levelFor({ status: 200, exception: 'TypeError' })).toBe('error')
  })

  it('decides what is counted: warnings, lower levels if configured, and every recovery', () => {
    const [info, warning] = [toRecord({ severity: 'info' }), toRecord({ severity: 'warning' })]
    const over = toRecord({ severity: 'info', recovered: true })
    const reports = [info, warning, over].map((record) => ({ record, isDocumented: false }))
    expect(reports.map((report) => isCounted(report, null))).toEqual([false, true, true])
    expect(reports.map((report) => isCounted(report, 'fatal'))).toEqual([false, true, true])
    expect(reports.map((report) => isCounted(report, 'info'))).toEqual([true, true, true])
  })

  it('opens tickets from warning up, always for documented reports, or from the configured level up', () => {
    const [info, warning, error] = ['info', 'warning', 'error'].map((severity) => toRecord({ severity }))
    const opens = (minLevel: Parameters<typeof opensTicket>[1], isDocumented: boolean) =>
      [info, warning, error].map((record) => record !== undefined && opensTicket({ record, isDocumented }, minLevel))
    expect([opens(null, false), opens(null, true)]).toEqual([
      [false, true, true],
      [true, true, true],
    ])
    expect([opens('error', false), opens('error', true)]).toEqual([
      [false, false, true],
      [false, false, true],
    ])
  })

  it('opens a ticket for any body with only documented fields', () => {
    const documented = {
      message: '[RESOLVED] the site is up again',
      status_code: 200,
      exception: 'none',
      file: 'a.ts',
      line: 1,
      url: 'https://shop.example/',
      method: 'GET',
      framework: 'express',
      environment: 'production',
      app_name: 'shop',
      severity: 'resolved',
    }
    const fields = Object.entries(documented)
    const bodies = Array.from({ length: 2 ** fields.length }, (_, chosen) =>
      Object.fromEntries(fields.filter((__, index) => (chosen >> index) % 2 === 1)),
    )
    const quiet = bodies.filter((body) => {
      const { reports } = readFormattedReports({ body: bytesOf(body), headers: new Headers(), minLevel: null })
      return reports.length !== 1 || !reports.every((report) => opensTicket(report, null))
    })
    expect(quiet).toEqual([])
  })

  it('is the same in every format', () => {
    const bodies = {
      documented: { message: 'm', severity: 'info' },
      pino: { level: 30, time: 1, msg: 'm' },
      winston: { level: 'info', message: 'm' },
      bunyan: { level: 30, v: 0, name: 'shop', msg: 'm', time: '2026-11-20T10:00:00Z' },
      python: { levelname: 'INFO', message: 'm' },
      structlog: { event: 'm', level: 'info' },
      monolog: { level_name: 'INFO', message: 'm', channel: 'app' },
      serilog: { '@mt': 'm', '@l': 'Information' },
      gelf: { version: '1.1', host: 'a', short_message: 'm', level: 6 },
      ecs: { 'log.level': 'info', 'ecs.version': '1', message: 'm' },
      datadog: { ddsource: 'a', status: 'info', message: 'm', service: 's' },
      otlp: {
        resourceLogs: [{ scopeLogs: [{ logRecords: [{ severityNumber: 9, body: { stringValue: 'm' } }] }] }],
      },
      google: { severity: 'INFO', jsonPayload: { message: 'm' } },
      sentry: { event_id: '1', platform: 'node', level: 'info', message: 'm' },
    }
    const found = Object.entries(bodies).map(([name, body]) => [name, read(body).map(levelOf)])
    expect(found).toEqual(Object.keys(bodies).map((name) => [name, ['info']]))
  })
})
