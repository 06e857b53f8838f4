import { toText } from '../json.ts'
import { memoize, nameTest } from '../memoize.ts'
import { describesFailure } from './failure-words.ts'
import { oncePerReport } from './rank.ts'
import {
  alarmNouns,
  eventNouns,
  maxWords,
  ordinaryEvents,
  problemStarted,
  type State,
  stateOfTitle,
  stateOfWord,
  statePhrases,
  stateWord,
  type Word,
  workSteps,
} from './state-words.ts'
import type { ReportNode } from './walk.ts'

// Finds the state that a sender reports: failed, in progress, or recovered.

export const isState = nameTest(
  /(?:state|status|health|outcome|result|conclusion)(?:name|text|label|type|value|extended|string|message|reason)?$|^(?:phase|zustand|estado|statut|etat|stato)$/,
)
/** `alarm: "CLEARED"`: a single word there is a state, and anything longer a name. */
const isAlarmItself = nameTest(/^(?:alarm|alert|incident|outage)$/)
const isBareWord = (value: unknown): boolean => typeof value === 'string' && /^[a-z]{2,12}$/i.test(value.trim())

export const isNote = nameTest(
  /(?:clear|transition|action|event|type|trigger|kind|topic|change|notification|operation|milestone)(?:type|name|kind|group)?$/,
)
/** Names of a previous state. */
export const isPast = nameTest(/prev|former|^old|^from|^last|original|content|mime/)
/** `status: {name: 'Closed'}` */
const isPartOfState = nameTest(/^(?:name|category|value|label|text|slug|type)$/)
export const isSeverity = nameTest(
  /^(?:alert|event|problem|notification|str)?(?:severity|level|criticality)(?:name|text|label|string)?$/,
)
const noSeverity = /^(?:ok|okay|normal|resolved|recovered|recovery|clear|cleared)$/i

const goodFlags = nameTest(
  /^(?:state)?(?:is|was)?(?:fixed|resolved|recovered|cleared|success|succeeded|ok|up|healthy|passed|online)$/,
)
const badFlags = nameTest(/^(?:state)?(?:is|was)?(?:down|failed|failing|firing|error|errored|broken|offline|alarm)$/)
const flags: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['true', true],
  ['1', true],
  [false, false],
  [0, false],
  ['false', false],
  ['0', false],
])
export const isEndTime = nameTest(/^(?:resolved|recovered|cleared|closed)(?:at|on|date|time)$/)

/** What a program ended with. */
const isExitCode = nameTest(/^(?:exit|return|rc)(?:code|status|value)?$/)

const stateOfFlag = ({ key, value }: ReportNode): State | null => {
  if (isExitCode(key) && /^-?\d{1,6}$/.test(toText(value) ?? '')) return Number(value) === 0 ? 'fine' : 'bad'
  if (isEndTime(key) && typeof value === 'string' && value !== '') return 'resolved'
  const flag = flags.get(value)
  if (flag === undefined) return null
  if (badFlags(key)) return flag ? 'bad' : 'fine'
  if (!goodFlags(key)) return null
  if (!flag) return 'bad'
  return /success|succeeded|ok|passed|up$|online|healthy/.test(key) ? 'fine' : 'resolved'
}

export const isTitle = nameTest(
  /^(?:title|subject|headline|name|message|msg|text|content|summary|alertname|messagetitle|notificationmessage|shortmessage|logentry|log)$/,
)
/** Some senders put the severity under the alarm's type. */
const isAlarmType = nameTest(/^(?:alert|trigger|message|notification|incident)type$/)
const ranks = /^(?:critical|crit|warning|warn|emergency|fatal|error|high|major)$/

const stateNamed = ({ key, value }: ReportNode, isNamed: boolean): Word | null => {
  const text = toText(value)?.trim().toLowerCase() ?? ''
  const word = stateWord(value)
  const match = statePhrases.find(([phrase]) => phrase.test(text))
  if (match !== undefined) return match[1]
  if (!isNamed) return stateOfNote(key, text, word)
  if (text.split(' ').length > maxWords && describesFailure(text)) return 'bad'
  return workSteps.test(word) && word !== text ? null : stateOfWord(word)
}

