import { isRecord } from '../../sanitize/json-path.ts'
import { keysIn, toText } from '../json.ts'
import { nameTest } from '../memoize.ts'
import { type State, stateOfTitle } from './state-words.ts'
import { isEndTime, isNote, isPast, isSeverity, isState, isTitle, stateAmong, stateIn } from './states.ts'
import type { ReportNode } from './walk.ts'

// A report may contain the states of many objects. This file finds the report's own state.

/** Objects whose state counts as the report's own: wrappers, monitored objects, and runs. */
const holdsOwnState = nameTest(
  /^(?:(?:\w{0,40}(?:event|alert|alarm|webhook|notification|custom))?(?:data|payload|body|events?|details?)|messages?|records?|reports?|results?|objects?|items|entries|(?:object)?attributes|fields|properties|notifications?|content|params|inputs?|resource|target|commitstatus|current(?:state)?|new(?:state|status)?|state|status|essentials)$|(?:alert|alarm|incident|issue|problem|monitor|check|probe|sensor|heartbeat|outage|trigger|rule|detector|policy|pool|condition|transition|service|host|server|site|node|component|job|task|build|run|test|suite|pipeline|workflow|deploy(?:ment)?|release|step|stage|execution|sync|backup|scan|export|import)(?:s|event|info|state|status|result|run)?$/,
)

/** Business objects such as `order_status`, which no monitor watches. */
const isBusinessState = nameTest(
  /^(?:order|payment|invoice|delivery|shipment|shipping|booking|reservation|subscription|account|user|customer|member|cart|product|connection|network|battery)(?:state|status)$/,
)

/** Things that are started and end. For a machine, `running` only means healthy. */
const isRun = nameTest(
  /(?:job|task|build|pipeline|workflow|deploy(?:ment)?|backup|sync|execution|export|import|migration|dag|suite|scan|analysis|test)(?:s|id|name|type|number|url)?$|^(?:progress|pct|percent|percentage|eta)$|^runs?(?:id|name|number|url)?$/,
)
const isRunning = ({ key, value }: ReportNode): boolean =>
  isState(key) && typeof value === 'string' && /^(?:running|active)$/i.test(value.trim())

const isOwn = (node: ReportNode): boolean =>
  node.depth < 2 ? !isBusinessState(node.key) : holdsOwnState(node.owner) || isOfTracker(node)

const isOfRun = (nodes: readonly ReportNode[]): boolean => nodes.some(({ key, depth }) => depth <= 3 && isRun(key))

/** `Fix null pointer error`, `feat(cart): …`: commit messages. */
const change =
  /^(?:(?:fix(?:es)?|revert) \S|(?:fix|feat|chore|refactor|test|docs|build|ci|perf|style|revert)(?:\([\w ,./-]{1,60}\))?!?: \S)/i
const isBuild = nameTest(
  /^(?:build|pipeline|deploy(?:ment)?|ci|commit|release|workflow)(?:run|s|id|number|status|url|ref)?$/,
)
const isRevision = nameTest(
  /^(?:source|head|git)?(?:commit|revision|sha|branch|ref|repository|repo|scm|git|vcs)(?:id|ref|name|message|url|slug|sha)?$|^build(?:number|id|url|name)$/,
)
const passed = /^(?:passed|success(?:ful)?|succeeded|green|fixed|ready|live|deployed|published)$/i

/** Whether a build of a change passed. Then the message is that of the change, whatever it says. */
export const isPassedBuild = (nodes: readonly ReportNode[], message: unknown): boolean => {
  const near = nodes.filter(({ depth, isListed }) => depth <= 3 && !isListed)
  const isPassed = ({ key, value }: ReportNode) =>
    isState(key) && !isPast(key) && passed.test(toText(value)?.trim() ?? '')
  const isOfChange = ({ key, owner, value }: ReportNode) =>
    isRevision(key) ||
    (value === message && isBuild(owner)) ||
    (isNote(key) && /^(?:build|pipeline|deploy)/i.test(toText(value) ?? ''))
  return near.some(isPassed) && near.some(isOfChange)
}

/** Whether the message of a build is the commit message of the built change. */
export const isChangeBuilt = (nodes: readonly ReportNode[], message: unknown): boolean =>
  typeof message === 'string' && change.test(message) && nodes.some(({ key, depth }) => depth <= 3 && isBuild(key))

/**
 * The report's own state. Ignores the state of an order, of labels, or of a person, and that of
 * list entries if the report itself has a message.
 */
export const ownStateIn = (nodes: readonly ReportNode[], message?: unknown): State | null => {
  const state = stateIn(nodes)
  if (state === null || state === 'bad') return state
  const isSaid = nodes.some(({ value, isListed }) => !isListed && typeof value === 'string' && value === message)
  const isRunsReport = isOfRun(nodes)
  return stateAmong(
    nodes.filter((node) => isOwn(node) && (isRunsReport || !isRunning(node)) && !(node.isListed && isSaid)),
  )
}

