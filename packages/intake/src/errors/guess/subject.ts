import { isRecord } from '../../sanitize/json-path.ts'
import { toText } from '../json.ts'
import { memoize, nameTest } from '../memoize.ts'
import { normalizeMessage, normalizeTitle } from '../normalize-message.ts'
import type { RecordDraft } from '../record.ts'
import { severityName } from '../severity.ts'
import { isChat, isCommonHeadline, namesInChat, placesInText } from './chat.ts'
import { isLoggers, isLogLevel, isTime } from './loggers.ts'
import { isMail } from './mail.ts'
import { nameInText, subjectOfSentence } from './named-in-text.ts'
import { describesOperation, namedAlarm, namedOutage } from './outage.ts'
import { isAddress, isMachine, isPlace, isRun, isScope, isService, namesIn, usable } from './places.ts'
import { describesOutage, isHeadline, isKind, isOfAlarm } from './quiet.ts'
import { isUrl } from './rank.ts'
import { isBareState, type State } from './state-words.ts'
import { isNote, isPast, isSeverity, isState } from './states.ts'
import type { ReportNode } from './walk.ts'

// What an alert is about: a monitor, a rule, an incident, and where. Two with equal words are two problems if they have ids or
// names, and all updates of one belong together, whatever they say.

const watchedWords = 'monitor|snitch|probe|heartbeat|watch|sensor|check|pool'
const caseWords = 'incident|issue|problem|outage'
const ruleWords = 'rule|detector|trigger|condition|policy|definition|search|test|alert|alarm|finding|entity'
/** The first kind in a body decides, because every outage of a monitor belongs to the monitor. */
const watched = watchedWords.split('|')
/** Cases have their own id, and their names may be edited. */
const cases = caseWords.split('|')
/** Together they say what was violated. */
const rules = ruleWords.split('|')
/** What may be violated in several places. */
const isAnywhere = new Set(['check', 'sensor', 'pool', ...rules])
/** Under these names, only an id or a name is one. */
const isWord = new Set(['search', 'test', 'definition', 'finding'])

const prefix = '(?:alert|uptime|health|status|cron|metric|event|vulnerability)?'
const idPart = '(?:id|uid|uuid|guid)'
const referencePart = '(?:(?:display|short|public|tiny|external)id|key|token|number|reference|slug)'
const namePart = '(?:(?:display|friendly|full)?name|title|label)'
const kinds = `${watchedWords}|${caseWords}|${ruleWords}`
const kindOfKey = new RegExp(`^${prefix}(${kinds})(?:(${idPart})|(${referencePart})|(${namePart}))?$`)
const kindOfOwner = new RegExp(
  `^(?:${prefix}(${kinds})(?:s|data|info|details?|event|group)?|\\w{0,20}(incident)\\w{0,40})$`,
)
const kindOfEvent = new RegExp(`^(?:\\w{1,20}[._-])?(${kinds})(?:[._-]|$)`, 'i')
const partOfKey = new RegExp(`^(?:(${idPart})|(${referencePart})|(${namePart}))$`)
const isEnvelope = nameTest(/^(?:data|payload|object|attributes|resource|item)$/)

const maxDepth = 4

const partNames = ['id', 'reference', 'name', 'itself'] as const
type Named = Pick<Part, 'kind' | 'part'>

type Part = {
  readonly kind: string
  readonly part: (typeof partNames)[number]
  readonly text: string
  /** The text, without amounts and times if it is a composed sentence such as a title. */
  readonly key: string
  readonly depth: number
}

/** The kind that `incident.opened` or `resource_type: "incident"` names, and whether the body itself is one. */
const kindNamedIn = (nodes: readonly ReportNode[]) => {
  for (const { key, value, depth } of nodes) {
    // An action is a verb: `alert_action: "trigger"`.
    if (depth > 3 || key.endsWith('action') || !(isNote(key) || isKind(key))) continue
    const text = toText(value) ?? ''
    const kind = kindOfEvent.exec(text)?.[1]?.toLowerCase()
    if (kind !== undefined) return { kind, isWhole: depth === 1 && text.length === kind.length }
  }
  return undefined
}
type Envelope = ReturnType<typeof kindNamedIn>

