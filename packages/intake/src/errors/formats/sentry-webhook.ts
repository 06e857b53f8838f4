import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { at, has, pick, toText } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import type { Format } from './format.ts'
import { sentry } from './sentry.ts'

// Sentry's webhooks: the whole event under `data.event` (alerts), `data.error` (errors), or
// `event` (the older plugin), or only the issue.

const eventOf = (report: JsonRecord): JsonRecord | null => {
  const event = at(report, 'data', 'event') ?? at(report, 'data', 'error') ?? at(report, 'event')
  return isRecord(event) ? event : null
}

const projectOf = (report: JsonRecord, event: JsonRecord | null): string | null => {
  const named = pick(report, 'project_name', 'project_slug', 'project') ?? pick(event, 'project_name', 'project_slug')
  return toText(named) ?? toText(pick(at(report, 'data', 'issue', 'project'), 'slug', 'name'))
}

/** The key of the issue. The older plugin has its id at the top. */
const toIssueKey = (report: JsonRecord, event: JsonRecord | null): readonly unknown[] => {
  const older = has(report, 'culprit') || has(report, 'project_slug') ? pick(report, 'id') : undefined
  const id = pick(event, 'issue_id', 'groupID') ?? pick(at(report, 'data', 'issue'), 'id', 'shortId') ?? older
  return toText(id) === null ? [] : ['sentry', id]
}

const fromEvent = (report: JsonRecord, event: JsonRecord): readonly RecordDraft[] => {
  const issue = toIssueKey(report, event)
  return sentry.read(event, event).map((record) => ({
    ...record,
    message: record.message ?? at(event, 'metadata', 'value') ?? pick(event, 'title'),
    exception: record.exception ?? at(event, 'metadata', 'type'),
    file: record.file ?? at(event, 'metadata', 'filename'),
    severity: record.severity ?? pick(report, 'level'),
    app: projectOf(report, event),
    url: record.url ?? pick(event, 'web_url') ?? pick(report, 'url'),
    fingerprint: issue.length > 0 ? issue : record.fingerprint,
  }))
}

const fromIssue = (report: JsonRecord, issue: JsonRecord): RecordDraft => ({
  message: at(issue, 'metadata', 'value') ?? pick(issue, 'title', 'culprit'),
  exception: at(issue, 'metadata', 'type'),
  file: at(issue, 'metadata', 'filename'),
  framework: pick(issue, 'platform'),
  severity: pick(issue, 'level'),
  environment: pick(eventOf(report), 'environment'),
  url: pick(issue, 'permalink', 'web_url'),
  app: projectOf(report, null),
  fingerprint: toIssueKey(report, null),
})

const grades: ReadonlySet<string> = new Set(['critical', 'warning'])

const fromMetric = (report: JsonRecord): RecordDraft => ({
  message: at(report, 'data', 'description_title') ?? at(report, 'data', 'metric_alert', 'title'),
  environment: at(report, 'data', 'metric_alert', 'alert_rule', 'environment'),
  severity: grades.has(String(report['action'])) ? report['action'] : at(report, 'data', 'metric_alert', 'status'),
  url: at(report, 'data', 'web_url'),
  fingerprint: pick(at(report, 'data', 'metric_alert', 'alert_rule'), 'id', 'name'),
})

const looksLikeEvent = (event: JsonRecord) =>
  has(event, 'event_id') || has(event, 'exception') || has(event, 'metadata')

export const sentryWebhook: Format = {
  name: 'sentry-webhook',
  recognizes: (report) => {
    // Crashlytics sends an issue, too.
    if (['exceptions', 'batch', 'alerttype', 'alertType'].some((key) => has(report, key))) return false
    const event = eventOf(report)
    if (event !== null && looksLikeEvent(event)) return true
    return (
      pick(at(report, 'data', 'issue'), 'culprit', 'metadata', 'shortId', 'permalink') !== undefined ||
      isRecord(at(report, 'data', 'metric_alert'))
    )
  },
  read: (report) => {
    const event = eventOf(report)
    if (event !== null && looksLikeEvent(event)) return fromEvent(report, event)
    const issue = at(report, 'data', 'issue')
    // A person assigned or archived it: not a new error and not a recovery.
    if (['assigned', 'ignored', 'archived'].includes(String(report['action']))) return []
    const recovered = report['action'] === 'resolved'
    return [{ ...(isRecord(issue) ? fromIssue(report, issue) : fromMetric(report)), recovered }]
  },
}
