import { describe, expect, it } from 'vitest'
import { priorityOf, severityName } from './severity.ts'

describe('severity', () => {
  it('has one name for equivalent words of all scales', () => {
    const words = [
      'fatal',
      'ERROR',
      'err',
      'Warn',
      'warning',
      'INFORMATION',
      'crit',
      'emerg',
      'SEVERE',
      'verbose',
      'notice',
      ' high ',
    ]
    expect(words.map((word) => severityName(word))).toEqual([
      'fatal',
      'error',
      'error',
      'warning',
      'warning',
      'info',
      'critical',
      'emergency',
      'error',
      'trace',
      'notice',
      'high',
    ])
  })

  it('reads numbers on their own scale', () => {
    expect([60, 50, '40', 30].map((level) => severityName(level))).toEqual(['fatal', 'error', 'warning', 'info'])
    expect([50, 40, 30].map((level) => severityName(level, 'python'))).toEqual(['critical', 'error', 'warning'])
    expect([21, 17, 13, 9, 20].map((level) => severityName(level))).toEqual([
      'fatal',
      'error',
      'warning',
      null,
      'debug',
    ])
    expect([600, 550, 400, 250].map((level) => severityName(level))).toEqual(['emergency', 'alert', 'error', 'notice'])
    expect([0, 3, 4, 7].map((level) => severityName(level))).toEqual(['emergency', 'error', 'warning', 'debug'])
    expect([24, 17, 20, 13].map((level) => severityName(level, 'otel'))).toEqual(['fatal', 'error', 'error', 'warning'])
    expect([4, 3, 0].map((level) => severityName(level, 'insights'))).toEqual(['critical', 'error', 'trace'])
  })

  it('is null if it is missing or has the wrong type', () => {
    for (const value of [null, undefined, '', ' ', {}, [], true, -1, 1.5, Number.NaN, 9])
      expect(severityName(value)).toBeNull()
  })

  it('maps to the priority of the ticket', () => {
    const priorities = [
      'fatal',
      'critical',
      'alert',
      'emergency',
      'error',
      'high',
      'warning',
      'notice',
      'info',
      'debug',
    ].map((severity) => priorityOf({ severity, status: null }))
    expect(priorities).toEqual(['urgent', 'urgent', 'urgent', 'urgent', 'high', 'high', 'medium', 'low', 'low', 'low'])
  })

  it('has high priority without a severity, and medium priority for a 4xx status', () => {
    expect(priorityOf({ severity: null, status: null })).toBe('high')
    expect(priorityOf({ severity: 'odd', status: 500 })).toBe('high')
    expect(priorityOf({ severity: null, status: 404 })).toBe('medium')
  })
})
