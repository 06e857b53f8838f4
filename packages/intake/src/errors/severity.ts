import data from './severity.json' with { type: 'json' }
import { tidy } from './text.ts'

/** The four priorities of a ticket that a severity can fold into. */
export type TicketPriority = 'urgent' | 'high' | 'medium' | 'low'

/** The scales on which a number means a severity. Python and pino disagree about 40, so a reader has to know. */
export type SeverityScale = 'pino' | 'python' | 'monolog' | 'syslog' | 'otel' | 'insights' | 'azure'

/** One word for each severity. Words not listed are kept as they were sent, in lower case. */
const words: ReadonlyMap<string, string> = new Map(
  Object.entries(data.words).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
)

type Step = { readonly name: string; readonly from: number }

const stepOf = (text: string): Step => {
  const [name = '', from] = text.split(' ')
  return { name, from: Number(from) }
}
const steps = new Map(
  Object.entries(data.scales).map(([scale, names]) => [scale, names.split(', ').map(stepOf)] as const),
)

/** The highest step that is not above the number names it. Syslog and Azure count down. */
const ofNumber = (level: number, scale: SeverityScale): string | null => {
  const isCountedDown = scale === 'syslog' || scale === 'azure'
  const found = steps.get(scale)?.find(({ from }) => (isCountedDown ? level === from : level >= from))
  return found?.name ?? null
}

/** 0–7 is what syslog uses, the tens pino and bunyan, what lies between them OpenTelemetry, 100–600 Monolog. */
const likelyScale = (level: number): SeverityScale => {
  if (level < 10) return 'syslog'
  if (level < 25 && level % 10 !== 0) return 'otel'
  return level < 100 ? 'pino' : 'monolog'
}

const longestWord = 64
/** Constants end with what they say: `SEVERITY_NUMBER_ERROR`, `ALERT_CRITICALITY_LEVEL_WARNING`. */
const lastOfConstant = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_([A-Z]+)$/

/** The severity's common name, or null when the report does not say. */
export const severityName = (value: unknown, scale?: SeverityScale): string | null => {
  const level = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value
  if (typeof level === 'number')
    return Number.isInteger(level) && level >= 0 ? ofNumber(level, scale ?? likelyScale(level)) : null
  const given = typeof level === 'string' ? tidy(level, longestWord) : null
  if (given === null) return null
  const word = (lastOfConstant.exec(given)?.[1] ?? given).toLowerCase()
  return words.get(word) ?? word
}

const urgent = new Set('fatal critical alert emergency urgent blocker highest p0 p1 sev0 sev1'.split(' '))
const high = new Set(['error', 'high', 'major', 'p2', 'sev2'])
const medium = new Set(['warning', 'medium', 'moderate', 'normal', 'p3', 'sev3'])
const low = new Set(['notice', 'info', 'debug', 'trace', 'low', 'minor', 'trivial', 'p4', 'p5', 'sev4'])

/**
 * How pressing the ticket is. A report that names no severity is an error, except an answer in the 400s: there the
 * caller did something wrong, and nothing of ours is broken.
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
