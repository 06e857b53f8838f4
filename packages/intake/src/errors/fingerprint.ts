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

/** A report without a word still happened somewhere, and has a look of its own. */
const whereabouts = ({ url, method, status, unread }: ErrorRecord): KeyParts => {
  const path = url?.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/s, '') ?? ''
  const place = { status: String(status ?? ''), method: method ?? '', path: normaliseMessage(path) }
  if (unread === null) return place
  const line = path === '' && unread.line !== null ? normaliseMessage(unread.line) : ''
  return { ...place, shape: unread.shape, line }
}

/** What a key is made of, by name. The names are for people; only the values and their order are hashed. */
export type KeyParts = Readonly<Record<string, string>>

const ownParts = (record: ErrorRecord): KeyParts => {
  const exception = groupingException(record.exception)
  const message = record.message === null ? '' : normaliseMessage(record.message)
  const parts = { exception, message, file: groupingFile(record) }
  return exception === '' && message === '' ? { ...parts, ...whereabouts(record) } : parts
}

/** What the key of a report is made of. What the client asked for wins over our reading; the application always counts. */
export const keyPartsOf = (record: ErrorRecord): KeyParts => {
  const app = { app: record.app ?? '' }
  if (record.fingerprint === null) return { ...app, ...ownParts(record) }
  const asked = record.fingerprint.map(
    (part, index): KeyParts => (ownGrouping.test(part) ? ownParts(record) : { [`fingerprint ${index + 1}`]: part }),
  )
  return Object.assign({}, app, ...asked)
}

/** Reports of one key belong in one ticket. SHA-256 in hexadecimal. */
export const fingerprint = (record: ErrorRecord): string =>
  // A list in JSON: no message can look like two parts.
  hash('sha256', JSON.stringify(Object.values(keyPartsOf(record))), 'hex')
