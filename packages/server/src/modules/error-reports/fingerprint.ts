import { hash } from 'node:crypto'
import { crashSite } from './frame.ts'
import { normaliseMessage } from './normalise-message.ts'
import { normalisePath } from './normalise-path.ts'
import type { ErrorRecord } from './record.ts'

// Never part of the key: the line (a deploy moves it) and the environment (staging meets the errors of production first).

/** What Sentry's clients write where our own grouping should stand. */
const ownGrouping = /^\{\{\s*default\s*\}\}$/

/** The application's own file, when a frame is known to be its own: a library's file is shared by many errors. */
const groupingFile = (record: ErrorRecord): string => {
  const crash = crashSite(record.frames)
  const file = crash?.inApp ? crash.file : record.file
  return file === null ? '' : normalisePath(file)
}

/** PHP names an anonymous class after its file and line; Java numbers its generated ones. */
const groupingException = (exception: string | null): string =>
  (exception ?? '').replace(/@anonymous.*$/s, '@anonymous').replace(/\$\$\w*?\$\$[0-9a-f]+/gi, '$$')

/** A report without a word still happened somewhere. */
const whereabouts = (record: ErrorRecord): string[] => {
  const path = record.url?.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/s, '') ?? ''
  return [String(record.status ?? ''), record.method ?? '', normaliseMessage(path)]
}

const ownKey = (record: ErrorRecord): string[] => {
  const exception = groupingException(record.exception)
  const message = record.message === null ? '' : normaliseMessage(record.message)
  const parts = [exception, message, groupingFile(record)]
  return exception === '' && message === '' ? [...parts, ...whereabouts(record)] : parts
}

/** Reports of one key belong in one ticket. SHA-256 in hexadecimal. What the client asked for wins over our reading. */
export const fingerprint = (record: ErrorRecord): string => {
  const asked = record.fingerprint
  const parts =
    asked === null ? ownKey(record) : asked.flatMap((part) => (ownGrouping.test(part) ? ownKey(record) : [part]))
  // A list in JSON: no message can look like two parts.
  return hash('sha256', JSON.stringify([record.app ?? '', ...parts]), 'hex')
}
