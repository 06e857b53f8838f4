import { tidy } from './text.ts'

/** The four priorities of a ticket that a severity can fold into. */
export type TicketPriority = 'urgent' | 'high' | 'medium' | 'low'

/** The scales on which a number means a severity. Python and pino disagree about 40, so a reader has to know. */
export type SeverityScale = 'pino' | 'python' | 'monolog' | 'syslog' | 'otel' | 'insights'

/** One word for each severity. Words not listed are kept as they were sent, in lower case. */
const words: Readonly<Record<string, string>> = {
  emerg: 'emergency',
  panic: 'fatal',
  dpanic: 'fatal',
  crit: 'critical',
  err: 'error',
  e: 'error',
  severe: 'error',
  failure: 'error',
  fail: 'error',
  exception: 'error',
  erro: 'error',
  erreur: 'error',
  errore: 'error',
  fehler: 'error',
  fout: 'error',
  błąd: 'error',
  hata: 'error',
  ошибка: 'error',
  エラー: 'error',
  错误: 'error',
  warn: 'warning',
  w: 'warning',
  information: 'info',
  informational: 'info',
  i: 'info',
  f: 'fatal',
  d: 'debug',
  log: 'info',
  note: 'notice',
  verbose: 'trace',
  warnung: 'warning',
  avertissement: 'warning',
  advertencia: 'warning',
  aviso: 'warning',
  предупреждение: 'warning',
  ftl: 'fatal',
  wrn: 'warning',
  inf: 'info',
  dbg: 'debug',
  dbug: 'debug',
  fine: 'debug',
  vrb: 'trace',
  trce: 'trace',
}

type Steps = readonly (readonly [from: number, name: string])[]

/** The highest step not above the number names it. */
const scales: Readonly<Record<Exclude<SeverityScale, 'syslog'>, Steps>> = {
  pino: [
    [60, 'fatal'],
    [50, 'error'],
    [40, 'warning'],
    [30, 'info'],
    [20, 'debug'],
    [0, 'trace'],
  ],
  python: [
    [50, 'critical'],
    [40, 'error'],
    [30, 'warning'],
    [20, 'info'],
    [0, 'debug'],
  ],
  monolog: [
    [600, 'emergency'],
    [550, 'alert'],
    [500, 'critical'],
    [400, 'error'],
    [300, 'warning'],
    [250, 'notice'],
    [200, 'info'],
    [0, 'debug'],
  ],
  otel: [
    [21, 'fatal'],
    [17, 'error'],
    [13, 'warning'],
    [9, 'info'],
    [5, 'debug'],
    [0, 'trace'],
  ],
  insights: [
    [4, 'critical'],
    [3, 'error'],
    [2, 'warning'],
    [1, 'info'],
    [0, 'trace'],
  ],
}
const syslog = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug']

const ofNumber = (level: number, scale: SeverityScale): string | null =>
  scale === 'syslog' ? (syslog[level] ?? null) : (scales[scale].find(([from]) => level >= from)?.[1] ?? null)

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
  return (Object.hasOwn(words, word) ? words[word] : undefined) ?? word
}

const urgent = new Set([
  'fatal',
  'critical',
  'alert',
  'emergency',
  'urgent',
  'blocker',
  'highest',
  'p0',
  'p1',
  'sev0',
  'sev1',
])
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