const partAmong = (groups: readonly (string | undefined)[]): Part['part'] =>
  partNames[groups.findIndex((group) => group !== undefined)] ?? 'itself'

/** What `monitor`, `monitor_id`, and `monitor_name` say. */
const readKey = memoize((key): Named | null => {
  const [, kind, ...groups] = kindOfKey.exec(key) ?? []
  return kind === undefined ? null : { kind, part: partAmong(groups) }
})

const readPart = memoize((key): Part['part'] | null => {
  const [, ...groups] = partOfKey.exec(key) ?? []
  return groups.length === 0 ? null : partAmong(groups)
})

const readOwner = memoize((owner): string | null => {
  const [, kind, incident] = kindOfOwner.exec(owner) ?? []
  return kind ?? incident ?? null
})

/** The `id` or `name` in the object of a monitor. */
const readOwned = ({ key, owner }: ReportNode, envelope: Envelope): Named | null => {
  const isNamed = owner === '' ? envelope?.isWhole === true : isEnvelope(owner)
  const kind = readOwner(owner) ?? (isNamed ? envelope?.kind : undefined)
  const part = kind === undefined ? null : readPart(key)
  return kind === undefined || part === null ? null : { kind, part }
}

const toPart = (node: ReportNode, envelope: Envelope): Part | null => {
  const { key, owner, depth, value, isListed } = node
  if (isListed || depth > maxDepth || isPast(owner)) return null
  const named = readKey(key) ?? readOwned(node, envelope)
  const text = named === null ? null : usable(value)
  if (named === null || text === null || isUrl(text)) return null
  if (named.part === 'itself' && (isWord.has(named.kind) || !isItself(value, text))) return null
  return { ...named, text, depth, key: isComposed(named, key) ? normalizeTitle(text) : scoped(node, named, text) }
}

/** Several senders count from 1, so a small number is an id at its place only. */
const scoped = ({ key, owner }: ReportNode, { part }: Named, text: string): string =>
  isIdentity(part) && /^\d{1,6}$/.test(text) ? `${owner}.${key} ${text}` : text

const isComposed = ({ kind, part }: Named, key: string): boolean =>
  part === 'name' ? cases.includes(kind) || key.endsWith('title') : part === 'itself' && !watched.includes(kind)

/** `monitor: "api"`; `alarm: "CLEARED"` is a state. */
const isItself = (value: unknown, text: string): boolean =>
  typeof value === 'string' &&
  /\p{L}/u.test(text) &&
  !isBareState(text) &&
  !/^(?:true|false|none|low|medium|high|major|minor|new|open)$/i.test(text)

const isIdentity = (part: Part['part']): boolean => part === 'id' || part === 'reference'

/** The id or else the name of one object. */
const bestOf = (parts: readonly Part[], kind: string): Part | undefined => {
  const own = parts.filter((one) => one.kind === kind)
  return partNames.map((part) => own.find((one) => one.part === part)).find((one) => one !== undefined)
}

/** The `name` of the whole body, or of what it wraps. */
const isOwnName = ({ key, owner, depth }: ReportNode): boolean =>
  key === 'name' && (depth === 1 || (depth === 2 && isEnvelope(owner)))

type Reading = {
  readonly nodes: readonly ReportNode[]
  readonly state: State | null
  readonly isThrown: boolean
}

const partsIn = (nodes: readonly ReportNode[]): readonly Part[] => {
  const envelope = kindNamedIn(nodes)
  return nodes.flatMap((node) => toPart(node, envelope) ?? []).sort((one, other) => one.depth - other.depth)
}

