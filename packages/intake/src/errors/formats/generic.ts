import { guessRecord, isThrown } from '../heuristics/guess-record.ts'
import { type State, stateIn } from '../heuristics/states.ts'
import { placesIn } from '../heuristics/walk.ts'
import { textOf } from '../json.ts'
import { type RecordDraft, toRecord } from '../record.ts'
import type { Format } from './format.ts'

/** Something is well again, whoever watches, and nothing was thrown. */
const isNoteOfRecovery = (found: RecordDraft, state: State | null): boolean => {
  if (isThrown(found)) return false
  const isSevere = textOf(found.severity) !== null
  return state === 'resolved' || (state === 'fine' && !isSevere)
}

/** A note of a job or a build that did not end yet. */
const isNoteOfProgress = (found: RecordDraft, state: State | null): boolean =>
  state === 'going on' && !isThrown(found) && textOf(found.severity) === null

/** The last reader: whatever calls an error by one of its usual names. It reads every object, if only as nothing. */
export const generic: Format = {
  name: 'generic',
  about: {
    title: 'generic',
    by: 'anything else',
    message: '`message`, `msg`, `detail`, `title`…; else the best name in the body',
    exception: '`exception`, `error_class`, `errorType`…, in any object that looks like an error',
    place: '`file`, `line`, or a stack under any name',
    context: '`app_name`, `service`… · `environment`, `env`… · `severity`, `level`…',
  },
  recognises: () => true,
  read: (report) => {
    const places = placesIn(report)
    const found = guessRecord(report, places)
    const state = stateIn(places)
    if (isNoteOfProgress(found, state)) return [toRecord({ ...found, severity: 'info' })]
    return [toRecord({ ...found, recovered: isNoteOfRecovery(found, state) })]
  },
}
