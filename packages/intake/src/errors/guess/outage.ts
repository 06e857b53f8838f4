import { toText } from '../json.ts'
import { normalizeMessage, normalizeOutage } from '../normalize-message.ts'
import type { RecordDraft } from '../record.ts'

// The documented format has no field for the machine that is down, so only the message or the URL names it.

const outage =
  /\b(?:(?:went|is|are|was|were|goes|gone) (?:down|offline|dark)|offline|outage|unavailable|unreachable|not respond(?:s|ed|ing)?|no response|(?:disk|volume) (?:is )?full)\b|^[\w.:-]{1,100} refused\b/i

/** With a method or a status, the URL is that of a request. */
const hostIn = ({ url, method, status }: RecordDraft): string | null => {
  const isOfRequest = toText(method) !== null || toText(status) !== null
  const text = toText(url) ?? ''
  return isOfRequest || !URL.canParse(text) ? null : new URL(text).hostname || null
}

const isOutage = (message: string): boolean => outage.test(message.slice(0, 1_000))

/** The message of an outage that names what is down. */
export const namedOutage = (message: string): string | null => {
  if (!isOutage(message)) return null
  const named = normalizeOutage(message)
  return named === normalizeMessage(message) ? null : named
}

/** Outages of two machines are two problems. An error of the application has an exception or a file. */
export const withOutage = (found: RecordDraft): RecordDraft => {
  const message = toText(found.message)
  const isOfApplication = toText(found.exception) !== null || toText(found.file) !== null
  if (message === null || isOfApplication || !isOutage(message)) return found
  const named = namedOutage(message)
  if (named !== null) return { ...found, fingerprint: [named] }
  const host = hostIn(found)
  return host === null ? found : { ...found, fingerprint: [normalizeOutage(message), host] }
}