/** An error has its own class and message; only the issue of a tracker is more specific. */
const objectsAmong = (parts: readonly Part[], isThrown: boolean): readonly Part[] => {
  if (isThrown) return parts.filter(({ kind, part }) => kind === 'issue' && isIdentity(part)).slice(0, 1)
  const first = (among: readonly string[], parts: readonly Part[]) =>
    among.flatMap((kind) => bestOf(parts, kind) ?? []).slice(0, 1)
  const named = parts.filter(({ part }) => part !== 'itself')
  const candidates = [watchedAmong(parts), first(cases, named), rules.flatMap((kind) => bestOf(parts, kind) ?? [])]
  return candidates.find((found) => found.length > 0) ?? first(cases, parts)
}

/** The first kind with an id, or else all that have names: `check: "http", probe: "eu"`. */
const watchedAmong = (parts: readonly Part[]): readonly Part[] => {
  const [first, ...others] = watched.flatMap((kind) => bestOf(parts, kind) ?? [])
  if (first === undefined || isIdentity(first.part)) return first === undefined ? [] : [first]
  // An id alone may be that of one run of a check.
  const isNamed = ({ kind }: Part) => parts.some((one) => one.kind === kind && !isIdentity(one.part))
  return [first, ...others.filter(isNamed)]
}

/** A monitor as an object, or a state that may be unknown. */
const isOfKind = ({ key, value, depth }: ReportNode): boolean =>
  (depth === 1 && isRecord(value) && readOwner(key) !== null) ||
  (depth <= 3 && isState(key) && typeof value === 'string' && /^[a-z]/i.test(value))

/** A notification has a headline and a severity. */
const isNotification = (nodes: readonly ReportNode[]): boolean =>
  [isHeadline, isSeverity].every((isWanted) => nodes.some(({ key, depth }) => depth === 1 && isWanted(key)))

const isAlertIn = (nodes: readonly ReportNode[], message: string): boolean =>
  isOfAlarm(nodes, message) || isChat(nodes, message) || isNotification(nodes) || nodes.some(isOfKind)

const isAtTop = (nodes: readonly ReportNode[], isWanted: (key: string) => boolean): boolean =>
  nodes.some(({ key, depth, value }) => depth === 1 && !isRecord(value) && isWanted(key))

const isLineIn = (nodes: readonly ReportNode[]): boolean => isAtTop(nodes, isLoggers) && !isAtTop(nodes, isHeadline)

/** The levels of loggers. */
const isOfCode = (severity: unknown): boolean => /^(?:error|fatal)$/.test(severityName(severity) ?? '')

/** Whether a severity may be that of a rule, which is the same in each state: something watched has it, and not a log line. */
export const isOfRule = (nodes: readonly ReportNode[], severity: unknown): boolean => {
  if (isLineIn(nodes) || [isLogLevel, isMessage].every((isWanted) => isAtTop(nodes, isWanted))) return false
  return partsIn(nodes).length > 0 || (!isOfCode(severity) && namesIn(nodes, isPlace).length > 0)
}
const isMessage = (key: string): boolean => key === 'message'

/** `{status: "firing", name: "Disk"}`: the name says what has the state. */
const withOwnName = (found: RecordDraft, { nodes, state, isThrown }: Reading): RecordDraft => {
  const isSaid = isThrown || state === null || [found.message, found.exception].some((text) => toText(text) !== null)
  const name = isSaid ? undefined : nodes.find((node) => node.depth === 1 && isOwnName(node))?.value
  return usable(name) === null ? found : { ...found, message: name }
}

