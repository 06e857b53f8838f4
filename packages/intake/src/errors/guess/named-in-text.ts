import { normalizeTitle } from '../normalize-message.ts'

// A message about a thing names it before its state: `❌ Your service web1 went down.`, `[RESOLVED] web1`.

const maxLength = 300

const link = /<[^<>|\s]{1,500}\|([^<>|]{1,200})>/g
const decoration = /\*\*|[*`~]|:[a-z_]{2,30}:|(?<!\w)_|_(?!\w)|\p{Extended_Pictographic}|\u{FE0F}/gu
/** `[FIRING:1]`, `Resolved in 2m:`, `[P1]` */
const head =
  /^\W{0,3}(?:firing|resolved|triggered|alerting|recovered|recovery|ok|closed|problem|down|up|alert|alarm|critical|warning|warn|error|acknowledged|p\d|sev\d|auto-?resolved|no data|opened|started|new|test)\b(?:[:#]\d{1,5})?(?: on [^\]]{1,80}| in \d[^:\]]{0,20}(?=:))?(?:\]|\)|:| -| \|)\s{0,3}/i
/** `RESOLVED disk is full` */
const shout = /^\W{0,3}(?:FIRING|RESOLVED|TRIGGERED|RECOVERED|RECOVERY|CLEARED|PROBLEM|ALERT|CRITICAL|WARNING)\s{1,3}/
/** `Monitor is DOWN: Shop` */
const kindHead = /^\W{0,3}\w{2,20} (?:is|went) (?:down|up)\s?:\s{0,3}/i
const state =
  /^(.{1,120}?)[\s\])"':,-]{1,4}(?:(?:is|are|was|were|has|have|had|went|goes|gone|seems|appears|looks|did|does|can|could|just|now|been|currently|again|completely)\s){0,3}(?:not\s|no longer\s|back\s)?(?:down|offline|dark|unreachable|unavailable|respond\w{0,4}|up|online|operational|back|recover\w{0,3}|restored|resolved|unhealthy|healthy|stopped responding|failing|timed out|run|ran|report\w{0,3}|check\w{0,3} in)\b/i

/** `Backup of srv1 has failed`, `Verification job v-1 successful` */
const ended =
  /^(.{1,120}?)\s{1,4}(?:(?:has|have|was|is)\s)?(?:failed|succeeded|successful|(?:finished|completed|ended)(?: successfully)?|degraded)[.!]?$/i

const grade = '(?:ok|up|normal|warn(?:ing)?|crit(?:ical)?|unknown|down|unreach(?:able)?)'

/** `disk on db1 is CRITICAL`, `db1/CPU OK -> CRIT` */
const graded = new RegExp(
  `^(.{1,120}?)\\s{1,4}(?:(?:is|was|went)\\s(?:now\\s)?${grade}(?=[.!*\\s]{0,5}(?:$|[-:(;,]))|${grade}\\s?(?:->|→|=>)\\s?${grade}\\b)`,
  'i',
)

/** A line without links, decoration, and what marks the entries of lists. */
export const toPlainLine = (line: string): string =>
  line
    .slice(0, maxLength)
    .replace(link, '$1')
    .replace(decoration, '')
    .replace(/^\s{0,20}[-•·]\s/, '')
    .trim()

const withoutHead = (line: string): string => line.replace(head, '').replace(shout, '').replace(kindHead, '')

/** Whether a line begins with a state, such as `[FIRING:1]`. */
export const isHeaded = (line: string): boolean => withoutHead(line) !== line

const firstLine = (text: string): string => {
  const line = text
    .slice(0, maxLength)
    .split('\n')
    .map(toPlainLine)
    .find((part) => part !== '')
  const next = withoutHead(line ?? '')
  return next === '' || next === line ? (line ?? text) : next.replace(head, '') || next
}

const brackets = /^[[(\s"']{1,5}|[\])[(\s"']{1,5}$/g
/** `The monitored site` names nothing. */
const isCommon =
  /^(?:(?:the|your|a|this|our) )?(?:monitored |main )?(?:site|monitor|service|host|check|server|website|endpoint|url|connection|database|it|app|system|node|device)$/i

/** The thing whose state a sentence tells; null for other sentences. */
export const subjectOfSentence = (text: string): string | null => {
  if (text === '') return null
  const line = firstLine(text)
  const subject = (graded.exec(line) ?? state.exec(line) ?? ended.exec(line))?.[1]?.replace(brackets, '') ?? ''
  return !/\p{L}/u.test(subject) || isCommon.test(subject) ? null : normalizeTitle(subject)
}

/** What a title or a sentence about a thing is about, whatever its state. */
export const nameInText = (text: string): string => subjectOfSentence(text) ?? normalizeTitle(firstLine(text))
