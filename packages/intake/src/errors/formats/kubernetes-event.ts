import { at, isObject, type JsonObject, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import type { Format } from './format.ts'

/** Watching hands on each event with what became of it around it. */
const eventIn = (report: JsonObject): JsonObject => {
  const held = pick(report, 'object', 'event')
  return isObject(held) ? held : report
}

const subjectOf = (event: JsonObject): unknown => pick(event, 'involvedObject', 'regarding')

const levels: Readonly<Record<string, string>> = { Normal: 'info', Warning: 'warning' }

/** Events of Kubernetes, as exporters and controllers post them. */
export const kubernetesEvent: Format = {
  name: 'kubernetes-event',
  about: {
    title: 'Kubernetes events, Flux',
    by: '`involvedObject` or `regarding` with a `kind`, and a `reason`; also below `object` or `event`',
    message: '`message`, `note`',
    exception: '`reason`',
    place: '–',
    context: '– · – · `severity`, else `type`; labels: kind, name, namespace, component',
  },
  recognises: (report) => {
    const event = eventIn(report)
    return textOf(at(subjectOf(event), 'kind')) !== null && textOf(event['reason']) !== null
  },
  read: (report) => {
    const event = eventIn(report)
    const subject = subjectOf(event)
    return [
      toRecord({
        message: pick(event, 'message', 'note'),
        exception: event['reason'],
        severity: event['severity'] ?? levels[textOf(event['type']) ?? ''],
        labels: {
          kind: at(subject, 'kind'),
          name: at(subject, 'name'),
          namespace: at(subject, 'namespace'),
          component: at(event, 'source', 'component') ?? pick(event, 'reportingController', 'reportingComponent'),
        },
      }),
    ]
  },
}
