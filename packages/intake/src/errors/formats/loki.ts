import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { guessRecord } from '../guess/guess.ts'
import { withTitle } from '../guess/title.ts'
import { at, pick, toList, toObjects, toText } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import type { Format } from './format.ts'

const parsed = (text: string): JsonRecord => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

const readLine = (text: string): RecordDraft => {
  if (text.startsWith('{')) return guessRecord(parsed(text))
  // winston's transport writes the message, followed by its fields as JSON.
  const json = text.endsWith('}') ? text.indexOf(' {"') : -1
  const fields = json === -1 ? {} : parsed(text.slice(json + 1))
  return Object.keys(fields).length > 0 ? guessRecord({ message: text.slice(0, json), ...fields }) : { message: text }
}

const fromStream = (stream: JsonRecord): RecordDraft[] => {
  const labels = stream['stream']
  return toList(stream['values']).flatMap((entry) => {
    const text = toText(at(entry, 1))
    if (text === null) return []
    const line = readLine(text)
    return [
      withTitle({
        ...line,
        app: line.app ?? pick(labels, 'app', 'service', 'service_name', 'application', 'job'),
        environment: line.environment ?? pick(labels, 'env', 'environment', 'deployment_environment'),
        severity: line.severity ?? pick(labels, 'level', 'severity', 'detected_level'),
      }),
    ]
  })
}

/** The format of Loki clients: streams of lines, each with labels. */
export const loki: Format = {
  name: 'loki',
  recognizes: (report) => toObjects(report['streams']).some((stream) => Array.isArray(stream['values'])),
  split: (report) => toObjects(report['streams']),
  read: fromStream,
}
