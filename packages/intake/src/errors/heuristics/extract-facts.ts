import { isObject, lineOf, nameOf, statusOf, textOf } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import { nameTest, remembered } from '../remembered.ts'
import { readStack } from '../stacks/index.ts'
import { readErrorObject } from './error-object.ts'
import { best, isAddress, oncePerReport, type Rank, rankOf } from './rank.ts'
import { classOfError, isErrorish, messageRank, rankOfMessage } from './rank-message.ts'
import { rankOfSeverity, readSeverity, severityRank } from './rank-severity.ts'
import { isClassName, looksThrown } from './title.ts'
import type { Place } from './walk.ts'

// Reports whose structure is not known still name things by words that everybody uses. Each fact has its names in ranks;
// of several places the better name wins, then the one that is nearer to the top.

const classRank = rankOf([
  classOfError,
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

const appRank = rankOf([
  /^(?:app|application|service|project|program)(?:display|full|short)?(?:name|title|slug)?$/,
  /^(?:component|program|process|workload|deployment|jobname|pipeline|pipelinename|site|sitename|(?:repository|repo)(?:name|slug|fullname)?|product|module|system|container|containername|syslogtag|workflow|workflowname|syslogidentifier|systemdunit|packagename|bundleid|bundleidentifier|workspacename)$/,
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

const ranks = [messageRank, classRank, stackRank, fileRank, lineRank, severityRank, appRank, environmentRank]
const isTelling = remembered(
  (name) => name === 'name' || [...ranks, urlRank, statusRank].some((rank) => rank(name) !== null),
)

/** What can be told of a report by the names in it alone. */
export const extractFacts = oncePerReport((all: readonly Place[]): RecordDraft => {
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