const well = /^(?:ok|okay|up|normal|online|healthy|operational|good|green|available|reachable|connected|stable)$/i

/** The state of something that is watched. A request or a run that ended well is `success`. */
export const isWell = (nodes: readonly ReportNode[]): boolean =>
  nodes.some(
    (node) =>
      node.depth <= 3 &&
      !node.isListed &&
      isState(node.key) &&
      !isPast(node.key) &&
      isOwn(node) &&
      well.test(toText(node.value)?.trim() ?? ''),
  )

const recoveryWord = /^(?:auto[- ]?)?(?:resolved|recovered|recovery|restored|cleared|solved)$/i
/** For an alarm, these also mean that it is over. */
const monitorRecoveryWord = /^(?:resolve|close|closed|ok|ignored|muted|snoozed|archived|ended)$/i
const alarmRecovery =
  /(?:alert|alarm|incident|issue|problem|monitor|check|probe|outage|downtime|service|host|site)s?[^a-z]{1,3}(?:is |was )?(?:resolved|recovered|recovery|restored|cleared|closed|up|ok|online|healthy)$/i
const isAlarm = nameTest(
  /^(?:alert|alarm|incident|issue|problem|outage|monitor|check|probe)(?:info|data|details?|group)?$/,
)
/** `alert_state`, and `alarm` with a word instead of a name. */
const isStateOfAlarm = nameTest(
  /^(?:alert|alarm|incident|issue|problem|outage|monitor|check|probe)(?:state|status|condition)?$/,
)
/** Trackers send the state of an error with its id or link. Another state may be that of a socket. */
const isError = nameTest(/^(?:err|error|exception|fault)(?:info|data|details?)?$/)
const isOfTracker = ({ owner, parent, value }: ReportNode): boolean =>
  isError(owner) && (keysIn(parent, idKeys).length > 0 || setAside.test(toText(value) ?? ''))
const idKeys = ['id', 'url', 'uuid', 'link'] as const
const setAside = /^(?:ignored|muted|snoozed|archived)$/i
/** Keys that identify an alarm. */
const isAlarmKey = nameTest(
  /^(?:dedup(?:lication)?|routing|incident|alert)key$|^(?:incident|alert|alarm)(?:id|uuid|guid)$|^(?:alias|entityid)$/,
)

/** `up` means recovered only for monitored objects. */
const isSite = nameTest(/^(?:(?:site|host|target|endpoint|monitor|check|probe)(?:name|url|id)?|url|hostname)$/)
const isUp = ({ key, value, depth }: ReportNode): boolean =>
  depth === 1 && isState(key) && typeof value === 'string' && /^(?:back )?up$/i.test(value.trim())

/** Whether a report clearly says that its problem is over. */
export const isClearlyRecovered = (nodes: readonly ReportNode[]): boolean => {
  const isKeyed = nodes.some(
    ({ key, value, depth }) => depth === 1 && (isAlarmKey(key) || (isAlarm(key) && isRecord(value))),
  )
  const isOfSite = nodes.some(({ key, depth }) => depth === 1 && isSite(key))
  return nodes.some((node) => statesRecovery(node, isKeyed) || (isOfSite && isUp(node)))
}

const isRecoveryFlag = nameTest(/^(?:is)?(?:resolved|recovered|cleared)$/)

/** `resolved: true`, `severity: "clear"`. */
const isFlaggedRecovered = ({ key, value }: ReportNode): boolean =>
  isSeverity(key)
    ? /^(?:cleared|clear|resolved|recovered|recovery)$/i.test(toText(value)?.trim() ?? '')
    : value === true && isRecoveryFlag(key)

const statesRecovery = (node: ReportNode, isKeyed: boolean): boolean => {
  const { key, value, depth, isListed } = node
  if (depth === 1 && isFlaggedRecovered(node)) return true
  if (isListed || typeof value !== 'string' || isPast(key)) return false
  if (isTitle(key)) return stateOfTitle(value.trim()) === 'resolved'
  if (depth === 1 && isEndTime(key)) return value.trim() !== ''
  return statesRecoveryInWords(node, value.trim(), isKeyed)
}

const statesRecoveryInWords = (node: ReportNode, text: string, isKeyed: boolean): boolean => {
  const { key, owner, depth } = node
  const isAlarms = depth === 1 && isStateOfAlarm(key)
  if (!isAlarms && !isState(key) && !isNote(key)) return false
  const isOfAlarm = isAlarms || isKeyed || isAlarm(owner) || isOfTracker(node)
  return (
    alarmRecovery.test(text) ||
    (isOfAlarm && monitorRecoveryWord.test(text)) ||
    (recoveryWord.test(text) && (isOfAlarm || (isState(key) && depth === 1)))
  )
}
