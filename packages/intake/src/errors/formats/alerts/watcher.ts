import { extractFacts } from '../../heuristics/extract-facts.ts'
import { describesFailure, namesError } from '../../heuristics/failure-words.ts'
import { thrownKeys } from '../../heuristics/keys.ts'
import { isSurelyOver, ownStateIn } from '../../heuristics/own-state.ts'
import { readRequestContext } from '../../heuristics/request-context.ts'
import type { State } from '../../heuristics/state-words.ts'
import { stateIn } from '../../heuristics/states.ts'
import { looksThrown } from '../../heuristics/title.ts'
import { type Place, placesIn } from '../../heuristics/walk.ts'
import { isWatched, namesRule, watchedName, withoutState } from '../../heuristics/watched.ts'
import { has, isObject, type JsonObject, keysIn, nameOf, objectsOf, only, pick, statusOf, textOf } from '../../json.ts'
import { readStack } from '../../stacks/index.ts'
import type { Format } from '../format.ts'
import { labelsOf, textualLabels, toAlert } from './alert.ts'

// Whoever watches something names a rule or a monitor, and says in which state it is. Most products need no more.

/** Names that only a rule has. */
const ruleKeys = [
  ...['alert_name', 'alertName', 'alertname', 'AlertName', 'rule_name', 'ruleName', 'RuleName', 'monitor_name'],
  ...['monitorName', 'MonitorName', 'monitor_display_name', 'trigger_name', 'triggerName', 'policy_name', 'policyName'],
  ...[
    'alert_title',
    'alertTitle',
    'condition_name',
    'conditionName',
    'detector',
    'detectorName',
    'event_definition_title',
    'search_name',
    'check_name',
    'checkName',
  ],
] as const
const idKeys = [
  ...['alert_id', 'alert_uid', 'alertId', 'alertID', 'AlertId', 'rule_id', 'ruleId', 'monitor_id', 'monitorId'],
  ...['monitorUuid', 'incident_id', 'incidentId', 'incident_key', 'check_id', 'checkId', 'trigger_id', 'triggerId'],
  ...['detectorId', 'event_definition_id', 'ProblemID', 'problem_id', 'problemId'],
] as const
/** Monitors of hosts and of the services on them mark what they send by its kind. */
const notificationKeys = ['notification_type', 'notificationtype'] as const
const kindKeys = [...notificationKeys, 'alert_type', 'alertType', 'alert_state', 'alert_status'] as const
/** What marks an alert. Beside one of these, a title is the name of the rule. */
const markKeys = [...idKeys, ...kindKeys] as const
const titleKeys = [
  'item_name',
  'label',
  'ProblemTitle',
  'name',
  'title',
  'service_description',
  'subject',
  'rule',
] as const
const stateKeys = [
  ...['state', 'status', 'alert_state', 'alert_status', 'alertState', 'alertStatus', 'current_state', 'new_state'],
  ...[
    'monitor_status',
    'notification_type',
    'notificationtype',
    'event_status',
    'event_type',
    'eventType',
    'alert_type',
  ],
  ...['alertType', 'transition', 'trigger', 'action', 'event', 'statusExtended', 'trigger_status', 'triggerType'],
  ...['TriggerType', 'State', 'Status', 'type', 'clear'],
] as const
const severityKeys = [
  ...['severity', 'criticality', 'alert_severity', 'alertSeverity', 'ProblemSeverity', 'level', 'priority', 'urgency'],
  ...['Severity'],
] as const
const summaryKeys = [
  ...['summary', 'message', 'description', 'msg', 'messageBody', 'ProblemDetails', 'body', 'text', 'details', 'reason'],
  ...['failure_reason', 'failureReason', 'output', 'info', 'rule_expression', 'ruleExpression', 'trigger_condition'],
  ...['lastMessage', 'statusMessage', 'serviceoutput', 'hostoutput'],
] as const
const headlineKeys = ['title', 'messageTitle', 'subject'] as const
const subjectKeys = [
  ...['host', 'hostname', 'host_name', 'instance', 'resource', 'resource_name', 'resourceName', 'device', 'target'],
  ...['agentName', 'entity', 'ImpactedEntity', 'monitor_url', 'monitor_target', 'endpoint', 'url'],
] as const

/** By which names a service is called that is watched on a host. */
const serviceKeys = ['service_name', 'servicedesc', 'service', 'server', 'site', 'website'] as const

