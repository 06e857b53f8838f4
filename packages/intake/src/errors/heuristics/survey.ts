import { errorLevels } from '@service/contract/values'
import { isObject, keysIn, lineOf, nameOf, statusOf, textOf } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import { nameTest, remembered } from '../remembered.ts'
import { severityName } from '../severity.ts'
import { readStack } from '../stacks/index.ts'
import { joinedText, readErrorObject } from './error-object.ts'
import { best, isAddress, oncePerReport, type Rank, rankOf } from './rank.ts'
import { isBareState } from './state-words.ts'
import { isClassName, looksThrown } from './title.ts'
import type { Place } from './walk.ts'

// Reports whose structure is not known still name things by words that everybody uses. Each fact has its names in ranks;
// of several places the better name wins, then the one that is nearer to the top.

const errorWords =
  'errors?|exceptions?|err|exc|failures?|faults?|crash|throwable|panic|problem|rootcause|lasterror|failed|abort'
const isErrorish = nameTest(new RegExp(`(?:${errorWords})(?:info|data|details?|object|context|event)?$`))

const messageRank = rankOf([
  new RegExp(`(?:${errorWords})(?:message|msg|text|description|desc|details?|reason|string|summary)$`),
  /(?:message|msg)$|^message(?!header|id)|declinereason$/,
  /^(?:errors?|exception|err|failures?|cause|reason|fault|problem|stderr|rootcause|panic|crash|logstring)$|(?:failure|error|reason|cause|diagnosis)$/,
  /(?<!status)(?:description|desc|summary|explanation|details?|synopsis|advisory|annotation|diagnostics?|output|text|humanreadable)$|^raw$/,
  /^(?:body|content|event|info|data|args|arguments|issue|bug|note|complaint)$/,
  /^(?:subject|headline)$|title$/,
  /^(?:job|task|pipeline|workflow|build|builder|check|test|suite|flow|script|playbook)name$/,
])
/** Up to here a name says that something went wrong, or that it is said to people. */
const lastStrong = 1
const firstWeak = 3
/** A word there is any value; a sentence is said. */
const sentenceOnly = 4
/** A title says least, where anything else is said. */
const lastWeak = 5
/** The name of what was run. */
const lastMessage = 6
/** What is no sentence stands behind all that is one. */
const wordsOnly = 6
const sentence = /(?<=\p{L}{2})[\s,:]{1,3}\p{L}/u
/** `order.failed` names a kind of note. No sign may both separate words and be in one: every split would be tried. */
const constantForm = /^[\w-]{1,200}(?:[.:][\w-]{1,200}){0,8}$/
const joinedWords = /[^\W_][._:][^\W_]/
const isConstant = (text: string) => constantForm.test(text) && joinedWords.test(text)

/** `UNABLE_TO_LOCATE` says something, where nothing else does; so does `failed` alone. */
const reasonConstant = /^[A-Z]{2,20}(?:_[A-Z0-9]{2,20}){1,8}$/
const lastOfAll = 20

/** Whether a text stands under a name that only errors have: `errorMessage`. */
export const isErrorsMessage = (places: readonly Place[], message: unknown): boolean =>
  places.some(({ key, value }) => value === message && messageRank(key) === 0)

/** Why something was begun is not why it failed. */
const isOfStart = nameTest(/^(?:run|build|trigger|start|launch|schedule)(?:reason|cause|message)$/)

/** What was run is called by its name where its state stands beside it. */
const isRun = nameTest(/^(?:job|task|pipeline|workflow|build|check|checkrun|checksuite|run|step|stage|deployment)$/)
const runStates = ['status', 'state', 'conclusion', 'result'] as const
const rankOfRun = ({ key, owner, holder }: Place): number | null =>
  key === 'name' && isRun(owner) && keysIn(holder, runStates).length > 0 ? lastMessage : null

/** Inside of an error every message is the error's. A sentence says more than a word. */
const rankOfMessage: Rank = (place) => {
  const { key, owner, value } = place
  const rank = isOfStart(key) ? null : (messageRank(key) ?? rankOfRun(place))
  if (rank === null || typeof value !== 'string' || isAddress(value) || !/\p{L}{2}/u.test(value)) return null
  if (isConstant(value)) return rank === 0 && reasonConstant.test(value) ? lastOfAll : null
  const isSentence = sentence.test(value.slice(0, 500))
  if (isBareState(value)) return lastOfAll
  if (rank === sentenceOnly && !isSentence) return lastOfAll - 1
  const isInside = rank > 0 && isErrorish(owner)
  return (isInside ? Math.min(rank, 1) : rank) + (isSentence ? 0 : wordsOnly)
}

const classRank = rankOf([
  new RegExp(`(?:${errorWords})(?:class|classname|type|name|kind)(?:name)?$`),
  /^(?:class|classname|type|typename|name|kind|klass|exception|tag)$/,
  /^(?:errors?|code|title|reason|cause|key|group|subject|message)$/,
])

/** `InvalidAuthenticationToken`, as Azure and AWS name errors by their code. */
const namedCode = /^[A-Z][a-z]{1,30}(?:[A-Z][a-z]{1,30}){1,8}$/

