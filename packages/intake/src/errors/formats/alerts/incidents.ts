import { guessRecord } from '../../heuristics/guess-record.ts'
import { at, has, isObject, type JsonObject, objectsOf, pick, textOf } from '../../json.ts'
import { toRecord } from '../../record.ts'
import type { Format } from '../format.ts'
import { saysOver, toAlert } from './alert.ts'

// Incidents of those who wake people, and the plain webhooks of small watchers.

type Incident = { readonly type: unknown; readonly incident: unknown }

/** The second version of the webhook carries several messages. */
const incidentsOf = (report: JsonObject): readonly Incident[] =>
  has(report, 'messages')
    ? objectsOf(report['messages']).map((message) => ({
        type: message['type'] ?? message['event'],
        incident: incidentIn(message),
      }))
    : [{ type: at(report, 'event', 'event_type'), incident: at(report, 'event', 'data') }]

const incidentIn = (message: JsonObject) => at(message, 'data', 'incident') ?? message['incident']

const readIncident = ({ type: named, incident }: Incident) => {
  const type = textOf(named) ?? ''
  const priority = at(incident, 'priority', 'summary') ?? pick(incident, 'urgency')
  return toAlert({
    name: null,
    summary:
      pick(incident, 'title') ??
      at(incident, 'trigger_summary_data', 'subject') ??
      at(incident, 'trigger_summary_data', 'description'),
    severity: isFollowUp(type) ? 'info' : priority,
    link: pick(incident, 'html_url'),
    app: at(incident, 'service', 'summary') ?? at(incident, 'service', 'name'),
    identity: [pick(incident, 'incident_key', 'id')],
    isOver: type.endsWith('.resolved') || type.endsWith('.resolve'),
  })
}

/** Whoever acknowledges or assigns an incident reports no new one. */
const isFollowUp = (type: string) =>
  /\.(?:acknowledged?|assigned?|annotated|delegated|escalated|reassigned)$/.test(type)

export const pagerDuty: Format = {
  name: 'pagerduty',
  about: {
    title: 'PagerDuty',
    by: '`event.event_type` that begins with `incident.`, or `messages[].data.incident`',
    message: '`title`',
    exception: '–',
    place: '–',
    context: '`service.summary` · – · `priority.summary`, `urgency`; link `html_url`',
  },
  recognises: (report) =>
    textOf(at(report, 'event', 'event_type'))?.startsWith('incident.') === true ||
    objectsOf(report['messages']).some((message) => isObject(incidentIn(message))),
  read: (report) => incidentsOf(report).map(readIncident),
}

const eventActions = /^(?:trigger|acknowledge|resolve)$/

/** Version 2 of its Events API, to which many tools write: what a source found, under a key by which it is found again. */
export const pagerDutyEvents: Format = {
  name: 'pagerduty-events',
  about: {
    title: 'PagerDuty Events API',
    by: '`event_action` with `payload` or `dedup_key`',
    message: '`payload.summary`',
    exception: 'as in the generic reader',
    place: 'as in the generic reader',
    context:
      'as in the generic reader · – · `payload.severity`; link `client_url`, `links[].href`, labels `payload.custom_details`; grouped by `dedup_key`',
  },
  recognises: (report) =>
    eventActions.test(textOf(report['event_action']) ?? '') &&
    (isObject(report['payload']) || has(report, 'dedup_key')),
  read: (report) => {
    const { payload, event_action: action, dedup_key: key } = report
    const found = guessRecord(report)
    return [
      toRecord({
        ...found,
        message: pick(payload, 'summary') ?? found.message,
        severity: action === 'acknowledge' ? 'info' : (pick(payload, 'severity') ?? found.severity),
        url: pick(report, 'client_url') ?? at(objectsOf(report['links'])[0], 'href') ?? found.url,
        labels: pick(payload, 'custom_details'),
        fingerprint: key,
        recovered: action === 'resolve',
      }),
    ]
  },
}

export const opsgenie: Format = {
  name: 'opsgenie',
  about: {
    title: 'Opsgenie',
    by: '`action` and `alert.alertId`',
    message: '`alert.message`',
    exception: '–',
    place: '–',
    context: '`alert.entity` · – · `alert.priority`; labels `alert.details`',
  },
  recognises: (report) => has(report, 'action') && has(report['alert'], 'alertId'),
  read: ({ action, alert }) => [
    toAlert({
      name: null,
      summary: pick(alert, 'message', 'description'),
      severity: action === 'Create' || saysOver(action) ? pick(alert, 'priority') : 'info',
      labels: pick(alert, 'details'),
      app: pick(alert, 'entity'),
      identity: [pick(alert, 'alias', 'alertId')],
      isOver: saysOver(action),
    }),
  ],
}

export const uptimeRobot: Format = {
  name: 'uptime-robot',
  about: {
    title: 'UptimeRobot',
    by: '`monitorFriendlyName` with `alertType`',
    message: '`alertDetails`',
    exception: '`monitorFriendlyName`',
    place: '–',
    context: '– · – · –; link `monitorURL`',
  },
  recognises: (report) => has(report, 'monitorFriendlyName') && has(report, 'alertType'),
  read: (report) => [
    toAlert({
      name: report['monitorFriendlyName'],
      summary: pick(report, 'alertDetails', 'alertTypeFriendlyName'),
      link: report['monitorURL'],
      identity: [pick(report, 'monitorID') ?? report['monitorFriendlyName']],
      isOver: String(report['alertType']) === '2' || saysOver(report['alertTypeFriendlyName']),
    }),
  ],
}

/** Honeybadger's uptime checks. */
export const honeybadgerUptime: Format = {
  name: 'honeybadger-uptime',
  about: {
    title: 'Honeybadger uptime',
    by: '`site` with `outage`',
    message: '`outage.reason`, else `message`',
    exception: '`site.name`',
    place: '–',
    context: '`project.name` · – · –; link `site.url`, `outage.status`',
  },
  recognises: (report) => isObject(report['site']) && isObject(report['outage']),
  read: ({ event, message, project, site, outage }) => [
    toAlert({
      name: pick(site, 'name'),
      summary: pick(outage, 'reason') ?? message,
      link: pick(site, 'url'),
      app: pick(project, 'name'),
      status: pick(outage, 'status'),
      identity: [pick(site, 'id', 'name')],
      isOver: saysOver(event),
    }),
  ],
}

/** Gatus, OpenStatus and other watchers: a monitor with an address, and a state. */
export const monitorState: Format = {
  name: 'monitor-state',
  about: {
    title: 'OpenStatus and other monitors',
    by: '`monitor` with `url` or `name`, and `status`',
    message: '`errorMessage`, `message`, `msg`, `reason`',
    exception: '`monitor.name`',
    place: '–',
    context: '– · – · `severity`; link `monitor.url`, `statusCode`',
  },
  recognises: (report) =>
    (has(report['monitor'], 'url') || has(report['monitor'], 'name')) && typeof report['status'] === 'string',
  read: (report) => [
    toAlert({
      name: pick(report['monitor'], 'name', 'label'),
      summary: pick(report, 'errorMessage', 'message', 'msg', 'reason') ?? at(report, 'incident', 'reason'),
      severity:
        report['status'] === 'degraded' ? 'warning' : (pick(report, 'severity') ?? at(report, 'incident', 'severity')),
      link: pick(report['monitor'], 'url'),
      status: pick(report, 'statusCode'),
      identity: [pick(report['monitor'], 'name'), pick(report['monitor'], 'id')],
      isOver: saysOver(report['status']),
    }),
  ],
}
