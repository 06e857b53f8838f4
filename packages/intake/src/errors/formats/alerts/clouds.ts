import { at, has, isObject, type JsonObject, listOf, objectsOf, pick, textOf } from '../../json.ts'
import type { Format } from '../format.ts'
import { labelsOf, listedLabels, saysOver, toAlert } from './alert.ts'

const isPath = (name: unknown) => textOf(name)?.startsWith('projects/') === true

/** An incident of Google Cloud Monitoring. Old ones name the policy by its path, which is no name to a person. */
export const googleMonitoring: Format = {
  name: 'google-monitoring',
  about: {
    title: 'Google Cloud Monitoring',
    by: '`incident` with `incident_id`, `policy_name` or `condition_name`',
    message: '`incident.summary`',
    exception: '`incident.policy_name`, else `condition_name`',
    place: '–',
    context: '– · – · `incident.severity`; link `incident.url`, labels of resource, metric and policy',
  },
  recognises: ({ incident }) =>
    isObject(incident) && ['incident_id', 'policy_name', 'condition_name'].some((key) => has(incident, key)),
  read: ({ incident }) => {
    const policy = pick(incident, 'policy_name')
    const condition = pick(incident, 'condition_name') ?? at(incident, 'condition', 'displayName')
    const severity = pick(incident, 'severity')
    return [
      toAlert({
        name: policy === undefined || isPath(policy) ? (condition ?? policy) : policy,
        summary: pick(incident, 'summary') ?? at(incident, 'documentation', 'content'),
        severity: textOf(severity)?.toLowerCase() === 'no severity' ? null : severity,
        link: pick(incident, 'url'),
        labels: labelsOf(
          at(incident, 'resource', 'labels'),
          at(incident, 'metric', 'labels'),
          pick(incident, 'policy_user_labels'),
        ),
        environment: at(incident, 'metadata', 'user_labels', 'environment'),
        identity: [policy, condition, pick(incident, 'resource_name', 'resource_id')],
        isOver: saysOver(pick(incident, 'state')),
      }),
    ]
  },
}

/** `INSUFFICIENT_DATA` is neither an alarm nor its end. */
const severityOfAlarm = (state: unknown) => (state === 'INSUFFICIENT_DATA' ? 'info' : null)

const fromNotification = (alarm: JsonObject) => {
  const { Trigger: trigger } = alarm
  return toAlert({
    name: alarm['AlarmName'],
    summary: pick(alarm, 'NewStateReason', 'AlarmDescription'),
    severity: severityOfAlarm(alarm['NewStateValue']),
    labels: labelsOf(listedLabels(pick(trigger, 'Dimensions'), ['name', 'value']), {
      metric: pick(trigger, 'MetricName'),
      namespace: pick(trigger, 'Namespace'),
      region: pick(alarm, 'Region'),
      account: pick(alarm, 'AWSAccountId'),
      description: pick(alarm, 'AlarmDescription'),
    }),
    identity: [pick(alarm, 'AlarmArn') ?? alarm['AlarmName']],
    isOver: saysOver(alarm['NewStateValue']),
  })
}

/** As EventBridge carries it; a function that is an action of the alarm gets the same as `alarmData`. */
const fromEvent = (report: JsonObject) => {
  const detail = pick(report, 'detail', 'alarmData')
  const state = at(detail, 'state', 'value')
  return toAlert({
    name: pick(detail, 'alarmName'),
    summary: at(detail, 'state', 'reason') ?? at(detail, 'configuration', 'description'),
    severity: severityOfAlarm(state),
    labels: {
      region: report['region'],
      account: pick(report, 'account', 'accountId'),
      description: at(detail, 'configuration', 'description'),
    },
    identity: [listOf(report['resources'])[0] ?? pick(report, 'alarmArn') ?? pick(detail, 'alarmName')],
    isOver: saysOver(state),
  })
}

/** An alarm of CloudWatch: as SNS carries it, or as an event of EventBridge. */
export const cloudWatch: Format = {
  name: 'cloudwatch',
  about: {
    title: 'AWS CloudWatch',
    by: '`AlarmName` with `NewStateValue`, or `detail.alarmName`, `alarmData.alarmName`; in a notification of SNS, also inside a Lambda event',
    message: '`NewStateReason`, else `AlarmDescription`',
    exception: '`AlarmName`',
    place: '–',
    context: '– · – · –; labels: dimensions, metric, region, account, description',
  },
  recognises: (report) =>
    (has(report, 'AlarmName') && (has(report, 'NewStateValue') || has(report, 'AlarmDescription'))) ||
    has(report['detail'], 'alarmName') ||
    has(report['alarmData'], 'alarmName'),
  read: (report) => [has(report, 'AlarmName') ? fromNotification(report) : fromEvent(report)],
}

