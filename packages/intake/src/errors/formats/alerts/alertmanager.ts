import { at, has, isObject, type JsonObject, objectsOf, pick } from '../../json.ts'
import type { Format } from '../format.ts'
import { labelsOf, saysOver, toAlert } from './alert.ts'

const readAlert = (alert: JsonObject, report: JsonObject) => {
  const labels = labelsOf(report['commonLabels'], alert['labels'])
  const annotations = labelsOf(report['commonAnnotations'], alert['annotations'])
  return toAlert({
    name: pick(labels, 'alertname', 'rulename') ?? at(report, 'groupLabels', 'alertname'),
    summary: pick(annotations, 'summary', 'message', 'title', 'description') ?? pick(report, 'message', 'title'),
    severity: pick(labels, 'severity', 'level', 'priority'),
    link: pick(alert, 'generatorURL', 'panelURL', 'dashboardURL') ?? pick(report, 'externalURL'),
    labels,
    app: pick(labels, 'service', 'app', 'application', 'service_name'),
    environment: pick(labels, 'environment', 'env'),
    identity: [pick(alert, 'fingerprint') ?? JSON.stringify(labels)],
    isOver: saysOver(pick(alert, 'status', 'state') ?? report['status']),
  })
}

const isAlert = (alert: JsonObject) =>
  isObject(alert['labels']) && (has(alert, 'startsAt') || has(alert, 'annotations') || has(alert, 'generatorURL'))

/** Prometheus itself lists them below `data`. */
const alertsOf = (report: JsonObject): readonly JsonObject[] =>
  objectsOf(report['alerts'] ?? at(report, 'data', 'alerts'))

/** Prometheus' Alertmanager, Grafana and whatever else speaks its webhook. Each alert is a report of its own. */
export const alertmanager: Format = {
  name: 'alertmanager',
  about: {
    title: 'Alertmanager, Grafana',
    by: '`alerts[]` with `labels`',
    message: '`annotations.summary`, `message` or `description`',
    exception: '`labels.alertname`',
    place: '–',
    context: '`labels.service` · `labels.environment` · `labels.severity`; link `generatorURL`, labels, `fingerprint`',
  },
  recognises: (report) => alertsOf(report).some(isAlert),
  read: (report) => alertsOf(report).map((alert) => readAlert(alert, report)),
}

/** What Grafana sent before it took over Alertmanager's webhook. No data is a state of its own, and no error. */
export const grafanaLegacy: Format = {
  name: 'grafana-legacy',
  about: {
    title: 'Grafana, legacy alerting',
    by: '`ruleName` with `state` or `ruleUrl`',
    message: '`message`, else `title`',
    exception: '`ruleName`',
    place: '–',
    context: 'tag `service` · tag `environment` · tag `severity`; link `ruleUrl`, labels `tags`',
  },
  recognises: (report) => has(report, 'ruleName') && (has(report, 'state') || has(report, 'ruleUrl')),
  read: (report) => {
    const state = pick(report, 'state')
    const isQuiet = state === 'paused' || state === 'pending' || state === 'unknown'
    return [
      toAlert({
        name: report['ruleName'],
        summary: pick(report, 'message', 'title'),
        severity: pick(report['tags'], 'severity') ?? (isQuiet ? 'info' : null),
        link: report['ruleUrl'],
        labels: report['tags'],
        app: pick(report['tags'], 'service', 'app'),
        environment: pick(report['tags'], 'environment', 'env'),
        identity: [report['ruleName'], pick(report, 'ruleId'), pick(report, 'orgId')],
        isOver: saysOver(state),
      }),
    ]
  },
}
