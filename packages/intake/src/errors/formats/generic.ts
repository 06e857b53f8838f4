import type { JsonRecord } from '../../sanitize/json-path.ts'
import { describesFailure, namesError } from '../guess/failure-words.ts'
import { guessRecord, isThrown } from '../guess/guess.ts'
import { withHeadline } from '../guess/mail.ts'
import { isErrorsMessage } from '../guess/message.ts'
import { isChangeBuilt, isClearlyRecovered, isPassedBuild, isWell, ownStateIn } from '../guess/own-state.ts'
import { describesOutage, isOfAlarm, isVerb, saysNothingWrong } from '../guess/quiet.ts'
import type { State } from '../guess/state-words.ts'
import { isOfRule, withSubject } from '../guess/subject.ts'
import { withTitle } from '../guess/title.ts'
import { type ReportNode, walkReport } from '../guess/walk.ts'
import { pick, toText } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import { severityName } from '../severity.ts'
import type { Format } from './format.ts'

/** A recovery. A monitor may send the severity of its rule with every state. */
const isNoteOfRecovery = (found: RecordDraft, state: State | null, nodes: readonly ReportNode[]): boolean => {
  if (state !== 'fine' || toText(found.severity) === null) return state === 'resolved' || state === 'fine'
  return isWell(nodes) && isOfRule(nodes, found.severity) && !describesOutage(found.message)
}

/** An event of a job or a build that is still running. */
const isNoteOfProgress = (found: RecordDraft, state: State | null): boolean =>
  state === 'going on' && toText(found.severity) === null

/** Loggers set a level, so `OK: …` at error level is just the start of a sentence. */
const isGradedOk = (report: JsonRecord, { message }: RecordDraft): boolean =>
  typeof message === 'string' &&
  /^\W{0,3}ok\b/i.test(message) &&
  ['error', 'critical', 'fatal'].includes(severityName(pick(report, 'level', 'lvl', 'levelname', 'log_level')) ?? '')

/** The verb of an event never silences an alert or a failure: what else the report says is its state. */
const readState = (nodes: readonly ReportNode[], message: unknown): State | null => {
  const text = toText(message) ?? undefined
  const state = ownStateIn(nodes, text)
  if ((state !== 'going on' && state !== 'fine') || !nodes.some(isVerb)) return state
  const other = ownStateIn(
    nodes.filter((node) => !isVerb(node)),
    text,
  )
  if (other === null && describesOutage(message)) return 'bad'
  return other === 'bad' || (state === 'going on' && isOfAlarm(nodes, message)) ? other : state
}

/** The state of a report. Ignored in an error report, where it may belong to anything. */
const statedIn = (report: JsonRecord, found: RecordDraft, nodes: readonly ReportNode[]): State | null => {
  const state = isThrown(found) || isGradedOk(report, found) ? null : readState(nodes, found.message)
  if (state === null || state === 'bad') return state
  if (state === 'fine' && isClearlyRecovered(nodes)) return 'resolved'
  const isOfChange = isPassedBuild(nodes, found.message) || isChangeBuilt(nodes, found.message)
  const isTold =
    namesError(report) || isErrorsMessage(nodes, found.message) || (describesFailure(found.message) && !isOfChange)
  return isTold && !isClearlyRecovered(nodes) ? null : state
}

/** The last reader: finds an error under common names. It accepts every object, and may find nothing. */
export const generic: Format = {
  name: 'generic',
  recognizes: () => true,
  read: (report) => {
    const nodes = walkReport(report)
    const guessed = withTitle(guessRecord(report, nodes))
    const state = statedIn(report, guessed, nodes)
    const found = withHeadline(withSubject(guessed, { nodes, state, isThrown: isThrown(guessed) }), nodes)
    const isQuiet = !isThrown(guessed) && saysNothingWrong(guessed, nodes, state)
    if (isQuiet || isNoteOfProgress(found, state)) return [{ ...found, severity: 'info' }]
    return [{ ...found, recovered: isNoteOfRecovery(found, state, nodes) }]
  },
}