const fromCommonSchema = (data: unknown) => {
  const essentials = at(data, 'essentials')
  const targets = listOf(pick(essentials, 'alertTargetIDs'))
  return toAlert({
    name: pick(essentials, 'alertRule'),
    summary: pick(essentials, 'description') ?? at(data, 'alertContext', 'properties', 'title'),
    severity: pick(essentials, 'severity'),
    link:
      pick(essentials, 'investigationLink') ??
      at(data, 'alertContext', 'condition', 'allOf', 0, 'linkToSearchResultsUI'),
    labels: labelsOf(pick(data, 'customProperties'), {
      service: pick(essentials, 'monitoringService'),
      signal: pick(essentials, 'signalType'),
      target: listOf(pick(essentials, 'configurationItems'))[0] ?? targets[0],
    }),
    identity: [pick(essentials, 'alertRule'), ...targets],
    isOver: saysOver(pick(essentials, 'monitorCondition')),
  })
}

/** Numbers of the older schemas: 0 is critical, 4 is verbose, the same scale as `Sev0` to `Sev4`. */
const severityOfNumber = (severity: unknown) =>
  /^[0-4]$/.test(textOf(severity) ?? '') ? `Sev${textOf(severity)}` : severity

const fromOlderSchema = (data: JsonObject) => {
  const context = isObject(data['context']) ? data['context'] : data
  const log = pick(context, 'activityLog')
  const name = pick(context, 'name', 'AlertRuleName') ?? pick(log, 'operationName')
  return toAlert({
    name,
    summary: pick(context, 'description', 'Description') ?? at(log, 'properties', 'title') ?? pick(log, 'description'),
    severity: severityOfNumber(pick(context, 'severity', 'Severity') ?? pick(log, 'level')),
    link: pick(context, 'portalLink', 'LinkToSearchResults'),
    labels: labelsOf(data['properties'], {
      resource: pick(context, 'resourceName') ?? pick(log, 'resourceId'),
      group: pick(context, 'resourceGroupName') ?? pick(log, 'resourceGroupName'),
    }),
    identity: [name, pick(context, 'resourceId', 'resourceName', 'WorkspaceId') ?? pick(log, 'resourceId')],
    isOver: saysOver(data['status']),
  })
}

/** The oldest alerts are the data alone. */
const isClassic = ({ status, context }: JsonObject): boolean =>
  typeof status === 'string' &&
  has(context, 'conditionType') &&
  (has(context, 'resourceId') || has(context, 'resourceName'))

/** Azure Monitor: the common schema, and those that each kind of alert had before it. */
export const azureMonitor: Format = {
  name: 'azure-monitor',
  about: {
    title: 'Azure Monitor',
    by: '`data.essentials`, `schemaId` with `data`, or `status` with `context.conditionType`',
    message: '`essentials.description`',
    exception: '`essentials.alertRule`',
    place: '–',
    context: '– · – · `essentials.severity`; link `investigationLink`, labels: custom properties, service, target',
  },
  recognises: (report) =>
    has(at(report, 'data', 'essentials'), 'alertRule') ||
    (has(report, 'schemaId') && isObject(report['data'])) ||
    isClassic(report),
  read: (report) => {
    const data = isClassic(report) ? report : report['data']
    if (!isObject(data)) return []
    return [has(data, 'essentials') ? fromCommonSchema(data) : fromOlderSchema(data)]
  },
}

const answersOf = (report: JsonObject) => listedLabels(report['fields'], ['key', 'value'])

/** Coralogix puts its facts into a list of pairs. What an account leaves open stays as the placeholder `$NAME`. */
const known = (value: unknown): unknown => (textOf(value)?.startsWith('$') ? undefined : value)

export const coralogix: Format = {
  name: 'coralogix',
  about: {
    title: 'Coralogix',
    by: '`alert_action` with `fields[]`',
    message: '`description`, else the field `text`',
    exception: '`name`',
    place: '–',
    context: 'field `application` · – · field `severity`; link `alert_url`, labels: the fields',
  },
  recognises: (report) => has(report, 'alert_action') && objectsOf(report['fields']).some((field) => has(field, 'key')),
  read: (report) => {
    const fields = Object.fromEntries(
      Object.entries(answersOf(report)).filter(([, value]) => known(value) !== undefined),
    )
    return [
      toAlert({
        name: report['name'],
        summary: pick(report, 'description') ?? pick(fields, 'text'),
        severity: pick(fields, 'severity', 'severityLowercase'),
        link: pick(report, 'alert_url', 'log_url'),
        labels: fields,
        app: pick(fields, 'application') ?? known(report['service']),
        identity: [pick(fields, 'alertUniqueIdentifier') ?? pick(report, 'alert_id', 'name')],
        isOver: saysOver(report['alert_action']),
      }),
    ]
  },
}
