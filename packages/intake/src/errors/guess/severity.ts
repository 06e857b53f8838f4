import { errorLevels } from '@service/contract/values'
import { isRecord } from '../../sanitize/json-path.ts'
import { pick, toText } from '../json.ts'
import { nameTest } from '../memoize.ts'
import { severityName } from '../severity.ts'
import { type Rank, rankBy } from './rank.ts'
import type { ReportNode } from './walk.ts'

// Finds the severity of a report.

export const severityRank = rankBy([
  /^(?:loglevel|levelname|criticality)$|severity(?:text|level|name|string|label)?$|^sev$/,
  /^(?:level|lvl|levelstr|errorlevel|alertlevel)$|level$/,
  /^(?:priority|urgency|impact|risk|importance)$|priority$/,
  /^s$/,
  /^type$/,
  /^(?:(?:service|host|alert|current|new)?state|messagetype)$/,
])
const maxDepth = 3
const belowError = new Set<string>(['info', 'debug', 'trace', 'notice', 'warning'])
const severities = new Set<string>([
  ...errorLevels,
  ...['high', 'medium', 'moderate', 'low', 'major', 'minor', 'urgent', 'blocker', 'highest', 'lowest'],
  ...['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'sev0', 'sev1', 'sev2', 'sev3', 'sev4', 'sev5'],
])

/** Whether a word is a severity under any name. */
export const isGraded = (name: string | null): boolean => name !== null && severities.has(name)

export const rankOfSeverity: Rank = ({ key, depth, isListed }) =>
  depth > maxDepth || isListed ? null : severityRank(key)

/** `type: "info"` is a level. Other types, such as `log`, are not. */
const isKind = nameTest(/^type$/)
const kindsBelowError = /^(?:info(?:rmation(?:al)?)?|notice|warn(?:ing)?|debug|trace)$/i

/** `service_state: "CRITICAL"`: a severity as the state. */
const isStated = nameTest(/state$|^messagetype$/)
const worst = /^(?:critical|fatal|emergency)$/i

/** The words that count under a name. Only severity names accept all of them. */
const isGrade = (key: string, given: string, name: string): boolean => {
  if (isKind(key)) return kindsBelowError.test(given)
  return isStated(key) ? worst.test(given) : severities.has(name)
}

/** Wrappers that log shippers add to a line. */
const isCarrier = nameTest(
  /^(?:data|payload|body|events?|log|logs|record|records|meta|metadata|context|ctx|labels|tags|fields|extra|attributes|properties|message|info|details?|object|alert|incident|issue|error|monitor|check|rule|entry|entries|lines|items|source|result|status|header|header_?data|common|resource|jsonpayload)$/,
)

/** Names whose numbers are severities. */
const isScale = nameTest(/^(?:level|lvl|loglevel|levelno|severity|severitynumber|priority)$/)
/** A word next to a number of an unknown scale. */
const kindOfLogger = /^(?:fatal|error|fail|warn(?:ing)?|info|success|debug|trace|verbose)$/i

const readNumber = ({ key, value, depth, parent }: ReportNode): unknown => {
  const isNear = depth === 1 || (depth === 2 && key === 'loglevel')
  // Journald sends strings; other numeric priorities have an unknown scale.
  if (!isNear || !isScale(key) || (key === 'priority' && typeof value === 'number')) return null
  return [parent['type'], parent['label']].find((kind) => kindOfLogger.test(toText(kind) ?? '')) ?? value
}

export const readSeverity = (node: ReportNode): unknown => {
  const { key, value: given, depth, owner } = node
  const value = isRecord(given) ? pick(given, 'value', 'name', 'text') : given
  if (/^\d{1,3}$/.test(toText(value) ?? '')) return readNumber(node)
  if (typeof value !== 'string' || /^\d/.test(value)) return null
  const name = severityName(value)
  if (name === null || !isGrade(key, value, name)) return null
  // A logger, a notification, or a game may have its own level.
  const isOthers = depth > 2 || (depth === 2 && !isCarrier(owner))
  return isOthers && belowError.has(name) ? null : name
}