/** Adds the name to the title of an alert, and what it is about to the grouping key. */
export const withSubject = (draft: RecordDraft, reading: Reading): RecordDraft => {
  const found = withOwnName(draft, reading)
  if (toText(found.fingerprint) !== null || Array.isArray(found.fingerprint)) return found
  const { nodes, state, isThrown } = reading
  const message = toText(found.message) ?? ''
  const isAlert = !isThrown && (state !== null || isAlertIn(nodes, message))
  const isLogLine = isLineIn(nodes)
  const parts = partsIn(nodes).filter(({ depth }) => depth > 1 || !isLogLine)
  const objects = objectsAmong(parts, isThrown)
  const scopes = namesIn(nodes, isScope).filter((name) => name !== found.app)
  const [object] = objects
  if (object === undefined)
    return withKey(found, [...withoutObject(found, { ...reading, isAlert, isLogLine }), ...scopes])
  const beside = isAlert || isThrown ? [] : sentenceBeside(object, message)
  const named = isThrown ? found : withName(found, parts, object.kind)
  return withKey(named, [...toKey(objects, nodes), ...scopes, ...beside])
}

type WithoutObject = Reading & { readonly isAlert: boolean; readonly isLogLine: boolean }

/** An alert may have a level, too, and says whether it is over. */
const withoutObject = (found: RecordDraft, { nodes, state, isThrown, isAlert, isLogLine }: WithoutObject) => {
  const runs = namesIn(nodes, isRun)
  if (isThrown) return [byDefault, ...runs]
  const isLog = isLogLine || (isAtTop(nodes, isLogLevel) && (state === null || nodes.some(isErrorState)))
  return isLog
    ? [namedOutage(toText(found.message) ?? '') ?? byDefault, ...runs]
    : unnamed(found, { nodes, state, isAlert })
}

type Unnamed = Pick<Reading, 'nodes' | 'state'> & { readonly isAlert: boolean }

/** The key of a report without an object: that of an alert, or the platform's own below the headline. */
const unnamed = (found: RecordDraft, { nodes, state, isAlert }: Unnamed): readonly string[] => {
  const message = toText(found.message) ?? ''
  if (isAlert || message === '') return whereabouts(nodes, message, state)
  const alarm = namedAlarm(message)
  if (alarm !== null) return [alarm]
  if (describesOperation(message) && !isAtTop(nodes, isTime)) return [byDefault, ...namesIn(nodes, isPlace)]
  // The title of a failed request says the same as its status.
  const isNamed = toText(found.exception) !== null || toText(found.status) !== null
  const headline = isNamed ? null : headlineIn(nodes, message)
  return headline === null ? [byDefault] : [headline, byDefault]
}

const withKey = (found: RecordDraft, fingerprint: readonly string[]): RecordDraft =>
  fingerprint.length === 1 && fingerprint[0] === byDefault ? found : { ...found, fingerprint }

const withName = (found: RecordDraft, parts: readonly Part[], ofKind: string): RecordDraft => {
  const name = parts.find(({ kind, part }) => kind === ofKind && !isIdentity(part))?.text
  const isSaid = name === undefined || toText(found.message)?.includes(name) === true
  return isSaid ? found : { ...found, exception: found.exception ?? name }
}

/** An id is enough, except that of a rule that several machines violate. */
const toKey = (objects: readonly Part[], nodes: readonly ReportNode[]): readonly string[] => {
  const isSomewhere = objects.some(({ kind, part }) => isAnywhere.has(kind) || !isIdentity(part))
  return [...objects.flatMap(({ kind, key }) => [kind, key]), ...(isSomewhere ? namesIn(nodes, isPlace) : [])]
}

/** Without a state it may be a log line that mentions a rule. */
const sentenceBeside = ({ kind, part }: Part, message: string): readonly string[] =>
  part === 'itself' || rules.includes(kind) ? [normalizeMessage(message)] : []

/** The platform's own grouping. */
const byDefault = '{{ default }}'

/** Anything else may be the state of a request, whose address is not what fails. */
const isDownOrUp = ({ key, value, depth }: ReportNode): boolean =>
  (depth === 1 && isRecord(value) && readOwner(key) !== null) ||
  (depth <= 3 && isState(key) && /^(?:down|offline|unreachable|unhealthy|up|online)$/i.test(toText(value) ?? ''))

