import { isRecord } from '../../sanitize/json-path.ts'
import { toText } from '../json.ts'
import { nameTest } from '../memoize.ts'
import type { RecordDraft } from '../record.ts'
import { describesFailure } from './failure-words.ts'
import { isUrl } from './rank.ts'
import { type State, stateWord } from './state-words.ts'
import { isNote } from './states.ts'
import { looksThrown } from './title.ts'
import type { ReportNode } from './walk.ts'

// Reports that say nothing is wrong without a state: test notifications, deployments, an empty error.

const testWord =
  /^(?:[a-z]+[._:-]){0,3}(?:test|ping|verification|verified)(?:[._ -](?:event|notification|message|webhook|alert))?$/i
const isTestFlag = nameTest(/^(?:is)?test(?:mode|event|notification|webhook|alert)?$/)
export const isHeadline = (key: string): boolean => key === 'title' || key === 'subject' || key === 'headline'
const things = '(?:notification|alert|message|webhook|event|incident|monitor|condition|check|rule|policy|site|ping)'
const testNotices = [
  /^\W{0,4}(?:this is (?:just |only )?an? (?:test\b|example \w{1,40} (?:exception|error)$)|webhook test\b|someone is testing the alert notification)/i,
  new RegExp(`^\\W{0,4}(?:a )?test ?${things}(?=$|[.!:,]| (?:from|for|by|to|of|sent)\\b)`, 'i'),
  /^\W{0,4}(?:test(?:ing)?\W{0,3}$|\[test\])/i,
  /^notification test message\b/i,
  /\bthis is (?:just |only )?a test (?:message|notification|alert|event)\b/i,
  new RegExp(`\\b(?:webhook|kuma|channel|integration|connection|${things}) test(?:ing)?[.!]?$`, 'i'),
]

/** Whether the message or the name of the rule is that of a test notification. */
export const isTestNotice = ({ message, exception }: RecordDraft): boolean =>
  [message, exception].some((text) => {
    const line = toText(text)?.slice(0, 200) ?? ''
    return line !== '' && testNotices.some((notice) => notice.test(line)) && !looksThrown(line)
  })

const isTest = (found: RecordDraft, nodes: readonly ReportNode[], state: State | null): boolean => {
  // A test that failed has a type, too.
  const isTyped =
    state !== 'bad' &&
    toText(found.severity) === null &&
    !describesFailure(found.message) &&
    !describesOutage(found.message)
  return (
    isTestNotice(found) ||
    nodes.some(({ key, value, depth }) => depth === 1 && isHeadline(key) && isTestNotice({ message: value })) ||
    nodes.some(
      ({ key, value, depth }) =>
        (depth <= 2 && ((isTyped && isNote(key) && testWord.test(toText(value) ?? '')) || key === 'zen')) ||
        (state !== 'bad' && depth <= 2 && isTestFlag(key) && value === true),
    )
  )
}

const isMarker = nameTest(/^(?:marker|deploy|deployment|release)$/)
const isVersion = nameTest(/^(?:revision|commit|sha|version|changelog|deployedby|gitlog)$/)
const isMarkers = nameTest(/^(?:marker|deploy|deployment|release|trigger)$/)
const markerWord = /^(?:\w{1,20}[._-])?(?:deploy(?:ed|ment)?|released?|rollout|deploy_?hook)$/i
const markerText =
  /^\W{0,4}(?:\w{1,30} )?(?:deployed|released|rolled out) |\b(?:deploy(?:ment)?|release|rollout)\b.{0,150}\b(?:finished|succeeded|success(?:ful(?:ly)?)?|completed?|done|started|live|deployed)\b/i

/** Only the deployment says something, if anything does. */
const isDeployment = (nodes: readonly ReportNode[], message: string): boolean => {
  const near = nodes.filter(({ depth }) => depth <= 2)
  if (near.some(({ key, value }) => isNote(key) && markerWord.test(toText(value) ?? ''))) return true
  if (message !== '' && markerText.test(message.slice(0, 300))) return true
  const hasMarker = near.some(({ key, value }) => isMarker(key) && (isRecord(value) || toText(value) !== null))
  const isNamed = nodes.some(
    ({ key, owner, depth }) => depth <= 3 && isVersion(key) && (isMarker(owner) || key === 'gitlog'),
  )
  const said = nodes.filter(({ value }) => value === message)
  return hasMarker && isNamed && (message === '' || isUrl(message) || said.every(({ owner }) => isMarkers(owner)))
}

