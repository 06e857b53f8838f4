import { at, has, isObject, type JsonObject, pick, textOf } from '../../json.ts'
import type { Format } from '../format.ts'
import { labelsOf, saysOver, toAlert } from './alert.ts'

// What watches addresses from outside, and tells when they stop to answer and when they answer again.

const up = 1
/** Neither up nor down: the next try decides, or somebody is at work. */
const isUndecided = (status: unknown) => status === 2 || status === 3

const labelsOfMonitor = (monitor: unknown) =>
  labelsOf({ type: pick(monitor, 'type'), hostname: pick(monitor, 'hostname'), port: pick(monitor, 'port') })

export const uptimeKuma: Format = {
  name: 'uptime-kuma',
  about: {
    title: 'Uptime Kuma',
    by: '`heartbeat`, `monitor` and `msg`',
    message: '`heartbeat.msg`, else `msg`',
    exception: '`monitor.name`',
    place: '–',
    context: '– · – · –; link `monitor.url`, labels: type, hostname, port',
  },
  recognises: (report) => has(report, 'heartbeat') && has(report, 'monitor') && has(report, 'msg'),
  read: ({ heartbeat, monitor, msg }) => {
    const status = pick(heartbeat, 'status')
    return [
      toAlert({
        name: pick(monitor, 'name', 'pathName'),
        summary: pick(heartbeat, 'msg') ?? msg,
        severity: isUndecided(status) ? 'info' : null,
        link: addressOf(pick(monitor, 'url')),
        labels: labelsOfMonitor(monitor),
        identity: isObject(monitor) ? [pick(monitor, 'name'), pick(monitor, 'id')] : [],
        isOver: status === up,
      }),
    ]
  },
}

/** Monitors without an address have the scheme alone. */
const addressOf = (url: unknown) => (url === 'https://' || url === 'http://' ? null : url)

const isIncident = (data: unknown): boolean =>
  has(at(data, 'attributes'), 'cause') || (pick(data, 'type') === 'incident' && isObject(at(data, 'attributes')))

/** An acknowledgement is no new occurrence. */
const severityOfIncident = (incident: unknown) => (pick(incident, 'acknowledged_at') === undefined ? null : 'info')

export const betterStack: Format = {
  name: 'better-stack',
  about: {
    title: 'Better Stack',
    by: '`data.attributes` with a `cause`, or of the type `incident`',
    message: '`cause`',
    exception: '`name`',
    place: '–',
    context: '– · – · –; link `url`, `origin_url`; labels: team, regions',
  },
  recognises: ({ data }) => isIncident(data),
  read: ({ data }) => {
    const incident = at(data, 'attributes')
    const regions = pick(incident, 'regions')
    return [
      toAlert({
        name: pick(incident, 'name'),
        summary: pick(incident, 'cause'),
        severity: severityOfIncident(incident),
        link: pick(incident, 'url', 'origin_url'),
        method: pick(incident, 'http_method'),
        labels: {
          team: pick(incident, 'team_name'),
          regions: Array.isArray(regions) ? regions.filter((region) => typeof region === 'string').join(', ') : null,
        },
        identity: [at(data, 'relationships', 'monitor', 'data', 'id') ?? pick(incident, 'name'), pick(incident, 'url')],
        isOver: pick(incident, 'resolved_at') !== undefined || saysOver(pick(incident, 'status')),
      }),
    ]
  },
}

const isCheck = (report: JsonObject) =>
  (has(report, 'check_name') || has(report, 'check_id')) &&
  ['current_state', 'alert_type', 'state'].some((key) => has(report, key))

/** Pingdom and Checkly: a check with its state. */
export const uptimeCheck: Format = {
  name: 'uptime-check',
  about: {
    title: 'Pingdom, Checkly',
    by: '`check_name` with `current_state` or `alert_type`',
    message: '`long_description`, `check_error_message`, `event`, `description`',
    exception: '`check_name`',
    place: '–',
    context: '– · – · `importance_level`; link `link`, `result_link`, `check_params.full_url`',
  },
  recognises: isCheck,
  read: (report) => {
    const type = textOf(pick(report, 'alert_type')) ?? ''
    return [
      toAlert({
        name: report['check_name'],
        summary: pick(report, 'long_description', 'check_error_message', 'event', 'description'),
        severity: pick(report, 'importance_level') ?? (type.includes('DEGRADED') ? 'warning' : null),
        link: pick(report, 'link', 'result_link') ?? at(report, 'check_params', 'full_url'),
        labels: {
          type: pick(report, 'check_type'),
          region: pick(report, 'run_location'),
          hostname: at(report, 'check_params', 'hostname'),
        },
        identity: [pick(report, 'check_id') ?? report['check_name']],
        isOver: saysOver(pick(report, 'current_state', 'state')) || type.endsWith('RECOVERY'),
      }),
    ]
  },
}