const mayNameOutage = nameTest(/^(?:name|event|alert|summary)$/)

/** `name: "Shop is down"`. */
const isOutageNamed = ({ key, value, depth }: ReportNode): boolean =>
  depth === 1 && mayNameOutage(key) && subjectOfSentence(toText(value) ?? '') !== null

/** What a headline beside the message is about. */
const headlineIn = (nodes: readonly ReportNode[], message: string): string | null => {
  const said = nodes.filter(({ depth, value }) => depth <= 2 && value !== message && usable(value) !== null)
  const headline = said.find(({ key }) => isHeadline(key)) ?? said.find(isOutageNamed)
  const text = toText(headline?.value)?.trim() ?? ''
  return text === '' || text === message || isCommonHeadline(text) ? null : nameInText(text)
}

/** The states of Nagios and its successors. An application that reports an error also names its service and its host. */
const isCheckState = ({ key, value, depth }: ReportNode): boolean =>
  depth <= 3 && isState(key) && /^(?:critical|warning|unknown|ok|down|up|unreachable)$/i.test(toText(value) ?? '')

const isErrorState = ({ key, value, depth }: ReportNode): boolean =>
  depth <= 3 && isState(key) && /^(?:error|errored|fail(?:ed|ure)?)$/i.test(toText(value) ?? '')

const isCheck = (nodes: readonly ReportNode[]): boolean =>
  nodes.some(isCheckState) && [isService, isMachine].every((isWanted) => namesIn(nodes, isWanted).length > 0)

const isWhollyNamed = (nodes: readonly ReportNode[]): boolean => namesIn(nodes, isRun).length > 0 || isCheck(nodes)

const namesOfWatched = (nodes: readonly ReportNode[]): readonly string[] =>
  namesIn(nodes, (key) => isRun(key) || isService(key) || isPlace(key))

/** In the sentence of an alert, `Room 101` and addresses are names. */
const toSentence = (message: string): string => (message === '' ? byDefault : normalizeTitle(message))

const namesBeside = (nodes: readonly ReportNode[]): readonly string[] => [
  ...nodes.filter(isOwnName).flatMap(({ value }) => usable(value) ?? []),
  ...namesIn(nodes, isPlace),
]

/** What a message is about, if it is that of a chat, and the names in it. Below a headline, only places are names. */
const namesInMessage = (nodes: readonly ReportNode[], message: string, headline: string | null): NamesInMessage => {
  if (headline !== null && isMail(message)) return { said: null, names: placesInText(message) }
  const [said = null, ...names] = isChat(nodes, message) ? namesInChat(nodes, message) : []
  return { said, names }
}
type NamesInMessage = { readonly said: string | null; readonly names: readonly string[] }

/** What an alert without an object is about: its headline, its sentence, its name, its places, or at last an address. */
const whereabouts = (nodes: readonly ReportNode[], message: string, state: State | null): readonly string[] => {
  const headline = headlineIn(nodes, message)
  const inMessage = namesInMessage(nodes, message, headline)
  const names = [...new Set([...namesBeside(nodes), ...inMessage.names])]
  if (headline === null && state !== null && isWhollyNamed(nodes)) return namesOfWatched(nodes)
  const sentence = inMessage.said ?? subjectOfSentence(message)
  // The message of an alarm changes with its state, and the headline does not. That of an error tells what has failed.
  const isAlarm = state !== null && !nodes.some(isErrorState)
  if (headline !== null) return [headline, ...(isAlarm ? [] : [sentence ?? toSentence(message)]), ...names]
  const isNamed = names.length > 0 || sentence !== null
  const isDown = (message !== '' && describesOutage(message)) || nodes.some(isDownOrUp)
  return [sentence ?? toSentence(message), ...new Set(isNamed || !isDown ? names : namesIn(nodes, isAddress))]
}
