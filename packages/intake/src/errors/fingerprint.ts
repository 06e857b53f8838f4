import { hash } from 'node:crypto'
import { crashSite } from './frame.ts'
import { normalizeMessage } from './normalize-message.ts'
import { normalizePath } from './normalize-path.ts'
import type { ErrorRecord } from './record.ts'

// The key excludes the line, which deploys change, and the environment, because staging sees production's errors first.

/** Sentry's placeholder for the default grouping. */
const ownGrouping = /^\{\{\s*default\s*\}\}$/

/** The file of an application frame. Library files are excluded, because many errors share them. */
const groupingFile = (record: ErrorRecord): string => {
  const crash = crashSite(record.frames)
  const file = crash?.inApp ? crash.file : record.file
  return file === null ? '' : normalizePath(file)
}

/** PHP names an anonymous class after its file and line; Java numbers generated classes. */
const groupingException = (exception: string | null): string =>
  (exception ?? '').replace(/@anonymous.*$/s, '@anonymous').replace(/\$\$\w*?\$\$[0-9a-f]+/gi, '$$')

/** A report without a message is grouped by its location and shape. */
const whereabouts = ({ url, method, status, unread }: ErrorRecord): KeyParts => {
  const path = url?.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/s, '') ?? ''
  const request = { status: String(status ?? ''), method: method ?? '', path: normalizeMessage(path) }
  if (unread === null) return request
  const line = path === '' && unread.line !== null ? normalizeMessage(unread.line) : ''
  return { ...request, shape: unread.shape, line }
}

/** The parts of a key, by name. The names are for people; only the values and their order are hashed. */
export type KeyParts = Readonly<Record<string, string>>

const ownParts = (record: ErrorRecord): KeyParts => {
  const exception = groupingException(record.exception)
  const message = record.message === null ? '' : normalizeMessage(record.message)
  const parts = { exception, message, file: groupingFile(record) }
  return exception === '' && message === '' ? { ...parts, ...whereabouts(record) } : parts
}

/** The parts of a report's key. The client's grouping overrides ours; the application always counts. */
export const keyPartsOf = (record: ErrorRecord): KeyParts => {
  const app = { app: record.app ?? '' }
  if (record.fingerprint === null) return { ...app, ...ownParts(record) }
  const asked = record.fingerprint.map(
    (part, index): KeyParts => (ownGrouping.test(part) ? ownParts(record) : { [`fingerprint ${index + 1}`]: part }),
  )
  return Object.assign({}, app, ...asked)
}

/** The grouping key. Reports with the same key share a ticket. SHA-256 in hexadecimal. */
export const fingerprint = (record: ErrorRecord): string =>
  // A JSON list, so that no message can look like two parts.
  hash('sha256', JSON.stringify(Object.values(keyPartsOf(record))), 'hex')
