import { cut } from '../sanitize/sanitize-text.ts'
import type { ErrorRecord } from './record.ts'

const maxTitleLength = 255
const maxDescriptionLength = 20_000
const framesShown = 20

/** `TypeError: x is undefined`, one line, cut between characters. */
export function titleOf({ exception, message, unread, ...where }: ErrorRecord): string {
  const firstLine = message
    ?.split('\n')
    .find((line) => line.trim() !== '')
    ?.trim()
  const title = [exception, firstLine].filter(Boolean).join(': ').replace(/\s+/g, ' ').trim()
  const requestLine = [where.status, where.method, where.url].filter(Boolean).join(' ')
  const line = unread?.line ?? ''
  // A location is more useful than one word.
  const isSentence = line.includes(' ')
  // The URL of a build or an alert says less than its kind.
  const isLink = where.status === null && where.method === null && /^https?:/i.test(where.url ?? '')
  const located = isLink ? [where.app, line].filter(Boolean).join(': ') || requestLine : requestLine || line
  return cut(title || (isSentence ? line : '') || located || 'Error report', maxTitleLength)
}

/** The details that a person needs to investigate the error, as plain text. */
export function describeError(record: ErrorRecord): string {
  const facts = [
    fact('Exception', record.exception),
    fact('Where', record.file === null ? null : `${record.file}${record.line === null ? '' : `:${record.line}`}`),
    fact('Request', [record.method, record.url].filter(Boolean).join(' ')),
    fact('Status', record.status),
    fact('Application', [record.app, record.environment, record.framework].filter(Boolean).join(', ')),
    fact('Severity', record.severity),
    fact('Labels', labelsOf(record)),
  ].filter(Boolean)
  return cut(
    [record.message ?? record.unread?.line, facts.join('\n'), stackOf(record)].filter(Boolean).join('\n\n'),
    maxDescriptionLength,
  )
}

function labelsOf({ labels }: ErrorRecord): string {
  return Object.entries(labels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}

function stackOf({ frames }: ErrorRecord): string {
  return frames
    .slice(0, framesShown)
    .map(
      (frame) => `  at ${frame.function ?? '?'} (${frame.file ?? '?'}${frame.line === null ? '' : `:${frame.line}`})`,
    )
    .join('\n')
}

function fact(name: string, value: string | number | null): string {
  return value === null || value === '' ? '' : `${name}: ${value}`
}
