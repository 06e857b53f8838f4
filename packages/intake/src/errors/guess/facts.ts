import { splitLocation } from '../frame.ts'
import { isObject, lineOf, nameOf, statusOf, textOf } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import { nameTest, remembered } from '../remembered.ts'
import { readStack } from '../stacks/index.ts'
import { readFrames } from './error-object.ts'
import { classOfError, isErrorish, messageRank, rankOfMessage, readMessage } from './message.ts'
import { best, isAddress, oncePerReport, type Rank, rankOf } from './rank.ts'
import { rankOfSeverity, readSeverity, severityRank } from './severity.ts'
import { isClassName, looksThrown } from './title.ts'
import type { Place } from './walk.ts'

// Reports of an unknown structure still use common field names. The names of each fact are ranked;
// of several locations the better name wins, then the one nearer to the top.

const classRank = rankOf([
  classOfError,
  /^(?:class|classname|type|typename|name|kind|klass|exception|tag)$/,
  /^(?:errors?|code|title|reason|cause|key|group|subject|message)$/,
])

/** `InvalidAuthenticationToken`, as Azure and AWS name errors by their code. */
const namedCode = /^[A-Z][a-z]{1,30}(?:[A-Z][a-z]{1,30}){1,8}$/
/** `PERMISSION_DENIED`, as Google does. */
const canonicalCode = /^[A-Z]{4,12}(?:_[A-Z]{2,14}){0,2}$/

/** A name next to the same code, or next to an HTTP status. */
const isNamedByCode = ({ key, owner, value, holder }: Place, text: string): boolean => {
  if (key === 'name') return [holder['code'], holder['Code']].includes(value)
  if (!isErrorish(owner)) return false
  if (key === 'code') return namedCode.test(text)
  return key === 'status' && typeof holder['code'] === 'number' && text !== 'FAILED' && canonicalCode.test(text)
}

/** Constants and words under such a name are classes only inside an error. */
const isNamed = (rank: number, { key, owner }: Place): boolean =>
  rank === 0 || (rank === 1 && (isErrorish(owner) || key === 'klass'))

const rankOfClass: Rank = (place) => {
  const text = typeof place.value === 'string' ? textOf(place.value) : null
  const rank = place.key === 'status' ? weakest : classRank(place.key)
  if (text === null || rank === null || (place.key === 'tag' && !isErrorish(place.owner))) return null
  // `handledException` is the name of a field or a reason.
  if (/^[a-z]+[A-Z]\w*$/.test(text)) return null
  if (rank < weakest && looksThrown(text)) return rank
  const isClass = isNamedByCode(place, text) || (isNamed(rank, place) && isClassName(text))
  return isClass ? rank + weakest : null
}
const weakest = 3

const stackRank = rankOf([/stack|trace(?:back)?$|backtrace|frames$/])
const mostStacks = 6

/** Any text that parses as a stack is one, under any name. */
const findStack = (places: readonly Place[]): RecordDraft => {
  const candidates = places
    .filter(({ key, value }) =>
      typeof value === 'string'
        ? value.includes('\n') || stackRank(key) === 0
        : stackRank(key) === 0 && (isObject(value) || Array.isArray(value)),
    )
    .sort((one, other) => (stackRank(one.key) ?? 1) - (stackRank(other.key) ?? 1))
  for (const { value } of candidates.slice(0, mostStacks)) {
    const frames = readFrames(value)
    if (frames.some(({ file }) => file !== null)) return { frames }
    if ((readStack(value)?.frames.length ?? 0) > 0) return { stack: value }
  }
  return {}
}

const fileRank = rankOf([/^(?:source|src|script|code|err)?(?:file(?:name|path)?|path|sourceurl)$|^(?:source|script)$/])
const lineRank = rankOf([/^(?:source|start|code|err)?(?:line|lineno|linenumber|row)$/])
/** Where a line was logged. Used as the location of the error if there is no other. */
const callerRank = rankOf([/^(?:caller|location|callsite|src|pathname)$/, /^(?:file|filename|filepath|errfile)$/])
const fileLike = /[\w-]\.[a-z]{1,6}$/i
/** Log shippers add the file that a line was read from. */
const logFile = /\.(?:log|out|err)(?:[.-][\w.-]{1,40})?$|^\/var\/log\//i

const findPlace = (places: readonly Place[]): RecordDraft => {
  const line = places.find(({ key, value }) => lineRank(key) !== null && lineOf(value) !== null)
  const file = places.find(
    ({ key, value, holder }) =>
      holder === line?.holder && fileRank(key) !== null && typeof value === 'string' && fileLike.test(value),
  )
  return file === undefined ? {} : { file: file.value, line: line?.value }
}

/** `caller: "shop/cart.go:12"`; `web:8080` is a host and its port. */
const findCaller = (places: readonly Place[]): RecordDraft => {
  for (const { key, value, depth, holder } of places) {
    if (callerRank(key) === null || depth > 2 || typeof value !== 'string' || logFile.test(value)) continue
    const { file, line } = splitLocation(value)
    const beside = line ?? holder['lineno'] ?? holder['line']
    const isPlace = lineOf(beside) !== null || (depth === 1 && callerRank(key) === 1)
    if (file !== null && fileLike.test(file) && isPlace) return { file, line: beside }
  }
  const line = places.find(({ key, value, depth }) => depth === 1 && lineRank(key) !== null && lineOf(value) !== null)
  return { line: line?.value }
}