const rankOfClass: Rank = ({ key, owner, value }) => {
  const rank = classRank(key)
  const text = textOf(value)
  if (rank === null || text === null || typeof value !== 'string') return null
  if (key === 'tag' && !isErrorish(owner)) return null
  // `handledException` is the name of a field or a reason.
  if (/^[a-z]+[A-Z]\w*$/.test(text)) return null
  if (looksThrown(text)) return rank
  if (key === 'code' && isErrorish(owner) && namedCode.test(text)) return rank + 3
  // Constants and words under such a name are classes only where an error stands.
  const isNamed = rank === 0 || (rank === 1 && isErrorish(owner))
  return isNamed && isClassName(text) ? rank + 3 : null
}

const stackRank = rankOf([/stack|trace(?:back)?$|backtrace|frames$/])
const mostStacks = 6

/** A text that reads as a stack is one, whatever it is called. */
const findStack = (places: readonly Place[]): RecordDraft => {
  const candidates = places
    .filter(({ key, value }) =>
      typeof value === 'string'
        ? value.includes('\n')
        : stackRank(key) === 0 && (isObject(value) || Array.isArray(value)),
    )
    .sort((one, other) => (stackRank(one.key) ?? 1) - (stackRank(other.key) ?? 1))
  for (const { value } of candidates.slice(0, mostStacks)) {
    const { stack, frames = [] } = readErrorObject({ stack: value })
    if (frames.some(({ file }) => file !== null)) return { frames }
    if ((readStack(stack)?.frames.length ?? 0) > 0) return { stack }
  }
  return {}
}

const fileRank = rankOf([/^(?:source|src|script|code)?(?:file|filename|filepath|path|sourceurl)(?:name)?$/])
const lineRank = rankOf([/^(?:source|start|code)?(?:line|lineno|linenumber|row)$/])
const fileLike = /[\w-]\.[a-z]{1,6}$/i

const findPlace = (places: readonly Place[]): RecordDraft => {
  const line = places.find(({ key, value }) => lineRank(key) !== null && lineOf(value) !== null)
  if (line === undefined) return {}
  const file = places.find(
    ({ key, value, holder }) =>
      holder === line.holder && fileRank(key) !== null && typeof value === 'string' && fileLike.test(value),
  )
  return file === undefined ? {} : { file: file.value, line: line.value }
}