const isErrorField = nameTest(
  /^(?:errors?|exceptions?|err|failures?|failed|(?:error|failure)(?:message|type|code|text|descriptions?|details?|reason|count))$|^has(?:errors?|failed)$/,
)
const isEmpty = (value: unknown) =>
  [null, '', false, 0].includes(value as null) || (Array.isArray(value) && value.length === 0)

/** `error: null`, unless a status or another field has one. */
const hasNoError = (nodes: readonly ReportNode[], message: string): boolean => {
  const fields = nodes.filter(({ key, depth, isListed }) => depth <= 2 && !isListed && isErrorField(key))
  return fields.length > 0 && fields.every(({ value }) => isEmpty(value)) && !describesFailure(message)
}

/** `Daily summary: 0 errors` */
const countsNothing = (message: string): boolean =>
  /\b(?:0|zero) (?:\w{1,30} )?(?:errors?|failures?|failed|alerts?|incidents?|issues?|problems?)\b/i.test(message) &&
  !describesFailure(message)

/** What a person does about a problem that is known. */
const isAcknowledged = (message: string): boolean =>
  /^\W{0,3}acknowledg(?:e?ment|ed)[\]):]|^\[ack(?:ed)?\]/i.test(message)

/** `alert_type: "info"`, and what a sender asks to check an address. */
const isInformation = ({ key, value, depth }: ReportNode): boolean =>
  depth === 1 &&
  ((isNote(key) &&
    /^(?:info|information|informational|stats|weekly_report|daily_report|report)$/i.test(toText(value) ?? '')) ||
    key === 'challenge')

/** Whether a report without an error is a test, a deployment, or the report of a success. */
export const saysNothingWrong = (
  { message, exception, severity, status }: RecordDraft,
  nodes: readonly ReportNode[],
  state: State | null,
): boolean => {
  const text = toText(message) ?? ''
  if (isTest({ message, severity, exception }, nodes, state) || (text !== '' && isAcknowledged(text))) return true
  if (state === 'bad' || toText(severity) !== null || toText(status) !== null || describesOutage(text)) return false
  if (isDeployment(nodes, text) && !describesFailure(text)) return true
  if (nodes.some(isInformation) && !describesFailure(text)) return true
  return state === null && (hasNoError(nodes, text) || (text !== '' && countsNothing(text)))
}

const outage =
  /\b(?:(?:went|is|are|was|were|goes|gone) (?:down|offline|dark)|offline|outage|unavailable|unreachable|not respond(?:s|ed|ing)?|no (?:response|heartbeat|pings?|signal)|disrupted|overdue|too (?:high|slow|many|low|long|hot|cold)|(?:disk|volume) (?:is )?full)\b|^[\w.:-]{1,100} refused\b|^\W{0,3}(?:critical|crit|fatal|emergency)\b/i

export const describesOutage = (message: unknown): boolean => outage.test((toText(message) ?? '').slice(0, 1_000))

export const isKind = nameTest(/^(?:payload|resource|object|entity)type$|^(?:resource|object)$/)
const isAlarm = nameTest(/^(?:alert|alarm|incident|outage)/)

/** Whether a report is about an alert, so that the verb of its event says only that the alert is new. */
export const isOfAlarm = (nodes: readonly ReportNode[], message: unknown): boolean =>
  describesOutage(message) ||
  nodes.some(
    ({ key, value, depth }) =>
      depth <= 2 &&
      (isAlarm(key) || ((isNote(key) || isKind(key)) && /alert|alarm|incident|outage/i.test(toText(value) ?? ''))),
  )

const verbs =
  /^(?:create|update|add|submit|open|receive|start|schedule|queue|register|publish|complete|finish|deliver|execute|run|ping|done)(?:d|ed|ted)?$/

/** `ActionType: "Create"`, `event: "incident.updated"`. */
export const isVerb = ({ key, value }: ReportNode): boolean => isNote(key) && verbs.test(stateWord(value))
