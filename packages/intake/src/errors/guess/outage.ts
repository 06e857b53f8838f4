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

/** Outages of two machines are two problems. An error of the application has an exception or a file. */
export const withOutage = (found: RecordDraft): RecordDraft => {
  const message = toText(found.message)
  const isOfApplication = toText(found.exception) !== null || toText(found.file) !== null
  if (message === null || isOfApplication || !outage.test(message.slice(0, 1_000))) return found
  const named = normalizeOutage(message)
  if (named !== normalizeMessage(message)) return { ...found, fingerprint: [named] }
  const host = hostIn(found)
  return host === null ? found : { ...found, fingerprint: [named, host] }
}
