import { guessRecord } from '../heuristics/guess-record.ts'
import { at, has, isObject, type JsonObject, listOf, objectsOf, pick, textOf } from '../json.ts'
import { type ErrorRecord, type RecordDraft, toRecord } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import type { Format } from './format.ts'

// Shippers that send many lines with what they have in common.

const parsed = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const readLine = (text: string): RecordDraft => {
  if (text.startsWith('{')) return guessRecord(parsed(text))
  // winston's transport writes the sentence and, behind it, its fields as JSON.
  const json = text.endsWith('}') ? text.indexOf(' {"') : -1
  const fields = json === -1 ? {} : parsed(text.slice(json + 1))
  if (Object.keys(fields).length > 0) return guessRecord({ message: text.slice(0, json), ...fields })
  return readStack(text) === null ? { message: text } : { stack: text }
}

const fromStream = (stream: JsonObject): ErrorRecord[] => {
  const labels = stream['stream']
  const around = {
    app: pick(labels, 'app', 'service', 'service_name', 'application', 'job'),
    environment: pick(labels, 'env', 'environment', 'deployment_environment'),
  }
  return listOf(stream['values']).flatMap((entry) => {
    const text = textOf(at(entry, 1))
    if (text === null) return []
    const line = readLine(text)
    return [
      toRecord({
        ...around,
        ...line,
        app: line.app ?? around.app,
        severity: line.severity ?? pick(labels, 'level', 'severity', 'detected_level'),
      }),
    ]
  })
}

/** What Loki's clients push: streams of lines, each with its labels. */
export const loki: Format = {
  name: 'loki',
  about: {
    title: 'Grafana Loki',
    by: '`streams[]` with `stream` and `values`',
    message: 'each line, also JSON',
    exception: 'of the line',
    place: 'of the line',
    context: 'label `app`, `service` · label `env` · of the line, else label `level`',
  },
  recognises: (report) => objectsOf(report['streams']).some((stream) => Array.isArray(stream['values'])),
  read: (report) => objectsOf(report['streams']).flatMap(fromStream),
}

const isBatch = (report: JsonObject): boolean =>
  objectsOf(report['logs']).some((log) => has(log, 'message')) &&
  (has(report, 'common') || has(report['logs'], 'attributes'))

/** Attributes of New Relic are names with dots beside the message or below `attributes`. */
const newRelicLine = (log: JsonObject, common: unknown): ErrorRecord => {
  const fields = {
    ...(isObject(common) ? common : {}),
    ...(isObject(log['attributes']) ? log['attributes'] : {}),
    ...log,
  }
  const found = guessRecord(fields)
  return toRecord({ ...found, app: pick(fields, 'service.name', 'entity.name', 'appName', 'service') ?? found.app })
}

/** New Relic's log API: lines with what they have in common. */
export const newRelicLogs: Format = {
  name: 'new-relic-logs',
  about: {
    title: 'New Relic logs and error events',
    by: '`logs[]` with `common`, or `eventType` with `error.message`',
    message: '`error.message`, `message`',
    exception: '`error.class`',
    place: '`error.stack`',
    context: '`service.name`, `entity.name`, `appName` · `environment` · `level`; url, method, status',
  },
  recognises: (report) => isBatch(report) || (has(report, 'eventType') && has(report, 'error.message')),
  read: (report) =>
    isBatch(report)
      ? objectsOf(report['logs']).map((log) => newRelicLine(log, at(report, 'common', 'attributes')))
      : [newRelicLine(report, null)],
}
