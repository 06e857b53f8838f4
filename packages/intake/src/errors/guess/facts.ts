import { isRecord } from '../../sanitize/json-path.ts'
import { splitLocation } from '../frame.ts'
import { nameOf, toLine, toStatus, toText } from '../json.ts'
import { memoize, nameTest } from '../memoize.ts'
import type { RecordDraft } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import { readFrames } from './error-object.ts'
import { classOfError, isErrorish, messageRank, rankOfMessage, readMessage } from './message.ts'
import { bestValue, isUrl, oncePerReport, type Rank, rankBy } from './rank.ts'
import { rankOfSeverity, readSeverity, severityRank } from './severity.ts'
import { isClassName, looksThrown } from './title.ts'
import type { ReportNode } from './walk.ts'

// Reports of an unknown structure still use common field names. The names of each fact are ranked;
// of several locations the better name wins, then the one nearer to the top.

const classRank = rankBy([
  classOfError,
  /^(?:class|classname|type|typename|name|kind|klass|exception|tag)$/,
  /^(?:errors?|code|title|reason|cause|key|group|subject|message)$/,
])

/** `InvalidAuthenticationToken`, as Azure and AWS name errors by their code. */
const namedCode = /^[A-Z][a-z]{1,30}(?:[A-Z][a-z]{1,30}){1,8}$/
/** `PERMISSION_DENIED`, as Google does. */
const canonicalCode = /^[A-Z]{4,12}(?:_[A-Z]{2,14}){0,2}$/

/** A name next to the same code, or next to an HTTP status. */
const isNamedByCode = ({ key, owner, value, parent }: ReportNode, text: string): boolean => {
  if (key === 'name') return [parent['code'], parent['Code']].includes(value)
  if (!isErrorish(owner)) return false
  if (key === 'code') return namedCode.test(text)
  return key === 'status' && typeof parent['code'] === 'number' && text !== 'FAILED' && canonicalCode.test(text)
}

/** Constants and words under such a name are classes only inside an error. */
const isNamed = (rank: number, { key, owner }: ReportNode): boolean =>
  rank === 0 || (rank === 1 && (isErrorish(owner) || key === 'klass'))

const rankOfClass: Rank = (node) => {
  const text = typeof node.value === 'string' ? toText(node.value) : null
  const rank = node.key === 'status' ? weakest : classRank(node.key)
  if (text === null || rank === null || (node.key === 'tag' && !isErrorish(node.owner))) return null
  // `handledException` is the name of a field or a reason.
  if (/^[a-z]+[A-Z]\w*$/.test(text)) return null
  if (rank < weakest && looksThrown(text)) return rank
  const isClass = isNamedByCode(node, text) || (isNamed(rank, node) && isClassName(text))
  return isClass ? rank + weakest : null
}
const weakest = 3

const stackRank = rankBy([/stack|trace(?:back)?$|backtrace|frames$/])
const maxStacks = 6

/** Any text that parses as a stack is one, under any name. */
const findStack = (nodes: readonly ReportNode[]): RecordDraft => {
  const candidates = nodes
    .filter(({ key, value }) =>
      typeof value === 'string'
        ? value.includes('\n') || stackRank(key) === 0
        : stackRank(key) === 0 && (isRecord(value) || Array.isArray(value)),
    )
    .sort((one, other) => (stackRank(one.key) ?? 1) - (stackRank(other.key) ?? 1))
  for (const { value } of candidates.slice(0, maxStacks)) {
    const frames = readFrames(value)
    if (frames.some(({ file }) => file !== null)) return { frames }
    if ((readStack(value)?.frames.length ?? 0) > 0) return { stack: value }
  }
  return {}
}

const fileRank = rankBy([/^(?:source|src|script|code|err)?(?:file(?:name|path)?|path|sourceurl)$|^(?:source|script)$/])
const lineRank = rankBy([/^(?:source|start|code|err)?(?:line|lineno|linenumber|row)$/])
/** Where a line was logged. Used as the location of the error if there is no other. */
const callerRank = rankBy([/^(?:caller|location|callsite|src|pathname)$/, /^(?:file|filename|filepath|errfile)$/])
const fileLike = /[\w-]\.[a-z]{1,6}$/i
/** Log shippers add the file that a line was read from. */
const logFile = /\.(?:log|out|err)(?:[.-][\w.-]{1,40})?$|^\/var\/log\//i

const findLocation = (nodes: readonly ReportNode[]): RecordDraft => {
  const line = nodes.find(({ key, value }) => lineRank(key) !== null && toLine(value) !== null)
  const file = nodes.find(
    ({ key, value, parent }) =>
      parent === line?.parent && fileRank(key) !== null && typeof value === 'string' && fileLike.test(value),
  )
  return file === undefined ? {} : { file: file.value, line: line?.value }
}

/** `caller: "shop/cart.go:12"`; `web:8080` is a host and its port. */
const findCaller = (nodes: readonly ReportNode[]): RecordDraft => {
  for (const { key, value, depth, parent } of nodes) {
    if (callerRank(key) === null || depth > 2 || typeof value !== 'string' || logFile.test(value)) continue
    const { file, line } = splitLocation(value)
    const beside = line ?? parent['lineno'] ?? parent['line']
    const isLocation = toLine(beside) !== null || (depth === 1 && callerRank(key) === 1)
    if (file !== null && fileLike.test(file) && isLocation) return { file, line: beside }
  }
  const line = nodes.find(({ key, value, depth }) => depth === 1 && lineRank(key) !== null && toLine(value) !== null)
  return { line: line?.value }
}

