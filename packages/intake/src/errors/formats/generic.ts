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
  stateKeys.some((key) => good.test(textOf(report[key])?.trim() ?? ''))

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
    return [toRecord({ ...found, recovered: isNoteOfRecovery(report, found) })]
  },
}