const appRank = rankOf([
  /^(?:app|application|service|project|program)(?:display|full|short)?(?:name|title|slug)?$|^(?:script|entity)name$/,
  /^(?:component|program|process|workload|deployment|jobname|pipeline|pipelinename|site|sitename|(?:repository|repo)(?:name|slug|fullname)?|product|system|container|containername|syslogtag|workflow|workflowname|syslogidentifier|systemdunit|packagename|bundleid|bundleidentifier|workspacename)$/,
])
const environmentRank = rankOf([
  /^(?:environment|env|environmentname|envname|appenvironment|appenv|nodeenv|releasestage|deploymentenvironment|stage)$/,
])
const frameworkRank = rankOf([/^framework$/])
const nearest = 4
const word = /^[\p{L}\d][\p{L}\d .:/_@()'’&+-]{0,80}$/u

const named = (place: Place): string | null => {
  const name = typeof place.value === 'string' || isObject(place.value) ? nameOf(place.value) : null
  return name !== null && word.test(name) && /\p{L}/u.test(name) && !isAddress(name) ? name : null
}

const methodRank = rankOf([/^(?:http|request)?(?:method|verb)$/])
const methods: ReadonlySet<string> = new Set([
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY', 'PROPFIND'],
])
const readMethod = ({ value }: Place): string | null => {
  const text = textOf(value)?.trim().toUpperCase() ?? ''
  return methods.has(text) ? text : null
}

const requestRank = rankOf([
  /^(?:(?:request|original|full|http)?(?:url|uri|path)|(?:page|request)url|href|route|endpoint|requestpath|page)$/,
])
const isRequest = nameTest(
  /^(?:re?q(?:uest)?|http(?:request)?|proxy|config|context|meta(?:data)?|extra|data|payload|event|url)$/,
)
const pathLike = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\/|\?)/i

/** `path` may also be where a validation failed, or a file on disk: only what looks like an address counts. */
const rankOfRequest: Rank = ({ key, owner, depth }) => {
  if (depth > 3 || (depth > 1 && !isRequest(owner))) return null
  return depth > 1 && /^(?:full|raw|href)$/.test(key) ? 0 : requestRank(key)
}
const readPath = ({ value }: Place): string | null => {
  const text = textOf(value)?.trim() ?? ''
  return pathLike.test(text) ? text : null
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

/** Objects that describe the sender. Their URLs are not the URL of the error. */
const isSender = nameTest(/^(?:account|organi[sz]ation|org|integration|company|tenant)$/)

const rankOfUrl: Rank = ({ key, owner, depth }) =>
  depth > nearest || isNoLink(key) || isSender(owner) ? null : urlRank(key)
const readUrl = ({ value }: Place): string | null => {
  const text = textOf(value)?.trim() ?? ''
  return /^https?:\/\/(?!api\.|hooks?\.)/i.test(text) && !/\s/.test(text) ? text : null
}

const statusRank = rankOf([
  /^(?:statuscode|httpstatus|httpstatuscode|httpcode|responsecode|responsestatus|responsestatuscode|httpresponsecode|laststatuscode|laststatus|response)$/,
  /^(?:status|code|errorcode)$/,
])
/** A code counts only if it can be an HTTP error status. */
const readStatus = ({ key, value, depth }: Place): number | null => {
  const status = statusOf(value)
  return status !== null && (status >= 400 || statusRank(key) === 0 || (key === 'status' && depth === 1))
    ? status
    : null
}

/** The sender's key for an error or an alert. */
const readKey = ({ value }: Place): unknown => (Array.isArray(value) ? value : textOf(value))
const keyRank = rankOf([/^(?:fingerprint|grouping(?:key|hash)|dedup(?:lication)?key|incidentkey|alertkey)$/])

const shallow =
  (rank: (name: string) => number | null): Rank =>
  ({ key, depth }) =>
    depth > nearest ? null : rank(key)

const ranks = [
  ...[messageRank, classRank, stackRank, fileRank, lineRank, callerRank, severityRank, appRank, environmentRank],
  ...[urlRank, statusRank, methodRank, requestRank, frameworkRank, keyRank],
]
const isTelling = remembered((name) => ranks.some((rank) => rank(name) !== null) || /^(?:full|raw)$/.test(name))

/** A stack has priority over list entries. */
const findMessage = (places: readonly Place[], said: string | null): string | null => {
  const unlisted = places.filter(({ isListed }) => !isListed)
  return best(unlisted, rankOfMessage, readMessage) ?? said ?? best(places, rankOfMessage, readMessage)
}

const findClass = (places: readonly Place[]): string | null => best(places, rankOfClass, ({ value }) => textOf(value))

/** The facts of a report, from its field names alone. */
export const findFacts = oncePerReport((all: readonly Place[]): RecordDraft => {
  // Most names are unknown. A stack is recognized under any name.
  const places = all.filter(({ key, value }) => isTelling(key) || (typeof value === 'string' && value.includes('\n')))
  const near = places.filter(({ depth }) => depth === 1)
  const stack = findStack(places)
  const isThrown = stack.frames !== undefined || stack.stack !== undefined
  const place = findPlace(isThrown ? places.filter(({ isListed }) => !isListed) : places)
  return {
    message: findMessage(places, readStack(stack.stack)?.message ?? null),
    exception: findClass(near) ?? readStack(stack.stack)?.exception ?? findClass(places),
    ...(isThrown || place.file !== undefined ? place : findCaller(places)),
    ...stack,
    severity: best(places, rankOfSeverity, readSeverity),
    app: best(places, shallow(appRank), named),
    environment: best(places, shallow(environmentRank), named),
    framework: best(places, shallow(frameworkRank), named),
    url: best(places, rankOfRequest, readPath) ?? best(places, rankOfUrl, readUrl),
    method: best(places, shallow(methodRank), readMethod),
    status: best(places, shallow(statusRank), readStatus),
    fingerprint: best(near, ({ key }) => keyRank(key), readKey),
  }
})