const severityRank = rankOf([
  /^(?:loglevel|levelname|criticality)$|severity(?:text|level|name|string|label)?$|^sev$/,
  /^(?:level|lvl|levelstr|errorlevel|alertlevel)$|level$/,
  /^(?:priority|urgency|impact|risk|importance)$|priority$/,
  /^s$/,
  /^type$/,
  /^(?:(?:service|host|alert|current|new)?state|messagetype)$/,
])
const furthest = 3
const belowError = new Set<string>(['info', 'debug', 'trace', 'notice', 'warning'])
const severities = new Set<string>([
  ...errorLevels,
  ...['high', 'medium', 'moderate', 'low', 'major', 'minor', 'urgent', 'blocker', 'highest', 'lowest'],
  ...['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'sev0', 'sev1', 'sev2', 'sev3', 'sev4', 'sev5'],
])

/** Whether a word grades errors wherever it stands. */
export const isGraded = (name: string | null): boolean => name !== null && severities.has(name)

const rankOfSeverity: Rank = ({ key, depth, isListed }) => (depth > furthest || isListed ? null : severityRank(key))

/** `type: "info"`: the kind of a note may be its level, unlike the `log` a line was read from. */
const isKind = nameTest(/^type$/)
const kindsBelowError = /^(?:info(?:rmation(?:al)?)?|notice|warn(?:ing)?|debug|trace)$/i

/** `service_state: "CRITICAL"`: how bad it is, said as the state. */
const isStated = nameTest(/state$|^messagetype$/)
const worst = /^(?:critical|fatal|emergency)$/i

/** What a name may grade with; only names that are made for it have all words. */
const isGrade = (key: string, given: string, name: string): boolean => {
  if (isKind(key)) return kindsBelowError.test(given)
  return isStated(key) ? worst.test(given) : severities.has(name)
}

/** What a line is put into by those who hand it on. */
const isCarrier = nameTest(
  /^(?:data|payload|body|events?|log|logs|record|records|meta|metadata|context|ctx|labels|tags|fields|extra|attributes|properties|message|info|details?|object|alert|incident|issue|error|monitor|check|rule|entry|entries|lines|items|source|result|status|header|header_?data|common|resource|jsonpayload)$/,
)

/** Loggers of Node count levels in tens; other numbers may be of any scale. */
const isLogLevel = nameTest(/^loglevel$/)
const isTens = (value: unknown) => typeof value === 'number' && value % 10 === 0 && value >= 10 && value <= 60

const readSeverity = ({ key, value: given, depth, owner }: Place): string | null => {
  const value = isObject(given) ? given['value'] : given
  if (isLogLevel(key) && isTens(value)) return severityName(value, 'pino')
  if (typeof value !== 'string' || /^\d/.test(value)) return null
  const name = severityName(value)
  if (name === null || !isGrade(key, value, name)) return null
  // A logger, a notification or a game may have a level of its own.
  const isOthers = depth > 2 || (depth === 2 && !isCarrier(owner))
  return isOthers && belowError.has(name) ? null : name
}

const appRank = rankOf([
  /^(?:app|application|service|project|program)(?:display|full|short)?(?:name|title|slug)?$/,
  /^(?:component|program|process|processname|workload|deployment|jobname|pipeline|pipelinename|site|sitename|(?:repository|repo)(?:name|slug|fullname)?|product|module|system|container|containername|syslogtag|workflow|workflowname|syslogidentifier|systemdunit|packagename|bundleid|bundleidentifier|workspacename)$/,
])
const environmentRank = rankOf([
  /^(?:environment|env|environmentname|envname|appenvironment|releasestage|deploymentenvironment|stage)$/,
])
const nearest = 4
const word = /^[\p{L}\d][\p{L}\d .:/_@()'’&+-]{0,80}$/u

const named = (place: Place): string | null => {
  const name = typeof place.value === 'string' || isObject(place.value) ? nameOf(place.value) : null
  return name !== null && word.test(name) && !isAddress(name) ? name : null
}

const urlRank = rankOf([
  /^(?:requesturl|requesturi|pageurl|fullurl|originalurl)$/,
  /^(?:url|uri|href|link|permalink|htmlurl|weburl|htmllink|externalurl|publicurl|titlelink)$/,
  /(?:alert|incident|issue|error|event|build|run|job|deployment|dashboard|console|details?|report|monitor|check|site|target|web|html|page|app|logs?)(?:url|link|uri|href)$|^(?:target|website|address|dashboard|console|location)$/,
  /(?:url|link|uri|href|details)$/,
])
const isNoLink = nameTest(
  /image|icon|avatar|logo|runbook|callback|docs(?:url|link)?$|documentation|help|unsubscribe|webhook|api|silence|^ack|acknowledge|snooze|picture|badge|repo(?!rt)|gitsource/,
)

/** Whose service it is, and where it sends to. */
const isSender = nameTest(/^(?:account|organi[sz]ation|org|integration|company|tenant)$/)

const rankOfUrl: Rank = ({ key, owner, depth }) =>
  depth > nearest || isNoLink(key) || isSender(owner) ? null : urlRank(key)
const readUrl = ({ value }: Place): string | null => {
  const text = textOf(value)?.trim() ?? ''
  return /^https?:\/\/(?!api\.|hooks?\.)/i.test(text) && !/\s/.test(text) ? text : null
}

const statusRank = rankOf([
  /^(?:statuscode|httpstatus|httpstatuscode|httpcode|responsecode|responsestatus|responsestatuscode|httpresponsecode|laststatuscode|laststatus)$/,
  /^(?:status|code)$/,
])

const shallow =
  (rank: (name: string) => number | null): Rank =>
  ({ key, depth }) =>
    depth > nearest ? null : rank(key)

/** Whether another text of the report says better what went wrong than this one, which stands under a weak name. */
export const isSaidBetter = (places: readonly Place[], message: unknown): boolean => {
  if (isBareState(message)) return places.some((place) => (rankOfMessage(place) ?? lastOfAll) < lastOfAll)
  const isIt = ({ value }: Place) => value === message || (Array.isArray(value) && joinedText(value) === message)
  const ranks = places.filter(isIt).flatMap(({ key }) => messageRank(key) ?? [])
  const worst = ranks.length === 0 ? firstWeak : Math.min(...ranks)
  const enough = worst === lastWeak ? lastWeak : lastStrong
  return worst >= firstWeak && places.some((place) => (rankOfMessage(place) ?? lastWeak) < enough)
}

const ranks = [messageRank, classRank, stackRank, fileRank, lineRank, severityRank, appRank, environmentRank]
const isTelling = remembered(
  (name) => name === 'name' || [...ranks, urlRank, statusRank].some((rank) => rank(name) !== null),
)

/** What can be told of a report by the names in it alone. */
export const survey = oncePerReport((all: readonly Place[]): RecordDraft => {
  // Most names say nothing. A stack is one whatever it is called.
  const places = all.filter(({ key, value }) => isTelling(key) || (typeof value === 'string' && value.includes('\n')))
  return {
    message: best(places, rankOfMessage, ({ value }) => textOf(value)),
    exception: best(places, rankOfClass, ({ value }) => textOf(value)),
    ...findPlace(places),
    ...findStack(places),
    severity: best(places, rankOfSeverity, readSeverity),
    app: best(places, shallow(appRank), named),
    environment: best(places, shallow(environmentRank), named),
    url: best(places, rankOfUrl, readUrl),
    status: best(places, shallow(statusRank), ({ key, value }) => {
      const status = statusOf(value)
      return status !== null && status >= (statusRank(key) === 0 ? 100 : 400) ? status : null
    }),
  }
})