const stateOfNote = (key: string, text: string, word: string): Word | null => {
  if (ordinaryEvents.test(word) && !describesFailure(text.replace(/[^a-z]/g, ' '))) return 'going on'
  if (alarmNouns.test(text) || (isAlarmType(key) && ranks.test(text))) return 'bad'
  return eventNouns.test(text) || text.split(' ').length > maxWords || workSteps.test(word) ? null : stateOfWord(word)
}

type Signal = {
  readonly state: Word
  readonly isState: boolean
  readonly depth: number
  /** Whether it reports the start of a problem. */
  readonly begins?: boolean
}

const maxDepth = 4

const isStateNamed = ({ key, owner, value }: ReportNode): boolean =>
  isState(key) || (isPartOfState(key) && isState(owner)) || (isAlarmItself(key) && isBareWord(value))

const toSignal = (node: ReportNode): Signal | null => {
  const { key, value, depth } = node
  if (isSeverity(key))
    return noSeverity.test(toText(value)?.trim() ?? '') ? { state: 'resolved', isState: true, depth } : null
  const flagged = stateOfFlag(node)
  if (flagged !== null) return { state: flagged, isState: true, depth }
  const isNamed = isStateNamed(node)
  if (isNamed || isNote(key)) {
    const state = stateNamed(node, isNamed)
    const begins = state === 'bad' && problemStarted.test(String(value).trim().toLowerCase())
    return state === null ? null : { state, isState: isNamed, depth, begins }
  }
  const state = isTitle(key) && typeof value === 'string' ? stateOfTitle(value) : null
  return state === null ? null : { state, isState: false, depth }
}

/**
 * The state of a report, or null. `resolved` always wins,
 * because the previous state is often repeated. Otherwise the word nearest to the top counts, a state before an event
 * type, and the worst of several.
 */
export const stateIn = oncePerReport((nodes: readonly ReportNode[]): State | null => stateAmong(nodes))

export const stateAmong = (nodes: readonly ReportNode[]): State | null => {
  const near = nodes.filter(({ depth, key, owner }) => depth <= maxDepth && isRelevant(key) && !isPast(owner))
  const signals = signalsIn(near.filter(({ isListed }) => !isListed))
  // List entries count only if nothing else has a state.
  return stateOfSignals(signals.length > 0 ? signals : signalsIn(near))
}

const tests = [
  isSeverity,
  isEndTime,
  isState,
  isAlarmItself,
  isNote,
  goodFlags,
  badFlags,
  isTitle,
  isExitCode,
  isPartOfState,
]
const isRelevant = memoize((name) => !isPast(name) && tests.some((test) => test(name)))

const signalsIn = (nodes: readonly ReportNode[]): readonly Signal[] => nodes.map(toSignal).filter((one) => one !== null)

const stateOfSignals = (signals: readonly Signal[]): State | null => {
  if (signals.some(({ state }) => state === 'resolved')) return 'resolved'
  const conclusive = signals.filter(({ state }) => state !== 'ended')
  if (conclusive.length === 0) return signals.length === 0 ? null : 'fine'
  const nearest = Math.min(...conclusive.map(({ depth }) => depth))
  const near = conclusive.filter(({ depth }) => depth === nearest)
  const named = near.filter(({ isState }) => isState)
  const [first, ...others] = named.length > 0 ? named : near
  if (first === undefined || others.some(({ state }) => state === 'bad')) return 'bad'
  // An incident that has started is in progress, but still bad.
  if (first.state === 'going on' && near.some(({ begins }) => begins)) return 'bad'
  // A successful job may have found a problem.
  const isBadBelow = first.state === 'fine' && conclusive.some(({ state, isState }) => state === 'bad' && isState)
  if (isBadBelow) return 'bad'
  return first.state === 'ended' ? 'fine' : first.state
}