/** What is watched, what was found, and the alert itself stand in objects of their own. */
const partKeys = [
  'alert',
  'incident',
  'monitor',
  'check',
  'notification',
  'checkResult',
  'check_result',
  'event',
  'snapshot',
] as const

const linkKeys = ['permalink', 'link', 'url', 'endpoint', 'monitor_target', 'location', 'target', 'address'] as const
const statusKeys = ['http_status_code', 'statusCode', 'status_code', 'status'] as const

/** What the parts of an alert are asked for. */
const asked: ReadonlySet<string> = new Set([
  ...[...ruleKeys, ...markKeys, ...titleKeys, ...stateKeys, ...severityKeys, ...summaryKeys, ...headlineKeys],
  ...[...subjectKeys, ...serviceKeys, ...partKeys, ...linkKeys, ...statusKeys, 'endpoint', 'labels', 'tags'],
])

/** The alert first, then what surrounds it, then the delivery, which some put around all of it. */
const partsOf = (report: JsonObject): readonly JsonObject[] => {
  const inner = pick(report, 'payload', 'data')
  return [...(isObject(inner) ? heldBy(inner) : []), ...heldBy(report)].flatMap((part) => [
    only(part, asked),
    ...objectsOf(part['metadata']).map((metadata) => only(metadata, asked)),
  ])
}

const heldBy = (report: JsonObject): readonly JsonObject[] => [
  ...keysIn(report, partKeys)
    .map((key) => report[key])
    .filter(isObject),
  report,
]

const textIn = (parts: readonly JsonObject[], keys: readonly string[]): string | null => {
  for (const part of parts)
    for (const key of keysIn(part, keys)) {
      const text = textOf(part[key])
      if (text !== null) return text
    }
  return null
}

/** A host may be an object with a name, as Kubernetes and Sensu write one. */
const subjectIn = (parts: readonly JsonObject[]): string | null => {
  for (const part of parts)
    for (const key of keysIn(part, subjectKeys)) {
      const text = nameOf(part[key]) ?? nameOf(pick(part[key], 'metadata'))
      if (text !== null) return text
    }
  return null
}

const addressKeys = ['url', 'endpoint'] as const
const findingKeys = ['rule', 'alert'] as const
const stateOrSeverityKeys = [...stateKeys, ...severityKeys]

const upOrDownNames = [...serviceKeys, ...subjectKeys] as const
const upOrDownKeys = ['status', 'state', 'event'] as const

/** Of a service or a host, in one word. What is up and tells of trouble is no note of recovery. */
const isUpOrDown = (report: JsonObject): boolean => {
  if (textIn([report], upOrDownNames) === null) return false
  const words = upOrDownKeys.map((key) => textOf(report[key])?.trim() ?? '')
  if (words.some((word) => /^(?:down|un(?:healthy|reachable))$/i.test(word))) return true
  return (
    words.some((word) => /^(?:up|healthy|reachable)$/i.test(word)) && !describesFailure(textIn([report], summaryKeys))
  )
}

/** An address is watched itself; of a host or a service there may be many alerts. */
const watchedAddressKeys = ['monitor_url', 'monitor_target', ...addressKeys, 'target'] as const

/** What stays the same of an alert. Where nothing names it, that is what it says. */
const identityOf = (report: JsonObject, parts: readonly JsonObject[], name: string | null) => {
  const named = name ?? textIn(parts, idKeys) ?? textIn(parts, watchedAddressKeys)
  const isOfService = isUpOrDown(report) || parts.some((part) => keysIn(part, notificationKeys).length > 0)
  if (named === null && !isOfService) return []
  return [named ?? textIn(parts, serviceKeys), subjectIn(parts)]
}

const upOrDown: ReadonlySet<State | null> = new Set<State>(['resolved', 'fine', 'bad'])

const isThrown = (report: JsonObject): boolean =>
  keysIn(report, thrownKeys).some((key) => {
    const value = report[key]
    return isObject(value) || Array.isArray(value) || (typeof value === 'string' && readStack(value) !== null)
  })

/** Frames that stand deeper are those of an error, whatever surrounds it. */
const hasFrames = (report: JsonObject): boolean => (extractFacts(placesIn(report)).frames ?? []).length > 0

const hasSubject = (parts: readonly JsonObject[]): boolean =>
  textIn(parts, titleKeys) !== null || textIn(parts, addressKeys) !== null

