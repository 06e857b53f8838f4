import { tidy } from '../sanitize/sanitize-text.ts'
import data from './severity.json' with { type: 'json' }

/** The ticket priorities that a severity maps to. */
export type TicketPriority = 'urgent' | 'high' | 'medium' | 'low'

/** Numeric severity scales. Python and pino disagree about 40, so each reader names its scale. */
export type SeverityScale = 'pino' | 'python' | 'monolog' | 'syslog' | 'otel' | 'insights' | 'azure'

/** Canonical names of severities. Other words are kept as sent, in lower case. */
const words: ReadonlyMap<string, string> = new Map(
  Object.entries(data.words).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
)

type Step = { readonly name: string; readonly from: number }

const parseStep = (text: string): Step => {
  const [name = '', from] = text.split(' ')
  return { name, from: Number(from) }
}
const steps = new Map(
  Object.entries(data.scales).map(([scale, names]) => [scale, names.split(', ').map(parseStep)] as const),
)

/** Uses the highest step that does not exceed the number. Syslog and Azure count down. */
const ofNumber = (level: number, scale: SeverityScale): string | null => {
  const isCountedDown = scale === 'syslog' || scale === 'azure'
  const found = steps.get(scale)?.find(({ from }) => (isCountedDown ? level === from : level >= from))
  return found?.name ?? null
}

/** 0–7 is syslog, multiples of ten are pino and bunyan, numbers between them OpenTelemetry, 100–600 Monolog. */
const likelyScale = (level: number): SeverityScale => {
  if (level < 10) return 'syslog'
  if (level < 25 && level % 10 !== 0) return 'otel'
  return level < 100 ? 'pino' : 'monolog'
}

const maxWordLength = 64
/** Constants end with the severity: `SEVERITY_NUMBER_ERROR`, `ALERT_CRITICALITY_LEVEL_WARNING`. */
const lastOfConstant = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_([A-Z]+)$/

/** The canonical name of a severity, or null if the report has none. */
export const severityName = (value: unknown, scale?: SeverityScale): string | null => {
  const level = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value
  if (typeof level === 'number')
    return Number.isInteger(level) && level >= 0 ? ofNumber(level, scale ?? likelyScale(level)) : null
  const text = typeof level === 'string' ? tidy(level, maxWordLength) : null
  if (text === null) return null
  const word = (lastOfConstant.exec(text)?.[1] ?? text).toLowerCase()
  return words.get(word) ?? word
}

const urgent = new Set('fatal critical alert emergency urgent blocker highest p0 p1 sev0 sev1'.split(' '))
const high = new Set(['error', 'high', 'major', 'p2', 'sev2'])
const medium = new Set(['warning', 'medium', 'moderate', 'normal', 'p3', 'sev3'])
const low = new Set(['notice', 'info', 'debug', 'trace', 'low', 'minor', 'trivial', 'p4', 'p5', 'sev4'])

/**
 * The priority of the ticket. A report without a severity is an error, except for a 4xx response: there the
 * caller made a mistake, and the application works.
 */
export const priorityOf = (report: {
  readonly severity: string | null
  readonly status: number | null
}): TicketPriority => {
  const { severity, status } = report
  if (severity !== null) {
    if (urgent.has(severity)) return 'urgent'
    if (high.has(severity)) return 'high'
    if (medium.has(severity)) return 'medium'
    if (low.has(severity)) return 'low'
  }
  return status !== null && status >= 400 && status < 500 ? 'medium' : 'high'
}
