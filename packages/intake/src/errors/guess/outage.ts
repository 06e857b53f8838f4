import { toText } from '../json.ts'
import { normalizeMessage, normalizeOutage } from '../normalize-message.ts'
import type { RecordDraft } from '../record.ts'
import { describesFailure } from './failure-words.ts'
import { subjectOfSentence } from './named-in-text.ts'
import { stateOfTitle } from './state-words.ts'

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

/** `A backup error has occurred on nas1`, `backup.sh on db01 exited with status 1` */
const failedOn =
  /\b(?:errors?|failures?|problems?) (?:has |have )?occurred on [\w.-]{1,60}|\bon [\w.-]{1,60} (?:has )?(?:exited with|ended with|stopped unexpectedly)\b/

/** The message of an alarm that names what is down or failed, as programs on machines send it. */
export const namedAlarm = (message: string): string | null => {
  if (stateOfTitle(message) === 'bad') return subjectOfSentence(message)
  return failedOn.test(message.slice(0, 1_000)) ? normalizeOutage(message) : null
}

/** What operators watch on a machine or a site, and what may be wrong with it. */
const operated =
  /^\W{0,3}(?:[\w-]{1,30} ){0,3}(?:backup|snapshot|replication|raid|array|disk|drive|filesystem|fan|ups|battery|power supply|certificate|service|daemon|process|cron(?: ?job)?|update|upgrade|antivirus|toner|paper|ink)s?\b/i
const isWrong = /\b(?:expires?|expiring|jam(?:med)?|empty|low|degraded|overheat(?:ed|ing)?|missing|offline)\b/i

/** Whether a sentence is about a failure of what is operated at the place beside it. An application fails on any of its machines. */
export const describesOperation = (message: string): boolean =>
  operated.test(message) && (describesFailure(message) || isOutage(message) || isWrong.test(message))

/** Outages of two machines are two problems. An error of the application has an exception or a file. */
export const withOutage = (found: RecordDraft): RecordDraft => {
  const message = toText(found.message)
  const isOfApplication = toText(found.exception) !== null || toText(found.file) !== null
  if (message === null || isOfApplication) return found
  const alarm = namedAlarm(message)
  if (alarm !== null) return { ...found, fingerprint: [alarm] }
  if (!isOutage(message)) return found
  const named = namedOutage(message)
  if (named !== null) return { ...found, fingerprint: [named] }
  const host = hostIn(found)
  return host === null ? found : { ...found, fingerprint: [normalizeOutage(message), host] }
}