const appRank = rankBy([
  /^(?:app|application|service|project|program)(?:display|full|short)?(?:name|title|slug)?$|^(?:script|entity)name$/,
  /^(?:component|program|process|workload|deployment|jobname|pipeline|pipelinename|site|sitename|(?:repository|repo)(?:name|slug|fullname)?|product|system|container|containername|syslogtag|workflow|workflowname|syslogidentifier|systemdunit|packagename|bundleid|bundleidentifier|workspacename)$/,
])
const environmentRank = rankBy([
  /^(?:environment|env|environmentname|envname|appenvironment|appenv|nodeenv|releasestage|deploymentenvironment|stage)$/,
])
const frameworkRank = rankBy([/^framework$/])
const nearest = 4
const word = /^[\p{L}\d][\p{L}\d .:/_@()'’&+-]{0,80}$/u

const named = (node: ReportNode): string | null => {
  const name = typeof node.value === 'string' || isRecord(node.value) ? nameOf(node.value) : null
  return name !== null && word.test(name) && /\p{L}/u.test(name) && !isUrl(name) ? name : null
}

const methodRank = rankBy([/^(?:http|request)?(?:method|verb)$/])
const methods: ReadonlySet<string> = new Set([
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY', 'PROPFIND'],
])
const readMethod = ({ value }: ReportNode): string | null => {
  const text = toText(value)?.trim().toUpperCase() ?? ''
  return methods.has(text) ? text : null
}

const requestRank = rankBy([
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
const readPath = ({ value }: ReportNode): string | null => {
  const text = toText(value)?.trim() ?? ''
  return pathLike.test(text) ? text : null
}

const urlRank = rankBy([
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
const readUrl = ({ value }: ReportNode): string | null => {
  const text = toText(value)?.trim() ?? ''
  return /^https?:\/\/(?!api\.|hooks?\.)/i.test(text) && !/\s/.test(text) ? text : null
}

const statusRank = rankBy([
  /^(?:statuscode|httpstatus|httpstatuscode|httpcode|responsecode|responsestatus|responsestatuscode|httpresponsecode|laststatuscode|laststatus|response)$/,
  /^(?:status|code|errorcode)$/,
])
/** A code counts only if it can be an HTTP error status. */
const readStatus = ({ key, value, depth }: ReportNode): number | null => {
  const status = toStatus(value)
  return status !== null && (status >= 400 || statusRank(key) === 0 || (key === 'status' && depth === 1))
    ? status
    : null
}

/** The sender's key for an error or an alert. */
const readKey = ({ value }: ReportNode): unknown => (Array.isArray(value) ? value : toText(value))
const keyRank = rankBy([/^(?:fingerprint|grouping(?:key|hash)|dedup(?:lication)?key|incidentkey|alertkey)$/])

const shallow =
  (rank: (name: string) => number | null): Rank =>
  ({ key, depth }) =>
    depth > nearest ? null : rank(key)

const ranks = [
  ...[messageRank, classRank, stackRank, fileRank, lineRank, callerRank, severityRank, appRank, environmentRank],
  ...[urlRank, statusRank, methodRank, requestRank, frameworkRank, keyRank],
]
const isRelevant = memoize((name) => ranks.some((rank) => rank(name) !== null) || /^(?:full|raw)$/.test(name))

/** A stack has priority over list entries. */
const findMessage = (nodes: readonly ReportNode[], stackMessage: string | null): string | null => {
  const unlisted = nodes.filter(({ isListed }) => !isListed)
  return bestValue(unlisted, rankOfMessage, readMessage) ?? stackMessage ?? bestValue(nodes, rankOfMessage, readMessage)
}

const findClass = (nodes: readonly ReportNode[]): string | null =>
  bestValue(nodes, rankOfClass, ({ value }) => toText(value))

/** The facts of a report, from its field names alone. */
export const findFacts = oncePerReport((all: readonly ReportNode[]): RecordDraft => {
  // Most names are unknown. A stack is recognized under any name.
  const nodes = all.filter(({ key, value }) => isRelevant(key) || (typeof value === 'string' && value.includes('\n')))
  const near = nodes.filter(({ depth }) => depth === 1)
  const stack = findStack(nodes)
  const isThrown = stack.frames !== undefined || stack.stack !== undefined
  const location = findLocation(isThrown ? nodes.filter(({ isListed }) => !isListed) : nodes)
  return {
    message: findMessage(nodes, readStack(stack.stack)?.message ?? null),
    exception: findClass(near) ?? readStack(stack.stack)?.exception ?? findClass(nodes),
    ...(isThrown || location.file !== undefined ? location : findCaller(nodes)),
    ...stack,
    severity: bestValue(nodes, rankOfSeverity, readSeverity),
    app: bestValue(nodes, shallow(appRank), named),
    environment: bestValue(nodes, shallow(environmentRank), named),
    framework: bestValue(nodes, shallow(frameworkRank), named),
    url: bestValue(nodes, rankOfRequest, readPath) ?? bestValue(nodes, rankOfUrl, readUrl),
    method: bestValue(nodes, shallow(methodRank), readMethod),
    status: bestValue(nodes, shallow(statusRank), readStatus),
    fingerprint: bestValue(near, ({ key }) => keyRank(key), readKey),
  }
})