/** A rule that is named, an id of an alert with its state, or somebody who says that something is up or down. */
const isAlert = (report: JsonObject): boolean => {
  const parts = partsOf(report)
  if (textIn(parts, ruleKeys) !== null) return true
  const isMarked = parts.some((part) => keysIn(part, markKeys).length > 0)
  // A rule that is named beside a severity is a finding.
  if (textIn(parts, findingKeys) !== null && textIn(parts, severityKeys) !== null) return true
  if (isMarked && textIn(parts, stateOrSeverityKeys) !== null) return true
  const isNested = hasSubject(parts) && parts.some((part) => isObject(pick(part, 'alert', 'monitor', 'check')))
  if (isNested) return true
  const places = placesIn(report)
  return namesRule(places) || isWatchedThing(report, places)
}

const isWatchedThing = (report: JsonObject, places: readonly Place[]): boolean => {
  // An error that is told may stand beside the state of anything.
  if (namesError(report) && stateIn(places) !== 'bad' && !isSurelyOver(places)) return false
  if (has(report, 'name') || has(report, 'Name'))
    return upOrDown.has(stateIn(places)) && !looksThrown(textOf(pick(report, 'name', 'Name')) ?? '')
  if (isUpOrDown(report)) return true
  return isWatched(places) && (stateIn(places) !== null || textOf(extractFacts(places).severity) !== null)
}

const isAddress = (value: unknown) => /^https?:\/\//.test(textOf(value) ?? '')

/** Where a person looks on: whatever is called so, and no picture. */
const linkIn = (parts: readonly JsonObject[]): unknown => {
  for (const part of parts) {
    const named = linkKeys.map((key) => part[key]).find(isAddress)
    if (named !== undefined) return named
  }
  return null
}

const toLabels = (given: unknown) => (isObject(given) ? given : textualLabels(given))

/** A word: products count their ranks each in its own way. */
const severityOf = (parts: readonly JsonObject[], isNote: boolean) => {
  const severity = textIn(parts, severityKeys)
  return isNote || severity === null || /^(?:\d+|normal)$/i.test(severity) ? null : severity
}

const statusIn = (parts: readonly JsonObject[]) =>
  parts.map((part) => statusOf(pick(part, ...statusKeys))).find((one) => one !== null)

/** Somewhere a monitor failed, with a sentence for each place it was seen from. */
const firstOfMany = (report: JsonObject): unknown => {
  const errors = pick(report, 'monitor_errors', 'errors')
  return isObject(errors) ? Object.values(errors)[0] : null
}

/** An alert of a product that has no reader of its own. */
export const watcher: Format = {
  name: 'alert',
  about: {
    title: 'any other alert',
    by: 'the name of a rule, monitor or check; an id, an address or an object of one with a state; `rule` or `alert` with a severity',
    message: '`summary`, `message`, `description`, `failure_reason`, `output`…',
    exception: '`alert_name`, `rule_name`, `monitor_name`… in any spelling, else `name`, `title`',
    place: 'a file and a line side by side',
    context: '`service`, `app`, `project` · `environment` · `severity`, `criticality`, `priority`; link, labels',
  },
  recognises: (report) => !isThrown(report) && isAlert(report) && !hasFrames(report),
  read: (report) => {
    const parts = partsOf(report)
    const places = placesIn(report)
    const state = ownStateIn(places)
    const isNote = state === 'resolved' || state === 'fine'
    const given = textIn(parts, ruleKeys) ?? watchedName(places) ?? textIn(parts, titleKeys)
    const name = given === null ? null : withoutState(given)
    const labels = labelsOf(...parts.flatMap((part) => [part['labels'], part['tags']].map(toLabels)))
    const subject = subjectIn(parts)
    const surroundings = readRequestContext(report)
    const rest = extractFacts(places)
    return [
      toAlert({
        name,
        summary: textIn(parts, summaryKeys) ?? firstOfMany(report) ?? rest.message ?? textIn(parts, headlineKeys),
        severity: state === 'going on' ? 'info' : (severityOf(parts, isNote) ?? (isNote ? null : rest.severity)),
        link: linkIn(parts) ?? rest.url,
        labels: labelsOf(labels, { subject }),
        app: surroundings.app ?? pick(labels, 'service', 'app') ?? rest.app,
        environment: surroundings.environment ?? pick(labels, 'environment', 'env') ?? rest.environment,
        status: statusIn(parts) ?? rest.status,
        ...(textOf(rest.file) === null ? {} : { file: rest.file, line: rest.line }),
        identity: identityOf(report, parts, name),
        isOver: isNote,
      }),
    ]
  },
}
