import { guessRecord } from '../heuristics/guess-record.ts'
import { type JsonObject, textOf } from '../json.ts'
import { type RecordDraft, toRecord } from '../record.ts'
import type { Format } from './format.ts'

const stateKeys = [
  'state',
  'status',
  'State',
  'current_state',
  'alert_status',
  'alert_state',
  'event_status',
  'event',
] as const
/** Words that can only be good news. "closed" may be how an order ended. */
const good = /^(?:ok|up|resolved|recovered|recovery|healthy|success)$/i

/** A state that is fine again, of whoever watches, where nothing was thrown. */
const isNoteOfRecovery = (report: JsonObject, found: RecordDraft): boolean =>
  textOf(found.exception) === null &&
  textOf(found.severity) === null &&
  textOf(found.stack) === null &&
  (report['success'] === true || stateKeys.some((key) => good.test(textOf(report[key])?.trim() ?? '')))

/** What has only begun, is waiting or goes on. */
const begun = /(?:^|[._:\s-])(?:started|running|scheduled|queued|pending|activated|in_progress)$/i

/** A note of a job or a build that did not end yet: it says which event it is, and nothing else. */
const isNoteOfProgress = (report: JsonObject, found: RecordDraft): boolean => {
  const state = stateKeys.map((key) => textOf(report[key])?.trim()).find((text) => text !== undefined) ?? ''
  const isSilent = found.message === undefined || found.message === state
  return (
    isSilent && textOf(found.exception) === null && textOf(found.severity) === null && begun.test(state.slice(0, 100))
  )
}

/** The last reader: whatever calls an error by one of its usual names. It reads every object, if only as nothing. */
export const generic: Format = {
  name: 'generic',
  about: {
    title: 'generic',
    by: 'anything else',
    message: '`message`, `msg`, `detail`, `title`…',
    exception: '`exception`, `error_class`, `errorType`…',
    place: '`file`, `line`, or a stack',
    context: '`app_name`, `service`… · `environment`, `env`… · `severity`, `level`…',
  },
  recognises: () => true,
  read: (report) => {
    const found = guessRecord(report)
    if (isNoteOfProgress(report, found)) return [toRecord({ ...found, severity: 'info' })]
    return [toRecord({ ...found, recovered: isNoteOfRecovery(report, found) })]
  },
}
