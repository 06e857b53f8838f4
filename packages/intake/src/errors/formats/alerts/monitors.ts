import { at, has, isObject, type JsonObject, objectsOf, pick, textOf } from '../../json.ts'
import type { Format } from '../format.ts'
import { labelsOf, listedLabels, saysOver, textualLabels, toAlert } from './alert.ts'

// Monitors of observability products: a rule over logs and metrics that fires and recovers.

/** `[Triggered on {host:a}] [P1] CPU is high`: the state and the rank stand in brackets before the name. */
const brackets = /^(?:\s{0,4}\[[^[\]]{0,200}\]){0,4}\s{0,4}/
const bracketedState = /^\s{0,4}\[(Recovered|Resolved|OK|Closed)\b/i
const bracketedPriority = /\[(P[1-5])\]/

const isRecovery = (report: JsonObject): boolean =>
  ['alert_transition', 'alert_status', 'transition', 'status'].some((key) => saysOver(report[key])) ||
  report['alert_type'] === 'success' ||
  bracketedState.test(textOf(report['title'])?.slice(0, 300) ?? '')

/** Monitors write Markdown between lines of `%%%`. */
const withoutFences = (body: unknown) => textOf(body)?.replaceAll('%%%', '').trim()

const isDatadogEvent = (report: JsonObject): boolean =>
  has(report, 'alert_transition') ||
  (/_(?:alert|monitor)(?:_|$)/.test(textOf(report['event_type'])?.slice(0, 100) ?? '') &&
    pick(report, 'alert_title', 'title', 'event_title') !== undefined) ||
  (has(report, 'last_updated') && has(report, 'event_type') && isObject(report['org']))

export const datadogMonitor: Format = {
  name: 'datadog-monitor',
  about: {
    title: 'Datadog monitors',
    by: '`alert_transition`, or `event_type` with `org` and `last_updated`',
    message: '`body`, `text_only_msg` or `event_msg`',
    exception: '`alert_title` or `title`, without what stands in brackets before it',
    place: '–',
    context: 'tag `service` · tag `env` · `priority`, `alert_type`; link `link`, labels: the tags',
  },
  recognises: isDatadogEvent,
  read: (report) => {
    const title = textOf(pick(report, 'alert_title', 'title', 'event_title')) ?? ''
    const name = title.replace(brackets, '').trim() || title
    const tags = textualLabels(pick(report, 'tags', 'alert_scope'))
    const type = pick(report, 'alert_type')
    return [
      toAlert({
        name,
        summary: withoutFences(pick(report, 'text_only_msg', 'body', 'event_msg', 'msg', 'message')),
        severity:
          pick(report, 'severity', 'priority', 'alert_priority') ??
          bracketedPriority.exec(title.slice(0, 300))?.[1] ??
          (type === 'success' ? null : type),
        link: pick(report, 'link', 'url', 'event_link'),
        labels: labelsOf(tags, { host: pick(report, 'hostname', 'host') }),
        app: pick(tags, 'service'),
        environment: pick(tags, 'env', 'environment'),
        identity: [pick(report, 'alert_cycle_key', 'aggreg_key', 'alert_id', 'monitor_id') ?? name],
        isOver: isRecovery(report),
      }),
    ]
  },
}

const issueOf = (report: JsonObject) => at(report, 'data', 'issue')

/** A label's value is written as OpenTelemetry writes values. */
const otelLabels = (list: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(listedLabels(list, ['key', 'value'])).map(([name, value]) => [
      name,
      isObject(value) ? pick(value, 'stringValue', 'intValue', 'doubleValue', 'boolValue') : value,
    ]),
  )

export const dash0: Format = {
  name: 'dash0',
  about: {
    title: 'dash0',
    by: '`type` that begins with `alert.` and `data.issue`',
    message: '`data.issue.summary`, else `description`',
    exception: '`data.issue.checkrules[0].name`',
    place: '–',
    context:
      'label `service.name` · label `deployment.environment.name` · `status`; link `url`, labels, `issueIdentifier`',
  },
  recognises: (report) => textOf(report['type'])?.startsWith('alert.') === true && isObject(issueOf(report)),
  read: (report) => {
    const issue = issueOf(report)
    const labels = otelLabels(pick(issue, 'labels'))
    const rules = pick(issue, 'checkrules', 'checkRules', 'checkrule')
    const [rule] = objectsOf(rules)
    const isOver = /\.(?:resolved|closed|superseded)$/.test(textOf(report['type']) ?? '')
    return [
      toAlert({
        name: pick(rule, 'name') ?? pick(issue, 'name'),
        summary: pick(issue, 'summary', 'description'),
        severity: isOver ? null : severityOfCheck(pick(issue, 'status')),
        link: pick(issue, 'url') ?? pick(rule, 'url'),
        labels,
        app: pick(labels, 'service.name'),
        environment: pick(labels, 'deployment.environment.name', 'deployment.environment'),
        identity: [pick(issue, 'issueIdentifier', 'id')],
        isOver,
      }),
    ]
  },
}

/** A check is degraded before it is critical. */
const severityOfCheck = (status: unknown) => (status === 'degraded' ? 'warning' : status)

/** Axiom writes `Triggered: name` and `Resolved: name`; what a person calls the monitor stands behind. */
const axiomState = /^(?:Triggered|Resolved|Open|Closed): /

export const axiom: Format = {
  name: 'axiom',
  about: {
    title: 'Axiom',
    by: '`action` and `event.monitorID`',
    message: '`event.body`, else `event.description`',
    exception: '`event.title` without `Triggered:`',
    place: '–',
    context: '– · – · –; labels: group keys and values',
  },
  recognises: (report) => has(report['event'], 'monitorID'),
  read: ({ action, event }) => {
    const title = textOf(pick(event, 'title'))
    const groups = pick(event, 'groupValues', 'groups')
    return [
      toAlert({
        name: title?.replace(axiomState, ''),
        summary: pick(event, 'body', 'description') ?? title,
        labels: labelsOf(groups),
        identity: [pick(event, 'monitorID'), groups === undefined ? null : JSON.stringify(groups)],
        isOver: saysOver(action) || title?.startsWith('Resolved: ') === true,
      }),
    ]
  },
}

/** New Relic's workflows and its older incidents. */
export const newRelicAlert: Format = {
  name: 'new-relic-alert',
  about: {
    title: 'New Relic alerts',
    by: '`issueUrl` or `issue_url` with `state`, or `condition_name` with `current_state`',
    message: '`title`, `details`',
    exception: '`alertConditionNames[0]`, `condition_name`',
    place: '–',
    context: '– · – · `priority`, `severity`; link `issueUrl`, `incident_url`',
  },
  recognises: (report) =>
    ((has(report, 'issueUrl') || has(report, 'issue_url')) && (has(report, 'state') || has(report, 'priority'))) ||
    (has(report, 'condition_name') && has(report, 'current_state')),
  read: (report) => {
    const state = pick(report, 'current_state', 'state', 'status')
    const title = pick(report, 'title', 'annotations', 'details')
    const name = firstOf(pick(report, 'alertConditionNames', 'condition_name', 'conditionName'))
    return [
      toAlert({
        name,
        summary: firstOf(isObject(title) ? at(title, 'title') : title) ?? pick(report, 'details'),
        severity: pick(report, 'severity', 'priority'),
        link: pick(report, 'issueUrl', 'issue_url', 'incident_url', 'violation_chart_url'),
        labels: labelsOf(report['targets'], { policy: firstOf(pick(report, 'alertPolicyNames', 'policy_name')) }),
        identity: [name ?? title, firstOf(pick(report, 'impactedEntities')) ?? at(report, 'targets', 0, 'name')],
        isOver: saysOver(state),
      }),
    ]
  },
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)
